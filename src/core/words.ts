/** Everything that a person reads in the chat, in both languages. A text that is missing in one does not compile. Pure. */
import type { AgentFailure, FetchProblem, RunNote, SendFailure } from './ports.ts';
import type { OrdinaryAnswer } from './admission.ts';
import type { OrderVerb, Receipt } from './receipt.ts';
import type { Refusal } from './order.ts';
import type { Attachment } from './request.ts';
import type { Language } from './settings.ts';

export interface Words {
  /** What Telegram shows beside each command to who types `/`. */
  command: Record<BotCommandName, string>;
  help: string;
  usage: string;
  hint: string;
  forwardIsMaterial: string;
  editChangesNothing: string;
  unsupported: string;
  messageWaits: string;
  chatMigrated(toChatId: number): string;
  unread(name: number | string): string;
  statusRunning(id: string, text: string, minutes: number, activity: string | null): string;
  /** @param first the beginnings of those that come next, in their order */
  statusWaiting(count: number, first: readonly string[]): string;
  /** To who asked while others come first. */
  queuePlace(ahead: number): string;
  /** The same for several requests at once. */
  queuePlaces(places: readonly { text: string; ahead: number }[]): string;
  statusNeedsYou(ids: string): string;
  statusIdle: string;
  consumerSilent: string;
  interrupted(id: string): string;
  unknownDelivery(id: string, sent: number, total: number): string;
  failed(id: string, code: string, sent: number, total: number): string;
  rejected(id: string): string;
  button: Record<OrderVerb, string>;
  applied: Record<OrderVerb, string>;
  refused: Record<Refusal, string>;
  /** Where the outcome is not known at once; it is told later. */
  orderWaits: Record<OrderVerb, string>;
  /** Under a notice: what was decided, by whom and when, all in words. */
  decided(verb: OrderVerb, by: string, at: string): string;
  /** Who gave an order on the command line. */
  atTerminal(user: string): string;
  wholeAsFile: string;
  fileTooLarge(name: string, path: string): string;
  tooManyFiles(count: number, folder: string): string;
  notFetched(name: string, problem: string): string;
  problem: Record<FetchProblem, string>;
  /** A file that has no name of its own. */
  attachment: Record<Attachment['kind'], string>;
  failure: Record<AgentFailure | SendFailure | 'download-failed' | 'damaged-receipt' | 'other', string>;
  cameTooLate: string;
  /** Over an answer that was found in the agent's own history. */
  recovered: string;
  /** Under an answer whose agent did not come to its end. */
  note: Record<RunNote, string>;
  question(title: string, about: string | null): string;
  questionAnswered(option: string, by: string, at: string): string;
  questionTooLate: string;
  questionOver: string;
  /** Why an interrupted run could not be recovered; an empty text adds nothing. */
  notRecovered: Record<Exclude<NonNullable<Receipt['recovery']>, 'answer'>, string>;
  cutAt(bytes: number): string;
}

/** In the order in which Telegram lists them. */
export const BOT_COMMANDS = ['blog', 'status', 'cancel', 'help'] as const;
type BotCommandName = (typeof BOT_COMMANDS)[number];

