import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ModelCall, type ModelReply, anthropicReply, openaiReply } from './model-replies.ts';

/**
 * A model API on the loopback that obeys the last order in what a person wrote: `say WORDS`, `run COMMAND` (by the agent's
 * own tool; then says what came of it), `hold` (answers nothing). Speaks Anthropic's Messages and OpenAI's Responses.
 */
export interface ModelStandIn {
  url: string;
  /** In order. */
  calls: ModelCall[];
  /** Resolves at the next call that is held. */
  held(): Promise<unknown>;
  close(): Promise<void>;
}

export async function startModel(): Promise<ModelStandIn> {
  const calls: ModelCall[] = [];
  const events = new EventEmitter();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const replyTo = path.includes('/messages') ? anthropicReply : path.includes('/responses') ? openaiReply : null;
    if (request.method !== 'POST' || replyTo === null) return void response.writeHead(404).end('{}');
    const call: ModelCall = JSON.parse(await text(request));
    if (path.includes('count_tokens')) return sendJson(response, { input_tokens: 10 });
    calls.push(call);
    const reply = replyTo(call);
    if (reply === 'hold') return void events.emit('held');
    if (call.stream === true) sendEvents(response, reply);
    else sendJson(response, reply.whole);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    held: () => once(events, 'held'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, { events }: ModelReply): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}
