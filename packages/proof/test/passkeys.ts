/** Decisions that passkeys approved and records whose level they raised, with the entries that bind these passkeys. */
import { softwareAuthenticator } from '../../../tests/support/authenticator.ts'
import type { Json } from '../canonical.ts'
import { logName } from '../chain.ts'
import { type ApprovalControl, approvalHash, type Control, type PriorApproval, priorDigest } from '../control.ts'
import type { ExportDocument } from '../export.ts'
import { type HistoryInput, historyStatic, passkeyState } from '../history-entry.ts'
import {
  type AnyApprovalStatement,
  type ApprovalStatement,
  type ConfirmationStatement,
  type ConfirmStatement,
  challengeOf,
  type RaiseStatement,
  type RegisterStatement,
  reasonDigest,
} from '../passkey.ts'
import type { FirstApprovalStatement } from '../passkey-statement.ts'
import type { ProofApproval } from '../proof-entry.ts'
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

export type Authenticator = ReturnType<typeof softwareAuthenticator>

const historyLog = logName('proof.example', 42, 'history')
const proofLog = logName('proof.example', 42, 'proof')
/** The place of a change in the history, after the bindings. */
const changedAt = 7
const nonce = (n: number) => Buffer.alloc(32, n).toString('base64url')
const asked = { rpId: 'localhost', issuedAt: '2039-12-31T23:59:00.000Z' } as const

/** One step about a key in the history of a center. */
export interface Step {
  readonly key: string
  readonly values: Readonly<Record<string, Json>>
  readonly confirmed: string
  readonly passkey?: 'bound' | 'removed'
}

/** The history entries of the center: each names the one before it about the same key. */
export function bindingsOf(steps: readonly (Step | ((made: readonly BuiltEntry[]) => Step))[], from = 3): BuiltEntry[] {
  const salts = saltSequence()
  const made: BuiltEntry[] = []
  const last = new Map<string, string>()
  for (const [position, each] of steps.entries()) {
    const { key, values, confirmed, passkey = 'bound' } = typeof each === 'function' ? each(made) : each
    const id = `hst_${position}`
    const input: HistoryInput = { id, type: 'passkey', target: key, previous: last.get(key) ?? null, values }
    const prepared = historyStatic(input, () => passkeyState({ passkey, confirmed }), salts)
    const before = made.at(-1) ?? null
    const [entry] = chainOf('history', [{ prepared, values, id }], from + position, 42, before)
    made.push(entry as BuiltEntry)
    last.set(key, (entry as BuiltEntry).hash)
  }
  return made
}

export const registered = (person: string, { thumbprint }: Pick<Authenticator, 'thumbprint'>): RegisterStatement => ({
  type: 'countersign-passkey-v1',
  actorId: person,
  thumbprint,
  nonce: nonce(1),
  ...asked,
})

export const confirming = (person: string, of: Authenticator, confirmerId: string): ConfirmStatement => ({
  type: 'countersign-passkey-confirm-v1',
  log: historyLog,
  actorId: person,
  thumbprint: of.thumbprint,
  confirmerId,
  nonce: nonce(2),
  ...asked,
})

export const boundValues = (person: string, of: Authenticator, confirmation: object, backupEligible = false) => {
  const statement = registered(person, of)
  return {
    action: 'bound',
    actorId: person,
    key: { ...of.key },
    statement: { ...statement },
    assertion: { ...of.assert(challengeOf(statement)) },
    authenticator: { aaguid: '00000000-0000-0000-0000-000000000000', backupEligible, backedUp: false },
    confirmation: confirmation as Json,
  } as Readonly<Record<string, Json>>
}

export const bound = (key: string, person: string, of: Authenticator, confirmation: { how: string }): Step => ({
  key,
  values: boundValues(person, of, confirmation),
  confirmed: confirmation.how,
})

export const confirmed = (key: string, person: string, confirmation: { how: string }): Step => ({
  key,
  values: { action: 'confirmed', actorId: person, confirmation: confirmation as Json },
  confirmed: confirmation.how,
})

const policies = [{ id: 'pol_1', version: 2, digest: `sha256:${'1'.repeat(64)}` }]

const decision = digested({
  id: 'evd_1',
  actionSalt: 'A'.repeat(43),
  decisionId: 'loan-1',
  evidenceLevel: 'AUDIT_READY',
  event: {
    type: 'ai_recommendation',
    occurredAt: '2039-01-01T00:00:00.000Z',
    actor: { id: 'agent-1', type: 'ai_agent' },
    action: { type: 'loan.approve', input: { amount: 82_000 } },
  },
  policies,
})

