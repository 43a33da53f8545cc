/** The records that belong to chain entries, in pages of bounded bytes. */
import type { Json } from '@countersign/proof/canonical.ts'
import { type RawBuilder, sql } from 'kysely'
import { textsWithin } from '../../../data/byte-pages.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { ApprovalRow, DpuRow, EventRow } from '../../../governance/rows.ts'
import type { EntryRow } from '../../../integrity/verify-queries.ts'
import { typedIds } from '../../../lib/ids.ts'

export type StoredEvent = EventRow & { readonly updated_at: string }

/** An entry of the chain `history` with its stored values; both are null when the row is missing. */
export interface HistoryEntryRow extends EntryRow {
  readonly type: string
  readonly target: string
  readonly disclosed: Readonly<Record<string, Json>> | null
  readonly salts: Readonly<Record<string, string>> | null
}

/** What belongs to an entry of the chain `dpu` or `proof`; null stands for no rows. */
export interface RecordOfEntry {
  readonly dpus: readonly DpuRow[] | null
  readonly event: StoredEvent | null
  readonly approvals: readonly ApprovalRow[] | null
  readonly changes: readonly HistoryEntryRow[] | null
}

/** What belongs to an entry of the chain `history`, apart from the redactions of its target. */
export interface HistoryOfEntry {
  readonly row: { readonly disclosed: HistoryEntryRow['disclosed']; readonly salts: HistoryEntryRow['salts'] } | null
  /** Redactions of the entry itself. */
  readonly redactions: readonly HistoryEntryRow[] | null
  /** The version of a policy that it discloses. */
  readonly version: PolicyVersion | null
  /** The same of a shared policy. */
  readonly shared: SharedVersion | null
  /** The version of an action type that it discloses. */
  readonly action_type: StoredActionType | null
  /** The execution of the decision that it is about. */
  readonly execution: StoredExecution | null
}

/** The columns of an execution, with the digest of its decision. */
export interface StoredExecution {
  readonly action_digest: string | null
  readonly [column: string]: string | number | null
}

/** A version of a record that is never changed, only followed by the next. */
export interface StoredVersion {
  readonly version: number
  readonly digest: string
  readonly deleted: boolean
  readonly created_by: string
  readonly created_at: string
  readonly change_hash: string
}

export interface PolicyVersion extends StoredVersion {
  readonly policy: string
}

/** A version of a policy that centers share, which they only enter in their history. */
export type SharedVersion = Pick<PolicyVersion, 'version' | 'digest' | 'policy'>

export interface StoredActionType extends StoredVersion {
  readonly key: string
  readonly template: string
}

/**
 * The last change of each type, and the last redaction of each list of paths: a later redaction of the same paths excuses
 * all that an earlier one does, and there are few lists, however often metadata are set and redacted. Rows are JSON, so
 * that times and numbers have the form in which a batch reads them.
 */
const changesOf = (tx: TenantTx, targets: RawBuilder<unknown>, type: RawBuilder<unknown> = sql`true`) => sql`(
  select json_agg(c order by c.idx) from (
    select distinct on (target, type, case type when 'redaction' then x.disclosed ->> 'paths' end)
      e.idx, e.id, e.content, e.previous_hash, e.sealed_at, e.hash, x.disclosed, x.salts, e.target, e.type
    from cell.chain_entries e left join cell.history x on x.center_id = e.center_id and x.idx = e.idx
    where e.center_id = ${tx.caller.centerId} and e.domain = 'history' and e.target = any (${targets}) and ${type}
    order by target, type, case type when 'redaction' then x.disclosed ->> 'paths' end, e.idx desc) c)`

const redactionsOf = (tx: TenantTx, targets: RawBuilder<unknown>) => changesOf(tx, targets, sql`e.type = 'redaction'`)

/** An element of an array parameter. */
const element = (values: readonly unknown[], type: string, position: RawBuilder<number>) =>
  sql`(${values}::${sql.raw(type)}[])[${position}]`

/** A `RecordOfEntry` as JSON for each of these entries: as many as fit into a page. */
export function recordsOf(tx: TenantTx, domain: 'dpu' | 'proof', entries: readonly EntryRow[]) {
  const { centerId } = tx.caller
  const ids = entries.map(({ id }) => id)
  const names = ids.map((id) => typedIds(id, 'dpu', 'evidence'))
  return textsWithin(tx, entries.length, (at) => {
    const id = element(ids, 'uuid', at)
    const named = (kind: 0 | 1) =>
      element(
        names.map((name) => name[kind]),
        'text',
        at,
      )
    const decision = sql`
      'event', (select row_to_json(e) from cell.decision_events e where e.center_id = ${centerId} and e.id = ${id}),
      'approvals', (select json_agg(a order by a.position) from cell.approvals a
        where a.center_id = ${centerId} and a.event_id = ${id}),`
    return sql`json_build_object(
      'dpus', (select json_agg(u) from cell.dpus u where u.center_id = ${centerId} and u.domain = ${domain}
        and u.chain_index = ${element(
          entries.map(({ idx }) => idx),
          'bigint',
          at,
        )}),
      ${domain === 'proof' ? decision : sql``}
      'changes', ${changesOf(tx, sql`array[${named(0)}, ${named(1)}]`)})`
  })
}

