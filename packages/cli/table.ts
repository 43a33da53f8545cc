/** Columns for the terminal: as wide as their widest value, and no wider than a bound. */
const most = 44

/** A Hangul syllable takes two columns in a terminal. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + (/[\u1100-\u11ff\u3000-\ud7ff\uff00-\uff60]/.test(char) ? 2 : 1), 0)

export const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let short = ''
  for (const char of text) {
    if (widthOf(short + char) > width - 1) break
    short += char
  }
  return `${short}…`
}

/** The last column is not cut. Values are safe to print already. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.min(most, Math.max(...rows.map((row) => widthOf(row[at] ?? '')))))
  return rows.map((row) =>
    row
      .map((value, at) =>
        at === row.length - 1 ? value : padded(cut(value, widths[at] as number), widths[at] as number),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** To the minute: a list is read by people, and --json has the rest. */
export const minuteOf = (time: string): string => time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, '$1 $2Z')