const members = (person: string) => ({
  log: proofLog,
  eventId: 'evt_1',
  decisionId: decision.decisionId,
  actionDigest: decision.actionDigest,
  result: 'approved' as const,
  reasonDigest: reasonDigest(nonce(3), 'As agreed.'),
  approverId: person,
  policies,
  onBehalfOf: null,
  nonce: nonce(4),
  ...asked,
})

/** As 0.1.0 made it. */
export const firstStatementOf = (
  person: string,
  more: Partial<FirstApprovalStatement> = {},
): FirstApprovalStatement => ({
  type: 'countersign-approval-v1',
  ...members(person),
  ...more,
})

export const shown = { view: 'v1', language: 'en', template: { version: 3, digest: `sha256:${'3'.repeat(64)}` } }

export const statementOf = (person: string, more: Partial<ApprovalStatement> = {}): ApprovalStatement => ({
  type: 'countersign-approval-v2',
  ...members(person),
  approvedActionDigest: null,
  emergency: null,
  shown,
  prior: priorDigest([]),
  ...more,
})

export const control: Control = {
  rules: { index: 6, digest: `sha256:${'2'.repeat(64)}` },
  needs: ['shown'],
  via: 'passkey',
  shown,
}

export type SignedApproval = ReturnType<typeof approvalBy>

/** `signed`: the statement under the signature, where it is not the one that is sealed. */
export function approvalBy(
  person: string,
  of: Authenticator,
  binding: BuiltEntry,
  more: { statement?: AnyApprovalStatement; signed?: AnyApprovalStatement; historySize?: number } = {},
) {
  const statement = more.statement ?? statementOf(person)
  return {
    approver: { id: person, type: 'human', name: 'Ada' },
    result: statement.result,
    reason: 'As agreed.',
    submittedBy: person,
    identity: { level: 'passkey' as const, by: person },
    passkey: {
      binding: binding.hash,
      historySize: more.historySize ?? binding.index + 1,
      ...of.assert(challengeOf(more.signed ?? statement)),
      statement,
    },
    reasonSalt: nonce(3),
  }
}

/** An earlier approval as it is sealed: the statement beside it. */
export function priorBy(
  approval: object,
  position = 0,
  more: { control?: ApprovalControl; salt?: string } = {},
): PriorApproval {
  const { approval: given, statement } = parted(approval)
  const approvedAt = `2039-12-31T23:59:5${position}.000Z`
  return JSON.parse(
    JSON.stringify({
      approval: { ...given, approvedAt },
      control: more.control ?? { via: 'passkey', shown },
      statement,
      salt: more.salt ?? nonce(20 + position),
    }),
  )
}

export const priorOf = (prior: readonly PriorApproval[]): string =>
  priorDigest(prior.map(({ salt, approval }) => approvalHash(salt, approval)))

function parted(whole: object): { approval: ProofApproval; statement?: AnyApprovalStatement | undefined } {
  const { passkey, ...approval } = whole as ProofApproval
  if (passkey === undefined) return { approval }
  const { statement, ...signed } = passkey
  return { approval: { ...approval, passkey: signed }, statement }
}

/** A statement of 0.1.0 makes a record of 0.1.0, any other one a record of today. */
export const decisionBy = (
  approval: ProofApproval,
  bindings: BuiltEntry[],
  more: {
    priorApprovals?: Json
    prior?: readonly PriorApproval[]
    control?: Control
    center?: number
    changes?: (seal: BuiltEntry) => readonly Change[]
  } = {},
): ExportDocument => {
  const isFirst = approval.passkey?.statement?.type === 'countersign-approval-v1'
  const { center, changes, ...values } = isFirst ? { approval, ...more } : { control, ...parted(approval), ...more }
  const [entry] = chainOf('proof', [sealProof({ ...decision, ...values })], 5, center) as [BuiltEntry]
  const history = changes ? historyOf(entry, changes(entry), saltSequence(), changedAt) : []
  return JSON.parse(JSON.stringify(exported(entry, { bindings, ...(history.length > 0 && { history }) })))
}

