/** Pages of a chain with the records of their entries, each page in one snapshot. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { RecordRow } from '../../../integrity/scan.ts'
import { type EntryRow, entriesAfter, inOneMoment } from '../../../integrity/verify-queries.ts'
import { typedId, typedIds, uuidOf } from '../../../lib/ids.ts'
import { bindingsOf } from '../dpu/api.ts'
import { contentOf } from './committed.ts'
import { dpuFault } from './dpu-fault.ts'
import { freezeFacts } from './freeze-queries.ts'
import { historyFault } from './history-fault.ts'
import { keptGroups, keptMembers, newestFacts } from './newest-queries.ts'
import { passkeyFacts } from './passkey-queries.ts'
import * as queries from './queries.ts'

export async function readRecords(
  tx: TenantTx,
  domain: Domain,
  after: number,
  below: number,
  limit: number,
): Promise<readonly RecordRow[]> {
  await inOneMoment(tx)
  const entries = await entriesAfter(tx, domain, after, below, limit)
  if (entries.length === 0) return []
  return domain === 'history' ? withHistory(tx, entries) : withDpus(tx, domain, entries)
}

/** Why the record of one entry does not hold, its signatures included; null if it does. */
export async function recordFault(tx: TenantTx, domain: Domain, index: number): Promise<string | null> {
  const [row] = await readRecords(tx, domain, index - 1, index + 1, 1)
  return row ? row.fault() : "the record's entry is missing"
}

/** No content of a row may stop the verification. */
export function faultOrCrash(fault: () => string | null): string | null {
  try {
    return fault()
  } catch (error) {
    return `the entry's record can't be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function withDpus(
  tx: TenantTx,
  domain: 'dpu' | 'proof',
  entries: readonly EntryRow[],
): Promise<readonly RecordRow[]> {
  const texts = await queries.recordsOf(tx, domain, entries)
  const rows: RecordRow[] = []
  for (const [at, text] of texts.entries()) {
    const entry = entries[at] as EntryRow
    const bindings = await bindingsIn(tx, text)
    const fault = () => {
      const { dpus, event = null, approvals, changes } = JSON.parse(text) as queries.RecordOfEntry
      if (isSuccession(entry)) return dpus?.length ? "a record claims a succession statement's place" : null
      return dpuFault({ entry, dpus: dpus ?? [], event, approvals: approvals ?? [], changes: changes ?? [], bindings })
    }
    rows.push({ entry, bytes: text.length, fault: () => faultOrCrash(fault) })
  }
  return rows
}

/** Only where a passkey has signed: the signatures are verified by the keys that the history binds. */
async function bindingsIn(tx: TenantTx, text: string) {
  if (!text.includes('"passkey":{')) return []
  try {
    const { approvals } = JSON.parse(text) as queries.RecordOfEntry
    return await bindingsOf(tx, { approvals: approvals ?? [], history: [] })
  } catch {
    return []
  }
}

/** The statement that begins a generation of a log has no record. The chain verifier has checked it. */
const isSuccession = (entry: EntryRow): boolean => contentOf(entry).succession !== undefined

/** The same record has a DPU id and an evidence id. */
export const targetsOf = (uuid: string): readonly string[] => typedIds(uuid, 'dpu', 'evidence')

/** Redactions are read once for each target: a target may have many entries on a page. */
async function withHistory(tx: TenantTx, entries: readonly EntryRow[]): Promise<readonly RecordRow[]> {
  const abouts = entries.map(about)
  const texts = await queries.historyOf(tx, abouts)
  const targets = [...new Set(abouts.slice(0, texts.length).map(({ target }) => target))]
  const redactions = new Map((await queries.redactionsOfEach(tx, targets)).map((text, at) => [targets[at], text]))
  const passkeys = abouts.flatMap(({ target }) => uuidOf('passkey', target) ?? [])
  const factsOf = await passkeyFacts(tx, [...new Set(passkeys)])
  const idsOf = (kind: 'membership' | 'group') => [
    ...new Set(abouts.flatMap(({ target }) => uuidOf(kind, target) ?? [])),
  ]
  const memberOf = await newestFacts(tx, keptMembers, idsOf('membership'))
  const groupOf = await newestFacts(tx, keptGroups, idsOf('group'))
  const freezeOf = await freezeFacts(tx, [...new Set(abouts.flatMap(({ target }) => uuidOf('freeze', target) ?? []))])
  const rows: RecordRow[] = []
  for (const [at, text] of texts.entries()) {
    const [entry, ofTarget] = [entries[at] as EntryRow, redactions.get(abouts[at]?.target)]
    // The page ends where the redactions did not fit.
    if (ofTarget === undefined) break
    const fault = () => {
      if (isSuccession(entry)) return null
      const found = JSON.parse(text) as queries.HistoryOfEntry
      const { row, redactions: ofItself, version, shared, action_type, execution } = found
      const all = [...(JSON.parse(ofTarget) as queries.HistoryEntryRow[]), ...(ofItself ?? [])]
      const key = uuidOf('passkey', abouts[at]?.target ?? '')
      const membership = uuidOf('membership', abouts[at]?.target ?? '')
      const group = uuidOf('group', abouts[at]?.target ?? '')
      const freeze = uuidOf('freeze', abouts[at]?.target ?? '')
      return historyFault({
        entry,
        row,
        redactions: all,
        version,
        shared,
        actionType: action_type,
        execution,
        passkey: key === null ? null : factsOf(key),
        member: membership === null ? null : memberOf(membership),
        group: group === null ? null : groupOf(group),
        freeze: freeze === null ? null : freezeOf(freeze),
      })
    }
    rows.push({ entry, bytes: text.length + ofTarget.length, fault: () => faultOrCrash(fault) })
  }
  return rows
}

/** Parsed by pattern, as the database does it: the chain verifier reports an entry that cannot be read. */
function about({ idx, id, content }: EntryRow): queries.AboutEntry {
  const target = /"target":"([^"]*)"/.exec(content)?.[1] ?? ''
  const own = typedId('history', id)
  const [policy, actionType] = [uuidOf('policy', target), uuidOf('actionType', target)]
  return { idx, target, own, policy, actionType, event: uuidOf('evidence', target) }
}
