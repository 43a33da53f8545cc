/** Words of the generated pages. What the contract says about an operation is English in both languages. */
import type { Language } from '../words.ts'

const en = {
  api: 'HTTP API',
  apiIntroduction:
    'Every operation, generated from the definitions that the server validates requests with. The same description as OpenAPI 3.1 is at `/openapi.json`.',
  apiSurfaces:
    'Paths under `/api/v1` take an API key and return `{data}` or `{error}`. Other paths under `/api` take an access token or the session cookie and return `{success, data}` or `{success: false, error}`.',
  operation: 'operation',
  request: 'request',
  caller: 'Who may call it',
  idempotency: 'Idempotency',
  idempotent:
    'Honors the header `Idempotency-Key`: if you repeat a request with the same key and body, you get the first response.',
  ownIdempotency: 'The idempotency key identifies the resource: if you repeat a request, you get its current state.',
  parameters: 'Parameters',
  parameter: 'parameter',
  path: 'path',
  query: 'query',
  body: 'Request body',
  member: 'field',
  type: 'type',
  meaning: 'meaning',
  required: 'required',
  reply: 'Response',
  samples:
    'The samples use `COUNTERSIGN_URL`, `COUNTERSIGN_API_KEY` and `TOKEN` (the `accessToken` of `POST /api/auth/login`) from the environment. In TypeScript, `countersign` is `new Countersign()` and `platform` is `new CountersignPlatform()` after `platform.auth.login`, both from [`@countersign/sdk`](/docs/reference/sdk). Their values are those of the examples: put yours in their place.',
  members: 'Response fields',
  errors: 'Errors',
  rate: 'Rate limit',
  code: 'code',
  causes: 'why',
  tooLarge: 'The body is larger than 1 MiB.',
  moreCauses: (count: number): string => `${count} more`,
  events: 'Events',
  eventsIntroduction:
    'Event types that a [webhook](/docs/guides/webhooks) can subscribe to. The `data` described here comes in an envelope with `id`, `type`, `createdAt` and `deliveryAttempt`; its exact bytes are described in [webhook signatures](/docs/formats/webhook-signatures). Later versions may add fields, but never remove any.',
  fromServer: 'Published by the server.',
  fromApps: 'Published by companion apps with `POST /api/v1/events`.',
  sample: 'Sample `data`',
  errorsTitle: 'Errors',
  errorsIntroduction:
    'Every error code, its HTTP status, and what to do. [Errors](/docs/guides/errors) shows how to handle them in a program. `code` is stable; `message` is for people and can change.',
  status: 'Status',
  onProof: 'under `/api/v1`',
  onPlatform: 'under `/api`',
  retry: 'Retry',
  sdkClass: 'SDK class',
  todo: 'What to do',
  messages: 'Messages',
  everyMessage: 'every message with this code, why it happens and what to do next',
  scopes: 'Scopes',
  scopesIntroduction:
    'What an API key can do, and the operations that ask for it. Choose the scopes when you create a key. A request whose key lacks the scope gets 403 [`FORBIDDEN`](/docs/reference/errors#FORBIDDEN).',
  limits: 'Limits',
  limitsIntroduction:
    'Sizes, rates and counts. [What is not proved or promised](/docs/explanations/limits) covers everything else. A request over a rate limit gets 429 with `Retry-After`.',
  limitSettings: 'Settings for limits',
  settings: 'Settings',
  settingsIntroduction:
    "Settings are environment variables. The server reads them once, when it starts. If a value isn't in the accepted format, the server doesn't start, and a message names the setting without repeating its value.",
  settingForms: 'These are the accepted formats:',
  form: 'format',
  setting: 'setting',
  default: 'default',
  cli: 'Command line',
  cliIntroduction: 'What each program prints for `--help`.',
  decisions: 'Decision records',
  decisionsIntroduction:
    'Why it is built this way: one page for each decision, with the alternatives and their measurements.',
} as const

type ReferenceWords = {
  readonly [Name in keyof typeof en]: (typeof en)[Name] extends string ? string : (typeof en)[Name]
}

