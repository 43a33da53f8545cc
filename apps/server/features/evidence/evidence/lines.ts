/** A chain as lines of JSON, read in pages of bounded bytes: constant memory, and no transaction outlives a page. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { Cell } from '../../../data/cells.ts'
import type { Caller } from '../../../data/directory.ts'
import { entryOf } from '../../../integrity/scan.ts'
import { type EntryRow, entriesAfter } from '../../../integrity/verify-queries.ts'
import { type CommittedEntry, committedAfter } from '../verification/api.ts'

/** Written in a few milliseconds, in which no other request is served. */
const pageSize = 100

/** The entries from one index on, below another. */
export async function* chainLines(
  cell: Cell,
  caller: Caller,
  domain: Domain,
  from: number,
  below = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<string> {
  for (let after = from - 1; ; ) {
    const last = after
    const page = await cell.inTenant(caller, (tx) => entriesAfter(tx, domain, last, below, pageSize))
    if (page.length === 0) return
    yield page.map((row) => entryLine(domain, row)).join('')
    after = (page.at(-1) as EntryRow).idx
  }
}

/** The same with what each entry commits to. A page holds fewer of them: it is bounded by the bytes of the records. */
export async function* valuedLines(cell: Cell, caller: Caller, domain: Domain, from: number): AsyncGenerator<string> {
  for (let after = from - 1; ; ) {
    const last = after
    const page = await cell.inTenant(caller, (tx) => committedAfter(tx, domain, last))
    if (page.length === 0) return
    yield page.map((each) => valuedLine(domain, each)).join('')
    after = (page.at(-1) as CommittedEntry).entry.idx
  }
}

const valuedLine = (domain: Domain, { entry, values, salts }: CommittedEntry): string =>
  `${entryLine(domain, entry).slice(0, -2)},${JSON.stringify({ values, salts }).slice(1)}\n`

/** Sends the content as the canonical text that was hashed. */
export function entryLine(domain: Domain, row: EntryRow): string {
  const { content, ...head } = entryOf(domain, row)
  return `${JSON.stringify(head).slice(0, -1)},"content":${content}}\n`
}
