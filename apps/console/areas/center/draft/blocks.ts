/** A draft's text as blocks. Only text comes of it, never markup: a heading, paragraphs, lists, tables and what a model said. Pure. */

export type Block =
  | { readonly kind: 'title' | 'heading' | 'text'; readonly text: string }
  | { readonly kind: 'list' | 'quote'; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

const kindOf = (line: string): 'list' | 'quote' | 'table' | 'line' =>
  isRow(line) ? 'table' : /^[-*•] /.test(line) ? 'list' : line.startsWith('>') ? 'quote' : 'line'
/** `| one | other |`, as people and models type a table. */
const isRow = (line: string): boolean => /^\|.*\|$/.test(line) && line.length > 2
const isRule = (line: string): boolean => /^\|[\s:|-]+\|$/.test(line) && line.includes('-')
const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

/** The row above a rule is the head. Every row has as many cells as the widest. */
function tableOf(lines: readonly string[]): Block {
  const hasHead = isRule(lines[1] ?? '')
  const rows = lines.filter((line) => !isRule(line)).map(cellsOf)
  const width = Math.max(...rows.map((row) => row.length))
  const wide = rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => '')])
  return { kind: 'table', head: hasHead ? (wide[0] ?? []) : [], rows: hasHead ? wide.slice(1) : wide }
}

const plain = (line: string, kind: 'list' | 'quote'): string =>
  kind === 'list' ? line.slice(2).trim() : line.replace(/^>\s?/, '')
/** What a person types as a heading elsewhere. */
const hashes = /^#{1,6}\s+/

/** The first line is the title; the first line after an empty one is a heading where something stands below it. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd())
  const first = lines.findIndex((line) => line !== '')
  for (const [at, line] of lines.entries()) {
    if (line === '') continue
    const kind = kindOf(line)
    if (kind === 'table') {
      // With its first row, all of it; a rule alone is no table.
      if (isRow(lines[at - 1] ?? '')) continue
      const end = lines.findIndex((each, index) => index > at && !isRow(each))
      const own = lines.slice(at, end < 0 ? lines.length : end)
      if (own.some((each) => !isRule(each))) blocks.push(tableOf(own))
      continue
    }
    if (kind !== 'line') {
      const last = lines[at - 1] === '' ? undefined : blocks.at(-1)
      const said = plain(line, kind)
      if (last?.kind === kind && 'lines' in last) blocks[blocks.length - 1] = { kind, lines: [...last.lines, said] }
      else blocks.push({ kind, lines: [said] })
      continue
    }
    const isTitle = at === first
    const opens = lines[at - 1] === '' && (lines[at + 1] ?? '') !== ''
    const heading = hashes.test(line) || opens
    blocks.push({ kind: isTitle ? 'title' : heading ? 'heading' : 'text', text: line.replace(hashes, '') })
  }
  return blocks
}

export interface Span {
  readonly text: string
  readonly strong: boolean
}

/** `**text**` is strong. Nothing else is read as a mark. */
export const spansOf = (text: string): readonly Span[] =>
  text
    .split(/(\*\*[^*\n]+\*\*)/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('**') && part.endsWith('**') && part.length > 4
        ? { text: part.slice(2, -2), strong: true }
        : { text: part, strong: false },
    )
