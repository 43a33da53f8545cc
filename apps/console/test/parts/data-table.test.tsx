import { describe, expect, it } from 'vitest'
import { prefer } from '../../app/preferences.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { show } from './stage.tsx'

interface Row {
  readonly id: number
  readonly name: string
}

const columns: readonly Column<Row>[] = [
  { id: 'id', title: 'Number', cell: ({ id }) => id, align: 'right', mono: true },
  { id: 'name', title: 'Name', cell: ({ name }) => <a href={`#${name}`}>{name}</a> },
]
const rows = [
  { id: 1, name: 'one' },
  { id: 2, name: 'two' },
]
const table = () => (
  <DataTable label="Numbers" columns={columns} rows={rows} keyOf={({ id }) => id} selected={({ id }) => id === 2} />
)

describe('a table', () => {
  it('has a name, a head cell per column, and marks the row that is open', async () => {
    const { screen } = await show(table)
    const region = screen.getByRole('region', { name: 'Numbers' })
    await expect.element(region).toBeVisible()
    expect(
      region
        .getByRole('columnheader')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Number', 'Name'])
    const all = region.getByRole('row').elements()
    expect(all.map((row) => row.getAttribute('aria-current'))).toEqual([null, null, 'true'])
    expect(getComputedStyle(region.getByRole('cell', { name: '1' }).element()).textAlign).toBe('right')
  })

  it('is reached by keyboard where it scrolls, and a cell keeps its link', async () => {
    const { screen } = await show(table)
    expect(screen.getByRole('region', { name: 'Numbers' }).element().getAttribute('tabindex')).toBe('0')
    await expect.element(screen.getByRole('link', { name: 'two' })).toBeVisible()
  })

  it('has lower rows for those who want more of them', async () => {
    const height = async () => {
      const { screen } = await show(table)
      const found = screen.getByRole('row').elements().at(-1)?.getBoundingClientRect().height ?? 0
      await screen.unmount()
      return found
    }
    const tall = await height()
    prefer({ rows: 'dense' })
    const low = await height()
    prefer({ rows: 'staff' })
    expect([Math.round(tall), Math.round(low)]).toEqual([44, 32])
  })
})
