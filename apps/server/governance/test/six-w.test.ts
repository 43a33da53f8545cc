import { describe, expect, it } from 'vitest'
import { missing, sixWOfDpu, sixWOfEvent } from '../requirements.ts'
import { center, event } from './examples.ts'

const draft = { evidenceLevel: 'DRAFT' } as const
const absentIn = (overrides: Parameters<typeof event>[0], sealing: object = {}) =>
  missing(sixWOfEvent(event(overrides), center, { ...draft, ...sealing }))

describe('an event', () => {
  it('answers who, what, when, where, why and how', () => {
    const at = '2026-11-15T10:00:00.000Z'
    const policies = [{ id: 'pol_x', version: 2, digest: 'sha256:d' }]
    expect(
      sixWOfEvent(event({ actor: { id: 'agent-7', type: 'ai_agent', name: 'Care planner' } }), center, {
        sealedAt: at,
        policies,
        evidenceLevel: 'AUDIT_READY',
      }),
    ).toEqual({
      who: { id: 'agent-7', name: 'Care planner', role: null, type: 'ai_agent' },
      what: { summary: 'Two sessions a week', action: 'plan.adjust', output: { sessions: 2 } },
      when: { decidedAt: '2026-11-15T09:00:00.000Z', sealedAt: at },
      where: { centerId: 7, centerName: 'Haneul', vertical: 'rehabilitation', domain: 'proof' },
      why: { reason: 'Progress slowed.', policies },
      how: {
        method: 'ai_recommendation',
        workflowId: null,
        model: 'planner-3',
        confidence: 0.9,
        evidenceLevel: 'AUDIT_READY',
        provider: null,
        promptHash: null,
      },
    })
  })

  it('is complete when all six are answered', () => {
    expect(absentIn({})).toEqual([])
  })

  it.each([
    ['why', { reason: null }],
    ['how', { ai_context: null }],
    ['how', { ai_context: { confidence: 0.5 } }],
  ])('lacks %s', (absent, overrides) => {
    expect(absentIn(overrides)).toEqual([absent])
  })

  it('by a person needs no model', () => {
    expect(absentIn({ actor: { id: 'kim', type: 'human' }, ai_context: null })).toEqual([])
  })

  it.each([
    ['the approver', { reason: 'own' }, { reason: 'of the approver' }, 'of the approver'],
    ['the actor', { reason: 'own', ai_context: { model: 'm', reasoning: 'of the model' } }, {}, 'own'],
    ['the model', { reason: null, ai_context: { model: 'm', reasoning: 'of the model' } }, {}, 'of the model'],
  ])('takes the reason of %s first', (_, overrides, sealing, expected) => {
    expect(sixWOfEvent(event(overrides), center, { ...draft, ...sealing }).why.reason).toBe(expected)
    expect(absentIn(overrides, sealing)).toEqual([])
  })

  it('without a description is summarized by its action type', () => {
    expect(sixWOfEvent(event({ action: { type: 'plan.adjust' } }), center, draft).what).toEqual({
      summary: 'plan.adjust',
      action: 'plan.adjust',
      output: null,
    })
  })
})

describe('a DPU', () => {
  const createdAt = '2026-11-15T09:00:00.000Z'
  const dpu = {
    content: 'Attendance confirmed',
    created_by: { id: 'a', name: 'Kim', role: 'INSTRUCTOR', type: 'human' },
    origin: null,
    metadata: {},
    reference_type: 'lms-attendance',
    sealed_at: null,
  }
  const sixW = (overrides: object = {}) => sixWOfDpu({ ...dpu, ...overrides }, center, createdAt, 'DRAFT')

  it('names its author, and takes its reason from the metadata', () => {
    expect(sixW({ metadata: { reason: 'Seen by two' } })).toMatchObject({
      who: dpu.created_by,
      what: { summary: 'Attendance confirmed', action: 'lms-attendance', output: null },
      when: { decidedAt: createdAt, sealedAt: null },
      where: { domain: 'dpu' },
      why: { reason: 'Seen by two', policies: [] },
      how: { method: 'manual', model: null, evidenceLevel: 'DRAFT' },
    })
  })

  it('lacks why until a reason is given', () => {
    expect(missing(sixW())).toEqual(['why'])
    expect(missing(sixW({ metadata: { reason: 5 } }))).toEqual(['why'])
    expect(missing(sixW({ metadata: { reason: 'Seen by two' } }))).toEqual([])
  })

  it('of a workflow names the workflow and the model', () => {
    const origin = {
      method: 'workflow',
      workflowId: 'wfl_1',
      model: 'm',
      confidence: 0.4,
      provider: 'p',
      promptHash: 'h',
    }
    expect(sixW({ origin }).how).toEqual({ ...origin, evidenceLevel: 'DRAFT' })
  })

  it('without an author lacks who', () => {
    expect(missing(sixW({ created_by: null, metadata: { reason: 'x' } }))).toEqual(['who'])
  })
})
