/**
 * Owns: a loopback port through which the bridge speaks with the stand-in, and what goes wrong on the way.
 * Guarantees: whatever it does to an exchange, it reads the server's answer to all that it let through, and so knows what was
 *   accepted; every call carries the number of its exchange (`?exchange=`), by which the server's record is joined to it.
 * Fails: by the record of an exchange (`hung`) where the client neither takes an answer nor leaves.
 */
import { type Socket, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { wakingPause } from '../../src/platform/clock.ts';
import { Incoming, headLength, messageLength } from './http-bytes.ts';
import { ANSWERS, type Ending, type Mishap, type Place, type ResponsePlace } from './mishap.ts';

export interface Exchange {
  number: number;
  method: string;
  mishap: Mishap;
  /** Answers of the server, also those that the client never saw: true where it said `"ok": true`. */
  answers: boolean[];
  /** How long the client stayed, in ms that this process was awake; undefined while it does. */
  tookMs: number | undefined;
  requestBytes: number;
  /** The client stayed for ever, as far as we can wait. */
  hung: boolean;
}

export interface ProxyOptions {
  port: number;
  mishapFor: (method: string) => Mishap;
  /** How much faster the clients' clocks run: their long polls are shortened likewise. */
  speed: number;
}

export interface SpoilingProxy {
  port: number;
  exchanges: readonly Exchange[];
  /** What is under way between the proxy and the server has ended. */
  settled: () => Promise<void>;
  /** No connection is taken until `goUp`. */
  goDown: () => Promise<void>;
  goUp: () => Promise<void>;
  close: () => Promise<void>;
}

/** A client that is still there after so long, by the clock of this process, stays for ever. */
const FOR_EVER_MS = 45_000;

export async function openProxy({ port: target, mishapFor, speed }: ProxyOptions): Promise<SpoilingProxy> {
  const exchanges: Exchange[] = [];
  const clients = new Set<Socket>();
  const works = new Set<Promise<void>>();
  const track = (work: Promise<void>): void => {
    const watched = work.catch(() => undefined).then(() => void works.delete(watched));
    works.add(watched);
  };
  let number = 0;
  // A machine that stands still (a shared one may, for a minute) holds up clients and proxy alike: that is nobody's stall.
  let awakeMs = 0;
  let seenMs = performance.now();
  const ticks = setInterval(() => {
    awakeMs += Math.min(performance.now() - seenMs, 1_000);
    seenMs = performance.now();
  }, 100);

  const serve = async (client: Socket): Promise<void> => {
    const incoming = new Incoming(client);
    let stale: Buffer | null = null;
    for (;;) {
      const line = await incoming.until((bytes) => (bytes.includes('\r\n') ? bytes : undefined));
      if (line === undefined) return;
      const method = methodOf(line);
      number += 1;
      const exchange: Exchange = {
        number,
        method,
        mishap: mishapFor(method),
        answers: [],
        tookMs: undefined,
        requestBytes: 0,
        hung: false,
      };
      exchanges.push(exchange);
      const begunMs = awakeMs;
      const outcome = await new Passage({ exchange, client, incoming, target, speed, stale, track }).run();
      exchange.tookMs = awakeMs - begunMs;
      if (outcome === 'over') return;
      stale = outcome === 'next' ? null : outcome;
    }
  };

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    clients.add(client.setMaxListeners(0));
    client.on('error', () => undefined).on('close', () => clients.delete(client));
    track(serve(client).finally(() => client.destroy()));
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  await listen(0);
  const { port } = server.address() as { port: number };
  const goDown = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const client of clients) client.destroy();
    });
  return {
    port,
    exchanges,
    settled: async () => {
      while (works.size > 0) await Promise.all(works);
    },
    goDown,
    goUp: () => listen(port),
    close: () => {
      clearInterval(ticks);
      return goDown();
    },
  };
}

function methodOf(line: Buffer): string {
  const path = line.toString('latin1').split(' ')[1] ?? '';
  return path.startsWith('/file/') ? 'download' : (/^\/bot[^/]*\/(\w+)/u.exec(path)?.[1] ?? 'unknown');
}

interface PassageOptions {
  exchange: Exchange;
  client: Socket;
  incoming: Incoming;
  target: number;
  speed: number;
  /** A response that came twice, and that lies in front of this exchange's own. */
  stale: Buffer | null;
  track: (work: Promise<void>) => void;
}

/** `over`: the connection is of no use any more; bytes: what lies in front of the next response. */
type Outcome = 'over' | 'next' | Buffer;

/** One exchange on its way to the server and back. */
class Passage {
  readonly #options: PassageOptions;
  /** Resolves when the client leaves. */
  readonly #left: Promise<void>;

