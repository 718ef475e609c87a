/** Everything that `init` says, in English and Korean. A text that is missing in one does not compile. Pure. */
import type { ReachTrouble } from './reach.ts';
import type { Language } from './settings.ts';

/** What is wrong, and what to do about it. */
export type Trouble = readonly [words: string, mend: string];

interface Place {
  /** Where Telegram was asked, such as `api.telegram.org`. */
  host: string;
  /** The system's code, or the status of the answer. */
  detail: string;
}

export interface InitWords {
  title(home: string): string;
  keys: string;
  yes: string;
  no: string;
  missingAnswer(option: string): Trouble;
  cancelled: Trouble;
  nothingWritten: string;
  homeUnusable(path: string, why: string): Trouble;
  otherInit(home: string): Trouble;
  configUnreadable(why: string): string;

  askToken: string;
  tokenHow: string;
  tokenFrom(place: string): string;
  tokenShape: string;
  tokenFileEmpty(path: string): Trouble;
  tokenFileUnreadable(path: string, cause: string): Trouble;
  tokenRefused(status: number): Trouble;
  environmentWins: string;
  botIs(username: string): string;
  keepBot(username: string): string;
  otherBot: string;
  tryAgain: string;
  trouble: Record<ReachTrouble, (place: Place) => Trouble>;
  webhookRemoved(host: string, waiting: number): string;

  askWho: string;
  whoStands(chatId: number, userIds: string): string;
  byMessage: string;
  byIds: string;
  botRuns(pid: number): string;
  writeNow(username: string): string;
  writeInGroup(username: string): string;
  stillWaiting: string;
  askIsYou(who: string): string;
  askWhichIsYou: string;
  noneOfThem: string;
  queueFull: string;
  sharedSender: string;
  otherPoller: Trouble;
  whatNow: string;
  waitOn: string;
  askChatId: string;
  askUserIds: string;
  idsExpected: string;
  sharedId(id: number): string;
  personIdExpected(id: number): string;
  notInPrivateChat(chatId: number): string;
  inPrivateChat: string;
  inGroup(title: string): string;
  learned(chatId: number, userIds: string): string;
  nothingConfirmed: string;
  chatUnknown(chatId: number, username: string): string;
  privacyOn: string;
  groupMayMove: string;

  askAgent: string;
  agentFound: string;
  agentStands: string;
  agentMissing: string;
  anyCommand: string;
  anyCommandHint: string;
  sample: string;
  sampleHint: string;
  adapterHelps(title: string, install: string): string;
  unknownAgent(name: string, known: string): Trouble;
  agentNotFound(name: string): Trouble;
  askCommand: string;
  commandExpected: string;
  askKind: string;
  kindCommand: string;
  kindAcp: string;
  /** @param why in the words of whoever looked for it */
  programUnusable(program: string, why: string): string;
  askFolder: string;
  folderDefault: string;
  folderMissing(path: string): string;
  folderHoldsHome(path: string): string;

  askReplace(changes: string): string;
  replaceNeeds: Trouble;
  changedMeanwhile(path: string): Trouble;
  setAside(path: string): string;
  written(paths: string): string;
  unchanged: string;
  boundElsewhere(command: string): string;
  checking: string;
  restart: string;
  next(start: string, service: string): string;
  sayHello: string;
}

