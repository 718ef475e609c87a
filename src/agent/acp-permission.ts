/** Answering what an agent wants to be allowed. */
import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { Question, RunHooks } from '../core/ports.ts';

export type Answer = { response: RequestPermissionResponse; status: 'allowed' | 'denied' | 'cancelled' };

/** Once before always: what nobody said is not remembered. */
const KINDS: Record<'allow' | 'reject', readonly PermissionOptionKind[]> = {
  allow: ['allow_once', 'allow_always'],
  reject: ['reject_once', 'reject_always'],
};

const CANCELLED: Answer = { response: { outcome: { outcome: 'cancelled' } }, status: 'cancelled' };

/** @param over aborted once nobody waits any more: the protocol wants `cancelled` then */
export async function answerQuestion(
  policy: 'ask' | 'allow' | 'reject',
  request: RequestPermissionRequest,
  about: Pick<Question, 'title' | 'about'>,
  hooks: RunHooks | undefined,
  over: AbortSignal,
): Promise<Answer> {
  const { options } = request;
  if (over.aborted) return CANCELLED;
  if (policy !== 'ask') return byKind(policy, options);
  const shown = options.map(({ optionId, kind, name }) => ({ id: optionId, kind, name }));
  const asked = hooks?.onQuestion({ ...about, options: shown }, over) ?? Promise.resolve('denied' as const);
  const withdrawn = new Promise<'over'>((resolve) =>
    over.addEventListener('abort', () => resolve('over'), { once: true }),
  );
  const chosen = await Promise.race([asked.catch(() => 'denied' as const), withdrawn]);
  if (chosen === 'over') return CANCELLED;
  const option = chosen === 'denied' ? undefined : options.find(({ optionId }) => optionId === chosen.optionId);
  return option === undefined ? byKind('reject', options) : selected(option);
}

/** Without an option of that kind: an answer that allows nothing. */
function byKind(policy: 'allow' | 'reject', options: readonly PermissionOption[]): Answer {
  for (const kind of KINDS[policy]) {
    const option = options.find((one) => one.kind === kind);
    if (option !== undefined) return selected(option);
  }
  return { ...CANCELLED, status: 'denied' };
}

function selected({ optionId, kind }: PermissionOption): Answer {
  const status = kind.startsWith('allow') ? 'allowed' : 'denied';
  return { response: { outcome: { outcome: 'selected', optionId } }, status };
}
