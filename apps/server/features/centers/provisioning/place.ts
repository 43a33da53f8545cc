/** The cell of a new center: one of the open cells, by weight. Pure. */
import type { CellRow } from '../../../data/known-cells.ts'
import { unavailable } from '../../../lib/problem.ts'

/** Ids follow each other, so each cell gets its share of every few new centers. */
export function placeFor(id: number, configured: readonly string[], rows: readonly CellRow[]): string {
  const said = new Map(rows.map((row) => [row.name, row]))
  const names = [
    ...configured,
    ...rows.filter(({ name, url }) => url && !configured.includes(name)).map(({ name }) => name),
  ]
  const weightOf = (name: string) => {
    const { state, weight } = said.get(name) ?? { state: 'open', weight: 1 }
    return state === 'open' ? weight : 0
  }
  let place =
    id %
    Math.max(
      1,
      names.reduce((sum, name) => sum + weightOf(name), 0),
    )
  for (const name of names) {
    place -= weightOf(name)
    if (place < 0) return name
  }
  throw unavailable(
    'No new centers can be created right now',
    new Error('no cell accepts new centers: open one with put-cell'),
  )
}
