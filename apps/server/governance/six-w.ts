/** Evidence collection: who decided what, when, where, why and how. Pure. */
import type { Responsibility } from '@countersign/contract/dpu.ts'
import type { EvidenceLevel } from '@countersign/contract/enums.ts'
import type { Static } from 'typebox'
import type { CenterProfile } from '../data/center-profile.ts'
import type { DpuRow, EventRow } from './rows.ts'

export type SixW = Static<typeof Responsibility>

type DecidingCenter = Pick<CenterProfile, 'centerId' | 'name' | 'vertical'>

const whereOf = ({ centerId, name, vertical }: DecidingCenter, domain: SixW['where']['domain']): SixW['where'] => ({
  centerId,
  centerName: name,
  vertical: vertical as SixW['where']['vertical'],
  domain,
})

interface Sealing {
  readonly reason?: string | null | undefined
  readonly sealedAt?: string | null
  readonly policies?: SixW['why']['policies']
  readonly evidenceLevel: EvidenceLevel
}

/** The approver's reason takes precedence over the actor's. */
export function sixWOfEvent(
  event: Pick<EventRow, 'type' | 'actor' | 'action' | 'ai_context' | 'reason' | 'occurred_at'>,
  center: DecidingCenter,
  { reason, sealedAt = null, policies = [], evidenceLevel }: Sealing,
): SixW {
  const { actor, action, ai_context: ai } = event
  return {
    // A redacted id is absent at runtime, although the type of the row requires it.
    who: { id: actor.id ?? null, name: actor.name ?? null, role: null, type: actor.type },
    what: {
      summary: action.description ?? action.type,
      action: action.type,
      output: (action.output as Record<string, unknown> | undefined) ?? null,
    },
    when: { decidedAt: new Date(event.occurred_at).toISOString(), sealedAt },
    where: whereOf(center, 'proof'),
    why: { reason: reason ?? event.reason ?? ai?.reasoning ?? null, policies },
    how: {
      method: event.type,
      workflowId: null,
      model: ai?.model ?? null,
      confidence: ai?.confidence ?? null,
      evidenceLevel,
      provider: ai?.provider ?? null,
      promptHash: null,
    },
  }
}

/** What a workflow or a model adds to a DPU. */
export interface Origin {
  readonly method?: string
  readonly workflowId?: string
  readonly model?: string | null
  readonly provider?: string | null
  readonly confidence?: number | null
  readonly promptHash?: string | null
  readonly [member: string]: unknown
}

export function sixWOfDpu(
  dpu: Pick<DpuRow, 'content' | 'created_by' | 'origin' | 'metadata' | 'reference_type' | 'sealed_at'>,
  center: DecidingCenter,
  createdAt: string,
  evidenceLevel: EvidenceLevel,
  policies: SixW['why']['policies'] = [],
): SixW {
  const origin = (dpu.origin ?? {}) as Origin
  const { reason } = dpu.metadata
  return {
    who: dpu.created_by ?? { id: null, name: null, role: null, type: null },
    what: { summary: dpu.content || null, action: dpu.reference_type, output: null },
    when: { decidedAt: createdAt, sealedAt: dpu.sealed_at && new Date(dpu.sealed_at).toISOString() },
    where: whereOf(center, 'dpu'),
    why: { reason: typeof reason === 'string' ? reason : null, policies },
    how: {
      method: origin.method ?? 'manual',
      workflowId: origin.workflowId ?? null,
      model: origin.model ?? null,
      confidence: origin.confidence ?? null,
      evidenceLevel,
      provider: origin.provider ?? null,
      promptHash: origin.promptHash ?? null,
    },
  }
}

/** The questions without an answer; a decision that answers all six is DOCUMENTED. */
export function missing({ who, what, when, why, how }: SixW): readonly string[] {
  const answered = {
    who: Boolean(who.id && who.type),
    what: Boolean(what.summary || what.action),
    when: when.decidedAt !== null,
    where: true,
    why: Boolean(why.reason),
    how: Boolean(how.method) && (who.type !== 'ai_agent' || Boolean(how.model)),
  }
  return Object.entries(answered).flatMap(([name, given]) => (given ? [] : [name]))
}

/** The evidence level of a decision before it is sealed. */
export const levelBeforeSealing = (sixW: SixW): EvidenceLevel => (missing(sixW).length === 0 ? 'DOCUMENTED' : 'DRAFT')