const ko: ReferenceWords = {
  api: 'HTTP API',
  apiIntroduction:
    '서버가 요청을 검사할 때 쓰는 정의에서 만든 모든 오퍼레이션의 목록입니다. 같은 내용의 OpenAPI 3.1 문서는 `/openapi.json`에 있습니다. 오퍼레이션의 설명은 영어입니다.',
  apiSurfaces:
    '`/api/v1` 아래 경로는 API 키를 받고 `{data}` 또는 `{error}`를 돌려줍니다. `/api` 아래 다른 경로는 액세스 토큰이나 세션 쿠키를 받고 `{success, data}` 또는 `{success: false, error}`를 돌려줍니다.',
  operation: '오퍼레이션',
  request: '요청',
  caller: '호출 권한',
  idempotency: '멱등성',
  idempotent: '`Idempotency-Key` 헤더를 지원합니다. 같은 키와 본문으로 다시 요청하면 첫 응답을 그대로 돌려줍니다.',
  ownIdempotency: '멱등성 키가 리소스를 식별합니다. 다시 요청하면 현재 상태를 돌려줍니다.',
  parameters: '매개변수',
  parameter: '매개변수',
  path: '경로',
  query: '쿼리',
  body: '요청 본문',
  member: '필드',
  type: '타입',
  meaning: '의미',
  required: '필수',
  reply: '응답',
  samples:
    '예제는 환경 변수 `COUNTERSIGN_URL`, `COUNTERSIGN_API_KEY`, `TOKEN`(`POST /api/auth/login`의 `accessToken`)을 사용합니다. TypeScript에서 `countersign`은 `new Countersign()`, `platform`은 `platform.auth.login`을 마친 `new CountersignPlatform()`이며 둘 다 [`@countersign/sdk`](/docs/reference/sdk)에 있습니다. 값은 예시이므로 자신의 값으로 바꾸세요.',
  members: '응답 필드',
  errors: '오류',
  rate: '요청 한도',
  code: '코드',
  causes: '원인(영어)',
  tooLarge: '본문이 1 MiB를 넘습니다.',
  moreCauses: (count) => `원인 ${count}개 더 보기`,
  events: '이벤트',
  eventsIntroduction:
    '[웹훅](/docs/ko/guides/webhooks)이 구독할 수 있는 이벤트 종류입니다. `id`, `type`, `createdAt`, `deliveryAttempt`가 있는 객체에 아래의 `data`가 들어 있습니다. 정확한 바이트 형식은 [웹훅 서명](/docs/ko/formats/webhook-signatures)에 있습니다. 이후 버전에서 필드가 추가될 수 있지만 없어지지는 않습니다.',
  fromServer: '서버가 발행합니다.',
  fromApps: '연동 앱이 `POST /api/v1/events`로 발행합니다.',
  sample: '`data` 예시',
  errorsTitle: '오류',
  errorsIntroduction:
    '모든 오류 코드와 HTTP 상태, 할 일입니다. 프로그램에서 처리하는 방법은 [오류](/docs/ko/guides/errors)를 참고하세요. `code`는 바뀌지 않지만, 사람이 읽는 `message`는 바뀔 수 있습니다.',
  status: '상태',
  onProof: '`/api/v1` 아래',
  onPlatform: '`/api` 아래',
  retry: '재시도',
  sdkClass: 'SDK 클래스',
  todo: '할 일',
  messages: '메시지',
  everyMessage: '이 코드의 모든 메시지와 원인, 다음에 할 일(영어)',
  scopes: '권한(스코프)',
  scopesIntroduction:
    'API 키로 할 수 있는 일과, 그 권한이 필요한 오퍼레이션입니다. 키를 만들 때 고릅니다. 키에 권한이 없는 요청은 403 [`FORBIDDEN`](/docs/ko/reference/errors#FORBIDDEN)을 받습니다.',
  limits: '한도',
  limitsIntroduction:
    '크기, 요청 수, 개수의 한도입니다. 그 밖의 한계는 [증명하거나 약속하지 않는 것](/docs/ko/explanations/limits)에 있습니다. 요청 한도를 넘으면 `Retry-After`와 함께 429를 받습니다.',
  limitSettings: '한도 설정',
  settings: '설정',
  settingsIntroduction:
    '설정은 환경 변수입니다. 서버는 시작할 때 한 번 읽습니다. 형식에 맞지 않는 값이 있으면 서버가 시작되지 않으며, 메시지에 설정 이름만 나오고 값은 나오지 않습니다. 설명은 영어입니다.',
  settingForms: '사용할 수 있는 형식은 다음과 같습니다.',
  form: '형식',
  setting: '설정',
  default: '기본값',
  cli: '명령줄',
  cliIntroduction: '각 프로그램의 `--help` 출력입니다.',
  decisions: '결정 기록',
  decisionsIntroduction: '이렇게 만든 이유입니다. 결정마다 한 페이지에 대안과 측정값이 있습니다. 영어 문서입니다.',
}

const words = { en, ko }
export const wordsOf = (language: Language): ReferenceWords => words[language]
