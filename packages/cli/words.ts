/** All printed sentences in both languages. Korean has the type of English, so that no sentence can be missing. */
import { shown } from '@countersign/proof'

const en = {
  yes: 'yes',
  no: 'NO',
  unknown: 'not known',
  intact: 'Intact',
  inChain: 'In the chain',
  signed: 'Signed',
  witnessed: 'Witnessed',

  // For each file.
  holds: 'holds',
  altered: 'DOES NOT HOLD',
  unvouched: 'IS NOT VOUCHED FOR',
  alone: 'agrees with itself; nobody vouches for it',
  notComplete: 'is not complete: --strict asks for four times yes',
  outdated: 'IS OUTDATED: the log has later changes of this record',
  later: 'Later changes',
  laterNone: 'no later change, in a history of {size} entries',
  laterSome: '{count} that the file does not show; the last one ({type}) was sealed {at}. Ask for a new export',
  laterElsewhere: 'not looked for: the API key belongs to another center than the record',
  notRead: 'could not be read: {why}',
  notAProof: 'This is not a proof: {why}',
  record: 'Record',
  recordFacts: '{id}, sealed {sealedAt}',
  decision: 'Decision',
  cosigner: 'Witness',
  cosignerFacts: '{name}, who saw it at {at} by its own clock',
  undisclosed: 'Sealed, not shown',
  redacted: 'Redacted',
  redactedFacts: '{path}, removed {at}',
  redactedFor: '{path}, removed {at}: {reason}',
  wasRefused: 'the decision was REFUSED',
  asOf: 'As of',
  asOfSize: 'change {change}, log size {size}; later changes are not shown by a file',
  asOfAlone: 'change {change}; later changes are not shown by a file',
  approval: 'Approval',
  refusal: 'Refusal',
  'by claim': 'claimed: the holder of the API key {by} names {approver}. That this person acted is not proved',
  'by session': '{approver}, who was signed in as a member of the center, by the word of the server',
  'by passkey': 'stated: a passkey of {approver}. This program does not check its signature',
  'by system': 'the service itself ({approver}), and no person',
  behalf: '{said}; as the deputy of {onBehalfOf}',
  unapproved: 'none: an agent completed the decision, and nobody approved it',
  hiddenName: 'somebody whom the file does not show',
  limits: 'Not proved',
  'limit right': 'that the decision was right',
  'limit unrecorded': 'that nothing was left unrecorded',
  'limit later': 'that nothing was changed later',
  'limit who': 'who acted: an approver was named by the holder of an API key',
  'limit passkey': 'that a passkey signed the approval: its signature is not checked here',
  'limit action': 'that the action shown is the one that was decided: a value or its salt is not shown',
  outside: 'Outside the seal',
  outsideFacts: '{paths}: no hash covers them, and anybody could have changed them',
  timestamp: 'Time-stamp',
  stampVerified: '{at}, signed by {authority} for this very checkpoint',
  'stamp no-authority': 'not verified, so no date is shown. Name the authority with --authority FILE, or check it with',
  'stamp other-authority': 'not verified: the authority that you named did not make it. No date is shown.',
  'stamp unsupported':
    'not verified: this program does not know its kind of signature. No date is shown. Check it with',
  'stamp not-checked-here': 'not verified here, so no date is shown.',
  sumAll: '{files} checked: all hold.',
  sumAlone: '{files} checked: all agree with themselves; nobody vouches for them.',
  sumSome: '{files} checked: {failed} do not hold.',
  sumUnvouched: '{files} checked: nobody whom you trust vouches for {unvouched}.',
  sumUnread: '{files} checked; {unread} could not be read.',
  policyHint:
    'Without a policy nobody vouches for anything: give the policy of the log with --policy FILE, or --no-policy if it is\nenough that a file agrees with itself (see countersign verify --help).',
  checkedSoFar: '{done} of {total} checked',

  // The audit.
  auditOf: 'Audit of {host} at {url}',
  trustPolicy: 'Keys: those of {file}',
  trustPinned: 'Keys: {keys}, known since {since}',
  trustFirst:
    'Keys: {keys}\n  This is the first audit, so the key was taken from the server itself and is remembered from now on. Compare\n  it on a second way (a contract, a phone call): from the next audit on, any other key is refused.',
  trustRotated: 'The log has a new key, {vkey}, endorsed by the one before. It is remembered from now on.',
  trustUnendorsed:
    'The server publishes a new key, {vkey}, that no key you know has endorsed. It is not believed. Ask the operator.',
  entries: 'Entries',
  root: 'Checkpoint',
  continues: 'Since then',
  proofs: 'Proofs',
  'a empty': 'The chain is empty.',
  'a chain-holds': '{size} entries; every hash, link, place and time holds.',
  'a chain-broken': 'The chain breaks at entry {entry}: {reason}.',
  'a chain-short':
    'The signed checkpoint promises {size} entries, but the server has only {found}: the end was cut off.',
  'a root-equal': 'It names exactly these entries: {root}',
  'a root-differs':
    'The root over these entries is not the one that was signed: they were changed after they were sealed.',
  'a checkpoint-malformed': 'The checkpoint cannot be read: {why}',
  'a checkpoint-missing': 'There are entries, but no signed checkpoint.',
  'a another-log': 'The checkpoint is of the log {log}, which is not the one that was asked for.',
  'a another-center': 'With this key the log was {before}, and now it is {log}. A key never changes its center.',
  'a signed': 'By {vkey}',
  'a signed-badly': 'What stands under the name of the log was not made by its key.',
  'a signed-by-nobody-known': 'No key that you trust signed it.',
  'a witnessed': 'By {names}',
  'a quorum-not-met': 'The policy asks for the quorum {quorum}; cosigned by: {names}.',
  'a cosigned-badly': 'What stands under the name of a witness was not made by its key.',
  'a witnesses-unasked': 'Without a policy that names witnesses (--policy) nobody else is asked.',
  'a first-audit': 'This was the first audit of this chain. It is remembered; the next one will be held against it.',
  'a continues': 'Everything that was there on {at} ({size} entries) is there unchanged.',
  'a rewritten':
    'HISTORY WAS REWRITTEN between {at} and now. The {size} entries that you saw then are not the first {size} that\n  the server shows today; the first difference lies among the entries {first} to {last}.',
  'a shortened': 'HISTORY WAS CUT OFF. On {at} there were {size} entries; today the server says there are {now}.',
  'a consistency-bad': "The server's own proof that {now} entries continue {size} does not hold.",
  'a proofs-hold': '{count} proofs of the server, for entries chosen at random, hold.',
  'a proof-bad': "The server's proof for entry {entry} does not hold.",
  auditHolds: 'Everything holds.',
  auditFails: 'SOMETHING DOES NOT HOLD.',
  whatToKeep:
    "What to do now:\n  1. Keep {memory}: it holds the checkpoint that the log signed on {at}, and now the one of today beside it.\n     Both bear the log's own signature, and a proof that they contradict each other is kept with them: nobody needs\n     to believe you. Make a copy.\n  2. Ask the operator in writing what happened: a backup that was restored, or records that were changed?\n  3. Ask others who audit the same log, and its witnesses, which of the two checkpoints they have seen.\n  4. Do not rely on entries from the named range until this is explained. The memory stays as it was.",
  whatToKeepOfMore:
    'What to do now:\n  1. Keep {memory}: it holds a checkpoint, signed by the log itself, with more entries than the server has today.\n     Nobody needs to believe you that they existed. Make a copy.\n  2. Ask the operator in writing: was a backup restored, and where are the entries that are missing?\n  3. If you or others have receipts or exports of missing entries, keep them too. The memory stays as it was.',
  whatToAsk: 'Keep this report, and ask the operator. What was remembered of this chain was left as it was.',
  remembered: 'Remembered in {memory}; the next audit will be held against it.',
  downloading: '{domain}: {done} of {total} entries, {rate}/s',
  timeLeft: ', {seconds} s left',
  resumed: 'The connection was lost at entry {entry}; going on from there.',
  waitsFor: 'The server asks to wait {seconds} s ({status}).',
  waitsWitnesses: 'Waiting for the witnesses …',

  // Usage errors.
  unknownCommand: 'There is no command «{name}».',
  didYouMean: 'Did you mean «{name}»?',
  unknownOption: 'There is no option {name}.',
  optionNeedsValue: '{name} needs a value.',
  optionTakesNone: '{name} takes no value.',
  noFiles: 'Name at least one file, or - for the standard input.',
  notADomain: '{name} is none of proof, dpu, history and all.',
  noBaseUrl: 'Say where the server is: --base-url https://…',
  badBaseUrl: '{url} is not an address that begins with http:// or https://.',
  noKey: 'An API key with the scope proof:read is needed: set COUNTERSIGN_API_KEY, or use --key-file FILE.',
  badPolicy: 'The policy {file} cannot be used: {why}',
  badAuthority: 'The certificates {file} cannot be used: {why}',
  noCertificate: 'there is none in PEM',
  policyTwice: '--policy and --no-policy exclude each other.',
  onlineNeedsPolicy: '--online needs --policy: without it nobody knows whose answer it is.',
  filesNeedHistory: 'To compare files, the audit needs the chain history: leave out --domain.',
  logNeedsPolicy: '--log narrows a policy; give one with --policy.',
  badMemory: 'The memory {file} cannot be used: {why}',
  seeHelp: 'Help: {command} --help',
  unreachable: 'The server could not be asked: {why}',
  refused: 'The server refused: {status} {why}',
  noLogDocument: 'The server does not publish the keys of its logs; give a policy with --policy.',
  badAnswer: 'The server answered something that is not understood: {why}',
}

