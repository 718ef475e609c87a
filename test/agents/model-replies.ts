/** What the stand-in for a model answers, in the two shapes that the agents take. */

interface Piece {
  type?: string;
  role?: string;
  text?: string;
  content?: string | Piece[];
  output?: string | Piece[];
}

/** As much of a call's body as matters here; of either API. */
export interface ModelCall {
  stream?: boolean;
  model?: string;
  tools?: { name?: string }[];
  messages?: Piece[];
  input?: Piece[];
}

export interface ModelReply {
  whole: object;
  events: { type: string; [field: string]: unknown }[];
}

type Order = { say: string } | { run: string } | 'hold';

let count = 0;

/** https://docs.anthropic.com/en/api/messages-streaming */
export function anthropicReply({ model, messages = [], tools = [] }: ModelCall): ModelReply | 'hold' {
  // Claude Code adds messages of its own after the person's.
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const blocks = since.flatMap(({ content = '' }) => (typeof content === 'string' ? [{ text: content }] : content));
  const result = blocks.find(({ type }) => type === 'tool_result');
  const order = result === undefined ? orderIn(plain(blocks), tools.length > 0) : said(result.content);
  if (order === 'hold') return 'hold';
  count += 1;
  const usage = { input_tokens: 10, output_tokens: 10 };
  const message = { id: `msg_${count}`, type: 'message', role: 'assistant', model, usage };
  const input = 'run' in order ? { command: order.run, description: 'as ordered' } : {};
  const call = { type: 'tool_use', id: `toolu_${count}`, name: 'Bash' };
  const [block, empty, delta, stop_reason] =
    'run' in order
      ? [
          { ...call, input },
          { ...call, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(input) },
          'tool_use',
        ]
      : [
          { type: 'text', text: order.say },
          { type: 'text', text: '' },
          { type: 'text_delta', text: order.say },
          'end_turn',
        ];
  const none = { stop_reason: null, stop_sequence: null };
  return {
    whole: { ...message, content: [block], ...none, stop_reason },
    events: [
      { type: 'message_start', message: { ...message, content: [], ...none } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { ...none, stop_reason }, usage },
      { type: 'message_stop' },
    ],
  };
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export function openaiReply({ input = [], tools = [] }: ModelCall): ModelReply | 'hold' {
  const since = input.slice(
    input.findLastIndex(({ role, type }) => role === 'assistant' || type === 'function_call') + 1,
  );
  const result = since.find(({ type }) => type === 'function_call_output');
  const order = result === undefined ? orderIn(plain(since.map(textOf)), tools.length > 0) : said(result.output);
  if (order === 'hold') return 'hold';
  count += 1;
  const usage = { input_tokens: 10, input_tokens_details: null, output_tokens: 10, output_tokens_details: null };
  const item =
    'run' in order
      ? { type: 'function_call', id: `fc_${count}`, call_id: `call_${count}`, ...shellCall(tools, order.run) }
      : { type: 'message', id: `msg_${count}`, role: 'assistant', content: [{ type: 'output_text', text: order.say }] };
  const response = { id: `resp_${count}`, usage: { ...usage, total_tokens: 20 }, output: [item] };
  return {
    whole: response,
    events: [
      { type: 'response.created', response: { id: response.id } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ],
  };
}

/** Codex names its shell differently by model and version. */
function shellCall(tools: { name?: string }[], command: string): { name: string; arguments: string } {
  const name = tools.find((tool) => /^(?:shell|shell_command|exec_command)$/u.test(tool.name ?? ''))?.name ?? 'shell';
  const ordered =
    name === 'exec_command' ? { cmd: command } : { command: name === 'shell' ? ['bash', '-c', command] : command };
  // Outside of its sandbox, for which it has to ask.
  const input = { ...ordered, sandbox_permissions: 'require_escalated', justification: 'as ordered' };
  return { name, arguments: JSON.stringify(input) };
}

/** Calls without tools are the agent's own errands, such as a title. */
function orderIn(words: string, mayAct: boolean): Order {
  const [, verb, rest = ''] = [...words.matchAll(/^(say|run|hold)\b ?(.*)$/gmu)].at(-1) ?? [];
  if (verb === 'hold' && mayAct) return 'hold';
  if (verb === 'run' && mayAct) return { run: rest };
  return { say: verb === 'say' ? rest : 'nothing was ordered' };
}

function said(result: string | Piece[] | undefined): Order {
  return { say: `it said: ${typeof result === 'string' ? result : plain(result ?? [])}` };
}

function textOf({ content = '' }: Piece): Piece {
  return { text: typeof content === 'string' ? content : plain(content) };
}

function plain(pieces: Piece[]): string {
  return pieces.map(({ text = '' }) => text).join('\n');
}
