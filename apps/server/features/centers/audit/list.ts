/**
 * The entries of a center are in the directory and in its cell, each with the changes that were committed there. A page is cut
 * from both by time and id; ids are read first, then the entries of the page.
 */
import { auditTypes } from '@countersign/contract/enums.ts'
import { namedIn, peopleIn } from '../../../audit/people.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory, DirectoryTx } from '../../../data/directory.ts'
import { csvOf } from '../../../lib/csv.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { type TimeQuery, timed } from '../../../lib/time-filter.ts'
import { type AuditFilter, type AuditRow, countsByType, entriesOf, namesOf, newest, type Position } from './queries.ts'

/** Runs the same question in both places. */
type Both = <T>(ask: (tx: DirectoryTx | TenantTx) => Promise<T>) => Promise<readonly [T, T]>

export interface Places {
  readonly directory: Directory
  readonly inCell: <T>(ask: (tx: TenantTx) => Promise<T>) => Promise<T>
  readonly caller: Caller
}

const inBoth =
  ({ directory, inCell, caller }: Places): Both =>
  (ask) =>
    Promise.all([directory.asCenter(caller, ask, 'read'), inCell(ask)])

/** A page number is good for the first entries; further back the cursor leads. */
const mostSkipped = 10_000

export type AuditQuery = TimeQuery<AuditFilter>

const newestFirst = (a: Position, b: Position): number =>
  b.occurred_at.getTime() - a.occurred_at.getTime() || (a.id < b.id ? 1 : -1)

export async function listPage(
  places: Places,
  { page, limit, cursor, ...query }: AuditQuery & { page: number; limit: number; cursor?: string },
) {
  const skip = (page - 1) * limit
  if (skip + limit > mostSkipped) {
    throw new Problem(
      'VALIDATION_ERROR',
      `"page" can't go beyond entry ${mostSkipped}. Use \`pagination.nextCursor\` instead.`,
      { details: { reason: 'tooFar', field: 'page' } },
    )
  }
  const { type, ...others } = timed(query)
  const filter = { ...others, ...(type && { type }) }
  const both = inBoth(places)
  const after = cursor === undefined ? null : await positionOf(both, cursor)
  const found = await both(async (tx) => ({
    // One more than the page shows whether another follows.
    positions: await newest(tx, filter, after, skip + limit + 1),
    counts: await countsByType(tx, others),
  }))
  const positions = found.flatMap((each) => each.positions).sort(newestFirst)
  const shown = positions.slice(skip, skip + limit)
  const byType = Object.fromEntries(auditTypes.map((type) => [type, 0])) as Record<(typeof auditTypes)[number], number>
  for (const { type, entries } of found.flatMap((each) => each.counts)) byType[type] += entries
  const total = filter.type === undefined ? Object.values(byType).reduce((a, b) => a + b, 0) : byType[filter.type]
  return {
    items: await described(places.directory, places.caller, await loaded(both, shown)),
    total,
    nextCursor: positions.length > skip + limit ? typedId('audit', (shown.at(-1) as Position).id) : null,
    counts: { byType },
  }
}

/** A cursor is the id of the last entry of the page before. */
async function positionOf(both: Both, cursor: string): Promise<Position> {
  const id = uuidOf('audit', cursor)
  const [found] = id === null ? [] : (await both((tx) => entriesOf(tx, [id]))).flat()
  if (found) return found
  throw new Problem(
    'VALIDATION_ERROR',
    '"cursor" doesn\'t belong to this list. Send the `nextCursor` of the previous page.',
    { details: { reason: 'cursor', field: 'cursor' } },
  )
}

const loaded = async (both: Both, positions: readonly Position[]): Promise<AuditRow[]> =>
  (
    await both((tx) =>
      entriesOf(
        tx,
        positions.map(({ id }) => id),
      ),
    )
  )
    .flat()
    .sort(newestFirst)

const isUuid = (text: string | null): text is string =>
  text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
const known = (ids: readonly (string | null)[]): string[] => ids.filter((id) => id !== null)

async function described(directory: Directory, caller: Caller, rows: readonly AuditRow[]) {
  const membershipOf = (row: AuditRow) =>
    row.target_type === 'membership' ? uuidOf('membership', row.target_id) : null
  const keyOf = ({ actor_id }: AuditRow) => (actor_id === null ? null : uuidOf('apiKey', actor_id))
  const actors = rows
    .flatMap((row) => [row.actor_id, row.target_type === 'actor' ? row.target_id : null, ...peopleIn(row.details)])
    .filter(isUuid)
  const wanted = { actors, memberships: known(rows.map(membershipOf)), keys: known(rows.map(keyOf)) }
  const names = new Map(
    (await directory.asCenter(caller, (tx) => namesOf(tx, wanted), 'read')).map(({ id, name }) => [id, name]),
  )
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  return rows.map((row) => {
    const { action, ...details } = row.details
    return {
      id: typedId('audit', row.id),
      type: row.type,
      action: String(action ?? ''),
      occurredAt: row.occurred_at.toISOString(),
      actorId: row.actor_id,
      actorName: nameOf(keyOf(row)) ?? nameOf(row.actor_id),
      targetType: row.target_type,
      targetId: row.target_id,
      targetName: nameOf(membershipOf(row)) ?? (row.target_type === 'actor' ? nameOf(row.target_id) : null),
      names: namedIn(details, names),
      details,
    }
  })
}

type Entry = Awaited<ReturnType<typeof described>>[number]
const pageSize = 500
const columns = [
  'occurredAt',
  'type',
  'action',
  'actorId',
  'actorName',
  'targetType',
  'targetId',
  'targetName',
  'id',
] as const

export function auditCsv(places: Places, query: AuditQuery) {
  const filter = timed(query)
  const both = inBoth(places)
  return csvOf<Entry>(
    [...columns, 'details'],
    async (last) => {
      const after = last && { id: uuidOf('audit', last.id) as string, occurred_at: new Date(last.occurredAt) }
      const positions = (await both((tx) => newest(tx, filter, after, pageSize))).flat().sort(newestFirst)
      return described(places.directory, places.caller, await loaded(both, positions.slice(0, pageSize)))
    },
    (entry) => [...columns.map((column) => entry[column]), JSON.stringify(entry.details)],
  )
}