export type Words = { readonly [K in keyof typeof en]: string }

const ko: Words = {
  yes: '예',
  no: '아니요',
  unknown: '알 수 없음',
  intact: '변경 없음',
  inChain: '체인에 있음',
  signed: '서명됨',
  witnessed: '증인 있음',

  holds: '유효합니다',
  altered: '유효하지 않습니다',
  unvouched: '보증하는 이가 없습니다',
  alone: '파일 안의 내용은 서로 맞지만, 보증하는 이가 없습니다',
  outdated: '지난 내용입니다. 로그에 이 기록의 그 뒤 변경이 있습니다',
  later: '그 뒤의 변경',
  laterNone: '그 뒤의 변경이 없습니다 (변경 기록 {size}개 항목)',
  laterSome: '파일에 없는 변경 {count}건. 마지막 것({type})은 {at} 봉인. 새로 내보낸 파일을 요청하세요',
  laterElsewhere: '찾지 않았습니다. API 키의 센터가 기록의 센터와 다릅니다',
  notComplete: '완전하지 않습니다. --strict 는 네 가지 모두 "예"를 요구합니다',
  notRead: '읽을 수 없습니다: {why}',
  notAProof: '증명 파일이 아닙니다: {why}',
  record: '기록',
  recordFacts: '{id}, {sealedAt} 봉인',
  decision: '결정',
  cosigner: '증인',
  cosignerFacts: '{name}, 증인의 시계로 {at}에 확인',
  undisclosed: '봉인됨, 표시 안 됨',
  redacted: '삭제됨',
  redactedFacts: '{path}, {at} 삭제',
  redactedFor: '{path}, {at} 삭제: {reason}',
  wasRefused: '결정이 거절되었습니다',
  asOf: '기준',
  asOfSize: '변경 {change}건까지 반영, 로그 크기 {size}. 그 뒤의 변경은 파일로 알 수 없습니다',
  asOfAlone: '변경 {change}건까지 반영. 그 뒤의 변경은 파일로 알 수 없습니다',
  approval: '승인',
  refusal: '거절',
  'by claim':
    '주장: API 키 {by} 의 소유자가 {approver} 을(를) 지목했습니다. 그 사람이 직접 했다는 것은 증명되지 않습니다',
  'by session': '{approver}. 서버에 따르면 센터 구성원으로 로그인한 상태였습니다',
  'by passkey': '기재: {approver} 의 패스키. 이 프로그램은 그 서명을 확인하지 않습니다',
  'by system': '사람이 아니라 서비스 자체 ({approver})',
  behalf: '{said}. {onBehalfOf} 의 대리',
  unapproved: '없음. 에이전트가 결정을 마쳤고 아무도 승인하지 않았습니다',
  hiddenName: '파일에 보이지 않는 사람',
  limits: '증명되지 않음',
  'limit right': '결정이 옳았다는 것',
  'limit unrecorded': '기록되지 않은 것이 없다는 것',
  'limit later': '그 뒤에 바뀐 것이 없다는 것',
  'limit who': '누가 했는지: API 키의 소유자가 승인자를 지목했습니다',
  'limit passkey': '패스키가 승인에 서명했다는 것: 여기서는 그 서명을 확인하지 않습니다',
  'limit action': '보이는 행위가 결정된 행위라는 것: 값이나 솔트가 보이지 않습니다',
  outside: '봉인 밖',
  outsideFacts: '{paths}: 해시에 들어 있지 않아 누구나 바꿀 수 있었습니다',
  timestamp: '타임스탬프',
  stampVerified: '{at}. {authority} 이(가) 바로 이 체크포인트에 서명했습니다',
  'stamp no-authority':
    '확인하지 않아 날짜를 표시하지 않습니다. --authority FILE 로 기관을 지정하거나 다음 명령으로 확인하세요',
  'stamp other-authority': '확인되지 않았습니다. 지정한 기관이 만든 것이 아닙니다. 날짜를 표시하지 않습니다.',
  'stamp unsupported':
    '확인되지 않았습니다. 이 프로그램이 모르는 서명 방식입니다. 날짜를 표시하지 않습니다. 다음 명령으로 확인하세요',
  'stamp not-checked-here': '여기서는 확인하지 않아 날짜를 표시하지 않습니다.',
  sumAll: '{files}건 확인: 모두 유효합니다.',
  sumAlone: '{files}건 확인: 모두 서로 맞지만, 보증하는 이가 없습니다.',
  sumSome: '{files}건 확인: {failed}건이 유효하지 않습니다.',
  sumUnvouched: '{files}건 확인: {unvouched}건은 믿는 이 가운데 보증하는 이가 없습니다.',
  sumUnread: '{files}건 확인, {unread}건은 읽을 수 없습니다.',
  policyHint:
    '정책이 없으면 아무도 보증하지 않습니다. --policy FILE 로 로그의 신뢰 정책을 지정하세요. 파일 안의 내용이 서로 맞는\n것으로 충분하면 --no-policy 를 쓰세요 (countersign verify --help 참고).',
  checkedSoFar: '{total}건 가운데 {done}건 확인',

  auditOf: '{url} 의 {host} 감사',
  trustPolicy: '키: {file} 에 있는 것',
  trustPinned: '키: {keys}, {since}부터 알고 있음',
  trustFirst:
    '키: {keys}\n  첫 감사이므로 키를 서버에서 직접 받았고, 이제부터 기억합니다. 다른 길(계약서, 전화)로 대조하세요.\n  다음 감사부터는 다른 키를 받아들이지 않습니다.',
  trustRotated: '로그에 새 키 {vkey} 가 있으며 이전 키가 보증했습니다. 이제부터 기억합니다.',
  trustUnendorsed:
    '서버가 새 키 {vkey} 를 공개했지만, 알고 있는 키 가운데 보증한 것이 없습니다. 믿지 않습니다. 운영자에게 물어보세요.',
  entries: '항목',
  root: '체크포인트',
  continues: '지난 감사 이후',
  proofs: '증명',
  'a empty': '체인이 비어 있습니다.',
  'a chain-holds': '항목 {size}개. 해시, 연결, 위치, 시각이 모두 맞습니다.',
  'a chain-broken': '{entry}번째 항목에서 체인이 끊어졌습니다 ({reason}).',
  'a chain-short': '서명된 체크포인트는 {size}개를 약속하지만 서버에는 {found}개뿐입니다. 끝이 잘렸습니다.',
  'a root-equal': '바로 이 항목들을 가리킵니다: {root}',
  'a root-differs': '이 항목들의 루트가 서명된 것과 다릅니다. 봉인한 뒤에 변경되었습니다.',
  'a checkpoint-malformed': '체크포인트를 읽을 수 없습니다: {why}',
  'a checkpoint-missing': '항목은 있지만 서명된 체크포인트가 없습니다.',
  'a another-log': '체크포인트가 요청한 로그가 아니라 {log} 의 것입니다.',
  'a another-center': '이 키의 로그는 {before} 였는데 이제 {log} 입니다. 키의 센터는 바뀌지 않습니다.',
  'a signed': '{vkey}',
  'a signed-badly': '로그 이름으로 된 서명이 그 키로 만든 것이 아닙니다.',
  'a signed-by-nobody-known': '믿는 키 가운데 서명한 것이 없습니다.',
  'a witnessed': '{names}',
  'a quorum-not-met': '정책은 {quorum} 을 요구하지만 확인한 증인: {names}.',
  'a cosigned-badly': '증인 이름으로 된 서명이 그 키로 만든 것이 아닙니다.',
  'a witnesses-unasked': '증인을 정한 정책(--policy)이 없으면 다른 누구에게도 묻지 않습니다.',
  'a first-audit': '이 체인의 첫 감사입니다. 기억해 두었다가 다음 감사와 대조합니다.',
  'a continues': '{at}에 있던 {size}개 항목이 모두 그대로 있습니다.',
  'a rewritten':
    '{at}부터 지금 사이에 이력이 다시 쓰였습니다. 그때 본 항목 {size}개가 지금 서버가 보여 주는 처음 {size}개와 다릅니다.\n  첫 차이는 {first}번부터 {last}번 항목 사이에 있습니다.',
  'a shortened': '이력이 잘렸습니다. {at}에는 항목이 {size}개였는데 지금 서버는 {now}개라고 합니다.',
  'a consistency-bad': '{now}개가 {size}개를 이어 간다는 서버의 증명이 맞지 않습니다.',
  'a proofs-hold': '무작위로 고른 항목에 대한 서버의 증명 {count}개가 맞습니다.',
  'a proof-bad': '{entry}번째 항목에 대한 서버의 증명이 맞지 않습니다.',
  auditHolds: '모두 유효합니다.',
  auditFails: '유효하지 않은 것이 있습니다.',
  whatToKeep:
    '이제 할 일:\n  1. {memory} 을(를) 보관하세요. {at}에 로그가 서명한 체크포인트와 오늘의 체크포인트가 함께 들어 있습니다.\n     둘 다 로그 자신의 서명이 있고, 서로 모순된다는 증명도 함께 보관됩니다. 아무도 당신의 말을 믿을 필요가 없습니다. 사본을 만드세요.\n  2. 운영자에게 서면으로 물어보세요. 백업을 되돌렸습니까, 기록을 바꾸었습니까?\n  3. 같은 로그를 감사하는 다른 사람들과 증인에게 두 체크포인트 가운데 어느 것을 보았는지 물어보세요.\n  4. 설명될 때까지 위 범위의 항목을 믿지 마세요. 기억해 둔 내용은 그대로 두었습니다.',
  whatToKeepOfMore:
    '이제 할 일:\n  1. {memory} 을(를) 보관하세요. 지금 서버에 있는 것보다 많은 항목에 로그 자신이 서명한 체크포인트가 들어 있습니다.\n     그 항목들이 있었다는 것을 아무도 당신의 말로 믿을 필요가 없습니다. 사본을 만드세요.\n  2. 운영자에게 서면으로 물어보세요. 백업을 되돌렸습니까, 없어진 항목은 어디에 있습니까?\n  3. 없어진 항목의 영수증이나 내보낸 파일이 있으면 함께 보관하세요. 기억해 둔 내용은 그대로 두었습니다.',
  whatToAsk: '이 보고를 보관하고 운영자에게 물어보세요. 이 체인에 대해 기억해 둔 내용은 그대로 두었습니다.',
  remembered: '{memory} 에 기억했습니다. 다음 감사와 대조합니다.',
  downloading: '{domain}: 항목 {total}개 가운데 {done}개, 초당 {rate}개',
  timeLeft: ', {seconds}초 남음',
  resumed: '{entry}번째 항목에서 연결이 끊어졌습니다. 거기서부터 이어 갑니다.',
  waitsFor: '서버가 {seconds}초 기다려 달라고 합니다 ({status}).',
  waitsWitnesses: '증인을 기다리는 중 …',

  unknownCommand: '«{name}» 이라는 명령은 없습니다.',
  didYouMean: '«{name}» 을(를) 말씀하셨나요?',
  unknownOption: '{name} 이라는 옵션은 없습니다.',
  optionNeedsValue: '{name} 에는 값이 필요합니다.',
  optionTakesNone: '{name} 에는 값을 줄 수 없습니다.',
  noFiles: '파일을 하나 이상 지정하거나, 표준 입력이면 - 를 쓰세요.',
  notADomain: '{name} 은(는) proof, dpu, history, all 가운데 하나가 아닙니다.',
  noBaseUrl: '서버의 주소를 지정하세요: --base-url https://…',
  badBaseUrl: '{url} 은(는) http:// 나 https:// 로 시작하는 주소가 아닙니다.',
  noKey: 'proof:read 범위의 API 키가 필요합니다. COUNTERSIGN_API_KEY 를 설정하거나 --key-file FILE 을 쓰세요.',
  badPolicy: '정책 {file} 을(를) 쓸 수 없습니다: {why}',
  badAuthority: '인증서 {file} 을(를) 쓸 수 없습니다: {why}',
  noCertificate: 'PEM 인증서가 없습니다',
  policyTwice: '--policy 와 --no-policy 는 함께 쓸 수 없습니다.',
  onlineNeedsPolicy: '--online 에는 --policy 가 필요합니다. 없으면 누구의 답인지 알 수 없습니다.',
  filesNeedHistory: '파일을 비교하려면 history 체인이 필요합니다. --domain 을 빼세요.',
  logNeedsPolicy: '--log 는 정책의 범위를 좁힙니다. --policy 로 정책을 지정하세요.',
  badMemory: '기억 파일 {file} 을(를) 쓸 수 없습니다: {why}',
  seeHelp: '도움말: {command} --help',
  unreachable: '서버에 물어볼 수 없습니다: {why}',
  refused: '서버가 거절했습니다: {status} {why}',
  noLogDocument: '서버가 로그의 키를 공개하지 않습니다. --policy 로 정책을 지정하세요.',
  badAnswer: '서버의 답을 이해할 수 없습니다: {why}',
}

const languages = { en, ko } as const satisfies Record<string, Words>
export type Language = keyof typeof languages
export type Word = keyof Words
export type Facts = Readonly<Record<string, string | number>>

export interface Speech {
  readonly language: Language
  say(word: Word, facts?: Facts): string
}

/** Inserts facts into a sentence, safe to print, with numbers in the format of the language. */
/** `{entry}` counts from 1, as people do; `index` in the facts counts from 0, as machines do. */
export function filled(sentence: string, facts: Facts, language: Language): string {
  const numbers = new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US', { maximumFractionDigits: 0 })
  return sentence.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = name === 'entry' && typeof facts.index === 'number' ? facts.index + 1 : facts[name]
    return typeof value === 'number' ? numbers.format(value) : shown(value ?? '')
  })
}

export const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

/** The locale of the machine: the first of these variables that is set. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  const set = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return set.toLowerCase().startsWith('ko') ? 'ko' : 'en'
}

export const speech = (language: Language): Speech => ({
  language,
  say: (word, facts = {}) => filled(languages[language][word], facts, language),
})
