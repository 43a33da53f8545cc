/**
 * Checks the history entries that bind passkeys to people: the path of each key from its registration on, the signature
 * of the new key over the statement that names it, and who confirmed it. An entry refers only to entries before it.
 */
import { isUpTo } from './generations.ts'
import { passkeyState } from './history-entry.ts'
import { challengeOf, checkAssertion, type PasskeyAssertion, type PasskeyKey, thumbprintOf } from './passkey.ts'
import { type ConfirmStatement, isStatement, isUnknownStatement, type RegisterStatement } from './passkey-statement.ts'
import type { Report } from './problem.ts'
import type { PasskeyHost } from './trust-policy.ts'
import { isObject } from './verify-entry.ts'
import { checkListed } from './verify-history.ts'

type Members = Readonly<Record<string, unknown>>

export const confirmations = ['mail', 'passkey', 'admin', 'partner', 'operator'] as const
export type Confirmation = (typeof confirmations)[number]

/** A key as one of its entries leaves it. `null`: the file does not show it. */
export interface Binding {
  readonly target: unknown
  readonly index: number
  readonly actorId: string | null
  readonly key: PasskeyKey | null
  readonly statement: RegisterStatement | null
  readonly backupEligible: boolean | null
  readonly boundAt: string
  /** As `state` says it. */
  readonly confirmed: string | null
  /** The first confirmation that counts; null while there is none. */
  readonly counting: { readonly how: Confirmation; readonly at: string } | null
  /** False where a value is not shown on which the binding rests. */
  readonly known: boolean
  /** The index of the next entry about the key in this file. */
  next: number
}

/** More are not followed. */
const mostEntries = 64

export const originsOf = (hosts: readonly PasskeyHost[], rpId: string): readonly string[] | null =>
  hosts.find((host) => host.rpId === rpId)?.origins ?? null

