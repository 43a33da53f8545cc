export const sampleEvent = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'ai_recommendation',
  actor: { id: 'agent-7', type: 'ai_agent', name: 'Care planner' },
  action: {
    type: 'plan.adjust',
    description: 'Two sessions a week',
    input: { client: 'c-102' },
    output: { sessions: 2 },
  },
  aiContext: { model: 'planner-3', provider: 'in-house', confidence: 0.92, reasoning: 'Progress slowed.' },
  tags: ['care-plan'],
  ...overrides,
})
