/** The parts of an export, in the order in which they are read. Each page of a part becomes one file. */
import { type Domain, domains } from '@countersign/proof/chain.ts'
import type { Cell, TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { entryLines } from '../../evidence/evidence/api.ts'
import { checkpointLines } from '../../evidence/transparency/api.ts'
import { committedLines } from '../../evidence/verification/api.ts'
import { centerLine, tableLines } from './queries.ts'
import { cellTables, directoryTables, type ExportedTable } from './tables.ts'

export interface Reading {
  readonly cell: Cell
  readonly directory: Directory
  readonly book: LogBook
  readonly caller: Caller
  /** Of the logs that are completely read. */
  readonly sizes: Readonly<Record<string, number>>
}

export interface PartPage {
  readonly lines: readonly string[]
  /** Where the next page begins; null after the last one. */
  readonly after: unknown
  /** Where this part decides how far a log is exported. */
  readonly size?: number
}

export interface Part {
  readonly name: string
  readonly domain?: Domain
  read(reading: Reading, after: unknown): Promise<PartPage>
}

const centerPart: Part = {
  name: 'center',
  async read({ directory, caller }) {
    const { line } = await directory.asCenter(caller, centerLine, 'read')
    return { lines: [`${line}\n`], after: null }
  },
}

const tablePart = (of: ExportedTable, store: 'cell' | 'directory'): Part => ({
  name: of.name,
  async read({ cell, directory, caller }, after) {
    const from = after as readonly string[] | null
    const rows =
      store === 'cell'
        ? await cell.inTenantRead(caller.centerId, caller.requestId, (tx) => tableLines(tx, of, from))
        : await directory.asCenter(caller, (tx) => tableLines(tx, of, from), 'read')
    return { lines: rows.map(({ line }) => `${line}\n`), after: rows.at(-1)?.key ?? null }
  },
})

type LogPage = (reading: Reading, last: number) => Promise<{ readonly lines: readonly string[]; readonly last: number }>

/** A page that does not move on is the end. */
const logPart = (name: string, domain: Domain, page: LogPage, first: number, decides = false): Part => ({
  name,
  domain,
  async read(reading, after) {
    const from = (after as number | null) ?? first
    const { lines, last } = await page(reading, from)
    return last > from ? { lines, after: last } : { lines, after: null, ...(decides && { size: last + 1 }) }
  },
})

/**
 * What the entries commit to is read first, up to the end of the log at that moment, and decides how far the log is
 * exported. A redaction meanwhile then has its own entry in the log `history`, which is read last.
 */
const logParts = (domain: Domain): readonly Part[] => {
  const inCell =
    ({ cell, caller }: Reading) =>
    <T>(work: (tx: TenantTx) => Promise<T>) =>
      cell.inTenantRead(caller.centerId, caller.requestId, work)
  const sizeOf = ({ sizes }: Reading) => sizes[domain] ?? 0
  return [
    logPart(
      domain === 'history' ? 'changes' : `units-${domain}`,
      domain,
      (reading, last) => inCell(reading)((tx) => committedLines(tx, domain, last)),
      -1,
      true,
    ),
    logPart(
      `log-${domain}`,
      domain,
      (reading, last) => inCell(reading)((tx) => entryLines(tx, domain, last, sizeOf(reading))),
      -1,
    ),
    logPart(
      `checkpoints-${domain}`,
      domain,
      (reading, last) => inCell(reading)((tx) => checkpointLines(tx, reading.book, domain, last, sizeOf(reading))),
      0,
    ),
  ]
}

export const parts: readonly Part[] = [
  centerPart,
  ...directoryTables.map((each) => tablePart(each, 'directory')),
  ...cellTables.map((each) => tablePart(each, 'cell')),
  // In this order: `history` is the last.
  ...domains.flatMap(logParts),
]
