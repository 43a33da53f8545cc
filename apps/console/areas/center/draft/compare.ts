/** Two texts side by side, by lines, and by words within lines that differ. Pure. */

export interface Row {
  readonly same: boolean
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Longer texts are compared as a whole where they differ: the table would hold more than it helps. */
const maxCells = 4_000_000

type Pair<T> = { readonly kind: 'same' | 'before' | 'after'; readonly item: T }

function pairsOf<T>(before: readonly T[], after: readonly T[]): readonly Pair<T>[] {
  const [n, m] = [before.length, after.length]
  if (n * m > maxCells) {
    return [
      ...before.map((item) => ({ kind: 'before', item }) as const),
      ...after.map((item) => ({ kind: 'after', item }) as const),
    ]
  }
  const width = m + 1
  const table = new Uint32Array((n + 1) * width)
  const at = (i: number, j: number): number => table[i * width + j] as number
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      table[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: Pair<T>[] = []
  let [i, j] = [0, 0]
  while (i < n || j < m) {
    if (i < n && j < m && before[i] === after[j]) {
      pairs.push({ kind: 'same', item: before[i] as T })
      i++
      j++
    } else if (j >= m || (i < n && at(i + 1, j) >= at(i, j + 1))) pairs.push({ kind: 'before', item: before[i++] as T })
    else pairs.push({ kind: 'after', item: after[j++] as T })
  }
  return pairs
}

/** Runs of lines: the same in both, or what stood there and what stands there. */
export function compareLines(before: string, after: string): readonly Row[] {
  const rows: { same: boolean; before: string[]; after: string[] }[] = []
  for (const { kind, item } of pairsOf(before.split('\n'), after.split('\n'))) {
    const same = kind === 'same'
    let row = rows.at(-1)
    if (row?.same !== same) {
      row = { same, before: [], after: [] }
      rows.push(row)
    }
    if (kind !== 'after') row.before.push(item)
    if (kind !== 'before') row.after.push(item)
  }
  return rows
}

export interface Piece {
  readonly text: string
  readonly changed: boolean
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const runs: { text: string; changed: boolean }[] = []
  for (const { text, changed } of pieces) {
    const last = runs.at(-1)
    if (last?.changed === changed) last.text += text
    else runs.push({ text, changed })
  }
  return runs
}

/** What was taken out of a text, and what was put in. */
export function compareWords(
  before: string,
  after: string,
): { readonly before: readonly Piece[]; readonly after: readonly Piece[] } {
  const words = (text: string) => text.split(/(\s+)/).filter((part) => part !== '')
  const pairs = pairsOf(words(before), words(after))
  const side = (hidden: 'before' | 'after') =>
    joined(
      pairs.filter(({ kind }) => kind !== hidden).map(({ kind, item }) => ({ text: item, changed: kind !== 'same' })),
    )
  return { before: side('after'), after: side('before') }
}
