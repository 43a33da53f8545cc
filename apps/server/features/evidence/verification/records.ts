/** Pages of a chain with the records of their entries, each page in one snapshot. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { RecordFault, RecordPage } from '../../../integrity/scan.ts'
import { type EntryRow, entriesAfter, inOneMoment } from '../../../integrity/verify-queries.ts'
import { typedId, typedIds, uuidOf } from '../../../lib/ids.ts'
import { dpuFault } from './dpu-fault.ts'
import { historyFault } from './history-fault.ts'
import * as queries from './queries.ts'

export async function readRecords(
  tx: TenantTx,
  domain: Domain,
  after: number,
  below: number,
  limit: number,
): Promise<RecordPage> {
  await inOneMoment(tx)
  const rows = await entriesAfter(tx, domain, after, below, limit)
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return { rows, recordFault: () => null }
  const fault =
    domain === 'history'
      ? await historyFaults(tx, rows, first.idx, last.idx)
      : await dpuFaults(tx, domain, rows, first.idx, last.idx)
  return { rows, recordFault: (row) => faultOrCrash(() => fault(row)) }
}

/** No content of a row may stop the verification. */
export function faultOrCrash(fault: () => string | null): string | null {
  try {
    return fault()
  } catch (error) {
    return `its record cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function dpuFaults(
  tx: TenantTx,
  domain: 'dpu' | 'proof',
  rows: readonly EntryRow[],
  from: number,
  to: number,
): Promise<RecordFault> {
  const ids = rows.map(({ id }) => id)
  const dpus = grouped(await queries.dpusAt(tx, domain, from, to), (dpu) => dpu.chain_index)
  const ofDecision = domain === 'proof' ? ids : []
  const events = grouped(await queries.eventsOf(tx, ofDecision), (event) => event.id)
  const approvals = grouped(await queries.approvalsOf(tx, ofDecision), (approval) => approval.event_id)
  const targets = ids.flatMap((id) => targetsOf(id))
  const changes = grouped(await queries.changesOf(tx, targets, 'standing'), (change) => change.target)
  return (entry) =>
    dpuFault({
      entry,
      dpus: dpus(entry.idx),
      event: events(entry.id)[0] ?? null,
      approvals: approvals(entry.id),
      changes: targetsOf(entry.id)
        .flatMap(changes)
        .toSorted((a, b) => a.idx - b.idx),
    })
}

/** The same record has a DPU id and an evidence id. */
export const targetsOf = (uuid: string): readonly string[] => typedIds(uuid, 'dpu', 'evidence')

async function historyFaults(tx: TenantTx, rows: readonly EntryRow[], from: number, to: number): Promise<RecordFault> {
  const history = grouped(await queries.historyAt(tx, from, to), (row) => row.idx)
  const abouts = new Map(rows.map((row) => [row.idx, about(row)]))
  const targets = [...abouts.values()].flatMap(({ target, own }) => [target, own])
  const redactions = grouped(await queries.changesOf(tx, targets, 'redactions'), (change) => change.target)
  const policies = [...abouts.values()].flatMap(({ policy }) => policy ?? [])
  const versions = grouped(await queries.policyVersionsOf(tx, policies), (version) => version.id)
  return (entry) => {
    const { target, own, policy } = abouts.get(entry.idx) as About
    return historyFault({
      entry,
      row: history(entry.idx)[0],
      redactions: [...redactions(target), ...redactions(own)],
      versions: policy === null ? [] : versions(policy),
    })
  }
}

interface About {
  readonly target: string
  readonly own: string
  readonly policy: string | null
}

/** Parsed by pattern, as the database does it: the chain verifier reports an entry that cannot be read. */
function about({ id, content }: EntryRow): About {
  const target = /"target":"([^"]*)"/.exec(content)?.[1] ?? ''
  return { target, own: typedId('history', id), policy: uuidOf('policy', target) }
}

function grouped<R, K>(rows: readonly R[], keyOf: (row: R) => K): (key: K) => readonly R[] {
  const groups = Map.groupBy(rows, keyOf)
  return (key) => groups.get(key) ?? []
}
