/** The lists that a workflow's result has beside its text, as tables. Pure. */

export type Cell = string | number

export interface RowTable {
  /** The figure whose rows these are. */
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Rows beyond those that are shown. */
  readonly more: number
}

/** As many as a text names; a page of paper holds them. */
export const maxRows = 20

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const cellOf = (value: unknown): Cell => (typeof value === 'string' || typeof value === 'number' ? value : '–')

/** `isKnown`: a column without a word is for programs. */
export function tablesOf(
  figures: Readonly<Record<string, unknown>>,
  isKnown: (column: string) => boolean,
): readonly RowTable[] {
  return Object.entries(figures).flatMap(([name, value]): RowTable[] => {
    if (!Array.isArray(value) || value.length === 0 || !value.every(isRow)) return []
    const found = [...new Set(value.flatMap(Object.keys))].filter(isKnown)
    // A number alone says nothing about whom.
    if (found.length < 2) return []
    const rows = value.slice(0, maxRows).map((row) => found.map((column) => cellOf(row[column])))
    return [{ name, columns: found, rows, more: value.length - rows.length }]
  })
}
