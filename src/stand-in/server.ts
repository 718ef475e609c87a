/**
 * Owns the loopback port and its connections.
 * Guarantees that every call is noted before it is answered, and that `close` and `goOffline` leave no connection.
 * Fails with the error of `listen` when the port cannot be had.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerCall, refusalJson, respond } from './answer.ts';
import { readParams } from './body.ts';
import type { CallLog } from './calls.ts';
import type { Faults } from './faults.ts';
import { DOWNLOAD, findMethod } from './methods.ts';
import { Refusal } from './refusal.ts';
import type { World } from './world.ts';

export interface BotApiServer {
  port: number;
  goOffline(): Promise<void>;
  goOnline(): Promise<void>;
}

export interface Service {
  world: World;
  log: CallLog;
  faults: Faults;
  token: string;
}

export async function listen(service: Service, wantedPort: number): Promise<BotApiServer> {
  const server = createServer((request, response) => void serve(service, request, response));
  server.keepAliveTimeout = 60_000;
  const start = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await start(wantedPort);
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? wantedPort) : wantedPort;
  return {
    port,
    goOffline: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    goOnline: () => (server.listening ? Promise.resolve() : start(port)),
  };
}

async function serve(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('date', new Date(service.world.now() * 1000).toUTCString());
  try {
    await route(service, request, response);
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(500, `Internal Server Error: ${String(error)}`);
    respond({ response }, refusalJson(refusal));
  }
}

async function route(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const [, isFile, token = '', name = ''] = /^(\/file)?\/bot([^/]*)\/(.+)$/u.exec(url.pathname) ?? [];
  const method = isFile === undefined ? findMethod(name) : DOWNLOAD;
  const call = { name: method?.name ?? name, run: method?.run, params: isFile === undefined ? {} : { path: name } };
  try {
    if (!/^\d+:[\w-]+$/u.test(token)) throw new Refusal(404, 'Not Found');
    if (token !== service.token) throw new Refusal(401, 'Unauthorized');
    if (method === undefined) throw new Refusal(404, 'Not Found');
    Object.assign(call.params, await readParams(request, url.searchParams));
  } catch (error) {
    if (error instanceof Refusal) call.run = () => Promise.reject(error);
    else throw error;
  }
  const run = call.run ?? (() => undefined);
  const { world, log, faults } = service;
  await answerCall({ world, log, faults, call: log.open(call.name, call.params), run, response, signal: left.signal });
}
