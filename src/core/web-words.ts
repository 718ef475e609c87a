/** Everything that a person reads on the web page, in both languages. A text that is missing in one does not compile. Pure. */
import type { OrderVerb, Part, Receipt } from './receipt.ts';
import type { Language } from './settings.ts';

/** What one stretch of a request's way was spent on. */
export type Phase = 'waiting' | 'agent' | 'sending' | 'person';

export interface WebWords {
  overview: string;
  requests: string;
  activity: string;
  skip: string;
  menu: string;
  /** The line to the page's server. */
  line: { live: string; lost: string };
  changed: string;
  bot: string;
  consumer: string;
  runningSince(since: string): string;
  notRunning: string;
  startIt: string;
  indexing(read: string, total: string): string;
  needsYou: string;
  running: string;
  waiting: string;
  allQuiet: string;
  latest: string;
  all: string;
  more(count: string): string;
  unreadUpdates(count: string): string;
  consumerGone: string;
  unreadable: string;
  /** Of how many parts it is certain that they arrived. */
  doubtful(sent: number, total: number): string;
  decideBy: string;
  /** What each order does, beside the command that gives it. */
  does: Record<OrderVerb, string>;
  state: Record<Receipt['state'] | 'waiting' | 'unreadable', string>;
  attention: Record<NonNullable<Receipt['attention']>, string>;
  partState: Record<Part['state'], string>;
  tile: { total: string; week: string; answered: string; median: string };
  request(id: string): string;
  conversation(id: string): string;
  openConversation: string;
  details: string;
  newConversation: string;
  turns(count: string): string;
  noText: string;
  quoted: string;
  agent: string;
  noAnswerYet: string;
  attachments: string;
  picture(number: number): string;
  notFetched: string;
  gone: string;
  recovered: string;
  timeLine: string;
  timeLineOf(id: string, total: string): string;
  notToScale: string;
  phase: Record<Phase, string>;
  steps: string;
  parts: string;
  accepted: string;
  by(name: string): string;
  whatHappened: string;
  after: string;
  answer: string;
  message(ids: string): string;
  error: string;
  stage: Record<'download' | 'agent' | 'send' | 'request', string>;
  facts: string;
  from: string;
  session: string;
  run: string;
  turn(number: number): string;
  earlierRuns: string;
  origin: Record<NonNullable<Receipt['sessionOrigin']>, string>;
  rawReceipt: string;
  cut: string;
  search: string;
  searchHint: string;
  find: string;
  filter: string;
  filters: Record<'all' | 'open' | 'attention' | 'sent' | 'failed', string>;
  found(count: string): string;
  nothingFound: string;
  nothingYet: string;
  stillReading: string;
  page(number: string, count: string): string;
  newer: string;
  older: string;
  perDay: string;
  perDayAbout(days: number, total: string): string;
  howLong: string;
  howLongAbout(count: string, median: string, slow: string): string;
  perDayTime: string;
  perDayTimeAbout: string;
  outcome: Record<'sent' | 'failed' | 'open', string>;
  median: string;
  slowest: string;
  asTable: string;
  day: string;
  count: string;
  upTo(duration: string): string;
  over(duration: string): string;
  noFigures: string;
  notFound: string;
  notFoundAbout: string;
  trouble: string;
  troubleAbout: string;
  readOnly: string;
  /** A length of time, its two greatest units; `ms` alone under a second. */
  duration(parts: { days: number; hours: number; minutes: number; seconds: number; ms: number }): string;
}

