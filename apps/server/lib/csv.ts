/** CSV made page by page. */
import { type CsvValue, csvLine } from '@countersign/design/csv.ts'

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
