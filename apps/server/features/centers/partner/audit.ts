/**
 * A partner's audit entries are in the directory and in each cell where it has centers. Each database returns its number of
 * entries per day, which gives the exact total and the days of a page; then each returns its newest entries of those
 * days, and the page is cut from the merged list. Where a day has many entries before the page, the same is done by
 * minutes and by seconds, so that a page far back reads the entries of one second before it, not those of a day.
 */
import type { listPartnerAudit } from '@countersign/contract/partners.ts'
import { namedIn, peopleIn } from '../../../audit/people.ts'
import type { Cells } from '../../../data/cells.ts'
import type { PartnerTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { type AuditRow, type Chosen, namesOf, ofCenters, ofPartner, type Span, type Unit } from './audit-queries.ts'
import { type CenterPlace, placesOfCenters } from './queries.ts'

interface AuditSource {
  counts(span: Span, unit: Unit): Promise<{ start: string; entries: number }[]>
  newest(span: Span, most: number): Promise<AuditRow[]>
}

/** More entries than this before a page are not read, but skipped by counting smaller units of time. */
const mostSkipped = 500

export async function readAudit(cells: Cells, { tx, query }: Context<typeof listPartnerAudit.spec>) {
  const { page, limit } = query
  const days = requireDays(query)
  const centers = await placesOfCenters(tx)
  const homes = Map.groupBy(centers, ({ cell }) => cell)
  const chosen = { type: query.type, actorId: query.actorId }
  const places = [inDirectory(tx, centers, chosen), ...[...homes].map((home) => inCell(cells, tx, chosen, ...home))]
  const totalsOf = async (span: Span, unit: Unit) => {
    const totals = new Map<string, number>()
    for (const { start, entries } of await fromAll(places, (place) => place.counts(span, unit))) {
      totals.set(start, (totals.get(start) ?? 0) + entries)
    }
    return totals
  }

  const totals = await totalsOf(days, 'day')
  const total = [...totals.values()].reduce((sum, entries) => sum + entries, 0)
  let place = spanOf(totals, 'day', (page - 1) * limit, limit)
  for (const unit of ['minute', 'second'] as const) {
    if (!place || place.skip <= mostSkipped) break
    place = spanOf(await totalsOf(place.span, unit), unit, place.skip, limit)
  }
  if (!place) return { items: [], total }

  const { span, skip } = place
  const rows = await fromAll(places, (each) => each.newest(span, skip + limit))
  const names = new Map(centers.map(({ id, name }) => [id, name]))
  const items = rows.sort(newestFirst).slice(skip, skip + limit)
  const people = await peopleOf(tx, centers, items)
  return { items: items.map((row) => entryOf(row, names, people)), total }
}

const idsOf = (centers: readonly CenterPlace[]): number[] => centers.map(({ id }) => id)

const fromAll = async <T>(places: readonly AuditSource[], ask: (place: AuditSource) => Promise<T[]>): Promise<T[]> =>
  (await Promise.all(places.map(ask))).flat()

function inDirectory(tx: PartnerTx, centers: readonly CenterPlace[], chosen: Chosen): AuditSource {
  const [own, theirs] = [ofPartner(tx, chosen), ofCenters(tx, idsOf(centers), chosen)]
  // One after the other, because they share a connection.
  return {
    counts: async (span, unit) => [...(await own.counts(span, unit)), ...(await theirs.counts(span, unit))],
    newest: async (span, most) => [...(await own.newest(span, most)), ...(await theirs.newest(span, most))],
  }
}

function inCell(
  cells: Cells,
  { caller }: PartnerTx,
  chosen: Chosen,
  cell: string,
  residents: readonly CenterPlace[],
): AuditSource {
  const ids = idsOf(residents)
  const ask = <T>(question: (place: AuditSource) => Promise<T>): Promise<T> =>
    cells.of(cell).asCenters(caller, ids, (tx) => question(ofCenters(tx, ids, chosen)))
  return {
    counts: (span, unit) => ask((place) => place.counts(span, unit)),
    newest: (span, most) => ask((place) => place.newest(span, most)),
  }
}

/** The units of a page, and how many entries of the newest unit come before it; null beyond the end. */
function spanOf(
  totals: ReadonlyMap<string, number>,
  unit: Unit,
  offset: number,
  limit: number,
): { span: Span; skip: number } | null {
  let skip = offset
  let found = 0
  const held: string[] = []
  for (const [start, entries] of [...totals].sort(([a], [b]) => (a < b ? 1 : -1))) {
    if (held.length === 0 && skip >= entries) {
      skip -= entries
      continue
    }
    held.push(start)
    found += entries
    if (found >= skip + limit) break
  }
  const [to, from] = [held[0], held.at(-1)]
  return to && from ? { span: { unit, from, to }, skip } : null
}

const newestFirst = (a: AuditRow, b: AuditRow): number =>
  b.occurred_at.getTime() - a.occurred_at.getTime() || (a.id < b.id ? 1 : -1)

/** No entry is older than this day. Earlier dates in a query are replaced by it, because PostgreSQL has no year 0. */
const firstDay = '0001-01-01'
const knownDay = (day: string | undefined): string | null =>
  day === undefined ? null : day < firstDay ? firstDay : day

function requireDays({ startDate, endDate }: { startDate?: string; endDate?: string }): Span {
  if (startDate !== undefined && endDate !== undefined && startDate > endDate)
    throw new Problem(
      'VALIDATION_ERROR',
      '"startDate" is after "endDate". Send the earlier day first; both days are included.',
      { details: { reason: 'period', field: 'endDate' } },
    )
  return { unit: 'day', from: knownDay(startDate), to: knownDay(endDate) }
}

const membershipOf = (row: AuditRow) => (row.target_type === 'membership' ? uuidOf('membership', row.target_id) : null)

async function peopleOf(tx: PartnerTx, centers: readonly CenterPlace[], rows: readonly AuditRow[]) {
  const actors = rows.flatMap((row) => [
    ...peopleIn(row.details),
    ...peopleIn({ actor: row.actor_id, target: row.target_type === 'actor' ? row.target_id : null }),
  ])
  const memberships = rows.map(membershipOf).filter((id) => id !== null)
  return new Map((await namesOf(tx, idsOf(centers), { actors, memberships })).map(({ id, name }) => [id, name]))
}

const entryOf = (row: AuditRow, names: ReadonlyMap<number, string>, people: ReadonlyMap<string, string>) => ({
  id: typedId('audit', row.id),
  type: row.type,
  occurredAt: row.occurred_at.toISOString(),
  centerId: row.center_id === 0 ? null : row.center_id,
  centerName: names.get(row.center_id) ?? null,
  actorId: row.actor_id,
  actorName: people.get(row.actor_id ?? '') ?? null,
  targetType: row.target_type,
  targetId: row.target_type === 'partner' ? typedId('partner', row.target_id) : row.target_id,
  targetName: people.get(membershipOf(row) ?? (row.target_type === 'actor' ? row.target_id : '')) ?? null,
  names: namedIn(row.details, people),
  details: row.details,
})