const en: InitWords = {
  title: (home) => `blog-bridge: setting up ${home}`,
  keys: 'Arrow keys choose, Enter answers, Ctrl-C ends without writing anything.',
  yes: 'Yes',
  no: 'No',
  missingAnswer: (option) => [
    `init: expected ${option}, since there is no terminal to ask at, found none`,
    'Give it, or run init at a terminal; "blog-bridge init --help" lists all options.',
  ],
  cancelled: ['init was ended; nothing was written', 'Run it again whenever you like.'],
  nothingWritten: 'Nothing was written; all stays as it was.',
  homeUnusable: (path, why) => [
    `${path}: expected a folder that can be written, found ${why}`,
    'Let it be writable for you, or name another folder with --home.',
  ],
  otherInit: (home) => [`${home}: another init is writing here`, 'Wait for its end, and look at what it wrote.'],
  configUnreadable: (why) => `The settings that stand here cannot be used: ${why}. They will be set aside, not lost.`,

  askToken: 'Bot token (it stays hidden):',
  tokenHow:
    'In Telegram, open https://t.me/BotFather: /newbot makes a bot, /token shows the token of one that you have.',
  tokenFrom: (place) => `Using the bot token from ${place}.`,
  tokenShape: 'Expected a bot token: a number, a colon, and a secret of letters, digits, - and _.',
  tokenFileEmpty: (path) => [
    `--token-file ${path}: expected a bot token (number, colon, secret), found none`,
    'Put the token that @BotFather gave you into it, and nothing else.',
  ],
  tokenFileUnreadable: (path, cause) => [
    `--token-file ${path}: expected a file that can be read, found none (${cause})`,
    'A relative path starts at the folder in which you call this.',
  ],
  tokenRefused: (status) => [
    `Telegram refuses this bot token (${status}): it is mistyped, cut, or was revoked`,
    'In Telegram, ask @BotFather with /token for the current one.',
  ],
  environmentWins:
    'Mind: TELEGRAM_BOT_TOKEN is set in this environment to another token, and wins over .env wherever it is set.',
  botIs: (username) => `Telegram knows this bot: @${username}`,
  keepBot: (username) => `The token that stands here is that of @${username}. Go on with it?`,
  otherBot: 'Another token',
  tryAgain: 'Try again?',
  trouble: {
    refused: ({ host }) => [
      `${host} refuses the connection`,
      'A firewall or a proxy may stand in between; if TELEGRAM_API_ROOT is set, is its server running?',
    ],
    'no-such-host': ({ host }) => [
      `${host} is not known to the name service (DNS)`,
      'Is this machine online? Then look at its DNS servers: some networks hide Telegram.',
    ],
    'dns-fails': ({ host, detail }) => [
      `the name service (DNS) gives no answer about ${host} (${detail})`,
      'Is this machine online? Then look at its DNS servers.',
    ],
    'no-route': ({ host, detail }) => [
      `there is no way from here to ${host} (${detail})`,
      'Is this machine online? A VPN or a firewall may be in the way.',
    ],
    certificate: ({ host, detail }) => [
      `the certificate of ${host} is not trusted (${detail}): something in between reads along, a company proxy or a virus scanner`,
      'If you trust it, name its root certificate in NODE_EXTRA_CA_CERTS; else use another network.',
    ],
    'certificate-date': ({ host, detail }) => [
      `the certificate of ${host} is out of its time (${detail})`,
      'Most often the clock of this machine is wrong: set it, and try again.',
    ],
    'no-tls': ({ host, detail }) => [
      `${host} does not speak TLS (${detail})`,
      'A proxy or the log-in page of a network answers in its place; or TELEGRAM_API_ROOT says https where http is meant.',
    ],
    reset: ({ host, detail }) => [
      `the connection to ${host} is cut (${detail})`,
      'Some networks and firewalls cut Telegram off: try another network or a VPN.',
    ],
    silent: ({ host }) => [
      `${host} does not answer in time`,
      'Some networks and firewalls swallow what goes to Telegram: try another network or a VPN.',
    ],
    'ipv6-hangs': ({ host }) => [
      `${host} answers over IPv4, but hangs over IPv6`,
      'Mend or turn off IPv6 in this network, or set NODE_OPTIONS=--dns-result-order=ipv4first for init and for the service.',
    ],
    'ipv4-hangs': ({ host }) => [
      `${host} answers over IPv6, but hangs over IPv4`,
      'Mend IPv4 in this network, or set NODE_OPTIONS=--dns-result-order=ipv6first for init and for the service.',
    ],
    'server-error': ({ host, detail }) => [
      `${host} has a fault of its own just now (${detail})`,
      'Wait a few minutes, and try again.',
    ],
    'too-many': ({ host }) => [`${host} wants fewer calls (429)`, 'Wait a minute, and try again.'],
    'not-telegram': ({ host, detail }) => [
      `what answers at ${host} is not Telegram's Bot API (${detail})`,
      'A proxy or the log-in page of a network may answer in its place; if TELEGRAM_API_ROOT is set, is it right?',
    ],
    other: ({ host, detail }) => [`${host} cannot be reached (${detail})`, 'Look at the network, and try again.'],
  },
  webhookRemoved: (host, waiting) =>
    `A webhook led this bot's messages to ${host}. It is removed, since a bot can have only one reader; ${waiting} waiting ${waiting === 1 ? 'message stays' : 'messages stay'}.`,

  askWho: 'Which chat, and who may give orders there?',
  whoStands: (chatId, userIds) => `As it stands: chat ${chatId}, user ${userIds}`,
  byMessage: 'I write to the bot now',
  byIds: 'I type the ids',
  botRuns: (pid) =>
    `The bot of this home is running (pid ${pid}) and takes each message, so init cannot see them. Keep what stands, type the ids, or stop the bot first.`,
  writeNow: (username) => `Now send your bot any message: open https://t.me/${username} and press Start.`,
  writeInGroup: (username) => `For a group: add @${username} to it, and send /start@${username} there.`,
  stillWaiting: 'Waiting for your message …',
  askIsYou: (who) => `Is this you? ${who}`,
  askWhichIsYou: 'These wrote to the bot already. Which one is you?',
  noneOfThem: 'None of them: I write now',
  queueFull:
    'A hundred messages wait for this bot, and later ones cannot be seen before they are taken. Choose among these, or type the ids.',
  sharedSender:
    'Somebody wrote as the group or as a channel, under an account that many share, which can never be allowed. Turn off "remain anonymous" for yourself in the group, and write again.',
  otherPoller: [
    'another program reads the messages of this bot, with the same token (Telegram: 409 Conflict)',
    'End it, or ask @BotFather for a bot of its own; a bot can have only one reader.',
  ],
  whatNow: 'What now?',
  waitOn: 'Look again',
  askChatId: 'Chat id (in a private chat it is your user id; that of a group begins with -):',
  askUserIds: 'Who may give orders? User ids, with commas between:',
  idsExpected: 'Expected whole numbers other than 0.',
  sharedId: (id) => `${id} is an account that many people share in Telegram, so allowing it would allow them all.`,
  personIdExpected: (id) => `${id} is no person: user ids are greater than 0.`,
  notInPrivateChat: (chatId) =>
    `In the private chat ${chatId} only user ${chatId} can write; expected that id among the users.`,
  inPrivateChat: 'private chat',
  inGroup: (title) => `group "${title}"`,
  learned: (chatId, userIds) => `Chat ${chatId}; orders from user ${userIds}. More ids may go into telegram.userIds.`,
  nothingConfirmed: 'What you wrote stays at Telegram: the bot takes it up when it starts.',
  chatUnknown: (chatId, username) =>
    `Telegram tells this bot of no chat ${chatId}. Write to @${username} once, or add it to the group, before you start.`,
  privacyOn:
    "Privacy mode is on for this bot. In this group it sees commands and replies to its own messages: /blog and going on work. Not seen: the other pictures of an album, the further pieces of a long text, and replies to messages that are not the bot's. To change that: @BotFather, /setprivacy, Disable; then remove the bot from the group and add it again.",
  groupMayMove:
    'Should Telegram make this group a supergroup, its id changes; the bot says so then, and "rebind" follows it.',

  askAgent: 'Which agent shall write?',
  agentFound: 'found',
  agentStands: 'as it stands',
  agentMissing: 'not installed',
  anyCommand: 'Another program',
  anyCommandHint: 'the prompt comes on stdin, the answer goes to stdout',
  sample: 'The sample agent',
  sampleHint: 'built in, to try the set-up',
  adapterHelps: (title, install) =>
    `${title} is here, but not its ACP adapter, with which it asks for permission in the chat and tells its steps: ${install}`,
  unknownAgent: (name, known) => [`--agent ${name}: expected one of ${known}`, 'Or give --agent-command.'],
  agentNotFound: (name) => [
    `--agent ${name}: expected that program on PATH, found none`,
    'Install it, or name a program by --agent-command.',
  ],
  askCommand: 'Program and arguments (no shell reads them; {sessionId} is replaced):',
  commandExpected: 'Expected a program and its arguments, every quote closed.',
  askKind: 'How does it speak?',
  kindCommand: 'stdin and stdout',
  kindAcp: 'Agent Client Protocol',
  programUnusable: (program, why) => `${program} cannot be started: ${why}`,
  askFolder: 'In which folder shall it work? (Enter takes the one shown)',
  folderDefault: 'a folder of its own in the home',
  folderMissing: (path) => `${path}: expected a folder, found none.`,
  folderHoldsHome: (path) =>
    `${path} holds this home: the agent could change requests and receipts. Take one beside it.`,

  askReplace: (changes) => `Something stands here already. Shall it be changed?\n${changes}`,
  replaceNeeds: [
    'init: expected --force, since settings that stand here would be changed, found none',
    'Nothing was written.',
  ],
  changedMeanwhile: (path) => [
    `${path}: expected what stood there when init began, found something else: another init or a person wrote it meanwhile`,
    'Nothing was written by this one; look at it, and run init again if need be.',
  ],
  setAside: (path) => `The settings that could not be used lie in ${path} now.`,
  written: (paths) => `Written: ${paths}`,
  unchanged: 'All stood as you answered; nothing had to be written.',
  boundElsewhere: (command) =>
    `What this home holds belongs to another bot or chat. Before you start, "${command}" sets it aside.`,
  checking: 'Looking whether all is well (blog-bridge doctor):',
  restart: 'The bridge of this home is running: start it anew, so that it takes the new settings up.',
  next: (start, service) => `Next:\n  ${start}\n  ${service}   (so that it always runs)`,
  sayHello: 'Then write to your bot: /blog and what you want.',
};

