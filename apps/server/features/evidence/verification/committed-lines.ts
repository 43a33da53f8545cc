/**
 * What each entry of a chain commits to, as lines of JSON in the order of the chain: the values that are not redacted,
 * with their salts. With the entry itself, a line is all that a verifier needs.
 */
import type { Json } from '@countersign/proof/canonical.ts'
import type { Domain } from '@countersign/proof/chain.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { type EntryRow, entriesAfter, inOneMoment } from '../../../integrity/verify-queries.ts'
import { typedId } from '../../../lib/ids.ts'
import { storedDpu } from '../dpu/api.ts'
import { type HistoryOfEntry, historyOf, type RecordOfEntry, recordsOf } from './queries.ts'

const pageSize = 200

/** An entry, and what it commits to and is not redacted. */
export interface CommittedEntry {
  readonly entry: EntryRow
  /** What the record of the entry says beside it. */
  readonly unit: object
  readonly values: Readonly<Record<string, Json>>
  readonly salts: Readonly<Record<string, string>>
}

interface Page {
  readonly lines: readonly string[]
  /** The index of the last entry; unchanged where no entry follows. */
  readonly last: number
}

export async function committedLines(tx: TenantTx, domain: Domain, after: number): Promise<Page> {
  const page = await committedAfter(tx, domain, after)
  const lines = page.map(({ entry: { idx: index, hash }, unit, values, salts }) => {
    return `${JSON.stringify({ index, hash, ...unit, values, salts })}\n`
  })
  return { lines, last: page.at(-1)?.entry.idx ?? after }
}

/** As many as fit into a page; none only when there are no more. */
export async function committedAfter(tx: TenantTx, domain: Domain, after: number): Promise<readonly CommittedEntry[]> {
  await inOneMoment(tx)
  const entries = await entriesAfter(tx, domain, after, Number.MAX_SAFE_INTEGER, pageSize)
  if (entries.length === 0) return []
  return domain === 'history' ? changesOf(tx, entries) : unitsOf(tx, domain, entries)
}

async function unitsOf(tx: TenantTx, domain: 'dpu' | 'proof', entries: readonly EntryRow[]) {
  const texts = await recordsOf(tx, domain, entries)
  return texts.map((text, at) => {
    const entry = entries[at] as EntryRow
    const { dpus, event = null, approvals, changes } = JSON.parse(text) as RecordOfEntry
    const dpu = dpus?.[0]
    // The statement that begins a generation of a log has no record.
    if (!dpu) return committed(entry, {}, {}, {})
    const history = (changes ?? []).map((each) => ({
      ...each,
      disclosed: each.disclosed ?? {},
      salts: each.salts ?? {},
    }))
    const { proof } = storedDpu({
      dpu,
      entry,
      predecessor: entry.previous_hash,
      event,
      approvals: approvals ?? [],
      history,
    })
    const { evidence_level: evidenceLevel, metadata, sealed_at: sealedAt, updated_at: updatedAt } = dpu
    const unit = { id: typedId('dpu', dpu.id), evidenceLevel, metadata, sealedAt, updatedAt }
    return committed(entry, unit, proof.values, proof.salts)
  })
}

async function changesOf(tx: TenantTx, entries: readonly EntryRow[]) {
  const texts = await historyOf(
    tx,
    entries.map(({ idx }) => ({ idx, target: '', own: '', policy: null, actionType: null, event: null })),
  )
  return texts.map((text, at) => {
    const { row } = JSON.parse(text) as HistoryOfEntry
    return committed(entries[at] as EntryRow, {}, row?.disclosed ?? {}, row?.salts ?? {})
  })
}

/** A redaction deletes the salt, and leaves an empty value in some columns. */
function committed(
  entry: EntryRow,
  unit: object,
  values: CommittedEntry['values'],
  salts: CommittedEntry['salts'],
): CommittedEntry {
  const shown = Object.keys(salts).filter((path) => values[path] !== undefined)
  const pick = <T>(from: Readonly<Record<string, T>>) =>
    Object.fromEntries(shown.map((path) => [path, from[path] as T]))
  return { entry, unit, values: pick(values), salts: pick(salts) }
}
