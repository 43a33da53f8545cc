/**
 * Scans one chain entry by entry, from the genesis to the head at the start of the scan. Each page is its own
 * transaction: memory is constant, no snapshot is held for long, and sealing continues.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IdKind } from '@countersign/contract/ids.ts'
import type { Domain } from '@countersign/proof/chain.ts'
import { type ChainVerifier, chainVerifier } from '@countersign/proof/verify-chain.ts'
import type { TenantTx } from '../data/cells.ts'
import { typedId } from '../lib/ids.ts'
import { type EntryRow, type Head, streamEntries } from './verify-queries.ts'

const entryIdKind: Readonly<Record<Domain, IdKind>> = { proof: 'evidence', dpu: 'dpu', history: 'history' }

/** Runs a transaction in one center. */
export type InCenter = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

export interface Finding {
  /** The lowest index at which the chain does not hold. */
  readonly at: number
  readonly reason: string
}

export interface Scanned {
  readonly length: number
  readonly genesisHash: string | null
  readonly headHash: string | null
  readonly lastSealedAt: string | null
  readonly finding: Finding | null
}

export interface Scan {
  readonly log: string
  readonly domain: Domain
  readonly inCenter: InCenter
  /** The first index that is not scanned. */
  readonly below: number
  readonly onPage?: (entries: number) => void
  /** Receives every hash in the order of the chain. */
  readonly onHash?: (hash: string) => void
}

/** Checks hashes and links only. Entries are checked as they arrive, while the database reads the next ones. */
export async function scanChain({ log, domain, inCenter, below, onPage, onHash }: Scan): Promise<Scanned> {
  const pageSize = 2000
  const verifier = chainVerifier({ log, domain })
  let lastSealedAt: string | null = null
  for (let after = -1, read = pageSize; read === pageSize; ) {
    const from = after
    read = await inCenter((tx) =>
      streamEntries(tx, domain, from, below, pageSize, (entry) => {
        verifier.add({ ...entry, id: typedId(entryIdKind[domain], entry.uuid) })
        onHash?.(entry.hash)
        after = entry.index
        lastSealedAt = entry.sealedAt
      }),
    )
    onPage?.(read)
  }
  return { ...inWords(verifier), lastSealedAt }
}

/** What is wrong with the records that belong to an entry, as a message. */
export type RecordFault = (row: EntryRow) => string | null

export interface RecordPage {
  readonly rows: readonly EntryRow[]
  readonly recordFault: RecordFault
}

export interface RecordScan extends Omit<Scan, 'below'> {
  readonly readPage: (tx: TenantTx, after: number, limit: number) => Promise<RecordPage>
}

/** Checks hashes and links, and every record that belongs to an entry. */
export async function scanRecords({ log, domain, inCenter, readPage, onPage, onHash }: RecordScan): Promise<Scanned> {
  const pageSize = 500
  const read = (after: number) => {
    const page = inCenter((tx) => readPage(tx, after, pageSize))
    // The page is awaited later. This handler prevents an unhandled rejection if it fails before that.
    page.catch(() => {})
    return page
  }
  const verifier = chainVerifier({ log, domain })
  let inRecords: Finding | null = null
  let last: EntryRow | undefined
  for (let coming = read(-1); ; ) {
    const { rows, recordFault } = await coming
    last = rows.at(-1) ?? last
    const isLast = rows.length < pageSize
    if (!isLast) coming = read((last as EntryRow).idx)
    for (const row of rows) {
      verifier.add(entryOf(domain, row))
      onHash?.(row.hash)
    }
    const below = verifier.result().brokenAt ?? Number.POSITIVE_INFINITY
    inRecords ??= await firstFault(rows, below, recordFault)
    onPage?.(rows.length)
    if (isLast) break
  }
  const scanned = inWords(verifier)
  // Records are checked only below the index at which the chain breaks, so a fault in a record has the lower index.
  return { ...scanned, lastSealedAt: last?.sealed_at ?? null, finding: inRecords ?? scanned.finding }
}

function inWords(verifier: ChainVerifier): Omit<Scanned, 'lastSealedAt'> {
  const { chainLength, genesisHash, headHash, brokenAt, reason } = verifier.result()
  const finding = brokenAt === null ? null : { at: brokenAt, reason: reason as string }
  return { length: chainLength, genesisHash, headHash, finding }
}

/** Takes about one millisecond. */
const recordsPerTurn = 20

async function firstFault(rows: readonly EntryRow[], below: number, fault: RecordFault): Promise<Finding | null> {
  for (const [position, row] of rows.entries()) {
    if (row.idx >= below) return null
    // Yields to the event loop, so that other requests proceed and the next page can be requested.
    if (position % recordsPerTurn === 0) await nextTurn()
    const reason = fault(row)
    if (reason !== null) return { at: row.idx, reason }
  }
  return null
}

export const entryOf = (domain: Domain, { idx, id, hash, previous_hash, sealed_at, content }: EntryRow) => ({
  index: idx,
  id: typedId(entryIdKind[domain], id),
  hash,
  previousHash: previous_hash,
  sealedAt: sealed_at,
  content,
})

export const missingFrom = 'from here on entries are missing'

/** Checks that the chain ends where its head says. The entries alone do not show that. */
export function headFault(head: Head, { length, headHash, lastSealedAt }: Scanned): Finding | null {
  if (length < head.next_index) return { at: length, reason: missingFrom }
  if (head.overrun) {
    const reason = head.exists
      ? 'from here on there are entries that the head of the chain does not include'
      : 'the head of the chain is missing'
    return { at: Math.max(0, head.next_index), reason }
  }
  if (headHash !== head.last_hash || lastSealedAt !== head.last_sealed_at) {
    return { at: Math.max(0, length - 1), reason: 'the head of the chain does not match this entry' }
  }
  if (head.underrun) return { at: 0, reason: 'there is an entry before the first one' }
  return null
}
