/** What the agents of the demo center asked for in that week. */
interface Asked {
  readonly request: Record<string, unknown>
}

const agent = (id: string, name: string) => ({ id, type: 'ai_agent', name })
const desk = agent('agent-refunds', '상담 에이전트')
const planner = agent('agent-plans', '계획 에이전트')
const writer = agent('agent-letters', '글 에이전트')

const refund = (amount: number, name: string, reason: string, riskScore: number) => ({
  type: 'ai_recommendation',
  actor: desk,
  action: {
    type: 'refund.pay',
    description: `${name} 님에게 ${amount.toLocaleString()}원 환불`,
    input: { amount, 결제: '11월 3일 카드', 남은수업: 8, 계좌: '결제한 카드로 취소' },
    output: { state: 'planned' },
  },
  aiContext: { model: 'planner-3', provider: 'in-house', confidence: 0.71, reasoning: '진단서를 보지 못했습니다.' },
  reason,
  riskScore,
  tags: ['refund'],
})
const plan = (name: string, change: string, riskScore: number) => ({
  type: 'ai_recommendation',
  actor: planner,
  action: {
    type: 'plan.adjust',
    description: `${name} 님의 치료를 ${change}`,
    input: { 대상: name, 바꿈: change, 시작: '11월 23일' },
  },
  aiContext: { model: 'planner-3', confidence: 0.88, reasoning: '지난 다섯 번의 기록에서 나아졌습니다.' },
  riskScore,
  tags: ['plan'],
})
const letter = (to: string, about: string) => ({
  type: 'ai_recommendation',
  actor: writer,
  action: { type: 'message.send', description: `${to}에게 ${about} 보내기`, input: { to, about, length: 412 } },
  aiContext: { model: 'writer-2', confidence: 0.93 },
  riskScore: 0.12,
  tags: ['message'],
})

export const waiting: readonly (Asked & { readonly comment?: string })[] = [
  {
    request: refund(820_000, '이하늘', '입원으로 남은 수업 8회 취소', 0.42),
    comment: '진단서는 언제 올라옵니까?',
  },
  { request: refund(1_240_000, '서이안', '이사로 계약을 끝냄', 0.67) },
  { request: plan('정하은', '주 2회로 늘리기', 0.35) },
  { request: plan('정도윤', '언어 치료로 바꾸기', 0.52) },
  { request: letter('정미래 님', '이번 주 상담 기록') },
  { request: letter('보호자 32명', '12월 휴원 안내') },
  { request: plan('오다은', '평가를 한 주 앞당기기', 0.18) },
]

interface Sealed extends Asked {
  readonly result: 'approved' | 'rejected'
  readonly reason?: string
  readonly level?: 'passkey'
}

export const sealed: readonly Sealed[] = [
  { request: plan('강하준', '주 3회로 늘리기', 0.31), result: 'approved' },
  {
    request: refund(560_000, '임나라', '강사의 휴직', 0.38),
    result: 'approved',
    reason: '계약서 7조와 맞습니다.',
    level: 'passkey',
  },
  { request: plan('신유찬', '그룹 수업으로 옮기기', 0.44), result: 'rejected', reason: '보호자와 먼저 상의합니다.' },
  { request: plan('오다은', '작업 치료 더하기', 0.22), result: 'approved', reason: '지난 평가와 맞습니다.' },
  {
    request: refund(910_000, '조시우', '이중 결제', 0.29),
    result: 'rejected',
    reason: '결제는 한 번뿐입니다. 영수증을 확인했습니다.',
  },
  { request: plan('최지아', '집에서 하는 과제 보내기', 0.15), result: 'approved' },
  {
    request: refund(730_000, '한소라', '입원', 0.33),
    result: 'approved',
    reason: '진단서를 확인했습니다.',
    level: 'passkey',
  },
]
