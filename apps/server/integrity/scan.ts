/**
 * Scans one chain entry by entry, from the genesis to the head at the start of the scan. Each page is its own
 * transaction and bounded in bytes: memory is constant, no snapshot is held for long, and sealing continues.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IdKind } from '@countersign/contract/ids.ts'
import type { Domain } from '@countersign/proof/chain.ts'
import { type ChainHead, type ChainVerifier, chainVerifier } from '@countersign/proof/verify-chain.ts'
import { pageBytes } from '../data/byte-pages.ts'
import type { TenantTx } from '../data/cells.ts'
import { typedId } from '../lib/ids.ts'
import { type EntryRow, type Head, streamEntries } from './verify-queries.ts'

export const entryIdKind: Readonly<Record<Domain, IdKind>> = { proof: 'evidence', dpu: 'dpu', history: 'history' }

/** Runs a transaction in one center. */
export type InCenter = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

export interface Finding {
  /** The lowest index at which the chain is broken. */
  readonly at: number
  readonly reason: string
  /** The generation of the log that it is about, where that matters. */
  readonly generation?: number
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
  /** The end of an earlier scan, to continue from. */
  readonly from?: ChainHead | undefined
}

const chainPage = 2000
/** More than a page that is held: entries are checked as they arrive. */
const chainPageBytes = 2 * pageBytes

/** The number of rows of the next page, if they are as large as those of the last one. */
const rowsLike = (rows: number, bytes: number, most: number, mostBytes: number): number =>
  Math.min(most, Math.max(1, Math.ceil((rows * mostBytes) / Math.max(1, bytes))))

/**
 * Checks hashes and links only. Entries are checked as they arrive, while the database reads the next ones: memory holds
 * one entry at a time, and fewer entries per page bound the time of a statement where entries are large.
 */
export async function scanChain({ log, domain, inCenter, below, onPage, onHash }: Scan): Promise<Scanned> {
  const verifier = chainVerifier({ log, domain })
  let lastSealedAt: string | null = null
  for (let [after, limit, isLast] = [-1, chainPage, false]; !isLast; ) {
    const [from, most] = [after, limit]
    let bytes = 0
    const read = await inCenter((tx) =>
      streamEntries(tx, domain, from, below, most, (entry) => {
        verifier.add({ ...entry, id: typedId(entryIdKind[domain], entry.uuid) })
        onHash?.(entry.hash)
        after = entry.index
        lastSealedAt = entry.sealedAt
        bytes += entry.content.length
      }),
    )
    onPage?.(read)
    isLast = read < most
    limit = rowsLike(read, bytes, chainPage, chainPageBytes)
  }
  return { ...inWords(verifier), lastSealedAt }
}

/** An entry with the records that belong to it. */
export interface RecordRow {
  readonly entry: EntryRow
  /** The size of its records. */
  readonly bytes: number
  /** What is wrong with its records, as a message. Parses them, so that a page holds texts and not objects. */
  readonly fault: () => string | null
}

export interface RecordScan extends Omit<Scan, 'below'> {
  /** A page is bounded in bytes, and empty only after the last entry. */
  readonly readPage: (tx: TenantTx, after: number, limit: number) => Promise<readonly RecordRow[]>
}

const recordsPage = 500
/** A turn of the event loop takes one or two milliseconds, unless a single record takes longer. */
const bytesPerTurn = 64 * 1024

/** Checks hashes and links, and every record that belongs to an entry. Holds two pages: one is read ahead. */
export async function scanRecords({
  log,
  domain,
  inCenter,
  readPage,
  onPage,
  onHash,
  from,
}: RecordScan): Promise<Scanned> {
  const read = (after: number, limit: number) => {
    const page = inCenter((tx) => readPage(tx, after, limit))
    // The page is awaited later. This handler prevents an unhandled rejection if it fails before that.
    page.catch(() => {})
    return page
  }
  const verifier = chainVerifier({ log, domain, after: from })
  let inRecords: Finding | null = null
  let last: EntryRow | undefined
  let inTurn = 0
  for (let rows = await read((from?.chainLength ?? 0) - 1, recordsPage); rows.length > 0; ) {
    last = rows.at(-1)?.entry as EntryRow
    const size = rows.reduce((sum, { bytes }) => sum + bytes, 0)
    const coming = read(last.idx, rowsLike(rows.length, size, recordsPage, pageBytes))
    for (const { entry, bytes, fault } of rows) {
      // Yields to the event loop, so that other requests proceed and the next page can be requested.
      if (inTurn === 0) await nextTurn()
      inTurn = inTurn > bytesPerTurn ? 0 : inTurn + bytes
      verifier.add(entryOf(domain, entry))
      onHash?.(entry.hash)
      // Records after the first fault are not checked: a finding has the lowest index.
      if (inRecords !== null || verifier.result().brokenAt !== null) continue
      const reason = fault()
      if (reason !== null) inRecords = { at: entry.idx, reason }
    }
    onPage?.(rows.length)
    rows = await coming
  }
  const scanned = inWords(verifier)
  return { ...scanned, lastSealedAt: last?.sealed_at ?? from?.sealedAt ?? null, finding: inRecords ?? scanned.finding }
}

function inWords(verifier: ChainVerifier): Omit<Scanned, 'lastSealedAt'> {
  const { chainLength, genesisHash, headHash, brokenAt, reason } = verifier.result()
  const finding = brokenAt === null ? null : { at: brokenAt, reason: reason as string }
  return { length: chainLength, genesisHash, headHash, finding }
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
