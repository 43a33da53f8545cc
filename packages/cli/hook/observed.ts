/** What the hook would have asked about, noted by `--observe`: which rules and patterns fitted, never the text of a call. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface Observed {
  readonly at: string
  readonly agent: string
  readonly tool: string
  /** Empty for a call of no interest. */
  readonly asks: readonly { readonly rule: string; readonly what: string }[]
  /** What kept the hook from judging the call. */
  readonly problem?: string
}

const mostBytes = 20_000_000
const fileIn = (folder: string): string => join(folder, 'observed.jsonl')

/** One line, which is appended at once, so that lines of several hooks don't mix. */
export function observe(folder: string, observed: Observed): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = fileIn(folder)
  if (existsSync(file) && statSync(file).size > mostBytes) return
  appendFileSync(file, `${JSON.stringify(observed)}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
}

export function readObserved(folder: string): readonly Observed[] {
  const file = fileIn(folder)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as Observed]
      } catch {
        // A kill while a line was written.
        return []
      }
    })
}
