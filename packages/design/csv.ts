/** How our CSV files are written, as RFC 4180 has it, line by line. */

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

/** Undoes the apostrophe, so that a file of ours can be read in again. */
export const cellText = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
