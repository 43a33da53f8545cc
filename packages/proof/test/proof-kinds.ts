/** One genuine, witnessed proof of each kind. */
import type { Json } from '../canonical.ts'
import type { Control, PriorApproval } from '../control.ts'
import type { ExportDocument } from '../export.ts'
import type { IdentityLevel } from '../proof-entry.ts'
import {
  type BuiltEntry,
  type Change,
  chainOf,
  digested,
  exported,
  historyOf,
  saltSequence,
  sealDpu,
  sealProof,
} from './arbitraries.ts'
import { anchored } from './log.ts'
import {
  approvalBy,
  decisionBy,
  firstStatementOf,
  keys,
  priorBy,
  priorOf,
  raisedBy,
  statementOf,
  threeKeys,
} from './passkeys.ts'

const event = {
  type: 'ai_recommendation',
  occurredAt: '2039-01-01T00:00:00.000Z',
  actor: { id: 'agent-1', type: 'ai_agent', name: 'Loan agent' },
  action: { type: 'loan.approve', description: 'A loan', input: { amount: 1000 }, output: { rate: 0.04 } },
  aiContext: { model: 'm-1', confidence: 0.9, traceId: 't-1' },
  tags: ['loan'],
  reason: 'Income is stable.',
  riskScore: 0.3,
  recordedBy: 'key_1',
}

export const approvalOf = (level: IdentityLevel, result = 'approved') => ({
  approver: level === 'system' ? { id: 'pol_1', type: 'system' } : { id: 'u1', type: 'human', name: 'Ada' },
  result,
  reason: result === 'approved' ? 'As agreed.' : 'Too much.',
  submittedBy: level === 'system' ? 'countersign' : 'key_2',
  identity: { level, by: level === 'session' ? 'act_1' : level === 'system' ? 'countersign' : 'key_2' },
})

/** A decision, sealed by this approval, or without one. */
export const decisionEntry = (
  approval: ReturnType<typeof approvalOf> | undefined,
  more: { id?: string; priorApprovals?: Json; event?: object; center?: number; control?: Control } = {},
): BuiltEntry =>
  chainOf(
    'proof',
    [
      sealProof(
        digested({
          id: more.id ?? 'evd_1',
          actionSalt: 'A'.repeat(43),
          decisionId: 'loan-1',
          evidenceLevel: approval === undefined ? 'DOCUMENTED' : 'AUDIT_READY',
          event: { ...event, ...more.event },
          approval,
          ...(more.priorApprovals !== undefined && { priorApprovals: more.priorApprovals }),
          ...(more.control && { control: more.control }),
          policies: [{ id: 'pol_1', version: 2, digest: `sha256:${'1'.repeat(64)}` }],
          vertical: 'education',
          country: 'KR',
        }),
      ),
    ],
    5,
    more.center,
  )[0] as BuiltEntry

export const unitEntry = (center?: number): BuiltEntry => {
  const values = { content: 'A unit', tags: ['a', 'b'], evidenceLevel: 'DRAFT', metadata: { score: 1.5 } }
  const unit = sealDpu({ id: 'dpu_1', referenceType: 'demo', vertical: 'education', country: 'KR', values })
  return chainOf('dpu', [unit], 2, center)[0] as BuiltEntry
}

export const unitChanges: readonly Change[] = [
  { id: 'h1', type: 'metadata', values: { metadata: { note: 'A' }, by: { id: 'u1' } } },
  { id: 'h2', type: 'level', values: { evidenceLevel: 'DOCUMENTED', by: { id: 'u1' } } },
  { id: 'h3', type: 'metadata', values: { metadata: { note: 'B' }, by: { id: 'u1' } } },
  { id: 'h4', type: 'level', values: { evidenceLevel: 'AUDIT_READY', by: { id: 'u1' } } },
]

const prior = [{ ...approvalOf('claim'), approvedAt: '2039-12-31T00:00:00.000Z' }]

/** A passkey, a session, and one that was taken back. */
export const earlierApprovals = ([key]: readonly BuiltEntry[]): readonly PriorApproval[] => [
  priorBy(approvalBy('act_admin', keys.admin, key as BuiltEntry)),
  priorBy(approvalOf('session'), 1, { control: { via: 'password' } }),
  priorBy({ ...approvalOf('session'), approver: { id: 'u2', type: 'human', name: 'Bob' } }, 2, {
    control: { via: 'oidc', void: 'takenBack' },
  }),
]

export function approvedAfter(prior: readonly PriorApproval[], bindings: BuiltEntry[]): ExportDocument {
  const statement = statementOf('act_ada', { prior: priorOf(prior) })
  return decisionBy(approvalBy('act_ada', keys.ada, bindings.at(-1) as BuiltEntry, { statement }), bindings, { prior })
}

export const kinds = (): Readonly<Record<string, ExportDocument>> => {
  const unapproved = decisionEntry(undefined)
  const unit = unitEntry()
  const bindings = threeKeys()
  const raised: Change[] = [{ id: 'h1', type: 'level', values: { evidenceLevel: 'AUDIT_READY', by: { id: 'u1' } } }]
  const made = {
    'a decision with two approvals': exported(decisionEntry(approvalOf('session'), { priorApprovals: prior })),
    'a refusal by a guard': exported(decisionEntry(approvalOf('system', 'rejected'))),
    'a decision of an agent, raised later': exported(unapproved, {
      history: historyOf(unapproved, raised, saltSequence(), 7),
    }),
    'a decision of 0.1.0 that a passkey approved': decisionBy(
      approvalBy('act_ada', keys.ada, bindings.at(-1) as BuiltEntry, { statement: firstStatementOf('act_ada') }),
      bindings,
    ),
    'a decision that a passkey approved': decisionBy(
      approvalBy('act_ada', keys.ada, bindings.at(-1) as BuiltEntry),
      bindings,
    ),
    'a decision with earlier approvals': approvedAfter(earlierApprovals(bindings), bindings),
    'a unit that a passkey raised': raisedBy(keys.ada, bindings),
    'a unit with changes': exported(unit, { history: historyOf(unit, unitChanges, saltSequence(), 1) }),
  }
  return Object.fromEntries(
    Object.entries(made).map(([name, each]) => [name, JSON.parse(JSON.stringify(anchored(each))) as ExportDocument]),
  )
}

/** A decision that a member approved and an executor took, with the outcome that was reported. */
export function usedDecision(control: Partial<Control>, outcome?: string): ExportDocument {
  const rules = { index: null, digest: `sha256:${'0'.repeat(64)}` }
  const entry = decisionEntry(approvalOf('session'), { control: { rules, ...control } })
  const { actionDigest } = JSON.parse(entry.content) as { actionDigest: string }
  const by = { id: 'key_1' }
  const taken = { action: 'consumed', executor: 'e', actionDigest, by }
  const history = historyOf(
    entry,
    [
      { id: 'h1', type: 'execution', values: taken },
      ...(outcome === undefined
        ? []
        : [
            { id: 'h2', type: 'execution' as const, values: { action: 'outcome', executor: 'e', status: outcome, by } },
          ]),
    ],
    saltSequence(),
    3,
  )
  return exported(entry, { history })
}
