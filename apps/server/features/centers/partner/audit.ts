/**
 * A partner's audit entries are in the directory and in each cell where it has centers. Each database returns its number of
 * entries per day, which gives the exact total and the days of a page; then each returns its newest entries of those
 * days, and the page is cut from the merged list. A page far back therefore costs one day, not all days before it.
 */
import type { listPartnerAudit } from '@countersign/contract/partners.ts'
import type { Cells } from '../../../data/cells.ts'
import type { PartnerTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { type AuditRow, type Days, ofCenters, ofPartner } from './audit-queries.ts'
import { type CenterPlace, placesOfCenters } from './queries.ts'

interface AuditSource {
  byDay(days: Days): Promise<{ day: string; entries: number }[]>
  newest(days: Days, most: number): Promise<AuditRow[]>
}

export async function readAudit(cells: Cells, { tx, query }: Context<typeof listPartnerAudit.spec>) {
  const { page, limit } = query
  const days = requireDays(query)
  const centers = await placesOfCenters(tx)
  const homes = Map.groupBy(centers, ({ cell }) => cell)
  const places = [inDirectory(tx, centers), ...[...homes].map((home) => inCell(cells, tx, ...home))]

  const totals = new Map<string, number>()
  for (const { day, entries } of await fromAll(places, (place) => place.byDay(days))) {
    totals.set(day, (totals.get(day) ?? 0) + entries)
  }
  const total = [...totals.values()].reduce((sum, entries) => sum + entries, 0)
  const place = spanOf(totals, (page - 1) * limit, limit)
  if (!place) return { items: [], total }

  const { span, skip } = place
  const rows = await fromAll(places, (each) => each.newest(span, skip + limit))
  const names = new Map(centers.map(({ id, name }) => [id, name]))
  const items = rows.sort(newestFirst).slice(skip, skip + limit)
  return { items: items.map((row) => entryOf(row, names)), total }
}

const idsOf = (centers: readonly CenterPlace[]): number[] => centers.map(({ id }) => id)

const fromAll = async <T>(places: readonly AuditSource[], ask: (place: AuditSource) => Promise<T[]>): Promise<T[]> =>
  (await Promise.all(places.map(ask))).flat()

function inDirectory(tx: PartnerTx, centers: readonly CenterPlace[]): AuditSource {
  const [own, theirs] = [ofPartner(tx), ofCenters(tx, idsOf(centers))]
  // One after the other, because they share a connection.
  return {
    byDay: async (days) => [...(await own.byDay(days)), ...(await theirs.byDay(days))],
    newest: async (days, most) => [...(await own.newest(days, most)), ...(await theirs.newest(days, most))],
  }
}

function inCell(cells: Cells, { caller }: PartnerTx, cell: string, residents: readonly CenterPlace[]): AuditSource {
  const ids = idsOf(residents)
  const ask = <T>(question: (place: AuditSource) => Promise<T>): Promise<T> =>
    cells.of(cell).asCenters(caller, ids, (tx) => question(ofCenters(tx, ids)))
  return {
    byDay: (days) => ask((place) => place.byDay(days)),
    newest: (days, most) => ask((place) => place.newest(days, most)),
  }
}

/** The days of a page, and how many entries of the newest day come before it; null beyond the end. */
function spanOf(
  totals: ReadonlyMap<string, number>,
  offset: number,
  limit: number,
): { span: Days; skip: number } | null {
  let skip = offset
  let found = 0
  const held: string[] = []
  for (const [day, entries] of [...totals].sort(([a], [b]) => (a < b ? 1 : -1))) {
    if (held.length === 0 && skip >= entries) {
      skip -= entries
      continue
    }
    held.push(day)
    found += entries
    if (found >= skip + limit) break
  }
  const [to, from] = [held[0], held.at(-1)]
  return to && from ? { span: { from, to }, skip } : null
}

const newestFirst = (a: AuditRow, b: AuditRow): number =>
  b.occurred_at.getTime() - a.occurred_at.getTime() || (a.id < b.id ? 1 : -1)

/** No entry is older than this day. Earlier dates in a query are replaced by it, because PostgreSQL has no year 0. */
const firstDay = '0001-01-01'
const knownDay = (day: string | undefined): string | null =>
  day === undefined ? null : day < firstDay ? firstDay : day

function requireDays({ startDate, endDate }: { startDate?: string; endDate?: string }): Days {
  if (startDate !== undefined && endDate !== undefined && startDate > endDate)
    throw new Problem('VALIDATION_ERROR', '"startDate" is after "endDate"; both days are included.')
  return { from: knownDay(startDate), to: knownDay(endDate) }
}

const entryOf = (row: AuditRow, names: ReadonlyMap<number, string>) => ({
  id: typedId('audit', row.id),
  type: row.type,
  occurredAt: row.occurred_at.toISOString(),
  centerId: row.center_id === 0 ? null : row.center_id,
  centerName: names.get(row.center_id) ?? null,
  actorId: row.actor_id,
  targetType: row.target_type,
  targetId: row.target_type === 'partner' ? typedId('partner', row.target_id) : row.target_id,
  details: row.details,
})
