/** Files as spreadsheets save them: their encoding, and their cells. */
import { cellText } from '@countersign/design/csv.ts'

/** UTF-8, UTF-16 with its mark, or the Korean encoding that Excel writes (CP949, which browsers call EUC-KR). Null: none of them. */
export function textOf(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  for (const encoding of ['utf-8', 'euc-kr']) {
    try {
      // Without its mark, which a spreadsheet puts first.
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // The next one.
    }
  }
  return null
}

export interface Line {
  /** As a spreadsheet counts them. A cell with line breaks is one row. */
  readonly row: number
  readonly cells: readonly string[]
}

/** RFC 4180, with the separator of the first line: a comma, a semicolon or a tab. Lines without any text are left out. */
export function linesOf(text: string): readonly Line[] {
  const [head = ''] = text.split(/\r?\n/, 1)
  const separator = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] as string
  const lines: Line[] = []
  let [cells, cell, quoted, row]: [string[], string, boolean, number] = [[], '', false, 1]
  const endCell = () => {
    cells.push(cellText(cell.trim()))
    cell = ''
  }
  const endLine = () => {
    endCell()
    if (cells.some((each) => each !== '')) lines.push({ row, cells })
    cells = []
    row++
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (text[at + 1] === '"') cell += text[++at]
      else quoted = false
    } else if (letter === '"' && cell.trim() === '') {
      cell = ''
      quoted = true
    } else if (letter === separator) endCell()
    else if (letter === '\n' || (letter === '\r' && text[at + 1] !== '\n')) endLine()
    else if (letter !== '\r') cell += letter
  }
  endLine()
  return lines
}
