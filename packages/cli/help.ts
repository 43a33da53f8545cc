/** What `--help` prints. */
import type { Language } from './words.ts'

type Page = Readonly<Record<Language, string>>

const general: Page = {
  en: `countersign COMMAND

  verify FILE...    checks exported proofs, offline
  audit             downloads the chains of a center, checks all of it, and compares with the last audit
  verify-export DIR checks the export of a whole center, a folder or a .tar, offline

  --help            of a command: countersign verify --help
  --version
  --lang en|ko      otherwise the language of this machine (LANG)

Ends with 0 when everything holds, 1 when something does not, 2 when it was called wrongly or could not read or reach
what it was asked about, 3 when nobody whom you trust vouches for a proof.
`,
  ko: `countersign 명령

  verify FILE...    내보낸 증명을 네트워크 없이 확인합니다
  audit             센터의 체인을 내려받아 모두 확인하고 지난 감사와 비교합니다
  verify-export DIR 센터 전체의 내보내기(폴더 또는 .tar)를 네트워크 없이 확인합니다

  --help            명령의 도움말: countersign verify --help
  --version
  --lang en|ko      지정하지 않으면 이 기기의 언어 (LANG)

종료 코드: 모두 유효하면 0, 유효하지 않은 것이 있으면 1, 잘못 불렀거나 읽거나 연결할 수 없으면 2, 믿는 이 가운데 증명을
보증하는 이가 없으면 3.
`,
}

