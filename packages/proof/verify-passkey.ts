/**
 * Checks one signature of a passkey: the key that made it was bound to the person, by an entry of the history, before, and
 * signed the statement. The caller says whether the statement is about this record.
 */
import type { PasskeyFacts } from './decision-facts.ts'
import { backupFlags, challengeOf, checkAssertion, type PasskeyAssertion, thumbprintOf } from './passkey.ts'
import {
  type AnyApprovalStatement,
  type ApprovalStatement,
  type ConfirmationStatement,
  isStatement,
  isUnknownStatement,
  type RaiseStatement,
} from './passkey-statement.ts'
import type { Problem, ProblemCode, Report } from './problem.ts'
import type { PasskeyHost } from './trust-policy.ts'
import { type Binding, originsOf } from './verify-bindings.ts'
import { hashPattern, isObject } from './verify-entry.ts'

type Members = Readonly<Record<string, unknown>>

export const nothingShown = {
  ...{ rpId: null, thumbprint: null, boundAt: null },
  ...{ confirmation: null, confirmedAt: null, backupEligible: null },
} as const

/** What every signature is checked with. */
export interface Signing {
  readonly bindings: ReadonlyMap<unknown, Binding>
  readonly hosts: readonly PasskeyHost[]
  readonly report: Report
}

interface Expected<S extends AnyApprovalStatement | RaiseStatement | ConfirmationStatement> {
  readonly types: readonly S['type'][]
  /** What was signed, and its path; undefined where the file does not show it. */
  readonly statement: unknown
  readonly statementAt: string
  /** The record has it, so that a file without it is not one with a redaction. */
  readonly isNeeded?: boolean
  /** Whether the statement says what the record says, as far as the file shows it. */
  readonly agrees: (said: S) => boolean
  /** Whether the file shows all that the statement is compared with. */
  readonly isShown: boolean
  /** Of an entry of the history itself, which commits to `passkey` as a whole: what comes before it is its `historySize`. */
  readonly index?: number
}

export function checkPasskey<S extends AnyApprovalStatement | RaiseStatement | ConfirmationStatement>(
  passkey: unknown,
  at: string,
  { bindings, hosts, report }: Signing,
  { types, statement, statementAt, isNeeded = false, agrees, isShown, index }: Expected<S>,
): PasskeyFacts {
  let bad = false
  const fault: Fault = (path, code, params) => {
    bad = true
    report(`${at}.${path}`, code, params)
  }
  if (!isObject(passkey)) {
    fault('passkey', 'missing')
    return { ...nothingShown, status: 'false', why: null }
  }
  checkMembers(passkey, index, fault)
  const bound = bindings.get(passkey.binding)
  if (bound === undefined) fault('passkey.binding', 'binding-missing')
  else checkPlace(passkey, bound, fault)
  const said = types.some((type) => isStatement(type, statement)) ? (statement as S) : null
  const newer = isUnknownStatement(statement) || (said !== null && hasReserved(said as object))
  if (newer) report(statementAt, 'newer')
  else if (statement === undefined && isNeeded) {
    bad = true
    report(statementAt, 'missing')
  } else if (statement !== undefined && (said === null || !agrees(said))) {
    bad = true
    report(statementAt, 'statement-differs')
  }
  if (said !== null && bound !== undefined) checkKey(passkey, said, bound, hosts, fault)
  const named = said !== null && originsOf(hosts, said.rpId) !== null
  const shown = isShown && said !== null && bound?.known === true
  const holds = shown && named && !newer
  return {
    ...factsOf(passkey, said, bound),
    status: bad ? 'false' : holds ? 'holds' : 'unknown',
    why: bad || holds ? null : newer ? 'newer' : shown ? 'no-host' : 'redacted',
  }
}

/** A value in a member that this version knows as null alone: a newer version says what it means. */
const hasReserved = (said: Partial<Pick<ApprovalStatement, 'approvedActionDigest'>>): boolean =>
  (said.approvedActionDigest ?? null) !== null

type Fault = (path: string, code: ProblemCode, params?: Problem['params']) => void

const texts = ['authenticatorData', 'clientDataJSON', 'signature']

function checkMembers(passkey: Members, index: number | undefined, fault: Fault): void {
  for (const name of [...texts, 'binding', 'historySize']) {
    if (!Object.hasOwn(passkey, name)) fault(`passkey.${name}`, 'missing')
  }
  for (const name of Object.keys(passkey)) {
    if (![...texts, 'binding', 'historySize', 'statement'].includes(name)) fault(`passkey.${name}`, 'added')
  }
  if (typeof passkey.binding !== 'string' || !hashPattern.test(passkey.binding)) fault('passkey.binding', 'not-a-hash')
  if (!Number.isSafeInteger(passkey.historySize)) fault('passkey.historySize', 'not-an-index')
  if (index === undefined) return
  if (passkey.historySize !== index) fault('passkey.historySize', 'unexpected', { expected: String(index) })
  if (passkey.statement === undefined) fault('passkey.statement', 'missing')
}

/** The named entry was in the history, and the newest about its key, when the approval was judged. */
function checkPlace({ historySize }: Members, { index, next }: Binding, fault: Fault): void {
  if (!(index < (historySize as number))) fault('passkey.historySize', 'binding-later')
  if (next < (historySize as number)) fault('passkey.binding', 'binding-older')
}

function checkKey(
  passkey: Members,
  said: AnyApprovalStatement | RaiseStatement | ConfirmationStatement,
  { actorId, key, known, counting, statement, backupEligible }: Binding,
  hosts: readonly PasskeyHost[],
  fault: Fault,
): void {
  if (actorId !== null && actorId !== said.approverId) fault('passkey.binding', 'binding-person')
  if (statement !== null && statement.rpId !== said.rpId) fault('passkey.statement', 'passkey-host')
  if (known && counting === null) fault('passkey.binding', 'binding-unconfirmed')
  if (key === null) return
  const code = checkAssertion(passkey as unknown as PasskeyAssertion, {
    challenge: challengeOf(said),
    key,
    rpId: said.rpId,
    origins: originsOf(hosts, said.rpId),
    ...(backupEligible !== null && { backupEligible }),
  })
  if (code !== null) fault('passkey', code)
}

function factsOf(passkey: Members, said: { readonly rpId: string } | null, bound: Binding | undefined) {
  return {
    rpId: said?.rpId ?? null,
    thumbprint: bound?.key ? thumbprintOf(bound.key) : null,
    boundAt: bound?.boundAt ?? null,
    confirmation: bound?.counting?.how ?? null,
    confirmedAt: bound?.counting?.at ?? null,
    backupEligible: backupFlags(String(passkey.authenticatorData))?.backupEligible ?? null,
  }
}