const ko: InitWords = {
  title: (home) => `blog-bridge: ${home} 설정`,
  keys: '화살표로 고르고 Enter 로 답합니다. Ctrl-C 를 누르면 아무것도 쓰지 않고 끝납니다.',
  yes: '예',
  no: '아니요',
  missingAnswer: (option) => [
    `init: 물어볼 터미널이 없어 ${option} 이(가) 필요한데 없습니다`,
    '옵션으로 주거나 터미널에서 실행해 주세요. "blog-bridge init --help" 에 모든 옵션이 있습니다.',
  ],
  cancelled: ['init 을 끝냈습니다. 아무것도 쓰지 않았습니다', '언제든 다시 실행할 수 있습니다.'],
  nothingWritten: '아무것도 쓰지 않았습니다. 모두 그대로입니다.',
  homeUnusable: (path, why) => [
    `${path}: 쓸 수 있는 폴더가 아닙니다(${why})`,
    '쓸 수 있게 하거나 --home 으로 다른 폴더를 지정해 주세요.',
  ],
  otherInit: (home) => [`${home}: 다른 init 이 쓰는 중입니다`, '끝나기를 기다렸다가 무엇을 썼는지 확인해 주세요.'],
  configUnreadable: (why) => `여기 있는 설정은 쓸 수 없습니다: ${why}. 지우지 않고 따로 보관합니다.`,

  askToken: '봇 토큰 (화면에 보이지 않습니다):',
  tokenHow:
    '텔레그램에서 https://t.me/BotFather 를 여세요. /newbot 은 새 봇을 만들고 /token 은 있는 봇의 토큰을 보여 줍니다.',
  tokenFrom: (place) => `${place} 의 봇 토큰을 씁니다.`,
  tokenShape: '봇 토큰은 숫자, 쌍점(:), 그리고 글자·숫자·- ·_ 로 된 비밀 값입니다.',
  tokenFileEmpty: (path) => [
    `--token-file ${path}: 봇 토큰(숫자, 쌍점, 비밀 값)이 있어야 하는데 없습니다`,
    '@BotFather 가 준 토큰만 그 파일에 넣어 주세요.',
  ],
  tokenFileUnreadable: (path, cause) => [
    `--token-file ${path}: 읽을 수 있는 파일이어야 하는데 없습니다(${cause})`,
    '상대 경로는 지금 이 명령을 실행하는 폴더에서 시작합니다.',
  ],
  tokenRefused: (status) => [
    `텔레그램이 이 봇 토큰을 거절합니다(${status}): 잘못 적었거나, 잘렸거나, 폐기된 토큰입니다`,
    '텔레그램에서 @BotFather 에게 /token 을 보내 지금의 토큰을 받아 주세요.',
  ],
  environmentWins:
    '주의: 이 환경의 TELEGRAM_BOT_TOKEN 은 다른 토큰이며, 설정되어 있는 곳에서는 .env 보다 먼저 쓰입니다.',
  botIs: (username) => `텔레그램이 확인한 봇: @${username}`,
  keepBot: (username) => `여기 있는 토큰은 @${username} 의 것입니다. 그대로 쓸까요?`,
  otherBot: '다른 토큰',
  tryAgain: '다시 해 볼까요?',
  trouble: {
    refused: ({ host }) => [
      `${host} 이(가) 연결을 거절합니다`,
      '방화벽이나 프록시가 막고 있을 수 있습니다. TELEGRAM_API_ROOT 를 설정했다면 그 서버가 켜져 있나요?',
    ],
    'no-such-host': ({ host }) => [
      `이름 서버(DNS)가 ${host} 을(를) 모릅니다`,
      '인터넷에 연결되어 있나요? 그렇다면 DNS 설정을 확인해 주세요. 텔레그램을 숨기는 네트워크도 있습니다.',
    ],
    'dns-fails': ({ host, detail }) => [
      `이름 서버(DNS)가 ${host} 에 대해 답하지 않습니다(${detail})`,
      '인터넷에 연결되어 있나요? 그렇다면 DNS 설정을 확인해 주세요.',
    ],
    'no-route': ({ host, detail }) => [
      `여기서 ${host} 까지 가는 길이 없습니다(${detail})`,
      '인터넷에 연결되어 있나요? VPN 이나 방화벽이 막고 있을 수 있습니다.',
    ],
    certificate: ({ host, detail }) => [
      `${host} 의 인증서를 믿을 수 없습니다(${detail}): 회사 프록시나 백신처럼 중간에서 들여다보는 것이 있습니다`,
      '믿을 수 있다면 그 루트 인증서를 NODE_EXTRA_CA_CERTS 에 지정하고, 아니면 다른 네트워크를 써 주세요.',
    ],
    'certificate-date': ({ host, detail }) => [
      `${host} 의 인증서 날짜가 맞지 않습니다(${detail})`,
      '대개 이 컴퓨터의 시계가 틀린 것입니다. 시계를 맞추고 다시 해 주세요.',
    ],
    'no-tls': ({ host, detail }) => [
      `${host} 이(가) TLS 로 말하지 않습니다(${detail})`,
      '프록시나 네트워크 로그인 화면이 대신 답하고 있거나, TELEGRAM_API_ROOT 가 http 인데 https 로 적혀 있습니다.',
    ],
    reset: ({ host, detail }) => [
      `${host} 와(과)의 연결이 끊깁니다(${detail})`,
      '텔레그램을 끊는 네트워크나 방화벽이 있습니다. 다른 네트워크나 VPN 을 써 주세요.',
    ],
    silent: ({ host }) => [
      `${host} 이(가) 제때 답하지 않습니다`,
      '텔레그램으로 가는 것을 삼키는 네트워크나 방화벽이 있습니다. 다른 네트워크나 VPN 을 써 주세요.',
    ],
    'ipv6-hangs': ({ host }) => [
      `${host} 이(가) IPv4 로는 답하지만 IPv6 로는 멈춥니다`,
      '이 네트워크의 IPv6 를 고치거나 끄고, 아니면 init 과 서비스에 NODE_OPTIONS=--dns-result-order=ipv4first 를 설정해 주세요.',
    ],
    'ipv4-hangs': ({ host }) => [
      `${host} 이(가) IPv6 로는 답하지만 IPv4 로는 멈춥니다`,
      '이 네트워크의 IPv4 를 고치거나, init 과 서비스에 NODE_OPTIONS=--dns-result-order=ipv6first 를 설정해 주세요.',
    ],
    'server-error': ({ host, detail }) => [
      `지금 ${host} 쪽에 문제가 있습니다(${detail})`,
      '몇 분 기다렸다가 다시 해 주세요.',
    ],
    'too-many': ({ host }) => [`${host} 이(가) 잠시 쉬라고 합니다(429)`, '1분 기다렸다가 다시 해 주세요.'],
    'not-telegram': ({ host, detail }) => [
      `${host} 에서 답하는 것은 텔레그램 Bot API 가 아닙니다(${detail})`,
      '프록시나 네트워크 로그인 화면이 대신 답하고 있을 수 있습니다. TELEGRAM_API_ROOT 를 설정했다면 맞는 주소인가요?',
    ],
    other: ({ host, detail }) => [`${host} 에 닿지 않습니다(${detail})`, '네트워크를 확인하고 다시 해 주세요.'],
  },
  webhookRemoved: (host, waiting) =>
    `이 봇의 메시지가 웹훅으로 ${host} 에 가고 있었습니다. 봇의 메시지는 한 곳에서만 읽을 수 있어 웹훅을 지웠습니다. 기다리는 메시지 ${waiting}건은 그대로 남습니다.`,

  askWho: '어느 채팅에서, 누가 일을 맡길 수 있나요?',
  whoStands: (chatId, userIds) => `지금 그대로: 채팅 ${chatId}, 사용자 ${userIds}`,
  byMessage: '지금 봇에게 메시지를 보낸다',
  byIds: '번호를 직접 적는다',
  botRuns: (pid) =>
    `이 홈의 봇이 실행 중이고(pid ${pid}) 메시지를 모두 가져가므로 init 은 볼 수 없습니다. 지금 값을 그대로 쓰거나, 번호를 적거나, 먼저 봇을 멈춰 주세요.`,
  writeNow: (username) =>
    `이제 봇에게 아무 메시지나 보내 주세요: https://t.me/${username} 을 열고 시작을 누르면 됩니다.`,
  writeInGroup: (username) => `그룹이라면 @${username} 을 그룹에 넣고 거기서 /start@${username} 을 보내 주세요.`,
  stillWaiting: '메시지를 기다립니다 …',
  askIsYou: (who) => `본인이 맞나요? ${who}`,
  askWhichIsYou: '이미 봇에게 메시지를 보낸 사람들입니다. 본인은 누구인가요?',
  noneOfThem: '여기 없음: 지금 보낸다',
  queueFull:
    '이 봇 앞으로 메시지 100건이 기다리고 있어, 가져가기 전에는 그 뒤의 것을 볼 수 없습니다. 이 중에서 고르거나 번호를 적어 주세요.',
  sharedSender:
    '누군가 그룹이나 채널의 이름으로 썼습니다. 여러 사람이 함께 쓰는 계정이라 허용할 수 없습니다. 그룹에서 자신의 "익명 유지" 를 끄고 다시 보내 주세요.',
  otherPoller: [
    '다른 프로그램이 같은 토큰으로 이 봇의 메시지를 읽고 있습니다 (텔레그램: 409 Conflict)',
    '그 프로그램을 끝내거나 @BotFather 에게 새 봇을 받아 주세요. 봇의 메시지는 한 곳에서만 읽을 수 있습니다.',
  ],
  whatNow: '이제 어떻게 할까요?',
  waitOn: '다시 본다',
  askChatId: '채팅 번호 (개인 채팅이면 사용자 번호와 같고, 그룹이면 - 로 시작합니다):',
  askUserIds: '누가 일을 맡길 수 있나요? 사용자 번호를 쉼표로 나누어 적어 주세요:',
  idsExpected: '0 이 아닌 정수여야 합니다.',
  sharedId: (id) => `${id} 은(는) 텔레그램에서 여러 사람이 함께 쓰는 계정이라, 허용하면 그들 모두를 허용하게 됩니다.`,
  personIdExpected: (id) => `${id} 은(는) 사람이 아닙니다. 사용자 번호는 0 보다 큽니다.`,
  notInPrivateChat: (chatId) =>
    `개인 채팅 ${chatId} 에는 사용자 ${chatId} 만 쓸 수 있습니다. 사용자에 그 번호가 있어야 합니다.`,
  inPrivateChat: '개인 채팅',
  inGroup: (title) => `그룹 "${title}"`,
  learned: (chatId, userIds) =>
    `채팅 ${chatId}, 일을 맡기는 사용자 ${userIds}. 다른 번호는 telegram.userIds 에 더할 수 있습니다.`,
  nothingConfirmed: '보내신 메시지는 텔레그램에 그대로 있고, 봇이 시작되면 받습니다.',
  chatUnknown: (chatId, username) =>
    `텔레그램에 따르면 이 봇은 채팅 ${chatId} 을(를) 모릅니다. 시작하기 전에 @${username} 에게 한 번 메시지를 보내거나 봇을 그룹에 넣어 주세요.`,
  privacyOn:
    '이 봇은 개인정보 보호 모드(privacy mode)가 켜져 있습니다. 이 그룹에서는 명령과 봇의 메시지에 대한 답장만 봅니다. /blog 와 이어 가기는 됩니다. 보이지 않는 것: 앨범의 나머지 사진, 긴 글의 다음 조각, 봇이 아닌 메시지에 대한 답장. 바꾸려면 @BotFather 에서 /setprivacy, Disable 을 고른 뒤 봇을 그룹에서 뺐다가 다시 넣어 주세요.',
  groupMayMove:
    '텔레그램이 이 그룹을 슈퍼그룹으로 바꾸면 번호가 달라집니다. 그때 봇이 알려 주며 "rebind" 로 따라갈 수 있습니다.',

  askAgent: '어느 에이전트가 글을 쓸까요?',
  agentFound: '찾음',
  agentStands: '지금 그대로',
  agentMissing: '설치되지 않음',
  anyCommand: '다른 프로그램',
  anyCommandHint: '요청은 stdin 으로 들어가고 답은 stdout 으로 나옵니다',
  sample: '샘플 에이전트',
  sampleHint: '내장, 설정을 시험해 볼 때',
  adapterHelps: (title, install) =>
    `${title} 은(는) 있지만 ACP 어댑터가 없습니다. 어댑터가 있으면 채팅에서 허락을 묻고 진행 단계를 알려 줍니다: ${install}`,
  unknownAgent: (name, known) => [
    `--agent ${name}: 다음 중 하나여야 합니다: ${known}`,
    '또는 --agent-command 를 써 주세요.',
  ],
  agentNotFound: (name) => [
    `--agent ${name}: PATH 에 그 프로그램이 있어야 하는데 없습니다`,
    '설치하거나 --agent-command 로 프로그램을 지정해 주세요.',
  ],
  askCommand: '프로그램과 인자 (셸은 읽지 않으며, {sessionId} 는 바뀝니다):',
  commandExpected: '프로그램과 인자를 적고 따옴표를 모두 닫아 주세요.',
  askKind: '어떻게 말하는 프로그램인가요?',
  kindCommand: 'stdin 과 stdout',
  kindAcp: 'Agent Client Protocol',
  programUnusable: (program, why) => `${program} 을(를) 시작할 수 없습니다: ${why}`,
  askFolder: '어느 폴더에서 일할까요? (Enter 를 누르면 보이는 폴더)',
  folderDefault: '홈 안의 따로 둔 폴더',
  folderMissing: (path) => `${path}: 폴더가 있어야 하는데 없습니다.`,
  folderHoldsHome: (path) =>
    `${path} 안에 이 홈이 있어, 에이전트가 요청과 영수증을 바꿀 수 있습니다. 홈 밖의 폴더를 골라 주세요.`,

  askReplace: (changes) => `이미 설정이 있습니다. 바꿀까요?\n${changes}`,
  replaceNeeds: ['init: 여기 있는 설정이 바뀌므로 --force 가 필요한데 없습니다', '아무것도 쓰지 않았습니다.'],
  changedMeanwhile: (path) => [
    `${path}: init 을 시작할 때와 내용이 다릅니다. 그 사이에 다른 init 이나 사람이 썼습니다`,
    '이 init 은 아무것도 쓰지 않았습니다. 확인하고 필요하면 다시 실행해 주세요.',
  ],
  setAside: (path) => `쓸 수 없던 설정은 이제 ${path} 에 있습니다.`,
  written: (paths) => `썼습니다: ${paths}`,
  unchanged: '모두 답하신 그대로라 쓸 것이 없습니다.',
  boundElsewhere: (command) =>
    `이 홈에 있는 것은 다른 봇이나 채팅의 것입니다. 시작하기 전에 "${command}" 로 따로 보관해 주세요.`,
  checking: '모두 괜찮은지 살펴봅니다 (blog-bridge doctor):',
  restart: '이 홈의 브리지가 실행 중입니다. 새 설정을 읽도록 다시 시작해 주세요.',
  next: (start, service) => `다음:\n  ${start}\n  ${service}   (항상 켜 두려면)`,
  sayHello: '그리고 봇에게 /blog 와 원하는 내용을 보내 주세요.',
};

export function initWordsIn(language: Language): InitWords {
  return language === 'ko' ? ko : en;
}

/** The language of a terminal: POSIX looks at these three in this order, and takes the first that is set. */
export function localeLanguage(environment: Record<string, string | undefined>): Language {
  const locale = environment['LC_ALL'] || environment['LC_MESSAGES'] || environment['LANG'] || '';
  return /^ko(?![a-z])/iu.test(locale) ? 'ko' : 'en';
}
