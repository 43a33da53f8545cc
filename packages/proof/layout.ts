/**
 * Which members of an exported entry are hashed as they stand. Members beside them are either committed or must not
 * be there, which is how a verifier finds what somebody added.
 */
import type { Domain } from './chain.ts'

interface Layout {
  /** Written into the content. */
  readonly hashed: readonly string[]
  /** As `hashed`, but an entry may do without; `approval` comes whole or not at all. */
  readonly optional: readonly string[]
  /** Objects on the way to a hashed or a committed value. */
  readonly branches: readonly string[]
}

export const approvalMembers = ['approval.approvedAt', 'approval.approver.type', 'approval.result'] as const

export const layouts: Readonly<Record<Domain, Layout>> = {
  proof: {
    hashed: [
      'decisionId',
      'event.action.type',
      'event.actor.type',
      'event.occurredAt',
      'event.type',
      'evidenceLevel',
      'id',
    ],
    optional: [...approvalMembers, 'policies'],
    branches: ['approval', 'approval.approver', 'event', 'event.action', 'event.actor', 'event.aiContext'],
  },
  dpu: { hashed: ['id', 'referenceType', 'vertical'], optional: [], branches: [] },
  history: { hashed: ['id', 'target', 'type'], optional: [], branches: [] },
}

/** Members of an exported entry that say where it stands and how to check it. */
export const bookkeeping = ['chain', 'commitments', 'disclosures', 'log', 'sealedAt'] as const

/** What may change after a DPU was chained, and the history entry that then says what it is. */
export const changeable = { evidenceLevel: 'level', metadata: 'metadata' } as const
