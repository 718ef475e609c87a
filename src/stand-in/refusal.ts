/** What the Bot API answers with `"ok": false`: thrown by the rules, turned into JSON by the server. */
export class Refusal extends Error {
  readonly code: number;
  readonly parameters: Record<string, unknown> | undefined;

  constructor(code: number, description: string, parameters?: Record<string, unknown>) {
    super(description);
    this.name = 'Refusal';
    this.code = code;
    this.parameters = parameters;
  }
}

/** A 400 in Telegram's words, such as `message text is empty`. */
export function badRequest(description: string): Refusal {
  return new Refusal(400, `Bad Request: ${description}`);
}
