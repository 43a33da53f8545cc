/** Example decisions and policies. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { type FieldColumns, fieldList } from '@countersign/proof/decision-fields.ts'
import type { CenterProfile } from '../../data/center-profile.ts'
import { newUuid, typedId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import type { Applied } from '../policies.ts'
import { type SixW, sixWOfEvent } from '../requirements.ts'
import type { EventRow } from '../rows.ts'

export const center: CenterProfile = {
  centerId: 7,
  cell: 'main',
  name: 'Haneul',
  vertical: 'rehabilitation',
  country: 'KR',
  region: 'KR-11',
  inherited: null,
}

const noField = Object.fromEntries(fieldList.map(({ column }) => [column, null])) as unknown as FieldColumns

export const event = (overrides: Partial<EventRow> = {}): EventRow => ({
  ...noField,
  action_digest: `sha256:${'0'.repeat(64)}`,
  action_salt: null,
  center_id: 7,
  id: newUuid(),
  decision_id: 'plan-102',
  type: 'ai_recommendation',
  status: 'recorded',
  actor: { id: 'agent-7', type: 'ai_agent' },
  action: { type: 'plan.adjust', description: 'Two sessions a week', output: { sessions: 2 } },
  ai_context: { model: 'planner-3', confidence: 0.9 },
  tags: [],
  occurred_at: '2026-11-15T09:00:00+00:00',
  fingerprint: null,
  reason: 'Progress slowed.',
  created_at: '2026-11-15T09:00:01+00:00',
  updated_at: '2026-11-15T09:00:01+00:00',
  ...overrides,
})

export const complete: SixW = sixWOfEvent(event(), center, { evidenceLevel: 'DRAFT' })
export const withoutReason: SixW = sixWOfEvent(event({ reason: null }), center, { evidenceLevel: 'DRAFT' })

export const policyBody = (overrides: Partial<PolicyBody> = {}): PolicyBody => ({
  name: 'A policy',
  scope: 'center',
  match: {},
  guards: { humanReview: true },
  ...overrides,
})

export const applied = (
  guards: PolicyBody['guards'],
  name = 'A policy',
  approval?: PolicyBody['approval'],
): Applied => ({
  id: typedId('policy', newUuid()),
  version: 1,
  digest: `sha256:${'0'.repeat(64)}`,
  body: policyBody({ guards, name, ...(approval && { approval }) }),
})

/** The refusal: the code, and the details that the caller reads. */
export function refusal(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, message: error.message, ...error.details }
    throw error
  }
  return null
}