const en: Words = {
  command: {
    blog: 'Give the agent something to write',
    status: 'What runs, what waits, what needs you',
    cancel: 'Stop the running request, or the one that you reply to',
    help: 'How this works',
  },
  help: 'Write /blog and what you want written. Reply to an answer to go on with it. /status shows the queue, /cancel stops the running request.',
  usage:
    'Write what you want after the command, in the same message: /blog write about the sea. As a reply to a message, /blog alone takes that message along.',
  hint: 'To start, write /blog and what you want. To go on, reply to one of the answers.',
  forwardIsMaterial:
    'A forwarded message is no order. To use it as material, reply to it with /blog and say what to do with it.',
  editChangesNothing: 'An edit changes nothing that was ordered. Reply to the answer, or send a new /blog.',
  unsupported: 'This kind of message cannot be passed on. Send text, pictures or files.',
  messageWaits:
    'This cannot be stored just now; your message waits at Telegram and is taken as soon as it can be. Nothing to do for you.',
  chatMigrated: (toChatId) =>
    `Telegram has made this group a supergroup with the new id ${toChatId}. The bot stops now: set telegram.chatId to it, run "blog-bridge rebind", and start again.`,
  unread: (name) =>
    `A message could not be read by the bridge. It is kept in spool/unread/${name}.json; please send it again in another form.`,
  statusRunning: (id, text, minutes, activity) =>
    `✍ ${id} is running, ${minutes} min so far${activity === null ? '.' : `: ${activity}`}${nextLine(text)}`,
  statusWaiting: (count, first) =>
    [
      `👀 ${count} waiting${first.length === 0 ? '.' : ':'}`,
      ...numbered(first),
      ...(count > first.length ? ['…'] : []),
    ].join('\n'),
  queuePlace: (ahead) => `👀 Waiting: ${ahead === 1 ? 'one request comes' : `${ahead} requests come`} before this one.`,
  queuePlaces: (places) =>
    ['👀 Waiting, with the requests that come before:', ...places.map(({ text, ahead }) => `${ahead} ← ${text}`)].join(
      '\n',
    ),
  statusNeedsYou: (ids) => `💔 Needs you: ${ids}.`,
  statusIdle: 'Nothing is running, nothing waits.',
  consumerSilent: 'The consumer does not run: requests are kept, and wait until it does.',
  interrupted: (id) =>
    `Request ${id} was interrupted while the agent worked. It may have done its work or part of it, so it was not run again. What shall happen?`,
  unknownDelivery: (id, sent, total) =>
    total === 1
      ? `Nobody knows whether the answer to ${id} arrived. Look above: is it there? It was not sent again.`
      : `Of the answer to ${id}, ${sent} of ${total} parts arrived for certain; for the next one nobody knows. Look above: is it there? It was not sent again.`,
  failed: (id, code, sent, total) =>
    `Request ${id} failed: ${failureWords(en, code)} (${code})${sent > 0 ? ` ${sent} of ${total} parts had arrived.` : ''}`,
  rejected: (id) =>
    `Request ${id} was rejected: its file is no valid request. The agent never saw it. "blog-bridge show ${id}" tells why.`,
  button: {
    cancel: 'Stop',
    rerun: 'Run again',
    resend: 'Send again',
    arrived: 'It is done',
    dismiss: 'Close',
    permit: 'Allow',
    deny: 'Deny',
  },
  applied: {
    cancel: 'Stopped.',
    rerun: 'Running it again.',
    resend: 'Sending it again.',
    arrived: 'Noted: it is done.',
    dismiss: 'Closed.',
    permit: 'Allowed.',
    deny: 'Denied.',
  },
  refused: {
    'moved-on': 'This request has moved on since; nothing was done.',
    'not-now': 'That is not possible for this request now; nothing was done.',
    'nothing-running': 'Nothing is running.',
    'unknown-request': 'There is no such request.',
    'agent-unavailable': 'The agent cannot be started; nothing was done.',
    unreadable: 'This order cannot be read; nothing was done.',
  },
  orderWaits: {
    cancel: 'Noted. It is being stopped.',
    rerun: 'Noted. It waits for its turn.',
    resend: 'Noted. It waits for its turn.',
    arrived: 'Noted.',
    dismiss: 'Noted.',
    permit: 'Noted.',
    deny: 'Noted.',
  },
  decided: (verb, by, at) => `— ${en.button[verb]}: ${by}, ${at}`,
  atTerminal: (user) => `${user} on the command line`,
  wholeAsFile: 'The whole answer.',
  fileTooLarge: (name, path) => `${name} is larger than Telegram takes (50 MB). It lies in ${path}.`,
  tooManyFiles: (count, folder) => `${count} more files lie in ${folder}.`,
  notFetched: (name, problem) =>
    `${name} could not be had from Telegram: ${knownIn(en.problem, problem) ?? problem}. The agent works without it.`,
  problem: {
    'too-large': 'it is over 20 MB, the most that a bot may fetch',
    refused: 'Telegram does not give it out any more',
    incomplete: 'it did not come whole, though it was tried for 15 minutes',
  },
  attachment: {
    photo: 'photo',
    document: 'file',
    voice: 'voice message',
    audio: 'audio file',
    video: 'video',
    animation: 'animation',
    video_note: 'video message',
    sticker: 'sticker',
  },
  failure: {
    'agent-timeout': 'the agent took too long and was stopped.',
    'agent-exit': 'the agent ended with an error.',
    'agent-signal': 'the agent was ended from outside.',
    'agent-empty': 'the agent gave no text.',
    'agent-missing': 'the agent program was not found; nothing was run.',
    'agent-folder-missing': 'the agent’s working folder was not found; nothing was run.',
    'agent-not-started': 'the agent could not be started; nothing was run.',
    'agent-disk-full': 'the disk was full while the agent worked, and took nothing of what it printed.',
    'agent-flood': 'the agent printed without end and was stopped.',
    'agent-version': 'the agent speaks another version of the protocol; nothing was run.',
    'agent-protocol': 'the agent does not speak the protocol as it should.',
    'agent-auth': 'the agent wants you to log in first; nothing was run.',
    'agent-mode': 'the agent does not know the configured mode; nothing was run.',
    'agent-session': 'the agent opened no session; nothing was run.',
    'agent-start-timeout': 'the agent did not get ready in time; nothing was run.',
    'agent-error': 'the agent answered with an error.',
    'agent-max_tokens': 'the agent reached its token limit before it gave any text.',
    'agent-max_turn_requests': 'the agent reached its limit of steps before it gave any text.',
    'agent-refusal': 'the agent refused.',
    'agent-cancelled': 'the agent says that it was cancelled.',
    'agent-not-ended': 'the agent could not be stopped.',
    'send-refused': 'Telegram refused the answer. It is kept.',
    'send-not-arrived': 'the answer could not be sent for a long time. It is kept.',
    'download-failed': 'none of its files could be had from Telegram.',
    'damaged-receipt': 'its receipt could not be read, so nobody knows how far it came. It was not run.',
    other: 'something went wrong.',
  },
  recovered:
    'This answer was found in the agent’s own history after an interruption. It may be incomplete; nothing was run again.',
  note: {
    disk_full: 'The disk was full while the agent worked; the answer may be cut.',
    max_tokens: 'The agent stopped because it reached its token limit; the answer may be incomplete.',
    max_turn_requests: 'The agent stopped because it reached its limit of steps; the answer may be incomplete.',
    refusal: 'The agent refused to go on.',
    cancelled: 'The agent says that it was cancelled; the answer may be incomplete.',
  },
  question: (title, about) => `The agent asks: ${title}${about === null ? '' : `\n${about}`}`,
  questionAnswered: (option, by, at) => `— ${option}: ${by}, ${at}`,
  questionTooLate: '— Denied: nobody answered in time.',
  questionOver: '— Denied: the run is over.',
  notRecovered: {
    unfinished: 'The agent’s own history shows no finished answer.',
    'unknown-request': 'The agent’s own history does not show this request at all, which proves nothing.',
    unavailable: '',
  },
  cameTooLate: 'This came too late for the request that it belongs to. Please send it as a reply to the answer.',
  cutAt: (bytes) => `[Cut here: the agent printed ${bytes} bytes.]`,
};

