/** Emergency approvals that passkeys signed, and confirmations of them, true and forged by whoever holds the key of the log. */
import type { Json } from '@countersign/proof/canonical.ts'
import type { Control } from '@countersign/proof/control.ts'
import type { ApprovalStatement, ConfirmationStatement } from '@countersign/proof/passkey-statement.ts'
import type { BuiltEntry } from '@countersign/proof/test/arbitraries.ts'
import { anchored } from '@countersign/proof/test/log.ts'
import {
  approvalBy,
  confirmationBy,
  control,
  decisionBy,
  keys,
  statementOf,
  threeKeys,
} from '@countersign/proof/test/passkeys.ts'
import type { Standing } from '@countersign/proof/verify-proof.ts'

const bindings = threeKeys()
const [admin] = bindings as [BuiltEntry]
const last = bindings.at(-1) as BuiltEntry
const place = (by: 'role' | 'emergency') => ({ policyId: 'pol_1', version: 2, step: 0, by, since: 4 })
const urgent: Control = {
  ...control,
  needs: ['shown', 'emergency'],
  admitted: [place('emergency')],
  emergency: { confirmBy: '2040-01-01T00:00:35.000Z' },
}
const ordinary: Control = { ...control, admitted: [place('role')] }

type Confirmation = Parameters<typeof confirmationBy>[4]
interface Forged {
  readonly control?: Control
  readonly statement?: Partial<ApprovalStatement>
  /** By the ADMIN; null for none. */
  readonly confirmation?: Confirmation | null
  readonly person?: string
}

export function signedEmergency({
  control: said = urgent,
  statement,
  confirmation = {},
  person = 'act_admin',
}: Forged) {
  const signed = statementOf('act_ada', { emergency: true, ...statement })
  return anchored(
    decisionBy(approvalBy('act_ada', keys.ada, last, { statement: signed }), bindings, {
      control: said,
      ...(confirmation && { changes: (seal) => [confirmationBy(seal, person, keys.admin, admin, confirmation)] }),
    }),
  )
}

const other = `sha256:${'9'.repeat(64)}`
const saying = (statement: Partial<ConfirmationStatement>): Forged => ({ confirmation: { statement } })
const holding = (values: Readonly<Record<string, Json>>): Forged => ({ confirmation: { values } })

const files: readonly (readonly [string, Standing, Forged])[] = [
  ['an emergency approval, signed and confirmed', 'holds', {}],
  ['an emergency approval, signed and not confirmed', 'holds', { confirmation: null }],
  ['an emergency approval, confirmed by a session', 'altered', holding({ level: 'session' })],
  ['a signed emergency shown as ordinary', 'altered', { control: ordinary, confirmation: null }],
  ['a signed emergency shown as ordinary, and confirmed', 'altered', { control: ordinary }],
  ['an ordinary approval that was signed, shown as an emergency', 'altered', { statement: { emergency: null } }],
  ['an approval that was signed as no emergency', 'altered', { statement: { emergency: false } }],
  ['a confirmation signed for another seal', 'altered', saying({ chainHash: other })],
  ['a confirmation signed for another decision', 'altered', saying({ eventId: 'evt_2' })],
  ['a confirmation signed for another log', 'altered', saying({ log: 'proof.example/c/43/history' })],
  ['an objection shown as a confirmation', 'altered', saying({ result: 'objected' })],
  ['a confirmation signed with another reason', 'altered', saying({ reasonDigest: other })],
  ['a confirmation signed by another person', 'altered', saying({ approverId: 'act_eve' })],
  ['a confirmation of a later form', 'newer', saying({ type: 'countersign-confirm-v9' as 'countersign-confirm-v1' })],
  ['a confirmation by somebody who did not sign', 'altered', holding({ by: { id: 'act_eve' } })],
  ['a confirmation with another reason', 'altered', holding({ reason: 'As agreed.' })],
  ['a confirmation without its signature', 'altered', holding({ passkey: null })],
  ['a confirmation of another size of the history', 'altered', { confirmation: { size: 6 } }],
]

export const forgedEmergencies = files.map(([name, standing, forged]) => ({
  ...{ name, standing },
  document: signedEmergency(forged),
}))
