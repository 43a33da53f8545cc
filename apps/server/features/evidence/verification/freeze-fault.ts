/** Faults of an entry about a stop, as a message, or null. Pure. */
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { freezeState } from '@countersign/proof/history-entry.ts'
import type { StoredFreeze } from '../../../governance/rules.ts'
import type { EntryRow } from '../../../integrity/verify-queries.ts'

/** What an entry discloses. */
export interface DisclosedFreeze {
  readonly action: 'frozen' | 'lifted'
  readonly covers: Json
  readonly reason: string
  readonly rank: string
  readonly by: { readonly id: string }
}

export interface FreezeFacts {
  readonly row: StoredFreeze | null
  /** The index of the newest entry about it. */
  readonly newest: number | null
}

/** Each entry explains its half of the row, and the newest one that nothing came after it. */
export function freezeFault(
  entry: EntryRow,
  state: unknown,
  said: DisclosedFreeze,
  { row, newest }: FreezeFacts,
): string | null {
  if (freezeState(said.action) !== state) return 'its state is not that of its values'
  if (!row) return 'its stop is missing'
  const isMade = said.action === 'frozen'
  const half = isMade
    ? row.made_index === entry.idx && row.made_by === said.by.id && row.reason === said.reason && row.rank === said.rank
    : row.lifted_index === entry.idx && row.lifted_by === said.by.id && row.lift_reason === said.reason
  const time = isMade ? row.made_at : row.lifted_at
  const agrees =
    half &&
    time !== null &&
    new Date(time).toISOString() === entry.sealed_at &&
    canonical(row.covers as unknown as Json) === canonical(said.covers) &&
    (newest !== entry.idx || (row.last_entry === entry.hash && (row.lifted_at === null) === isMade))
  return agrees ? null : 'its stop is not what was sealed'
}