const executionOf = (centerId: number, event: RawBuilder<unknown>) => sql`(
  select row_to_json(x) from (
    select e.*, d.action_digest from cell.decision_executions e
      left join cell.decision_events d on d.center_id = e.center_id and d.id = e.event_id
    where e.center_id = ${centerId} and e.event_id = ${event}) x)`

/** The execution of one decision. */
export async function findExecution(tx: TenantTx, eventId: string): Promise<StoredExecution | null> {
  const { rows } = await sql<{ execution: StoredExecution | null }>`
    select ${executionOf(tx.caller.centerId, sql`${eventId}`)} as execution`.execute(tx.db)
  return rows[0]?.execution ?? null
}

/** A `HistoryOfEntry` as JSON for each of these entries: as many as fit into a page. */
export function historyOf(tx: TenantTx, entries: readonly AboutEntry[]) {
  const { centerId } = tx.caller
  return textsWithin(tx, entries.length, (at) => {
    const of = (key: keyof AboutEntry, type: string) =>
      element(
        entries.map((entry) => entry[key]),
        type,
        at,
      )
    const disclosed = sql`case when h.disclosed ->> 'version' ~ '^[0-9]{1,9}$' then (h.disclosed ->> 'version')::integer end`
    return sql`(
      select json_build_object(
        'row', (select row_to_json(h)),
        'redactions', ${redactionsOf(tx, sql`array[${of('own', 'text')}]`)},
        'version', (select row_to_json(p) from cell.policy_versions p
          where p.center_id = ${centerId} and p.id = ${of('policy', 'uuid')} and p.version = ${disclosed}),
        'shared', (select row_to_json(s) from cell.shared_policies s
          where s.id = ${of('policy', 'uuid')} and s.version = ${disclosed}),
        'action_type', (select row_to_json(t) from cell.action_type_versions t
          where t.center_id = ${centerId} and t.id = ${of('actionType', 'uuid')} and t.version = ${disclosed}),
        'execution', ${executionOf(centerId, of('event', 'uuid'))})
      from (select 1) one left join cell.history h on h.center_id = ${centerId} and h.idx = ${of('idx', 'bigint')})`
  })
}

export interface AboutEntry {
  readonly idx: number
  readonly target: string
  /** The typed id of the entry itself, which a redaction may have as its target. */
  readonly own: string
  /** The policy that it is about. */
  readonly policy: string | null
  /** The action type that it is about. */
  readonly actionType: string | null
  /** The decision event that it is about. */
  readonly event: string | null
}

/** The redactions of each of these targets as JSON: as many as fit into a page. */
export const redactionsOfEach = (tx: TenantTx, targets: readonly string[]) =>
  textsWithin(
    tx,
    targets.length,
    (at) => sql`coalesce(${redactionsOf(tx, sql`array[${element(targets, 'text', at)}]`)}, '[]')`,
  )

/** The redactions of one record. */
export async function redactionsOfRecord(
  tx: TenantTx,
  targets: readonly string[],
): Promise<readonly HistoryEntryRow[]> {
  const { rows } = await sql<{ redactions: readonly HistoryEntryRow[] | null }>`
    select ${redactionsOf(tx, sql`${targets}::text[]`)} as redactions`.execute(tx.db)
  return rows[0]?.redactions ?? []
}

/** The entries of `history` about these targets after an index, oldest first: as many as fit into a page. */
export async function changesAfter(
  tx: TenantTx,
  targets: readonly string[],
  after: number,
): Promise<readonly HistoryEntryRow[]> {
  const { centerId } = tx.caller
  const { rows } = await sql<{ idx: number }>`
    select idx from cell.chain_entries where center_id = ${centerId} and domain = 'history'
      and target = any (${targets}::text[]) and idx > ${after}
    order by idx limit 500`.execute(tx.db)
  const texts = await textsWithin(tx, rows.length, (at) => {
    const idx = element(
      rows.map((row) => row.idx),
      'bigint',
      at,
    )
    return sql`(
      select row_to_json(c) from (
        select e.idx, e.id, e.content, e.previous_hash, e.sealed_at, e.hash, x.disclosed, x.salts,
          e.target, e.type
        from cell.chain_entries e left join cell.history x on x.center_id = e.center_id and x.idx = e.idx
        where e.center_id = ${centerId} and e.domain = 'history' and e.idx = ${idx}) c)`
  })
  return texts.map((text) => JSON.parse(text) as HistoryEntryRow)
}

/** The domain and the index that a DPU claims. */
export async function placeOf(tx: TenantTx, id: string): Promise<{ domain: 'dpu' | 'proof'; index: number } | null> {
  const { rows } = await sql<{ domain: 'dpu' | 'proof'; index: number }>`
    select domain, chain_index as index from cell.dpus where center_id = ${tx.caller.centerId} and id = ${id}`.execute(
    tx.db,
  )
  return rows[0] ?? null
}
