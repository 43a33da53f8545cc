/** The two round trips of a batch. */
import { sql } from 'kysely'
import type { BatchTx } from '../data/cells.ts'
import { typedId } from '../lib/ids.ts'
import type { OpenBatch } from './batch.ts'
import type { Claim, Item } from './item.ts'
import type { EventRow, Opened } from './rows.ts'

export interface Wanted {
  readonly item: Item<unknown>
  readonly claim: Claim<unknown> | null
}

/** A list as a parameter; null spares the function the look at it. */
const list = (rows: Iterable<object>): string | null => {
  const all = [...rows]
  return all.length === 0 ? null : JSON.stringify(all)
}

const present = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null)

export async function openBatch(
  tx: BatchTx,
  wanted: readonly Wanted[],
  at: string,
  keptUntil: string,
): Promise<Opened> {
  const keys = present(
    wanted.map(({ item, claim }) => {
      if (!claim) return null
      const { principal, method, path, key, fingerprint } = claim.request
      const center_id = item.center.centerId
      return {
        center_id,
        principal,
        method,
        path,
        key,
        fingerprint: fingerprint.toString('hex'),
        expires_at: keptUntil,
      }
    }),
  )
  const held = (of: (item: Item<unknown>) => object | null) => present(wanted.map(({ item }) => of(item)))
  const events = held(({ center, holds }) => (holds.event ? { center_id: center.centerId, id: holds.event } : null))
  const decisions = held(({ center, holds }) =>
    holds.decisionId ? { center_id: center.centerId, decision_id: holds.decisionId } : null,
  )
  const units = held(({ center, holds }) =>
    holds.unit ? { center_id: center.centerId, id: holds.unit, target: typedId('dpu', holds.unit) } : null,
  )
  const heads = new Map(
    wanted.flatMap(({ item: { center, holds } }) =>
      holds.chains.map((domain) => [`${center.centerId} ${domain}`, { center_id: center.centerId, domain }]),
    ),
  )
  const { rows } = await sql<{ opened: Opened }>`
    select cell.open_batch(${list(keys)}, ${list(events)}, ${list(decisions)}, ${list(units)}, ${list(heads.values())},
      ${at}) as opened`.execute(tx.db)
  return (rows[0] as { opened: Opened }).opened
}

/** As the recorder does: with the same keys in the same order they wait for each other in line, not in a ring. */
const inOrder = (events: readonly EventRow[]): readonly EventRow[] =>
  events.toSorted((a, b) => a.center_id - b.center_id || (a.decision_id < b.decision_id ? -1 : 1))

export async function writeBatch(tx: BatchTx, { writes, heads }: OpenBatch): Promise<void> {
  const {
    entries,
    contents,
    events,
    moves,
    approvals,
    units,
    changedUnits,
    counts,
    history,
    policies,
    published,
    deliveries,
    audit,
    answers,
  } = writes
  const everything = [
    entries,
    events,
    [...moves.values()],
    approvals,
    units,
    [...changedUnits.values()],
    history,
    policies,
  ]
  if ([...everything, published, audit, answers].every((rows) => rows.length === 0)) return
  await sql`
    select cell.write_batch(${list(entries)}, ${contents.join('\x1e')}, ${list(heads.changed)}, ${list(inOrder(events))}, ${list(moves.values())},
      ${list(approvals)}, ${list(units)}, ${list(changedUnits.values())}, ${list(counts.values())}, ${list(history)},
      ${list(policies)}, ${list(published)}, ${list(deliveries)}, ${list(audit)}, ${list(answers)})`.execute(tx.db)
}
