/** One sentence about each page, for search engines and llms.txt: its first one, unless that says only for whom it is. */
import { summaryOf } from './markdown.ts'
import type { Language, Words } from './words.ts'

const own: Readonly<Record<string, Partial<Words>>> = {
  platform: {
    en: 'What a center or a group of centers gets: appointments, members, workflows and evidence, with pictures.',
    ko: '센터가 얻는 것: 예약, 구성원, 업무 자동화, 증거를 화면과 함께 설명합니다.',
  },
  'guides/pages': {
    en: "What each page of the console is for, in the words that the console's help shows.",
    ko: '콘솔의 각 페이지에서 무엇을 하는지, 콘솔의 도움말과 같은 글로 설명합니다.',
  },
  'people/approver': {
    en: 'How to read a request, approve or refuse it with a passkey, and take an approval back.',
    ko: '요청을 읽고, 패스키로 승인하거나 반려하고, 승인을 되돌리는 방법입니다.',
  },
  'people/director': {
    en: 'Open your center in a week: staff, families, a passkey, the first policy, and then the days after.',
    ko: '일주일 동안 센터를 여는 순서와 그 뒤의 하루하루: 직원, 가족, 패스키, 첫 정책.',
  },
  'people/family': {
    en: 'How to accept an invitation, book, move or cancel an appointment, and see attendance.',
    ko: '초대를 수락하고, 예약하고, 시간을 바꾸거나 취소하고, 출석을 확인하는 방법입니다.',
  },
  'people/staff': {
    en: 'A working day in the console: attendance, your own hours, and how to ask for an approval.',
    ko: '콘솔에서 보내는 하루: 출석, 내 근무 시간, 결재를 올리는 방법.',
  },
  'guides/passkeys': {
    en: 'How to register a passkey, have it confirmed and approve with it, and what its signature covers.',
    ko: '패스키를 등록하고 확인받아 승인에 쓰는 방법과 그 서명이 증명하는 범위입니다.',
  },
  'guides/going-live': {
    en: 'From a test server to real approvals: keys, policies, people, webhooks, limits, and a checklist.',
    ko: '테스트 서버에서 실제 승인으로: 키, 정책, 사람, 웹훅, 한도와 점검표입니다.',
  },
  'operation/several-machines': {
    en: 'From one machine to several: certificates, PostgreSQL over TLS, and starting without downtime.',
    ko: '서버 한 대에서 여러 대로: 인증서, TLS를 쓰는 PostgreSQL, 중단 없는 시작.',
  },
  'operation/growing': {
    en: 'When an installation needs more, and what to add first, from measured figures.',
    ko: '설치에 무엇이 언제 더 필요하고 무엇부터 더할지, 측정값으로 설명합니다.',
  },
  'guides/stop': {
    en: 'Stop an agent, a key, kinds of actions or a whole center at once, and lift the stop later.',
    ko: '에이전트, 키, 작업 종류, 센터 전체를 한 번에 정지하고 나중에 해제하는 방법입니다.',
  },
  'guides/members': {
    en: 'Invite people, give them roles, confirm their passkeys, suspend them and import many at once.',
    ko: '사람을 초대하고, 역할을 주고, 패스키를 확인하고, 정지하고, 한꺼번에 가져오는 방법입니다.',
  },
  'guides/bookings': {
    en: 'Appointments, hours, closed days, waiting lists, attendance and calendars of a center.',
    ko: '센터의 예약, 근무 시간, 휴무일, 대기, 출석, 캘린더를 다룹니다.',
  },
  'guides/workflows': {
    en: 'How workflows prepare drafts and reports, and how people review and seal them.',
    ko: '워크플로가 초안과 보고서를 준비하고 사람이 검토해 봉인하는 방법입니다.',
  },
  'guides/redaction': {
    en: 'Delete personal data from a sealed record without breaking its proof.',
    ko: '증명을 깨뜨리지 않고 봉인된 기록에서 개인정보를 삭제하는 방법입니다.',
  },
  'guides/white-label': { ko: '자기 도메인, 로고, 발신 주소로 센터를 운영하는 방법입니다.' },
  'guides/partners': {
    en: 'How a partner opens, sets up and watches over many centers.',
    ko: '파트너가 여러 센터를 열고 설정하고 살펴보는 방법입니다.',
  },
  'guides/billing': {
    en: 'Plans, seats, trials and invoices, and how a billing system tells Countersign about payments.',
    ko: '요금제, 좌석, 체험 기간, 청구서와 결제 시스템을 연결하는 방법입니다.',
  },
  'tutorials/guard': {
    en: 'In five minutes, an AI SDK agent waits for a person before a refund, in TypeScript.',
    ko: '5분 만에 TypeScript로, AI SDK 에이전트가 환불하기 전에 사람의 승인을 기다리게 합니다.',
  },
  'guides/agents': {
    en: 'Guard the tools of your agent framework: AI SDK, LangChain, OpenAI Agents, Mastra, and the Python ones.',
    ko: 'AI SDK, LangChain, OpenAI Agents, Mastra와 Python 프레임워크에서 에이전트의 도구에 가드를 적용합니다.',
  },
  'guides/python': {
    en: 'Guard a LangGraph, Pydantic AI, OpenAI Agents or Google ADK agent in Python, and verify its proof.',
    ko: 'Python의 LangGraph, Pydantic AI, OpenAI Agents, Google ADK 에이전트에 가드를 적용하고 증명을 검증합니다.',
  },
  'guides/serverless': {
    en: 'A function asks, ends without waiting, and goes on when a webhook says that a person has decided.',
    ko: '함수가 묻고 기다리지 않고 끝난 뒤, 사람이 결정했다는 웹훅이 오면 이어서 실행합니다.',
  },
  'guides/execute': {
    en: 'Run an approved action exactly once, and report how it ended.',
    ko: '승인된 작업을 정확히 한 번만 실행하고 결과를 보고하는 방법입니다.',
  },
  'guides/coding-agents': {
    en: "Approve your coding agent's pushes from your phone, in a few minutes.",
    ko: '코딩 에이전트의 푸시를 휴대전화에서 승인하도록 몇 분 만에 설정합니다.',
  },
  'guides/connect-agents': {
    en: 'Connect Claude Code, Codex, Cursor, Gemini CLI, Copilot or OpenCode with a hook, and write its rules.',
    ko: 'Claude Code, Codex, Cursor, Gemini CLI, Copilot, OpenCode를 훅으로 연결하고 규칙을 씁니다.',
  },
  'guides/incidents': {
    en: 'Accidents of coding agents that were reported in public, replayed against the hook.',
    ko: '공개적으로 보고된 코딩 에이전트 사고를 훅에 다시 실행해 본 결과입니다.',
  },
  'guides/gateway': {
    en: "Put a gate before a database's MCP server, so that risky queries wait for a person.",
    ko: '데이터베이스의 MCP 서버 앞에 게이트웨이를 두어 위험한 쿼리가 사람을 기다리게 합니다.',
  },
  'guides/external-approvals': {
    en: 'Let a gateway or governance toolkit of your own ask a person in Countersign, and verify the answer.',
    ko: '쓰고 있는 게이트웨이나 거버넌스 도구가 Countersign의 사람에게 묻고 답을 검증하게 합니다.',
  },
  'guides/webhooks': {
    en: 'Receive events: verify signatures, drop duplicates, and handle retries in any framework.',
    ko: '이벤트를 받아 서명을 검증하고, 중복을 버리고, 재시도를 처리하는 방법입니다.',
  },
  'guides/retries': { ko: '연결이 끊기거나 한도에 걸렸을 때 안전하게 다시 요청하는 방법입니다.' },
  'guides/command': {
    ko: '증명을 검증하고, 결정을 지켜보고, 웹훅을 전달하고, 파일의 정책을 적용하는 명령줄 프로그램입니다.',
  },
  'guides/verify': {
    en: 'Verify a proof without trusting whoever sent it: the verdict, the trust policy and the audit of a log.',
    ko: '보낸 사람을 믿지 않고 증명을 검증하는 방법: 판정, 신뢰 정책, 로그 감사.',
  },
  'explanations/aisvs': {
    en: "OWASP AISVS 1.0, chapter C9, requirement by requirement: what Countersign meets, and what it doesn't.",
    ko: 'OWASP AISVS 1.0 C9장의 요구 사항마다 Countersign이 충족하는 것과 충족하지 않는 것입니다.',
  },
  'operation/witness': { en: "Run a witness that cosigns other operators' logs: keys, state and configuration." },
  'operation/deploy': {
    en: 'Deploy the image with Compose, behind a proxy, with health checks and settings for production.',
  },
  'operation/kubernetes': {
    en: 'Install the Helm chart: values, secrets, upgrades and what the chart needs from the cluster.',
  },
  'operation/durability': {
    en: 'Three recipes for PostgreSQL that lose no sealed decision: a second disk, Patroni and pgBackRest.',
    ko: '봉인된 결정을 잃지 않는 PostgreSQL 구성 세 가지: 두 번째 디스크, Patroni, pgBackRest.',
  },
  'operation/upgrade': { ko: '새 버전을 중단 없이 적용하고 되돌리는 방법입니다.' },
  'operation/runbook': {
    en: 'What to do when something goes wrong: logins, keys, full disks, broken chains, lost servers.',
    ko: '문제가 생겼을 때 할 일: 로그인, 키, 가득 찬 디스크, 깨진 체인, 잃어버린 서버.',
  },
  'operation/observability': {
    en: 'Metrics, alerts, dashboards and traces for Prometheus, Grafana and OpenTelemetry.',
  },
  'operation/million-centers': {
    en: 'What an installation with a million centers would look like, from measured figures.',
  },
  'reference/gateway': { en: 'Options, files and commands of the gateway that holds calls to MCP servers.' },
  'reference/messages': { ko: 'Countersign이 사람에게 보내는 모든 알림: 무슨 일에, 누구에게, 어떻게.' },
  'formats/dpu-chain-v1': { en: 'The format of a proof, exactly enough to write a verifier in any language.' },
  'formats/transparency': { en: 'Logs, checkpoints, inclusion proofs and witnesses in the formats of C2SP.' },
  'formats/center-export': {
    en: 'The files in an export of everything that a center has.',
    ko: '센터의 모든 데이터를 내보낸 파일의 형식입니다.',
  },
  'formats/what-is-covered': {
    en: "What a hash or a signature covers in each table, and what it doesn't.",
    ko: '표마다 해시나 서명이 포함하는 것과 포함하지 않는 것입니다.',
  },
  'formats/generations': {
    en: 'What happens to a log whose newest entries were lost, and how everyone can see it.',
    ko: '최신 기록을 잃은 로그에 일어나는 일과 그것을 누구나 알 수 있게 하는 방법입니다.',
  },
  'formats/other-programs': {
    en: 'Check our formats with programs that other people wrote, in Go, Python and OpenSSL.',
    ko: '다른 사람이 만든 Go, Python, OpenSSL 프로그램으로 형식을 확인합니다.',
  },
  'explanations/comparison': { en: 'What other products do better than Countersign, and when to use which.' },
  'explanations/engines-measured': {
    en: 'Workflow engines compared with what Countersign runs in PostgreSQL, in measured figures.',
  },
  'explanations/hooks': {
    en: "What a coding agent's hook sees, what it can't see, and how to close the gaps.",
    ko: '코딩 에이전트의 훅이 보는 것과 보지 못하는 것, 틈을 막는 방법입니다.',
  },
  'reference/limits': {
    en: 'Every size, rate and count that Countersign limits, with the setting that changes it.',
    ko: '크기, 요청 수, 개수의 모든 한도와 그것을 바꾸는 설정입니다.',
  },
  'reference/events': {
    en: 'Every event type that a webhook can subscribe to, with its fields and a sample.',
    ko: '웹훅이 구독할 수 있는 모든 이벤트 종류와 필드, 예시입니다.',
  },
  'reference/errors': { ko: '모든 오류 코드의 HTTP 상태와 재시도 여부, 할 일입니다.' },
  'reference/cli': {
    en: 'The commands and options of each program, as --help prints them.',
    ko: '각 프로그램의 명령과 옵션을 --help 출력 그대로 보여 줍니다.',
  },
  'reference/settings': {
    en: 'Every environment variable that the server reads, with its default and format.',
    ko: '서버가 읽는 모든 환경 변수와 기본값, 형식입니다.',
  },
  'reference/api/centers': {
    en: "Centers as tenants: their settings, limits and members' view of them.",
    ko: '테넌트인 센터의 설정과 한도, 구성원이 보는 정보입니다.',
  },
}

export function descriptionOf(slug: string, title: string, body: string, language: Language): string {
  const record = slug.startsWith('decisions/') && title.replace(/^\d{4}[.:]? /, '')
  return own[slug]?.[language] ?? (record ? `Decision record: ${record}.` : summaryOf(body))
}
