/**
 * One chain, entry by entry, from the genesis to the head that stood when the scan began. Page by page, each in a
 * transaction of its own: memory is constant, no snapshot is held for long, and sealing goes on meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IdKind } from '@countersign/contract/ids.ts'
import type { Domain } from '@countersign/proof/chain.ts'
import { type ChainVerifier, chainVerifier } from '@countersign/proof/verify-chain.ts'
import type { TenantTx } from '../data/cells.ts'
import { typedId } from '../lib/ids.ts'
import { type EntryRow, type Head, streamEntries } from './verify-queries.ts'

const entryIdKind: Readonly<Record<Domain, IdKind>> = { proof: 'evidence', dpu: 'dpu', history: 'history' }

/** A transaction in one center, whoever asks for it. */
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
  /** The first index that is not looked at. */
  readonly below: number
  readonly onPage?: (entries: number) => void
  /** Sees every hash in the order of the chain. */
  readonly onHash?: (hash: string) => void
}

/** Hashes and links alone. Entries are checked as they arrive, and the database reads on meanwhile. */
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

/** What is wrong with the records that belong to an entry, in words. */
export type RecordFault = (row: EntryRow) => string | null

export interface RecordPage {
  readonly rows: readonly EntryRow[]
  readonly recordFault: RecordFault
}

export interface RecordScan extends Omit<Scan, 'below'> {
  readonly readPage: (tx: TenantTx, after: number, limit: number) => Promise<RecordPage>
}

/** Also every record that belongs to an entry. */
export async function scanRecords({ log, domain, inCenter, readPage, onPage, onHash }: RecordScan): Promise<Scanned> {
  const pageSize = 500
  const read = (after: number) => {
    const page = inCenter((tx) => readPage(tx, after, pageSize))
    // It is awaited later, and if it fails before that, it has not failed unnoticed.
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
  // Records are only looked at below the place where the chain breaks, so a fault in them is the lower one.
  return { ...scanned, lastSealedAt: last?.sealed_at ?? null, finding: inRecords ?? scanned.finding }
}

function inWords(verifier: ChainVerifier): Omit<Scanned, 'lastSealedAt'> {
  const { chainLength, genesisHash, headHash, brokenAt, reason } = verifier.result()
  const finding = brokenAt === null ? null : { at: brokenAt, reason: reason as string }
  return { length: chainLength, genesisHash, headHash, finding }
}

/** About a millisecond. */
const recordsPerTurn = 20

async function firstFault(rows: readonly EntryRow[], below: number, fault: RecordFault): Promise<Finding | null> {
  for (const [position, row] of rows.entries()) {
    if (row.idx >= below) return null
    // The loop has to turn now and then: for whoever else waits, and for the next page to be asked for.
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

/** Whether the chain ends where its head says, which the entries alone cannot tell. */
export function headFault(head: Head, { length, headHash, lastSealedAt }: Scanned): Finding | null {
  if (length < head.next_index) return { at: length, reason: missingFrom }
  if (head.overrun) {
    const reason = head.exists
      ? 'from here on stand entries that the head of the chain does not know'
      : 'the head of the chain is missing'
    return { at: Math.max(0, head.next_index), reason }
  }
  if (headHash !== head.last_hash || lastSealedAt !== head.last_sealed_at) {
    return { at: Math.max(0, length - 1), reason: 'the head of the chain says something else about this entry' }
  }
  if (head.underrun) return { at: 0, reason: 'before the first entry stands another' }
  return null
}