const ko: Words = {
  command: {
    blog: '에이전트에게 글을 맡깁니다',
    status: '실행 중인 것, 기다리는 것, 확인이 필요한 것',
    cancel: '실행 중인 요청, 또는 답장한 요청을 멈춥니다',
    help: '사용 방법',
  },
  help: '/blog 뒤에 쓰고 싶은 내용을 적어 주세요. 답에 답장하면 이어서 진행합니다. /status 는 대기열을 보여 주고, /cancel 은 실행 중인 요청을 멈춥니다.',
  usage:
    '명령 뒤에 내용을 적어 주세요: /blog 바다에 대해 써 줘. 메시지에 답장으로 /blog 만 보내면 그 메시지를 가져갑니다.',
  hint: '시작하려면 /blog 와 원하는 내용을 보내고, 이어서 하려면 답에 답장해 주세요.',
  forwardIsMaterial:
    '전달된 메시지는 명령이 아닙니다. 자료로 쓰려면 그 메시지에 /blog 로 답장하고 무엇을 할지 적어 주세요.',
  editChangesNothing: '수정해도 이미 맡긴 요청은 바뀌지 않습니다. 답에 답장하거나 새 /blog 를 보내 주세요.',
  unsupported: '이런 메시지는 전달할 수 없습니다. 글, 사진, 파일을 보내 주세요.',
  messageWaits:
    '지금은 저장할 수 없습니다. 메시지는 텔레그램에서 기다리며, 저장할 수 있게 되면 곧 받습니다. 따로 하실 일은 없습니다.',
  chatMigrated: (toChatId) =>
    `텔레그램이 이 그룹을 새 번호 ${toChatId} 의 슈퍼그룹으로 바꾸었습니다. 봇은 지금 멈춥니다: telegram.chatId 를 그 번호로 바꾸고 "blog-bridge rebind" 를 실행한 뒤 다시 시작해 주세요.`,
  unread: (name) =>
    `읽을 수 없는 메시지가 있어 spool/unread/${name}.json 에 보관했습니다. 다른 형태로 다시 보내 주세요.`,
  statusRunning: (id, text, minutes, activity) =>
    `✍ ${id} 실행 중, ${minutes}분째${activity === null ? '.' : `: ${activity}`}${nextLine(text)}`,
  statusWaiting: (count, first) =>
    [
      `👀 ${count}건 대기 중${first.length === 0 ? '.' : ':'}`,
      ...numbered(first),
      ...(count > first.length ? ['…'] : []),
    ].join('\n'),
  queuePlace: (ahead) => `👀 대기 중: 앞에 요청이 ${ahead}건 있습니다.`,
  queuePlaces: (places) =>
    ['👀 대기 중, 앞에 있는 요청 수:', ...places.map(({ text, ahead }) => `${ahead}건 ← ${text}`)].join('\n'),
  statusNeedsYou: (ids) => `💔 확인이 필요한 요청: ${ids}.`,
  statusIdle: '실행 중이거나 기다리는 요청이 없습니다.',
  consumerSilent: '처리기가 실행되고 있지 않습니다. 요청은 보관되어 있고, 처리기가 켜질 때까지 기다립니다.',
  interrupted: (id) =>
    `요청 ${id} 은(는) 에이전트가 일하는 중에 끊겼습니다. 일부 또는 전부가 끝났을 수 있어 다시 실행하지 않았습니다. 어떻게 할까요?`,
  unknownDelivery: (id, sent, total) =>
    total === 1
      ? `요청 ${id} 의 답이 도착했는지 알 수 없습니다. 위에 보이나요? 다시 보내지 않았습니다.`
      : `요청 ${id} 의 답 ${total}개 중 ${sent}개는 확실히 도착했고, 그다음은 도착했는지 알 수 없습니다. 위에 보이나요? 다시 보내지 않았습니다.`,
  failed: (id, code, sent, total) =>
    `요청 ${id} 실패: ${failureWords(ko, code)} (${code})${sent > 0 ? ` ${total}개 중 ${sent}개는 도착했습니다.` : ''}`,
  rejected: (id) =>
    `요청 ${id} 은(는) 올바른 요청 파일이 아니어서 거절했습니다. 에이전트는 보지 못했습니다. "blog-bridge show ${id}" 로 이유를 볼 수 있습니다.`,
  button: {
    cancel: '중지',
    rerun: '다시 실행',
    resend: '다시 보내기',
    arrived: '끝났음',
    dismiss: '닫기',
    permit: '허용',
    deny: '거부',
  },
  applied: {
    cancel: '중지했습니다.',
    rerun: '다시 실행합니다.',
    resend: '다시 보냅니다.',
    arrived: '끝난 것으로 기록했습니다.',
    dismiss: '닫았습니다.',
    permit: '허용했습니다.',
    deny: '거부했습니다.',
  },
  refused: {
    'moved-on': '그 사이에 요청이 진행되었습니다. 아무것도 하지 않았습니다.',
    'not-now': '지금 이 요청에는 할 수 없습니다. 아무것도 하지 않았습니다.',
    'nothing-running': '실행 중인 요청이 없습니다.',
    'unknown-request': '그런 요청이 없습니다.',
    'agent-unavailable': '에이전트를 시작할 수 없습니다. 아무것도 하지 않았습니다.',
    unreadable: '이 지시를 읽을 수 없습니다. 아무것도 하지 않았습니다.',
  },
  orderWaits: {
    cancel: '받았습니다. 멈추는 중입니다.',
    rerun: '받았습니다. 차례를 기다립니다.',
    resend: '받았습니다. 차례를 기다립니다.',
    arrived: '받았습니다.',
    dismiss: '받았습니다.',
    permit: '받았습니다.',
    deny: '받았습니다.',
  },
  decided: (verb, by, at) => `— ${ko.button[verb]}: ${by}, ${at}`,
  atTerminal: (user) => `명령줄의 ${user}`,
  wholeAsFile: '전체 답입니다.',
  fileTooLarge: (name, path) => `${name} 은(는) 텔레그램 한도(50 MB)보다 큽니다. ${path} 에 있습니다.`,
  tooManyFiles: (count, folder) => `파일 ${count}개가 ${folder} 에 더 있습니다.`,
  notFetched: (name, problem) =>
    `${name} 을(를) 텔레그램에서 받지 못했습니다: ${knownIn(ko.problem, problem) ?? problem}. 에이전트는 이 파일 없이 진행합니다.`,
  problem: {
    'too-large': '봇이 받을 수 있는 20 MB 를 넘습니다',
    refused: '텔레그램이 더는 내주지 않습니다',
    incomplete: '15분 동안 시도했지만 온전히 오지 않았습니다',
  },
  attachment: {
    photo: '사진',
    document: '파일',
    voice: '음성 메시지',
    audio: '오디오 파일',
    video: '동영상',
    animation: '애니메이션',
    video_note: '영상 메시지',
    sticker: '스티커',
  },
  failure: {
    'agent-timeout': '에이전트가 너무 오래 걸려 중지했습니다.',
    'agent-exit': '에이전트가 오류로 끝났습니다.',
    'agent-signal': '에이전트가 밖에서 종료되었습니다.',
    'agent-empty': '에이전트가 글을 내지 않았습니다.',
    'agent-missing': '에이전트 프로그램을 찾지 못했습니다. 아무것도 실행하지 않았습니다.',
    'agent-folder-missing': '에이전트의 작업 폴더를 찾지 못했습니다. 아무것도 실행하지 않았습니다.',
    'agent-not-started': '에이전트를 시작할 수 없었습니다. 아무것도 실행하지 않았습니다.',
    'agent-disk-full': '에이전트가 일하는 동안 디스크가 가득 차서 출력을 받지 못했습니다.',
    'agent-flood': '에이전트가 끝없이 출력하여 중지했습니다.',
    'agent-version': '에이전트의 프로토콜 버전이 다릅니다. 아무것도 실행하지 않았습니다.',
    'agent-protocol': '에이전트가 프로토콜을 지키지 않았습니다.',
    'agent-auth': '에이전트에 먼저 로그인해야 합니다. 아무것도 실행하지 않았습니다.',
    'agent-mode': '에이전트가 설정된 모드를 알지 못합니다. 아무것도 실행하지 않았습니다.',
    'agent-session': '에이전트가 세션을 열지 않았습니다. 아무것도 실행하지 않았습니다.',
    'agent-start-timeout': '에이전트가 시간 안에 준비되지 않았습니다. 아무것도 실행하지 않았습니다.',
    'agent-error': '에이전트가 오류로 답했습니다.',
    'agent-max_tokens': '에이전트가 글을 내기 전에 토큰 한도에 이르렀습니다.',
    'agent-max_turn_requests': '에이전트가 글을 내기 전에 단계 한도에 이르렀습니다.',
    'agent-refusal': '에이전트가 거절했습니다.',
    'agent-cancelled': '에이전트가 취소되었다고 알렸습니다.',
    'agent-not-ended': '에이전트를 멈출 수 없었습니다.',
    'send-refused': '텔레그램이 답을 거절했습니다. 답은 보관되어 있습니다.',
    'send-not-arrived': '오랫동안 답을 보낼 수 없었습니다. 답은 보관되어 있습니다.',
    'download-failed': '파일을 하나도 텔레그램에서 받지 못했습니다.',
    'damaged-receipt': '영수증을 읽을 수 없어 어디까지 진행되었는지 알 수 없습니다. 실행하지 않았습니다.',
    other: '문제가 생겼습니다.',
  },
  recovered: '중단된 뒤 에이전트의 기록에서 찾은 답입니다. 완전하지 않을 수 있으며, 다시 실행하지 않았습니다.',
  note: {
    disk_full: '에이전트가 일하는 동안 디스크가 가득 찼습니다. 답이 잘렸을 수 있습니다.',
    max_tokens: '에이전트가 토큰 한도에 이르러 멈췄습니다. 답이 완전하지 않을 수 있습니다.',
    max_turn_requests: '에이전트가 단계 한도에 이르러 멈췄습니다. 답이 완전하지 않을 수 있습니다.',
    refusal: '에이전트가 더 진행하기를 거절했습니다.',
    cancelled: '에이전트가 취소되었다고 알렸습니다. 답이 완전하지 않을 수 있습니다.',
  },
  question: (title, about) => `에이전트의 질문: ${title}${about === null ? '' : `\n${about}`}`,
  questionAnswered: (option, by, at) => `— ${option}: ${by}, ${at}`,
  questionTooLate: '— 거부: 시간 안에 답이 없었습니다.',
  questionOver: '— 거부: 실행이 끝났습니다.',
  notRecovered: {
    unfinished: '에이전트의 기록에도 끝난 답이 없습니다.',
    'unknown-request': '에이전트의 기록에 이 요청이 전혀 보이지 않지만, 그것이 무엇을 증명하지는 않습니다.',
    unavailable: '',
  },
  cameTooLate: '이 메시지는 해당 요청이 이미 시작된 뒤에 도착했습니다. 답에 답장으로 보내 주세요.',
  cutAt: (bytes) => `[여기서 잘림: 에이전트가 ${bytes} 바이트를 출력했습니다.]`,
};

