/** What readers say and these pages call otherwise. A word on the left also finds the words on its right. */

const both: readonly (readonly string[])[] = [
  ['sso', 'openid', 'oidc', 'saml'],
  ['quota', 'limit'],
  ['throttle', '429', 'rate'],
  ['reject', 'refuse', 'deny'],
  ['docker', 'container', 'image', 'compose'],
  ['k8s', 'kubernetes', 'helm'],
  ['lambda', 'serverless', 'vercel', 'edge'],
  ['delete', 'erase', 'redact'],
  ['gdpr', 'erase', 'redact'],
  ['fido', 'webauthn', 'passkey'],
  ['mfa', 'passkey'],
  ['tenant', 'center'],
  ['kafka', 'nats', 'rabbitmq'],
  ['backup', 'restore'],
  ['kill', 'stop', 'freeze'],
  ['env', 'environment', 'setting'],
  ['price', 'plan', 'billing'],
  ['appointment', 'booking'],
  ['employee', 'member', 'staff'],
  ['alternative', 'comparison'],
  ['vs', 'comparison'],
  ['crash', 'durability'],
  ['환경변수', '설정'],
  ['도커', '이미지', '배포'],
  ['쿠버네티스', 'helm', '배포'],
  ['거절', '거부', '반려'],
  ['반려', '거절'],
  ['직원', '구성원'],
  ['생체인증', '패스키'],
  ['지문', '패스키'],
  ['삭제', '지우기'],
  ['개인정보', '삭제'],
  ['가격', '요금제'],
  ['결제', '요금제'],
  ['중단', '정지'],
  ['멈추기', '정지'],
  ['서버리스', '함수', 'serverless'],
  ['파이썬', 'python'],
  ['랭그래프', 'langgraph'],
  ['랭체인', 'langchain'],
  ['파이단틱', 'pydantic'],
  ['에러', '오류'],
  ['슬랙', 'slack'],
  ['복구', '복원'],
  ['휴가', '대리'],
]

/** Left to right only: who types "price" wants plans, who types "plan" doesn't want prices first. */
export const synonyms: ReadonlyMap<string, readonly string[]> = new Map(
  both.map(([word = '', ...others]) => [word, others] as const),
)

export const noise: ReadonlySet<string> = new Set(
  (
    'a an and are by can do does for from get give how i if in into is it make my of on or our set than that the this to use ' +
    'what when where which who why with without 어떻게 우리 하는 법 방법 무엇 왜 것 수 있는 없이 하려면 나요 하기 및 또는'
  ).split(' '),
)