/** By the hash of the entry. */
export function checkBindings(
  evidence: Members,
  hosts: readonly PasskeyHost[],
  report: Report,
): ReadonlyMap<unknown, Binding> {
  const found = new Map<unknown, Binding>()
  const last = new Map<unknown, { readonly hash: unknown; readonly binding: Binding }>()
  const entries = checkListed(evidence, 'bindings', report)
  if (entries.length > mostEntries) report('evidence.bindings', 'not-a-list')
  for (const [position, entry] of entries.slice(0, mostEntries).entries()) {
    const at = `evidence.bindings.${position}`
    if (entry.type !== 'passkey') report(`${at}.type`, 'unexpected', { expected: 'passkey' })
    const before = last.get(entry.target)
    if (entry.previous !== (before?.hash ?? null)) report(`${at}.previous`, 'path-gap')
    const action = before ? 'confirmed' : 'bound'
    if ((entry.action ?? action) !== action) report(`${at}.action`, 'unexpected', { expected: action })
    const start = before ? later(entry, before.binding, at, report) : begun(entry, hosts, at, report)
    const newest = (hash: unknown): Binding | undefined => {
      const named = found.get(hash)
      return named !== undefined && last.get(named.target)?.hash === hash ? named : undefined
    }
    const binding = confirmedBy(entry, start, newest, hosts, at, report)
    checkState(entry, before?.binding.confirmed ?? null, binding.confirmed, at, report)
    const { hash } = entry.chain as Members
    if (before) before.binding.next = binding.index
    found.set(hash, binding)
    last.set(entry.target, { hash, binding })
  }
  return found
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What a `confirmed` entry leaves as it was. */
function later(entry: Members, before: Binding, at: string, report: Report): Binding {
  if (entry.actorId !== undefined && before.actorId !== null && entry.actorId !== before.actorId) {
    report(`${at}.actorId`, 'binding-person')
  }
  return { ...before, index: (entry.chain as Members).index as number, next: Number.POSITIVE_INFINITY }
}

/** The first entry about a key: whoever holds the key has signed the statement that names it and its person. */
function begun(entry: Members, hosts: readonly PasskeyHost[], at: string, report: Report): Binding {
  const { actorId, key, statement, assertion, authenticator } = entry
  const eligible = isObject(authenticator) ? authenticator.backupEligible : undefined
  const known = [actorId, key, statement, assertion, authenticator].every((value) => value !== undefined)
  const said = isStatement('countersign-passkey-v1', statement) ? (statement as unknown as RegisterStatement) : null
  if (isUnknownStatement(statement)) report(`${at}.statement`, 'newer')
  else if (known) {
    const names = said?.actorId === actorId && isObject(key) && said?.thumbprint === thumbprintOf(key as PasskeyKey)
    if (said === null || !names || typeof eligible !== 'boolean') report(`${at}.statement`, 'statement-differs')
    else {
      const fault = checkAssertion(assertion as PasskeyAssertion, {
        challenge: challengeOf(said),
        key: key as PasskeyKey,
        rpId: said.rpId,
        origins: originsOf(hosts, said.rpId),
        backupEligible: eligible,
      })
      if (fault !== null) report(`${at}.assertion`, fault)
    }
  }
  return {
    target: entry.target,
    index: (entry.chain as Members).index as number,
    actorId: textOf(actorId),
    key: isObject(key) ? (key as unknown as PasskeyKey) : null,
    statement: said,
    backupEligible: typeof eligible === 'boolean' ? eligible : null,
    boundAt: String(entry.sealedAt),
    confirmed: null,
    counting: null,
    known,
    next: Number.POSITIVE_INFINITY,
  }
}

/** `newest` finds a binding that was the newest entry about its key when this entry was made. */
function confirmedBy(
  entry: Members,
  start: Binding,
  newest: (hash: unknown) => Binding | undefined,
  hosts: readonly PasskeyHost[],
  at: string,
  report: Report,
): Binding {
  const { confirmation } = entry
  if (confirmation === undefined) return { ...start, confirmed: null, known: start.known && start.counting !== null }
  const { how, level, binding, statement, assertion, confirmerId } = isObject(confirmation) ? confirmation : {}
  if (!confirmations.includes(how as Confirmation)) {
    report(`${at}.confirmation.how`, 'none-of', { allowed: confirmations.join(', ') })
    return start
  }
  const confirmed = how === 'mail' && start.confirmed !== null ? start.confirmed : (how as Confirmation)
  const counted = { how: how as Confirmation, at: String(entry.sealedAt) }
  const counts: Binding = { ...start, confirmed, counting: start.counting ?? counted }
  const nothing: Binding = { ...start, confirmed }
  if (how === 'mail') return nothing
  if (how === 'admin' && confirmerId === start.actorId) report(`${at}.confirmation.confirmerId`, 'binding-person')
  if (how === 'admin' && level !== 'session' && level !== 'passkey') {
    report(`${at}.confirmation.level`, 'none-of', { allowed: 'session, passkey' })
  }
  if (how === 'partner' || how === 'operator' || (how === 'admin' && level === 'session')) return counts

  const by = newest(binding)
  if (by === undefined || by.target === start.target) {
    report(`${at}.confirmation.binding`, 'binding-missing')
    return nothing
  }
  const person = how === 'passkey' ? start.actorId : confirmerId
  if (by.actorId !== null && person !== null && by.actorId !== person) report(`${at}.confirmation`, 'binding-person')
  const said = how === 'passkey' ? start.statement : confirmStatement(statement, entry, start, confirmerId)
  if (isUnknownStatement(statement)) report(`${at}.confirmation.statement`, 'newer')
  else if (said === null && start.known && start.statement !== null) {
    report(`${at}.confirmation.statement`, 'statement-differs')
  }
  if (said === null || by.key === null || by.actorId === null || !by.known) return { ...nothing, known: false }
  const fault = checkAssertion((isObject(assertion) ? assertion : {}) as unknown as PasskeyAssertion, {
    challenge: challengeOf(said),
    key: by.key,
    rpId: said.rpId,
    origins: originsOf(hosts, said.rpId),
    ...(by.backupEligible !== null && { backupEligible: by.backupEligible }),
  })
  if (fault !== null) report(`${at}.confirmation.assertion`, fault)
  return by.counting === null ? nothing : counts
}

function confirmStatement(
  statement: unknown,
  { log }: Members,
  { actorId, key, statement: registered }: Binding,
  confirmerId: unknown,
): ConfirmStatement | null {
  if (!isStatement('countersign-passkey-confirm-v1', statement) || key === null) return null
  const said = statement as unknown as ConfirmStatement
  const same =
    isUpTo(said.log, log) &&
    said.actorId === actorId &&
    said.confirmerId === confirmerId &&
    said.thumbprint === thumbprintOf(key) &&
    said.rpId === registered?.rpId
  return same ? said : null
}

/** A removal has another state, whatever else the file hides. */
function checkState(entry: Members, before: string | null, confirmed: string | null, at: string, report: Report): void {
  const possible = confirmed === null ? [...confirmations, ...(before === null ? [] : [before])] : [confirmed]
  const states = possible.map((each) => passkeyState({ passkey: 'bound', confirmed: each }))
  if (!states.includes(entry.state as string)) report(`${at}.state`, 'state-differs')
}
