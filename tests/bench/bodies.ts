/** What the callers of benches send. */
export const approval = {
  approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' },
  result: 'approved',
  reason: 'Agrees with my own assessment.',
} as const

export const recordedEvent = {
  type: 'ai_recommendation',
  actor: { id: 'agent-7', type: 'ai_agent', name: 'Care planner' },
  action: {
    type: 'plan.adjust',
    description: 'Two sessions a week',
    input: { client: 'c-102' },
    output: { sessions: 2 },
  },
  aiContext: { model: 'planner-3', provider: 'in-house', confidence: 0.92, reasoning: 'Progress slowed in week six.' },
  tags: ['care-plan'],
}
