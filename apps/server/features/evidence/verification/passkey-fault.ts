/** Faults of an entry about a passkey, as a message, or null. Pure. */
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { passkeyState } from '@countersign/proof/history-entry.ts'
import { type PasskeyKey, thumbprintOf } from '@countersign/proof/passkey.ts'
import type { EntryRow } from '../../../integrity/verify-queries.ts'
import type { PasskeyRow } from '../../identity/passkeys/api.ts'

/** An entry about a key. Its state is hashed; of the values that it discloses a redacted one is absent. */
export interface PasskeyEntry {
  readonly idx: number
  readonly hash: string
  readonly target: string
  readonly state: string
  readonly disclosed: {
    readonly actorId?: string
    readonly key?: PasskeyKey
    readonly authenticator?: { readonly backupEligible: boolean }
    readonly confirmation?: { readonly binding?: string }
  } | null
}

export interface PasskeyFacts {
  readonly row: PasskeyRow | null
  /** Entries about all keys of the same person in this center, oldest first. */
  readonly entries: readonly PasskeyEntry[]
}

/**
 * The row of a key follows from all entries about it, and is compared with them where it was bound. Of later entries only
 * what is hashed is used: a changed value is the fault of its own entry.
 */
export function passkeyFault(entry: EntryRow, target: string, { row, entries }: PasskeyFacts): string | null {
  const own = entries.filter((each) => each.target === target)
  const [first, newest] = [own[0], own.at(-1)]
  if (!row || !first || !newest) return "the entry's passkey is missing"
  if (entry.idx !== first.idx) return null
  const { actorId, key, authenticator } = first.disclosed ?? {}
  const same = (said: unknown, stored: unknown): boolean => said === undefined || said === stored
  const agrees =
    same(actorId, row.actor_id) &&
    same(key && canonical(key as unknown as Json), canonical(row.key as unknown as Json)) &&
    same(key && thumbprintOf(key), row.thumbprint) &&
    same(authenticator?.backupEligible, row.backup_eligible) &&
    new Date(row.bound_at).toISOString() === entry.sealed_at &&
    row.last_entry === newest.hash &&
    typeof row.removed === 'boolean' &&
    newest.state === stateOf(row.removed, row.confirmed) &&
    same(countsAt(newest, entries), row.counts)
  return agrees ? null : "the entry's passkey doesn't match what was sealed"
}

const stateOf = (removed: boolean, confirmed: string): string =>
  passkeyState({ passkey: removed ? 'removed' : 'bound', confirmed })

const says = (state: string, ...hows: readonly string[]): boolean =>
  hows.some((how) => state === stateOf(false, how) || state === stateOf(true, how))

/** Whether the key counted after this entry; undefined where a redaction hides it. */
function countsAt({ idx, target, state }: PasskeyEntry, entries: readonly PasskeyEntry[]): boolean | undefined {
  if (says(state, 'admin', 'partner', 'operator')) return true
  if (!says(state, 'passkey')) return false
  const bound = entries.find((each) => each.target === target && each.idx <= idx)
  const binding = bound?.disclosed?.confirmation?.binding
  if (!bound || binding === undefined) return undefined
  // An older key has older entries, so this ends.
  const older = entries.find((each) => each.hash === binding && each.idx < bound.idx)
  return older ? countsAt(older, entries) : false
}
