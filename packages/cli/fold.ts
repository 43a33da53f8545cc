/** Lines for people end where the terminal does, between words. What a program reads, or a person copies, is never folded. */
import { stripVTControlCharacters } from 'node:util'
import { widthOf } from './table.ts'

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>

/** A narrower terminal folds by itself: columns of two words help nobody. */
const narrowest = 40

const visibleWidth = (text: string): number => widthOf(stripVTControlCharacters(text))

/** Two blanks, or a mark at the beginning of the line. */
const gap = /\S\s{2,}(?=\S)|^\s*[✓✗?~+-] (?=\S)/g

/** The last column of a row, if it begins in the first half of the terminal; otherwise the beginning of the line. */
function hangOf(line: string, width: number): number {
  const plain = stripVTControlCharacters(line)
  const gaps = [...plain.matchAll(gap)].map(({ 0: found, index }) => index + found.length)
  const start = plain.length - plain.trimStart().length
  return [start, ...gaps.map((at) => widthOf(plain.slice(0, at)))].findLast((at) => at <= width / 2) ?? 0
}

export function foldedLine(line: string, width: number): string {
  if (width < narrowest || visibleWidth(line) <= width) return line
  const hang = hangOf(line, width)
  // Each word takes the blanks before it along, so that columns stay where they are.
  const words = line.match(/\s*\S+/g) ?? []
  const lines: string[] = []
  let current = ''
  for (const word of words) {
    if (current.trim() === '' || visibleWidth(current + word) <= width) current += word
    else {
      lines.push(current)
      current = ' '.repeat(hang) + word.trimStart()
    }
  }
  return [...lines, current].join('\n')
}

/** Text of whole lines. */
export const folded = (text: string, { isTTY, columns }: Terminal): string =>
  isTTY && columns ? foldedAt(text, columns) : text

export const foldedAt = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => foldedLine(line, width))
    .join('\n')

const widestPage = 110

/** A page to read, such as help: no wider than a page, also in a file. */
export const page = (text: string, { columns }: Terminal = process.stdout): string =>
  foldedAt(text, Math.min(columns ?? widestPage, widestPage))

export const inLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Results and messages for people. */
export function tell(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  stream.write(folded(text, stream))
}
