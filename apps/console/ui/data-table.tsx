/** Rows of 44 or 32 pixels; on a phone, its first cell above the others. The server sorts and pages; a row opens what it stands for. */
import type { Key, ReactNode } from 'react'
import { usePreferences } from '../app/preferences.ts'

export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
  readonly mono?: true
}

interface Properties<Row> {
  /** What the table shows, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => Key
  readonly selected?: (row: Row) => boolean
}

export function DataTable<Row>({ label, columns, rows, keyOf, selected }: Properties<Row>) {
  const dense = usePreferences().rows === 'dense'
  const kind = ({ align, mono }: Column<Row>) => [align && 'r', mono && 'mono'].filter(Boolean).join(' ') || undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-scroll data-rows" aria-label={label} tabIndex={0}>
      <table className={dense ? 'dense' : undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={column.align && 'r'}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} aria-current={selected?.(row) ? 'true' : undefined}>
              {columns.map((column) => (
                <td key={column.id} className={kind(column)} data-title={column.title}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
