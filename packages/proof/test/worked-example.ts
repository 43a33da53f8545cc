/** The worked example of docs/formats/dpu-chain-v1.md. Must not change: issued proofs depend on it. */

export const commitmentExample = {
  salt: '03030303030303030303030303030303',
  path: 'event.action.input',
  value: { amount: 1000, name: 'Żółć €', ratio: 1e-7 },
  commitment: 'sha256:87bb88b7023482797082058ce91b2136c8feca0a0a06b12f716f0ffe67db3117',
}

export const commitments = {
  'approval.approver.id': 'sha256:0a72eeaa281c5e0d2609b378fef6b917299697650e986e773c51f3f35b8606cd',
  'approval.approver.name': 'sha256:a517ea1bc092104065f4f42830036ddc3f848218f685cb0cf88aab1f16be3e4a',
  'approval.reason': 'sha256:d1f0acf2811a5dc52a611916ec90b29aee53ca344e197609ad80eb732f809afd',
  'event.action.input': commitmentExample.commitment,
  'event.action.output': 'sha256:86ed1400bf9dab39e57879dffce32a785ec0aaa489c1688ac33dd789d434f65c',
  'event.actor.id': 'sha256:dbad3ceb0bbca0be8a2b4222baec790fd13d9833e3a6d0cf63b4f2555669ec34',
  'event.aiContext.confidence': 'sha256:798c6b5b65e356dd380564503e3f096b58448d1c4c0dd0aee2d07901bfaee4cb',
  'event.aiContext.model': 'sha256:7ef26f2a62711c288def201091566d74bf6d4e1df58e690a586fab0b50d1bd95',
}

export const log = 'proof.example/c/42'

export const entries = [
  {
    id: 'ev_01',
    decisionId: 'loan-7781',
    sealedAt: '2026-01-02T03:05:00.000Z',
    hash: 'sha256:147cb18dcb64f4150c43899fe10f72e6df737e027d99ed1f826a2b86fcb57990',
  },
  {
    id: 'ev_02',
    decisionId: 'loan-7782',
    sealedAt: '2026-01-02T03:05:00.001Z',
    hash: 'sha256:72762d80126f571cf1d871d414a4f4685c86084664d9e7a9a8fd81a039051827',
  },
] as const

export const contentOf = (index: 0 | 1) => ({
  v: 'dpu-chain-v1',
  log,
  domain: 'proof',
  index,
  id: entries[index].id,
  decisionId: entries[index].decisionId,
  evidenceLevel: 'AUDIT_READY',
  event: {
    type: 'ai_recommendation',
    occurredAt: '2026-01-02T03:04:05.006Z',
    actor: { type: 'ai_agent' },
    action: { type: 'loan.approve' },
  },
  approval: { result: 'approved', approvedAt: entries[index].sealedAt, approver: { type: 'human' } },
  commitments,
})
