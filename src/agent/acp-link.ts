/**
 * Owns: the line to one agent: JSON-RPC over its stdin and stdout, by the protocol's SDK.
 * Guarantees: what the agent prints is copied to a file before it is understood, up to a cap; what is no protocol is
 *   skipped; an agent that prints without end is cut off.
 * Fails: `call` with `NoAnswer` after its time, the agent's own error unchanged, or why the line is down.
 */
import { statSync } from 'node:fs';
import * as acp from '@agentclientprotocol/sdk';
import { cleanText } from '../core/reply/clean-text.ts';
import { monotonicMs, pause } from '../platform/clock.ts';
import type { AcpProcess } from './acp-process.ts';
import type { AcpLimits } from './acp-settings.ts';
import { openCopy } from './output-copy.ts';

const COPIED_BYTES = 16 * 1024 * 1024;
const ERRORS_LOOKED_AT_MS = 1_000;
const QUIET_LIMIT_MS = 20_000;

export class NoAnswer extends Error {}
export class Flood extends Error {}

export interface LinkSpec {
  limits: AcpLimits;
  /** Where a copy of all that the agent prints goes. */
  copyPath: string;
  errorPath: string;
  onUpdate(notification: acp.SessionNotification): void;
  onPermission(request: acp.RequestPermissionRequest, withdrawn: AbortSignal): Promise<acp.RequestPermissionResponse>;
}

export interface AcpLink {
  agent: acp.ClientContext;
  call<Method extends acp.AgentRequestMethod>(
    method: Method,
    params: acp.AgentRequestParamsByMethod[Method],
  ): Promise<acp.AgentRequestResponsesByMethod[Method]>;
  /** Resolves once no update has come for the quiet time. */
  quiet(): Promise<void>;
  /** The first words that it printed, where they are none of the protocol; '' otherwise. */
  strayWords(): string;
  /** True once nothing can be said or heard any more. */
  readonly isDown: boolean;
  close(): void;
}

export function openLink(process: AcpProcess, spec: LinkSpec): AcpLink {
  const { limits } = spec;
  const copy = openCopy(spec.copyPath, COPIED_BYTES);
  let printed = 0;
  let first = '';
  let updatedAt = monotonicMs();
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      printed += bytes.byteLength;
      if (first.length < 200) first += Buffer.from(bytes.subarray(0, 200)).toString('utf8');
      copy.write(bytes);
      if (printed > limits.outputBytes) controller.error(floodOf(limits));
      else controller.enqueue(bytes);
    },
  });
  const connection = acp
    .client({ name: 'blog-bridge' })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      updatedAt = monotonicMs();
      spec.onUpdate(params);
    })
    .onRequest(acp.methods.client.session.requestPermission, ({ params, signal }) => spec.onPermission(params, signal))
    .connect(acp.ndJsonStream(process.input, process.output.pipeThrough(tap)));
  const guard = setInterval(() => {
    if ((statSync(spec.errorPath, { throwIfNoEntry: false })?.size ?? 0) > limits.outputBytes)
      connection.close(floodOf(limits));
  }, ERRORS_LOOKED_AT_MS);
  connection.signal.addEventListener('abort', () => {
    clearInterval(guard);
    copy.close();
  });
  return {
    agent: connection.agent,
    async call(method, params) {
      const timeUp = AbortSignal.timeout(limits.startMs);
      try {
        return await connection.agent.request(method, params, {
          cancellationSignal: timeUp,
          stopWaitingOnCancel: true,
        });
      } catch (error) {
        if (!timeUp.aborted || connection.signal.aborted) throw error;
        throw new NoAnswer(`the agent did not answer to ${method} within ${limits.startMs / 1000} s`);
      }
    },
    async quiet() {
      const begun = monotonicMs();
      updatedAt = begun;
      for (;;) {
        const left = updatedAt + limits.quietMs - monotonicMs();
        if (left <= 0 || monotonicMs() - begun > QUIET_LIMIT_MS || connection.signal.aborted) return;
        await pause(left, connection.signal);
      }
    },
    strayWords: () => (/^\s*(?:\{|$)/u.test(first) ? '' : cleanText(first).trim().slice(0, 200)),
    get isDown() {
      return connection.signal.aborted;
    },
    close: () => connection.close(),
  };
}

function floodOf(limits: AcpLimits): Flood {
  return new Flood(`the agent printed more than ${limits.outputBytes} bytes and was ended`);
}
