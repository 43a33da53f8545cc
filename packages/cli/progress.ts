/** One line that is written over and over on a terminal; on anything else, now and then a line that stays. */
import { styleText } from 'node:util'

const onTerminal = 100
const elsewhere = 10_000

export interface Progress {
  /** Cheap enough to be called for everything: the line is only made when it is time for it. */
  show(line: () => string): void
  /** Something that is to stay. */
  note(line: string): void
  /** Takes the line away, before results are printed. */
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
        // Wider than the terminal, it would leave a piece behind.
        stream.write(`\r\x1b[2K${line().slice(0, (stream.columns || 80) - 1)}`)
        standing = true
      }
    },
    note(line) {
      clear()
      stream.write(`${line}\n`)
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

/** Colour only where it is seen; NO_COLOR and FORCE_COLOR are obeyed. */
export const coloured = (status: Status, text: string): string =>
  styleText(colours[status], text, { stream: process.stdout })

export const marks: Readonly<Record<Status, string>> = { yes: '✓', no: '✗', unknown: '?' }
