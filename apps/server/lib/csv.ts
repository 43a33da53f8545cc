/** CSV as RFC 4180 has it, made line by line. */

/**
 * A spreadsheet runs a cell as a formula whose first visible character is one of these, in any width; some trim blanks. An
 * apostrophe makes it text.
 */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^[\t\r]/u

export type CsvValue = string | number | boolean | null

function cell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cell).join(',')}\r\n`

/**
 * Reads page after page until one is empty; no transaction outlives a page, and the pages are never together in memory.
 * `read` takes the last row of the page before.
 */
export async function* csvOf<Row>(
  columns: readonly string[],
  read: (after: Row | null) => Promise<readonly Row[]>,
  cellsOf: (row: Row) => readonly CsvValue[],
): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let last: Row | null = null; ; ) {
    const page: readonly Row[] = await read(last)
    if (page.length === 0) return
    yield page.map((row) => csvLine(cellsOf(row))).join('')
    last = page.at(-1) as Row
  }
}
