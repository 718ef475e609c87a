/** Answers one call of the bot, or spoils it as a fault demands, and notes what became of it. */
import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { Call, CallLog } from './calls.ts';
import type { FaultAction, Faults } from './faults.ts';
import type { Method } from './methods.ts';
import { isObject, listParam } from './params.ts';
import { Refusal } from './refusal.ts';
import { sendAlbum } from './sending.ts';
import type { World } from './world.ts';

interface Exchange {
  world: World;
  log: CallLog;
  faults: Faults;
  call: Call;
  run: Method;
  response: ServerResponse;
  /** Aborted when the client leaves or the stand-in closes. */
  signal: AbortSignal;
}

export async function answerCall(exchange: Exchange): Promise<void> {
  const { faults, call } = exchange;
  const action = faults.take(call.method, call.params);
  if (action === undefined) {
    const answer = await accept(exchange);
    exchange.log.settle(call, { outcome: call.refusal === undefined ? 'accepted' : 'refused' });
    return respond(exchange, answer);
  }
  await spoil(exchange, action);
}

async function spoil(exchange: Exchange, action: FaultAction): Promise<void> {
  const { call, log, response } = exchange;
  const settle = (): void => log.settle(call, { outcome: 'faulted' });
  if ('refuse' in action) return refuse(exchange, action.refuse);
  if ('reset' in action) {
    if (action.reset === 'after') await accept(exchange);
    settle();
    response.socket?.resetAndDestroy();
    return;
  }
  if ('stall' in action) return stall(exchange, action);
  if ('delayMs' in action) {
    settle();
    await pause(action.delayMs);
    return respond(exchange, await accept(exchange));
  }
  if ('cut' in action) {
    const answer = await accept(exchange);
    settle();
    return respondHalf(exchange, answer, action.contentLength ?? false);
  }
  if (action.accept) await accept(exchange);
  settle();
  response.writeHead(action.status, { 'content-type': 'text/html' }).end(action.body);
}

function refuse(exchange: Exchange, refusal: Extract<FaultAction, { refuse: unknown }>['refuse']): void {
  const { call, log, world } = exchange;
  const { code, description, parameters, acceptItems = 0 } = refusal;
  if (acceptItems > 0) {
    const media = listParam(call.params, 'media')?.slice(0, acceptItems);
    noteEffect(call, sendAlbum(world, { ...call.params, media }));
  }
  log.settle(call, { outcome: 'refused', refusal: description });
  respond(exchange, refusalJson(new Refusal(code, description, parameters)));
}

async function stall(exchange: Exchange, { stall: when, ms }: Extract<FaultAction, { stall: unknown }>): Promise<void> {
  const { call, log, signal } = exchange;
  const early = when === 'after' ? await accept(exchange) : undefined;
  log.settle(call, { outcome: 'faulted' });
  if (ms === undefined) return;
  await pause(ms);
  if (early === undefined && signal.aborted) return;
  respond(exchange, early ?? (await accept(exchange)));
}

interface Answer {
  status: number;
  body: string | Buffer;
}

/** Runs the method; from here on the call has had its effect. */
async function accept({ world, log, call, run, signal }: Exchange): Promise<Answer> {
  try {
    const running = run(world, call.params, signal);
    log.changed(); // a poll waits from here on
    const result = await running;
    noteEffect(call, result);
    log.changed();
    return { status: 200, body: Buffer.isBuffer(result) ? result : JSON.stringify({ ok: true, result }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    call.refusal = error.message;
    log.changed();
    return refusalJson(error);
  }
}

function noteEffect(call: Call, result: unknown): void {
  const messages = (Array.isArray(result) ? result : [result]).filter(isObject);
  const ids = messages.map(({ message_id: id }) => id).filter((id) => typeof id === 'number');
  Object.assign(call, { accepted: true, ...(ids.length === 0 ? {} : { messageIds: ids }) });
}

export function refusalJson({ code, message, parameters }: Refusal): Answer {
  const body = {
    ok: false,
    error_code: code,
    description: message,
    ...(parameters === undefined ? {} : { parameters }),
  };
  return { status: code, body: JSON.stringify(body) };
}

export function respond({ response }: Pick<Exchange, 'response'>, { status, body }: Answer): void {
  if (response.destroyed) return;
  const headers = { 'content-type': mediaType(body), 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

function respondHalf({ response }: Exchange, { status, body }: Answer, isSilent: boolean): void {
  const bytes = Buffer.from(body);
  const headers = { 'content-type': mediaType(body), ...(isSilent ? { 'content-length': bytes.length } : {}) };
  response.writeHead(status, headers).write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
    if (!isSilent) response.destroy();
  });
}

const mediaType = (body: string | Buffer): string =>
  typeof body === 'string' ? 'application/json' : 'application/octet-stream';

/** Keeps no process alive. */
function pause(ms: number): Promise<void> {
  return after(ms, undefined, { ref: false });
}
