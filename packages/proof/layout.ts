/**
 * Which members of an exported entry are hashed as they are. Every other member is either committed or refused, so a
 * verifier finds a member that was added.
 */
import type { Domain } from './chain.ts'
import { clearPaths, memberNames } from './decision-fields.ts'

export interface Layout {
  /** Written into the content. */
  readonly hashed: readonly string[]
  /** Hashed, and optional; `approval` is complete or absent. */
  readonly optional: readonly string[]
  /** Objects that contain hashed or committed values. */
  readonly branches: readonly string[]
}

export const approvalMembers = [
  'approval.approvedAt',
  'approval.approver.type',
  'approval.identity.level',
  'approval.result',
] as const

/** Present together, with the level `passkey` and only with it. */
export const passkeyMembers = [
  'approval.passkey.authenticatorData',
  'approval.passkey.binding',
  'approval.passkey.clientDataJSON',
  'approval.passkey.historySize',
  'approval.passkey.signature',
] as const

export const layouts: Readonly<Record<Domain, Layout>> = {
  proof: {
    hashed: [
      'actionDigest',
      'decisionId',
      ...clearPaths.filter(({ optional }) => !optional).map(({ path }) => path),
      'evidenceLevel',
      'id',
    ],
    optional: [
      ...approvalMembers,
      ...passkeyMembers,
      'approval.channel',
      'approval.decidedAt',
      'approval.openedAt',
      ...clearPaths.filter(({ optional }) => optional).map(({ path }) => path),
      'policies',
    ],
    branches: [
      'approval',
      'approval.approver',
      'approval.identity',
      'approval.passkey',
      'event',
      ...Object.keys(memberNames).map((name) => `event.${name}`),
    ],
  },
  dpu: { hashed: ['id', 'referenceType', 'vertical'], optional: ['country', 'region'], branches: [] },
  history: { hashed: ['id', 'previous', 'state', 'target', 'type'], optional: [], branches: [] },
}

/** The entry that begins a generation of a log, in every domain. Nothing in it is committed. */
export const successionLayout: Layout = { hashed: ['id', 'succession'], optional: [], branches: [] }

/** Members of an exported entry that locate it in its log and serve to check it. */
export const bookkeeping = ['chain', 'commitments', 'disclosures', 'log', 'sealedAt'] as const

/** Members of a unit that may change after it was chained, and the type of the history entry with the new value. */
export const changeable = { evidenceLevel: 'level', metadata: 'metadata' } as const