function failureWords({ failure }: Words, code: string): string {
  return knownIn(failure, code) ?? failure.other;
}

/** What a file says may be any text, `constructor` as well. */
function knownIn(words: Record<string, string>, key: string): string | undefined {
  return new Map(Object.entries(words)).get(key);
}

function nextLine(text: string): string {
  return text === '' ? '' : `\n${text}`;
}

function numbered(lines: readonly string[]): string[] {
  return lines.map((line, index) => `${index + 1}. ${line}`);
}

export function wordsIn(language: Language): Words {
  return language === 'ko' ? ko : en;
}

/** The words of an answer that is always the same; `status` has words of its own. */
export function ordinaryWords(words: Words, answer: OrdinaryAnswer): string {
  const texts: Record<Exclude<OrdinaryAnswer, 'status'>, string> = {
    help: words.help,
    usage: words.usage,
    hint: words.hint,
    'forward-is-material': words.forwardIsMaterial,
    'edit-changes-nothing': words.editChangesNothing,
    'unknown-request': words.refused['unknown-request'],
    unsupported: words.unsupported,
  };
  return answer === 'status' ? words.hint : texts[answer];
}

function interruptedWords(words: Words, { id, recovery }: Receipt): string {
  const why = recovery === undefined || recovery === 'answer' ? '' : words.notRecovered[recovery];
  return why === '' ? words.interrupted(id) : `${words.interrupted(id)}\n\n${why}`;
}

/** The words of a receipt's notice. */
export function noticeWords(words: Words, receipt: Receipt): string {
  const parts = receipt.reply?.parts ?? [];
  const sent = parts.filter((part) => part.state === 'sent').length;
  if (receipt.state === 'rejected') return words.rejected(receipt.id);
  if (receipt.attention === 'interrupted-run') return interruptedWords(words, receipt);
  if (receipt.attention === 'unknown-delivery') return words.unknownDelivery(receipt.id, sent, parts.length);
  return words.failed(receipt.id, receipt.error?.code ?? 'other', sent, parts.length);
}
