/** The lines that a change adds and removes, with what stands around them. Settings files are short: the table of all pairs is small. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

const linesOf = (text: string | null): readonly string[] =>
  text === null || text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)

export function lineDiff(before: string | null, after: string | null): readonly DiffLine[] {
  const [old, next] = [linesOf(before), linesOf(after)]
  // common[i][j]: the longest common sequence of what is left from old[i] and next[j] on.
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(next.length + 1))
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = next.length - 1; j >= 0; j--)
      (common[i] as Uint16Array)[j] = old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: DiffLine[] = []
  for (let [i, j] = [0, 0]; i < old.length || j < next.length; ) {
    if (i < old.length && j < next.length && old[i] === next[j]) {
      lines.push({ sign: ' ', text: old[i] as string })
      i++
      j++
    } else if (j >= next.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: old[i++] as string })
    } else lines.push({ sign: '+', text: next[j++] as string })
  }
  return lines.filter((_, here) => lines.slice(Math.max(0, here - 2), here + 3).some(({ sign }) => sign !== ' '))
}
