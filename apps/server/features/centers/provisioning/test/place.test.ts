import { expect, it } from 'vitest'
import type { CellRow } from '../../../../data/known-cells.ts'
import { placeFor } from '../place.ts'

const row = (name: string, state: CellRow['state'], weight: number, url: string | null = null): CellRow => ({
  ...{ name, state, weight, url },
})
const share = (configured: readonly string[], rows: readonly CellRow[]) => {
  const counts: Record<string, number> = {}
  for (let id = 1; id <= 1000; id++) {
    const name = placeFor(id, configured, rows)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

it('new centers are divided equally among cells about which nothing is said', () => {
  expect(share(['east', 'west'], [])).toEqual({ east: 500, west: 500 })
})

it('new centers are divided by weight among open cells, also those that only the directory names', () => {
  expect(share(['east', 'west'], [row('east', 'open', 3), row('north', 'open', 6, 'postgres://h/n')])).toEqual({
    ...{ east: 300, west: 100, north: 600 },
  })
})

it('a closed cell, one of weight 0, and one without a known database get none', () => {
  const rows = [row('east', 'closed', 5), row('south', 'open', 0, 'postgres://h/s'), row('north', 'open', 9)]
  expect(share(['east', 'west'], rows)).toEqual({ west: 1000 })
})

it('without an open cell no center is created', () => {
  expect(() => placeFor(7, ['east'], [row('east', 'closed', 1)])).toThrow('No new centers can be created right now')
})
