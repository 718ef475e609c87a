/** As much of HTTP/1.1 (RFC 9112) as the proxy needs: where a message's head and the message itself end. */

const HEAD_END = Buffer.from('\r\n\r\n');

/** Bytes of the head with its empty line; undefined where it is not whole yet. */
export function headLength(bytes: Buffer): number | undefined {
  const at = bytes.indexOf(HEAD_END);
  return at === -1 ? undefined : at + HEAD_END.length;
}

/** Bytes of the whole message; undefined where they cannot be told yet. */
export function messageLength(bytes: Buffer): number | undefined {
  const head = headLength(bytes);
  if (head === undefined) return undefined;
  const headers = bytes.subarray(0, head).toString('latin1');
  if (/\r\ntransfer-encoding:\s*chunked/iu.test(headers)) return chunkedLength(bytes, head);
  return head + Number(/\r\ncontent-length:\s*(\d+)/iu.exec(headers)?.[1] ?? 0);
}

function chunkedLength(bytes: Buffer, start: number): number | undefined {
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at, 'latin1');
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return at <= bytes.length ? at : undefined;
  }
}

/** The bytes of a socket as they come, and the waiting for more of them. */
export class Incoming {
  bytes = Buffer.alloc(0);
  isOver = false;
  #wake: (() => void)[] = [];

  constructor(socket: NodeJS.ReadableStream) {
    socket.on('data', (chunk: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, chunk]);
      this.#ring();
    });
    for (const event of ['end', 'close', 'error']) {
      socket.on(event, () => {
        this.isOver = true;
        this.#ring();
      });
    }
  }

  /** The first value of `probe` that is not undefined; undefined where the socket ends before. */
  async until<T>(probe: (bytes: Buffer) => T | undefined): Promise<T | undefined> {
    for (;;) {
      const value = probe(this.bytes);
      if (value !== undefined || this.isOver) return value;
      await new Promise<void>((resolve) => void this.#wake.push(resolve));
    }
  }

  take(count: number): Buffer {
    const taken = this.bytes.subarray(0, count);
    this.bytes = this.bytes.subarray(count);
    return taken;
  }

  #ring(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
