/** The stops in all centers of a partner, read from each cell in one statement. */
import type { Cells } from '../../../data/cells.ts'
import type { PartnerTx } from '../../../data/directory.ts'
import { shownFreeze } from '../../evidence/freezes/api.ts'
import { namesOf } from './audit-queries.ts'
import { statedCenters } from './integrity-queries.ts'
import { type StopRow, stopsOf } from './stops-queries.ts'

const maxCenters = 1000
const most = { inForce: 500, lifted: 50 }

export async function readStops(cells: Cells, tx: PartnerTx) {
  const centers = await statedCenters(tx, maxCenters)
  // Of the operator's stops for all centers each cell has a row with the same id.
  const found = new Map<string, StopRow>()
  const read = new Set<number>()
  const asked = [...Map.groupBy(centers, ({ cell }) => cell)].map(async ([cell, residents]) => {
    const ids = residents.map(({ id }) => id)
    const rows = await cells.of(cell).asCenters(tx.caller, ids, (own) => stopsOf(own, ids, most))
    for (const id of ids) read.add(id)
    for (const row of rows) if (row.lifted_at === null || !found.has(row.id)) found.set(row.id, row)
  })
  // A cell that is away is named, and hides no stop of another.
  await Promise.allSettled(asked)
  const rows = [...found.values()]
  const names = new Map(centers.map(({ id, name }) => [id, name]))
  const people = await peopleOf(tx, [...names.keys()], rows)
  const nameOf = (id: string | null | undefined) => people.get(id ?? '') ?? null
  const stopOf = (row: StopRow) => ({
    ...shownFreeze(row),
    centerId: row.center_id,
    centerName: row.center_id === null ? null : (names.get(row.center_id) ?? null),
    madeByName: nameOf(row.made_by),
    liftedByName: nameOf(row.lifted_by),
  })
  const newest = (time: (row: StopRow) => string | Date | null | undefined, bound: number, of: readonly StopRow[]) =>
    [...of].sort((a, b) => +new Date(time(b) ?? 0) - +new Date(time(a) ?? 0)).slice(0, bound)
  const [inForce, lifted] = [rows.filter((row) => !row.lifted_at), rows.filter((row) => row.lifted_at)]
  return {
    inForce: newest((row) => row.made_at, most.inForce, inForce).map(stopOf),
    lifted: newest((row) => row.lifted_at, most.lifted, lifted).map(stopOf),
    unreachable: centers.filter(({ id }) => !read.has(id)).map(({ id }) => id),
  }
}

async function peopleOf(tx: PartnerTx, centerIds: readonly number[], rows: readonly StopRow[]) {
  const actors = rows.flatMap(({ rank, made_by, lifted_by }) => [
    ...(rank === 'operator' ? [] : [made_by]),
    ...(lifted_by && lifted_by !== 'operator' ? [lifted_by] : []),
  ])
  const names = await namesOf(tx, centerIds, { actors: [...new Set(actors)], memberships: [] })
  return new Map(names.map(({ id, name }) => [id, name]))
}