const en: WebWords = {
  overview: 'Overview',
  requests: 'Requests',
  activity: 'Activity',
  skip: 'Skip to the content',
  menu: 'Pages',
  line: { live: 'live', lost: 'not live: blog-bridge web does not answer' },
  changed: 'The page was brought up to date.',
  bot: 'Bot',
  consumer: 'Consumer',
  runningSince: (since) => `running for ${since}`,
  notRunning: 'not running',
  startIt: 'start it with',
  indexing: (read, total) => `Reading the receipts: ${read} of ${total}.`,
  needsYou: 'Needs you',
  running: 'Running now',
  waiting: 'Waiting',
  allQuiet: 'Nothing is running, nothing waits, nothing needs you.',
  latest: 'Latest',
  all: 'All requests',
  more: (count) => `and ${count} more`,
  unreadUpdates: (count) => `Updates that could not be read: ${count}. They are kept in spool/unread/.`,
  consumerGone: 'Its consumer is gone. The next one says how far it came.',
  unreadable: 'Its receipt cannot be read, so nobody knows how far it came.',
  doubtful: (sent, total) =>
    total === 1
      ? 'Nobody knows whether the answer arrived. Look into the chat: is it there? It was not sent again.'
      : `${sent} of ${total} parts arrived for certain; for the next one nobody knows. Look into the chat: is it there? It was not sent again.`,
  decideBy: 'Decide in the chat, or here by one of',
  does: {
    cancel: 'stop it',
    rerun: 'run the agent once more',
    resend: 'send once more what is not sent',
    arrived: 'it is done: close it as sent',
    dismiss: 'close it as failed',
    permit: 'allow',
    deny: 'deny',
  },
  state: {
    waiting: 'waiting',
    submitted: 'running',
    sending: 'sending',
    sent: 'sent',
    failed: 'failed',
    rejected: 'rejected',
    unreadable: 'unreadable',
  },
  attention: {
    'interrupted-run': 'interrupted',
    'unknown-delivery': 'arrival unknown',
    failed: 'failed',
  },
  partState: { waiting: 'waiting', sending: 'sending', sent: 'sent', failed: 'failed' },
  tile: { total: 'requests', week: 'in the last 7 days', answered: 'answered', median: 'half are ready within' },
  request: (id) => `Request ${id}`,
  conversation: (id) => `Conversation ${id}`,
  openConversation: 'The whole conversation',
  details: 'Receipt',
  newConversation: 'opens a conversation',
  turns: (count) => (count === '1' ? '1 request' : `${count} requests`),
  noText: '(no text)',
  quoted: 'Quoted',
  agent: 'Agent',
  noAnswerYet: 'No answer yet.',
  attachments: 'Files',
  picture: (number) => `Picture ${number}`,
  notFetched: 'could not be had from Telegram',
  gone: 'not there any more',
  recovered: 'Found in the agent’s own history after an interruption; it may be incomplete.',
  timeLine: 'Time line',
  timeLineOf: (id, total) => `Time line of request ${id}, ${total} in all`,
  notToScale: 'Short stretches are drawn wider than they were.',
  phase: { waiting: 'waited', agent: 'agent at work', sending: 'on its way', person: 'waited for a person' },
  steps: 'What the agent did',
  parts: 'Parts',
  accepted: 'accepted',
  by: (name) => `ordered by ${name}`,
  whatHappened: 'What happened',
  after: 'after',
  answer: 'Answer',
  message: (ids) => `message ${ids}`,
  error: 'Error',
  stage: {
    download: 'while fetching its files',
    agent: 'while the agent worked',
    send: 'while sending',
    request: 'in its file',
  },
  facts: 'Facts',
  from: 'From',
  session: 'Session',
  run: 'Run',
  turn: (number) => `turn ${number} of its session`,
  earlierRuns: 'Earlier runs',
  origin: {
    new: 'a new session',
    loaded: 'the former session, loaded',
    resumed: 'the former session, resumed',
    retold: 'a new session, told the conversation so far',
  },
  rawReceipt: 'The receipt as it lies on disk',
  cut: '(cut here)',
  search: 'Search',
  searchHint: 'words or a number',
  find: 'Find',
  filter: 'Show',
  filters: { all: 'all', open: 'open', attention: 'needs you', sent: 'sent', failed: 'failed' },
  found: (count) => (count === '1' ? '1 request' : `${count} requests`),
  nothingFound: 'Nothing was found.',
  nothingYet: 'No request yet. Send /blog to your bot.',
  stillReading: 'Not all receipts are read yet; more may turn up.',
  page: (number, count) => `Page ${number} of ${count}`,
  newer: 'Newer',
  older: 'Older',
  perDay: 'Requests a day',
  perDayAbout: (days, total) => `${total} in the last ${days} days, by how they ended`,
  howLong: 'How long the agent took',
  howLongAbout: (count, median, slow) => `${count} runs; half within ${median}, nine of ten within ${slow}`,
  perDayTime: 'Agent’s time, day by day',
  perDayTimeAbout: 'the dot is the middle run, the line reaches to the slowest of ten',
  outcome: { sent: 'sent', failed: 'failed', open: 'open' },
  median: 'middle',
  slowest: 'nine of ten within',
  asTable: 'As a table',
  day: 'Day',
  count: 'Number',
  upTo: (duration) => `up to ${duration}`,
  over: (duration) => `over ${duration}`,
  noFigures: 'There is nothing to draw yet.',
  notFound: 'Not here',
  notFoundAbout: 'There is no such page, request or picture in this home.',
  trouble: 'This page could not be made',
  troubleAbout: 'The cause was:',
  readOnly: 'This page only reads. Orders are given in the chat or on the command line.',
  duration: ({ days, hours, minutes, seconds, ms }) => {
    if (days > 0) return `${days} d ${hours} h`;
    if (hours > 0) return `${hours} h ${minutes} min`;
    if (minutes > 0) return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`;
    return seconds > 0 ? `${seconds} s` : `${ms} ms`;
  },
};

const ko: WebWords = {
  overview: '한눈에',
  requests: '요청',
  activity: '활동',
  skip: '본문으로 건너뛰기',
  menu: '화면',
  line: { live: '실시간', lost: '연결 끊김: blog-bridge web 이 응답하지 않습니다' },
  changed: '화면이 새로 바뀌었습니다.',
  bot: '봇',
  consumer: '처리기',
  runningSince: (since) => `${since}째 실행 중`,
  notRunning: '꺼져 있음',
  startIt: '시작하려면',
  indexing: (read, total) => `영수증을 읽는 중: ${total}건 중 ${read}건.`,
  needsYou: '확인이 필요합니다',
  running: '지금 실행 중',
  waiting: '대기 중',
  allQuiet: '실행 중이거나 기다리거나 확인이 필요한 요청이 없습니다.',
  latest: '최근',
  all: '모든 요청',
  more: (count) => `그 밖에 ${count}건`,
  unreadUpdates: (count) => `읽을 수 없는 업데이트 ${count}건을 spool/unread/ 에 보관했습니다.`,
  consumerGone: '처리기가 사라졌습니다. 다시 켜면 어디까지 했는지 알려 줍니다.',
  unreadable: '영수증을 읽을 수 없어 어디까지 진행되었는지 알 수 없습니다.',
  doubtful: (sent, total) =>
    total === 1
      ? '답이 도착했는지 알 수 없습니다. 채팅에 보이나요? 다시 보내지 않았습니다.'
      : `${total}개 중 ${sent}개는 확실히 도착했고, 그다음은 알 수 없습니다. 채팅에 보이나요? 다시 보내지 않았습니다.`,
  decideBy: '채팅에서 정하거나, 다음 명령 중 하나를 쓰세요',
  does: {
    cancel: '중지합니다',
    rerun: '에이전트를 한 번 더 실행합니다',
    resend: '보내지 못한 것을 다시 보냅니다',
    arrived: '끝났으므로 보낸 것으로 닫습니다',
    dismiss: '실패로 닫습니다',
    permit: '허용합니다',
    deny: '거부합니다',
  },
  state: {
    waiting: '대기',
    submitted: '실행 중',
    sending: '보내는 중',
    sent: '보냄',
    failed: '실패',
    rejected: '거절됨',
    unreadable: '읽을 수 없음',
  },
  attention: {
    'interrupted-run': '끊김',
    'unknown-delivery': '도착 여부 모름',
    failed: '실패',
  },
  partState: { waiting: '대기', sending: '보내는 중', sent: '보냄', failed: '실패' },
  tile: { total: '모든 요청', week: '최근 7일', answered: '답을 보낸 비율', median: '절반이 끝나는 시간' },
  request: (id) => `요청 ${id}`,
  conversation: (id) => `대화 ${id}`,
  openConversation: '대화 전체 보기',
  details: '영수증',
  newConversation: '새 대화',
  turns: (count) => `요청 ${count}건`,
  noText: '(글 없음)',
  quoted: '인용',
  agent: '에이전트',
  noAnswerYet: '아직 답이 없습니다.',
  attachments: '파일',
  picture: (number) => `사진 ${number}`,
  notFetched: '텔레그램에서 받지 못함',
  gone: '지금은 없음',
  recovered: '중단된 뒤 에이전트의 기록에서 찾은 답입니다. 완전하지 않을 수 있습니다.',
  timeLine: '시간 흐름',
  timeLineOf: (id, total) => `요청 ${id} 의 시간 흐름, 모두 ${total}`,
  notToScale: '짧은 구간은 실제보다 넓게 그렸습니다.',
  phase: { waiting: '대기', agent: '에이전트 작업', sending: '보내는 중', person: '사람을 기다림' },
  steps: '에이전트가 한 일',
  parts: '조각',
  accepted: '접수',
  by: (name) => `${name} 님의 지시`,
  whatHappened: '진행 과정',
  after: '걸린 시간',
  answer: '답',
  message: (ids) => `메시지 ${ids}`,
  error: '오류',
  stage: {
    download: '파일을 받는 중',
    agent: '에이전트가 일하는 중',
    send: '보내는 중',
    request: '요청 파일',
  },
  facts: '정보',
  from: '보낸 사람',
  session: '세션',
  run: '실행',
  turn: (number) => `세션의 ${number}번째 차례`,
  earlierRuns: '이전 실행',
  origin: {
    new: '새 세션',
    loaded: '이전 세션을 불러옴',
    resumed: '이전 세션을 이어 감',
    retold: '지금까지의 대화를 알려 준 새 세션',
  },
  rawReceipt: '디스크에 있는 그대로의 영수증',
  cut: '(여기서 잘림)',
  search: '찾기',
  searchHint: '낱말 또는 번호',
  find: '찾기',
  filter: '보기',
  filters: { all: '모두', open: '진행 중', attention: '확인 필요', sent: '보냄', failed: '실패' },
  found: (count) => `${count}건`,
  nothingFound: '찾은 것이 없습니다.',
  nothingYet: '아직 요청이 없습니다. 봇에게 /blog 를 보내 보세요.',
  stillReading: '아직 읽지 않은 영수증이 있어 더 나올 수 있습니다.',
  page: (number, count) => `${count}쪽 중 ${number}쪽`,
  newer: '더 최근',
  older: '더 예전',
  perDay: '하루 요청 수',
  perDayAbout: (days, total) => `최근 ${days}일 동안 ${total}건, 결과별`,
  howLong: '에이전트가 걸린 시간',
  howLongAbout: (count, median, slow) => `실행 ${count}번. 절반은 ${median}, 열에 아홉은 ${slow} 안에 끝났습니다`,
  perDayTime: '날짜별 에이전트 시간',
  perDayTimeAbout: '점은 가운데 값, 선은 열에 아홉이 끝난 시간까지입니다',
  outcome: { sent: '보냄', failed: '실패', open: '진행 중' },
  median: '가운데 값',
  slowest: '열에 아홉',
  asTable: '표로 보기',
  day: '날짜',
  count: '건수',
  upTo: (duration) => `${duration} 이하`,
  over: (duration) => `${duration} 초과`,
  noFigures: '아직 그릴 것이 없습니다.',
  notFound: '여기 없습니다',
  notFoundAbout: '이 홈에는 그런 화면이나 요청이나 사진이 없습니다.',
  trouble: '화면을 만들지 못했습니다',
  troubleAbout: '까닭은 다음과 같습니다:',
  readOnly: '이 화면은 읽기만 합니다. 지시는 채팅이나 명령줄에서 내립니다.',
  duration: ({ days, hours, minutes, seconds, ms }) => {
    if (days > 0) return `${days}일 ${hours}시간`;
    if (hours > 0) return `${hours}시간 ${minutes}분`;
    if (minutes > 0) return seconds === 0 ? `${minutes}분` : `${minutes}분 ${seconds}초`;
    return seconds > 0 ? `${seconds}초` : `${ms}밀리초`;
  },
};

export function webWordsIn(language: Language): WebWords {
  return language === 'ko' ? ko : en;
}
