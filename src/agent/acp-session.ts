/** Opening an ACP session for a run: versions, log-in, load or resume, mode. Nothing is prompted here. */
import * as acp from '@agentclientprotocol/sdk';
import type { AgentFailure, RunSpec, SessionOrigin } from '../core/ports.ts';
import type { AcpLink } from './acp-link.ts';
import type { AcpSettings } from './acp-settings.ts';
import { requestErrorWords } from './acp-outcome.ts';

const { initialize, session: sessions } = acp.methods.agent;

/** ACP error code. */
const AUTH_REQUIRED = -32000;

/** Why an agent cannot be used for a run, with a code for the receipt. */
export class NoSession extends Error {
  readonly code: AgentFailure;

  constructor(code: AgentFailure, message: string) {
    super(message);
    this.code = code;
  }
}

export interface OpenSession {
  id: string;
  origin: SessionOrigin;
}

export async function introduce(link: AcpLink): Promise<acp.InitializeResponse> {
  const greeting = await link
    .call(initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      // Agents have files and terminals of their own: these are not offered.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'blog-bridge', version: '1' },
    })
    .catch((error: unknown) => {
      throw error instanceof acp.RequestError
        ? new NoSession('agent-protocol', `the agent refused to initialize: ${requestErrorWords(error)}`)
        : error;
    });
  if (greeting.protocolVersion === acp.PROTOCOL_VERSION) return greeting;
  throw new NoSession(
    'agent-version',
    `the agent speaks version ${greeting.protocolVersion} of the Agent Client Protocol, expected version ${acp.PROTOCOL_VERSION}`,
  );
}

/** @param replayed tells how many messages the agent has replayed so far */
export async function openSession(
  link: AcpLink,
  greeting: acp.InitializeResponse,
  settings: AcpSettings,
  spec: RunSpec,
  replayed: () => number,
): Promise<OpenSession> {
  const { agentCapabilities: can } = greeting;
  const isLong = (spec.history ?? []).length > 0;
  const former = spec.formerSession ?? null;
  const again = { cwd: settings.cwd, mcpServers: [], sessionId: former ?? '' };
  if (former !== null && (can?.sessionCapabilities?.resume ?? null) !== null) {
    const resumed = await unlessForgotten(link.call(sessions.resume, again), greeting);
    if (resumed !== null) {
      await setMode(link, former, resumed.answer, settings.mode);
      return { id: former, origin: 'resumed' };
    }
  }
  if (former !== null && can?.loadSession === true) {
    const loaded = await unlessForgotten(replay(link, settings, former), greeting);
    if (loaded !== null) {
      await setMode(link, former, loaded.answer, settings.mode);
      // Some load a session whose history they have lost.
      return { id: former, origin: isLong && replayed() === 0 ? 'retold' : 'loaded' };
    }
  }
  const opened: Partial<acp.NewSessionResponse> | null = await link
    .call(sessions.new, { cwd: settings.cwd, mcpServers: [] })
    .catch((error: unknown) => {
      throw refusalOf(error, greeting);
    });
  const id = opened?.sessionId;
  if (typeof id !== 'string' || id === '')
    throw new NoSession('agent-session', 'the agent opened a session without a name');
  await setMode(link, id, opened, settings.mode);
  return { id, origin: isLong ? 'retold' : 'new' };
}

/** Loads a session; on return its history has been told. */
export async function replay(
  link: AcpLink,
  settings: AcpSettings,
  sessionId: string,
): Promise<acp.LoadSessionResponse | null> {
  const loaded = await link.call(sessions.load, { cwd: settings.cwd, mcpServers: [], sessionId });
  // Some agents answer first and replay afterwards: that must not be taken for the next turn's text.
  await link.quiet();
  return loaded;
}

/** Null where the agent says no: it has forgotten the session, or cannot open it again. */
async function unlessForgotten<T>(
  pending: Promise<T>,
  greeting: acp.InitializeResponse,
): Promise<{ answer: T } | null> {
  try {
    return { answer: await pending };
  } catch (error) {
    if (error instanceof acp.RequestError && error.code !== AUTH_REQUIRED) return null;
    throw refusalOf(error, greeting);
  }
}

function refusalOf(error: unknown, greeting: acp.InitializeResponse): unknown {
  if (!(error instanceof acp.RequestError)) return error;
  if (error.code !== AUTH_REQUIRED)
    return new NoSession('agent-session', `the agent opens no session: ${requestErrorWords(error)}`);
  const ways = (greeting.authMethods ?? []).map(({ name }) => name).join(', ');
  const offered = ways === '' ? '' : ` (it offers: ${ways})`;
  return new NoSession('agent-auth', `the agent is not logged in${offered}: log in once with its own program`);
}

type Choices = Pick<Partial<acp.NewSessionResponse>, 'modes' | 'configOptions'> | null | undefined;

/** Left unset, many agents work in a mode that asks nothing: a mode that cannot be set is no run. */
async function setMode(link: AcpLink, sessionId: string, choices: Choices, mode: string | undefined): Promise<void> {
  if (mode === undefined) return;
  const modes = choices?.modes?.availableModes.map(({ id }) => id) ?? [];
  // The newer way, which some agents have instead.
  const option = choices?.configOptions?.find(({ category, type }) => category === 'mode' && type === 'select');
  const offered = modes.length === 0 ? '' : `; it offers ${modes.join(', ')}`;
  try {
    if (option !== undefined && !modes.includes(mode)) {
      await link.call(sessions.setConfigOption, { sessionId, configId: option.id, value: mode });
    } else {
      await link.call(sessions.setMode, { sessionId, modeId: mode });
    }
  } catch (error) {
    if (!(error instanceof acp.RequestError)) throw error;
    throw new NoSession('agent-mode', `agent.mode "${mode}" could not be set: ${requestErrorWords(error)}${offered}`);
  }
}