  constructor(options: PassageOptions) {
    this.#options = options;
    const { client } = options;
    this.#left = new Promise((resolve) => {
      for (const event of ['close', 'end', 'error']) client.once(event, () => resolve());
    });
  }

  async run(): Promise<Outcome> {
    const { exchange, incoming } = this.#options;
    const { mishap } = exchange;
    if (mishap.kind === 'cut' && mishap.of === 'request') return this.#cutRequest(mishap.at, mishap.ending);
    if (mishap.kind === 'stall' && mishap.of === 'request') return this.#stallRequest(mishap.at, mishap.late);
    const length = await incoming.until(messageLength).then((told) => this.#whole(told));
    if (length === undefined) return 'over';
    const request = incoming.take(length);
    exchange.requestBytes = length;
    if (mishap.kind === 'instead') {
      if (mishap.arrives) await Promise.race([this.#askTracked(request), this.#left]);
      const isWhole = mishap.answer !== 'noise' && mishap.answer !== 'half a status line';
      return this.#play(Buffer.from(ANSWERS[mishap.answer], 'latin1'), isWhole ? 'next' : 'open');
    }
    if (mishap.kind === 'drip' && mishap.of === 'request') {
      if (mishap.endless) return this.#patience();
      await pause(200 / this.#options.speed);
    }
    const answer = this.#askTracked(request);
    if (mishap.kind === 'twice' && mishap.of === 'request') void this.#askTracked(request);
    const response = await Promise.race([answer, this.#left.then(() => null)]);
    return response === null ? 'over' : this.#respond(response, mishap);
  }

  async #whole(length: number | undefined): Promise<number | undefined> {
    if (length === undefined) return undefined;
    return this.#options.incoming.until((bytes) => (bytes.length >= length ? length : undefined));
  }

  async #cutRequest(at: Place, ending: Ending): Promise<Outcome> {
    const bytes = await this.#requestUpTo(at);
    const server = this.#open();
    this.#options.track(this.#hear(server).then(() => undefined));
    if (bytes.length > 0) server.write(bytes);
    // The server has what was let through, and sees the same end.
    server.end();
    this.#options.client.pause();
    this.#end(ending);
    return 'over';
  }

  async #stallRequest(at: Place, late: boolean): Promise<Outcome> {
    const { incoming } = this.#options;
    const bytes = await this.#requestUpTo(at);
    if (!late) {
      const server = this.#open();
      const heard = this.#hear(server);
      if (bytes.length > 0) server.write(bytes);
      await this.#patience();
      server.end();
      await heard;
      return 'over';
    }
    // All that the client sent is on its way, and arrives when nobody waits for the answer any more.
    const length = await incoming.until(messageLength).then((told) => this.#whole(told));
    await this.#patience();
    if (length !== undefined) void this.#askTracked(incoming.take(length));
    return 'over';
  }

  /** The first bytes of the request, as it goes on to the server, up to there. */
  async #requestUpTo(at: Place): Promise<Buffer> {
    const { incoming, exchange } = this.#options;
    if (at === 'start') return Buffer.alloc(0);
    const head = await incoming.until(headLength);
    if (head === undefined) return incoming.bytes;
    const end =
      at === 'mid-head'
        ? head >> 1
        : at === 'after-head'
          ? head
          : await incoming.until((bytes) => {
              const length = messageLength(bytes);
              const isWhole = length !== undefined && bytes.length >= length;
              if (at === 'before-last') return isWhole ? length - 1 : undefined;
              // The client is cut off while it still sends.
              if (bytes.length > head + 20_000) return head + 10_000;
              return isWhole ? Math.min(length - 1, head + ((length - head) >> 1)) : undefined;
            });
    exchange.requestBytes = incoming.bytes.length;
    return this.#forServer(incoming.bytes.subarray(0, end ?? incoming.bytes.length));
  }

  /** With the number of its exchange; a long poll as much shorter as the client's clock is faster. */
  #forServer(request: Buffer): Buffer {
    const { exchange, speed } = this.#options;
    const lineEnd = request.indexOf(' HTTP/1.1\r\n');
    if (lineEnd === -1) return request;
    const text = request.toString('latin1');
    const shorter = (_: string, seconds: string): string =>
      `"timeout":${String(Math.floor(Number(seconds) / speed)).padStart(seconds.length)}`;
    const rest =
      exchange.method === 'getUpdates' ? text.slice(lineEnd).replace(/"timeout":(\d+)/u, shorter) : text.slice(lineEnd);
    return Buffer.from(`${text.slice(0, lineEnd)}?exchange=${exchange.number}${rest}`, 'latin1');
  }

  /** The server's whole answer; null where it gave none. Only a poll is given up when its client leaves: the rest has its effect. */
  async #ask(request: Buffer): Promise<Buffer | null> {
    const { exchange } = this.#options;
    const server = this.#open();
    server.write(this.#forServer(request));
    if (exchange.method === 'getUpdates') void this.#left.then(() => server.destroy());
    return this.#hear(server);
  }

  /** It is waited for also where its client does not wait any more. */
  #askTracked(request: Buffer): Promise<Buffer | null> {
    const answer = this.#ask(request);
    this.#options.track(answer.then(() => undefined));
    return answer;
  }

  /** What the server answers to what it got, if anything; a head without a body is a whole request to some methods. */
  async #hear(server: Socket): Promise<Buffer | null> {
    const { exchange } = this.#options;
    const incoming = new Incoming(server);
    const length = await incoming.until(messageLength);
    const whole = await incoming.until((bytes) =>
      length !== undefined && bytes.length >= length ? length : undefined,
    );
    server.destroy();
    if (whole === undefined) return null;
    const response = incoming.take(whole);
    exchange.answers.push(isAcceptance(response, exchange.method));
    return response;
  }

  async #respond(response: Buffer, mishap: Mishap): Promise<Outcome> {
    const { stale } = this.#options;
    const bytes = stale ?? response;
    const behind = stale === null ? null : response;
    switch (mishap.kind) {
      case 'cut':
        return this.#play(bytes.subarray(0, endOf(bytes, mishap.at)), mishap.ending);
      case 'stall':
        if (mishap.at === 'end') return (await this.#play(bytes, 'next')) === 'over' ? 'over' : this.#patience();
        return this.#play(bytes.subarray(0, endOf(bytes, mishap.at)), 'open');
      case 'drip':
        if (mishap.of === 'response') return this.#drip(bytes, mishap.endless);
        break;
      case 'twice':
        if (mishap.of === 'response') return this.#play(Buffer.concat([bytes, bytes]), 'next');
        if (mishap.of === 'next response') return (await this.#play(bytes, 'next')) === 'over' ? 'over' : bytes;
        break;
      case 'length':
        return this.#play(withLength(bytes, mishap.by), mishap.ending);
      default:
    }
    const played = await this.#play(bytes, 'next');
    return played === 'over' || behind === null ? played : behind;
  }

  /** Writes it, and then ends the connection, leaves it open without another word, or goes on. */
  async #play(bytes: Buffer, then: Ending | 'open' | 'next'): Promise<Outcome> {
    const { client } = this.#options;
    if (client.destroyed) return 'over';
    if (bytes.length > 0) {
      await Promise.race([new Promise<void>((resolve) => void client.write(bytes, () => resolve())), this.#left]);
    }
    if (then === 'next') return client.destroyed ? 'over' : 'next';
    if (then === 'open') return this.#patience();
    this.#end(then);
    return 'over';
  }

  async #drip(bytes: Buffer, endless: boolean): Promise<Outcome> {
    const { client, exchange } = this.#options;
    // The endless one begins well: its head comes whole, then a byte now and then, so that it is never silent.
    const head = endless ? endOf(bytes, 'after-head') : 0;
    client.write(bytes.subarray(0, head));
    const step = endless ? 1 : Math.ceil(bytes.length / 8);
    const patience = Math.ceil(FOR_EVER_MS / 100);
    for (let at = head; at < bytes.length && !client.destroyed; at += step) {
      client.write(bytes.subarray(at, at + step));
      const left = await Promise.race([pause(endless ? 100 : 5), this.#left.then(() => true)]);
      if (left === true) return 'over';
      if ((at - head) / step > patience) {
        exchange.hung = true;
        return 'over';
      }
    }
    return client.destroyed ? 'over' : 'next';
  }

  /** Until the client leaves of its own accord. */
  async #patience(): Promise<'over'> {
    const over = new AbortController();
    const forEver = wakingPause(FOR_EVER_MS, over.signal).then(() => 'hung' as const);
    if ((await Promise.race([this.#left, forEver])) === 'hung') this.#options.exchange.hung = true;
    over.abort();
    return 'over';
  }

  #open(): Socket {
    return connect({ port: this.#options.target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true }).on(
      'error',
      () => undefined,
    );
  }

  #end(ending: Ending): void {
    const { client } = this.#options;
    if (ending === 'reset') client.resetAndDestroy();
    else client.destroySoon();
  }
}

function isAcceptance(response: Buffer, method: string): boolean {
  if (method === 'download') return response.subarray(0, 12).toString('latin1') === 'HTTP/1.1 200';
  try {
    const body = JSON.parse(response.subarray(headLength(response)).toString('utf8')) as { ok?: unknown };
    return body.ok === true;
  } catch {
    return false;
  }
}

function endOf(response: Buffer, at: ResponsePlace): number {
  const head = headLength(response) ?? response.length;
  const ends: Record<ResponsePlace, number> = {
    start: 0,
    'mid-head': head >> 1,
    'after-head': head,
    'mid-body': head + ((response.length - head) >> 1),
    'before-last': response.length - 1,
    end: response.length,
  };
  return ends[at];
}

/** Its Content-Length made wrong, or left out. */
function withLength(response: Buffer, by: 'more' | 'less' | 'none'): Buffer {
  const head = headLength(response) ?? response.length;
  const headers = response.subarray(0, head).toString('latin1');
  const changed =
    by === 'none'
      ? headers
          .replace(/\r\ncontent-length:\s*\d+/iu, '')
          .replace(/\r\nconnection:\s*[\w-]+/iu, '\r\nconnection: close')
      : headers.replace(
          /(\r\ncontent-length:\s*)(\d+)/iu,
          (_, name: string, bytes: string) => `${name}${Math.max(0, Number(bytes) + (by === 'more' ? 10 : -10))}`,
        );
  return Buffer.concat([Buffer.from(changed, 'latin1'), response.subarray(head)]);
}