const verify: Page = {
  en: `countersign verify FILE... [--policy FILE [--log NAME]] [--authority FILE] [--strict] [--json]

Checks exported proofs (.json, .jsonld), files with one proof per line (.ndjson, .jsonl), folders of them, and - for the
standard input. It needs no network and asks nobody. Each proof gets four answers:

  Intact         what the file shows is what was sealed, to the last character
  In the chain   its hash stands at its place in a log, whose root a key of your policy has signed
  Signed         the log signed for it, with a key that your policy names
  Witnessed      enough of the witnesses that your policy names saw the same log

  --policy FILE         whose signatures count. Take it once from /.well-known/countersign-log.json (the member
                        «policy»), compare its keys on a second way, and keep it. Who takes it anew for each check
                        believes the server each time; who takes it from the sender of a proof believes the sender.
  --log NAME            narrows the policy to one center or log, as proof.example/c/42: a host signs the logs of all its
                        centers with one key
  --no-policy           it is enough that a file agrees with itself. Anybody can make such a file
  --authority FILE      certificates (PEM) of the time-stamping authority that you accept. Without it a time-stamp is
                        reported as not verified, and no date is shown
  --online              also asks the server for changes and declared losses that came after the file, with --base-url
                        URL and an API key of the center (COUNTERSIGN_API_KEY, --key-file FILE), and checks the log of
                        changes like audit
  --declaration FILE    declared losses of a log (GET /api/v1/chains/{domain}/generations, or one declaration): says of a
                        record that it was signed, then lost
  --sandbox             accepts records of a sandbox, which are test data. Without it such a record ends with 3
  --strict              holds only what is «yes» four times
  --timestamp-out DIR   writes checkpoint and time-stamp token of each proof there, for openssl ts -verify
  --json                one JSON object per proof and line
  --lang en|ko

Ends with 0 when all hold under the policy, 1 when at least one was altered, 2 when a file or the policy could not be
read or is not a proof, 3 when nobody whom you trust vouches for at least one, when one was signed and then lost, was made
by a newer version than this program, or does not show the rules it was sealed under, or when --online found later changes.
`,
  ko: `countersign verify FILE... [--policy FILE [--log NAME]] [--authority FILE] [--strict] [--json]

내보낸 증명(.json, .jsonld), 한 줄에 하나씩 담은 파일(.ndjson, .jsonl), 그런 파일이 든 폴더, 그리고 표준 입력(-)을
확인합니다. 네트워크가 필요 없고 아무에게도 묻지 않습니다. 증명마다 네 가지를 답합니다.

  변경 없음     파일에 보이는 내용이 봉인된 내용과 글자 하나까지 같습니다
  체인에 있음   해시가 로그의 제자리에 있고, 정책에 있는 키가 그 루트에 서명했습니다
  서명됨        정책에 있는 키로 로그가 서명했습니다
  증인 있음     정책에 있는 증인들이 같은 로그를 보았습니다

  --policy FILE         누구의 서명을 믿을지 정합니다. /.well-known/countersign-log.json 의 "policy" 를 한 번 받아 다른 길로
                        키를 대조하고 보관하세요. 확인할 때마다 새로 받으면 매번 서버를 믿는 셈이고, 증명을 보낸 사람에게
                        받으면 그 사람을 믿는 셈입니다.
  --log NAME            정책을 센터나 로그 하나로 좁힙니다. 예: proof.example/c/42. 호스트는 모든 센터의 로그에 한 키로
                        서명합니다
  --no-policy           파일 안의 내용이 서로 맞으면 충분합니다. 그런 파일은 누구나 만들 수 있습니다
  --authority FILE      믿는 타임스탬프 기관의 인증서(PEM). 없으면 타임스탬프를 확인하지 않은 것으로 표시하고 날짜를
                        보여 주지 않습니다
  --online              파일 뒤의 변경과 선언된 유실이 있는지 서버에도 묻습니다. --base-url URL 과 센터의 API 키
                        (COUNTERSIGN_API_KEY, --key-file FILE)가 필요하며, 변경 기록 로그를 audit 처럼 확인합니다
  --declaration FILE    로그가 선언한 유실(GET /api/v1/chains/{domain}/generations 의 답 또는 선언 하나). 서명된 뒤 유실된
                        기록임을 알려 줍니다
  --sandbox             테스트 데이터인 샌드박스의 기록을 받아들입니다. 없으면 그런 기록의 종료 코드는 3입니다
  --strict              네 가지 모두 "예"여야 유효합니다
  --timestamp-out DIR   openssl ts -verify 에 쓸 체크포인트와 타임스탬프 토큰을 저장합니다
  --json                증명마다 한 줄의 JSON
  --lang en|ko

종료 코드: 정책에 따라 모두 유효하면 0, 하나라도 변경되었으면 1, 파일이나 정책을 읽을 수 없거나 증명이 아니면 2,
믿는 이 가운데 보증하는 이가 없거나, 서명된 뒤 유실되었거나, 이 프로그램보다 새로운 버전에서 만들었거나, 적용된 규칙이
보이지 않거나, --online 이 그 뒤의 변경을 찾으면 3.
`,
}