/** Of an emergency approval that `seal` states. */
export function confirmationBy(
  seal: BuiltEntry,
  person: string,
  of: Authenticator,
  binding: BuiltEntry,
  more: { statement?: Partial<ConfirmationStatement>; values?: Readonly<Record<string, Json>>; size?: number } = {},
): Change {
  const statement: ConfirmationStatement = {
    ...{ type: 'countersign-confirm-v1', log: historyLog, eventId: 'evt_1', chainHash: seal.hash, result: 'confirmed' },
    ...{ reasonDigest: reasonDigest(nonce(6), 'I would have done the same.'), approverId: person, nonce: nonce(7) },
    ...asked,
    ...more.statement,
  }
  const passkey = { binding: binding.hash, historySize: more.size ?? changedAt, ...of.assert(challengeOf(statement)) }
  return {
    ...{ id: 'hst_confirmed', type: 'confirmation' },
    values: {
      ...{ action: 'confirmed', by: { id: person }, level: 'passkey', complete: true },
      ...{ reason: 'I would have done the same.', reasonSalt: nonce(6) },
      admitted: [{ policyId: 'pol_1', version: 2, step: 0, by: 'role', since: 4 }],
      passkey: { ...passkey, statement: { ...statement } } as unknown as Json,
      ...more.values,
    },
  }
}

const [unit] = chainOf(
  'dpu',
  [
    sealDpu({
      id: 'dpu_1',
      referenceType: 'demo',
      vertical: 'education',
      values: { content: 'A unit', evidenceLevel: 'DRAFT' },
    }),
  ],
  2,
) as [BuiltEntry]

/** Of an agent, which nobody approved. */
export const [unapproved] = chainOf('proof', [sealProof({ ...decision, evidenceLevel: 'DOCUMENTED' })], 5) as [
  BuiltEntry,
]

export const raiseStatement = (more: Partial<RaiseStatement> = {}, of: BuiltEntry = unit): RaiseStatement => ({
  type: 'countersign-raise-v1',
  log: historyLog,
  dpuId: 'dpu_1',
  evidenceLevel: 'AUDIT_READY',
  previous: of.hash,
  approverId: 'act_ada',
  policies,
  nonce: nonce(5),
  ...asked,
  ...more,
})

/** `signed`: the statement under the signature, where it is not the one that is sealed. `values`: of the entry. */
export function raisedBy(
  key: Authenticator,
  bindings: BuiltEntry[],
  more: {
    of?: BuiltEntry
    statement?: RaiseStatement
    signed?: Parameters<typeof challengeOf>[0]
    passkey?: object
    values?: Readonly<Record<string, Json>>
  } = {},
): ExportDocument {
  const { of = unit } = more
  const statement = more.statement ?? raiseStatement({}, of)
  const signed = key.assert(challengeOf(more.signed ?? statement))
  const whole = { binding: bindings.at(-1)?.hash, historySize: changedAt, ...signed, statement, ...more.passkey }
  const passkey = JSON.parse(JSON.stringify(whole)) as Json
  const by = { id: 'act_ada', name: 'Ada', role: 'ADMIN' }
  const values = { evidenceLevel: 'AUDIT_READY', policies, by, passkey, ...more.values }
  const history = historyOf(of, [{ id: 'hst_raise', type: 'level', values }], saltSequence(), changedAt)
  return JSON.parse(JSON.stringify(exported(of, { history, bindings })))
}

/** Made once: all tests read them and none changes them. */
export const keys = {
  ada: softwareAuthenticator(),
  older: softwareAuthenticator({ algorithm: 'EdDSA' }),
  admin: softwareAuthenticator({ algorithm: 'RS256' }),
} as const

/**
 * The admin's key is confirmed by the operator, Ada's older key by the admin's passkey, and Ada's key by her older one.
 */
export function threeKeys(): BuiltEntry[] {
  const statement = confirming('act_ada', keys.older, 'act_admin')
  return bindingsOf([
    bound('psk_admin', 'act_admin', keys.admin, { how: 'operator' }),
    bound('psk_older', 'act_ada', keys.older, { how: 'mail' }),
    ([admin]) => {
      const assertion = keys.admin.assert(challengeOf(statement))
      const by = {
        how: 'admin',
        confirmerId: 'act_admin',
        level: 'passkey',
        binding: admin?.hash,
        statement,
        assertion,
      }
      return confirmed('psk_older', 'act_ada', by)
    },
    (made) => {
      const assertion = keys.older.assert(challengeOf(registered('act_ada', keys.ada)))
      return bound('psk_ada', 'act_ada', keys.ada, { how: 'passkey', binding: made[2]?.hash, assertion } as {
        how: string
      })
    },
  ])
}
