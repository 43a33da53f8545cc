/** A line that is overwritten on a terminal; elsewhere a new line from time to time. */
import { styleText } from 'node:util'
import { tell } from './fold.ts'

const onTerminal = 100
const elsewhere = 10_000

export interface Progress {
  /** Cheap: the text is only built when it is due. */
  show(line: () => string): void
  /** Prints a permanent line. */
  note(line: string): void
  /** Clears the line, before results are printed. */
  clear(): void
}

export function openProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const interval = stream.isTTY ? onTerminal : elsewhere
  let shownAt = performance.now()
  let standing = false
  const clear = () => {
    if (standing) stream.write('\r\x1b[2K')
    standing = false
  }
  return {
    show(line) {
      const now = performance.now()
      if (now - shownAt < interval) return
      shownAt = now
      if (!stream.isTTY) stream.write(`${line()}\n`)
      else {
        // A line wider than the terminal could not be cleared completely.
        stream.write(`\r\x1b[2K${line().slice(0, (stream.columns || 80) - 1)}`)
        standing = true
      }
    },
    note(line) {
      clear()
      tell(`${line}\n`, stream)
    },
    clear,
  }
}

export function bar(done: number, total: number, width = 24): string {
  const full = total > 0 ? Math.min(width, Math.floor((done / total) * width)) : 0
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`
}

const colours = { yes: 'green', no: 'red', unknown: 'yellow' } as const
export type Status = keyof typeof colours

/** Color only on a terminal; NO_COLOR and FORCE_COLOR take precedence. */
export const coloured = (status: Status, text: string): string =>
  styleText(colours[status], text, { stream: process.stdout })

export const marks: Readonly<Record<Status, string>> = { yes: '✓', no: '✗', unknown: '?' }