const audit: Page = {
  en: `countersign audit [FILE...] --base-url URL [--domain proof|dpu|history|all] [--policy FILE] [--memory FILE] [--json]

Downloads each chain of the center that the API key belongs to, recomputes every hash and the tree over them, and holds
them against the signed checkpoint, against proofs of the server for entries chosen at random, and against what it saw at
the last audit. So a history that was rewritten in between is found, even if every hash was made anew. With exported
proofs as FILE it also says which of them the log has changed since. If the key is bound to no actor it also compares every
value with what was sealed, and every seal with the policies that the history had at that point.

  --base-url URL    as https://countersign.example
  --key-file FILE   a file with an API key that has the scope proof:read; or set COUNTERSIGN_API_KEY
  --key KEY         the key itself; everybody on this machine can then read it in the list of processes
  --domain NAME     proof, dpu, history, or all of them, which is usual
  --policy FILE     which keys of the log and which witnesses count. Without it the key that the server publishes is
                    trusted at the first audit, remembered, and demanded from then on
  --memory FILE     what earlier audits saw; usually ~/.local/state/countersign/audit.json. Keep it: it is the evidence
  --wait SECONDS    how long to wait for the witnesses of the newest checkpoint; usually 20
  --json            one JSON object at the end
  --lang en|ko

It goes on after a lost connection, and waits when the server asks to. Ends with 0 when everything holds, 1 when
something does not, 2 when the server could not be asked, 3 when a FILE is outdated.
`,
  ko: `countersign audit [FILE...] --base-url URL [--domain proof|dpu|history|all] [--policy FILE] [--memory FILE] [--json]

API 키가 속한 센터의 체인을 모두 내려받아 해시와 트리를 다시 계산하고, 서명된 체크포인트, 무작위로 고른 항목에 대한
서버의 증명, 그리고 지난 감사에서 본 것과 대조합니다. 그 사이에 이력을 다시 썼다면 해시를 모두 새로 만들었더라도 찾아냅니다.
내보낸 증명을 FILE 로 지정하면 그 뒤에 바뀐 것이 있는지도 알려 줍니다. 행위자에게 묶이지 않은 키로는 모든 값을 봉인된
것과, 모든 봉인을 그 시점의 이력에 있던 정책과 대조합니다.

  --base-url URL    예: https://countersign.example
  --key-file FILE   proof:read 범위의 API 키가 든 파일. 또는 COUNTERSIGN_API_KEY 를 설정하세요
  --key KEY         키 자체. 이 기기의 누구나 프로세스 목록에서 볼 수 있습니다
  --domain NAME     proof, dpu, history, 또는 all (기본)
  --policy FILE     믿을 로그의 키와 증인. 없으면 첫 감사에서 서버가 공개한 키를 믿고 기억하며, 그 뒤로는 그 키만 받아들입니다
  --memory FILE     지난 감사에서 본 것. 보통 ~/.local/state/countersign/audit.json. 증거이므로 보관하세요
  --wait SECONDS    가장 새로운 체크포인트의 증인을 기다리는 시간. 보통 20초
  --json            끝에 JSON 하나
  --lang en|ko

연결이 끊기면 이어서 받고, 서버가 기다려 달라면 기다립니다. 종료 코드: 모두 유효하면 0, 아닌 것이 있으면 1,
서버에 물어볼 수 없으면 2, FILE 뒤의 변경이 있으면 3.
`,
}

const verifyExport: Page = {
  en: `countersign verify-export FOLDER|ARCHIVE.tar [--policy FILE] [--json]

Checks the export of a whole center without a network: that the files are those of the manifest, line by line; that every
entry of the three logs has its hash and its place; that every value in the files is the one that was sealed, and each that
is missing was redacted or replaced by an entry of the log; that every checkpoint has the root of the entries before it; and
that the last one covers all entries and is signed by a key of the policy and seen by its witnesses.

  --policy FILE     whose signatures count, as in countersign verify
  --no-policy       it is enough that the files agree with each other. Anybody can make such files
  --sandbox         accepts the export of a sandbox, which is test data
  --json            one JSON object
  --lang en|ko

Ends with 0 when everything holds, 1 when something does not, 2 when it is not an export, 3 when nobody whom you trust
vouches for it.
`,
  ko: `countersign verify-export 폴더|아카이브.tar [--policy FILE] [--json]

센터 전체의 내보내기를 네트워크 없이 확인합니다. 파일이 목록과 같은지, 세 로그의 모든 항목에 해시와 자리가 맞는지, 파일의
모든 값이 봉인된 그대로인지, 빠진 값은 로그의 항목이 삭제하거나 바꾼 것인지, 모든 체크포인트의 루트가 그 앞의 항목과 맞는지,
마지막 체크포인트가 모든 항목을 덮고 정책의 키가 서명했으며 증인이 보았는지 확인합니다.

  --policy FILE     누구의 서명을 믿을지. countersign verify 와 같습니다
  --no-policy       파일들이 서로 맞으면 충분합니다. 그런 파일은 누구나 만들 수 있습니다
  --sandbox         시험 데이터인 샌드박스의 내보내기도 받아들입니다
  --json            JSON 하나
  --lang en|ko

종료 코드: 모두 유효하면 0, 아닌 것이 있으면 1, 내보내기가 아니면 2, 믿는 이 가운데 보증하는 이가 없으면 3.
`,
}

export const help = { general, verify, audit, 'verify-export': verifyExport }
