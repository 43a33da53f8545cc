/** Every statement of the search: what is indexed, what the index finds, and the rows that are shown. */
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import type { SearchableRow, Words } from './searchable.ts'

const approvalsOf = sql`
  coalesce((select json_agg(json_build_object('approver', a.approver, 'identity_by', a.identity_by,
      'on_behalf_of', a.on_behalf_of, 'reason', a.reason, 'result', a.result, 'identity_level', a.identity_level,
      'taken_back', t.position is not null) order by a.position)
    from cell.approvals a left join cell.approval_take_backs t
      on t.center_id = a.center_id and t.event_id = a.event_id and t.position = a.position
    where a.center_id = e.center_id and a.event_id = e.id), '[]')`

const policiesOf = sql`
  array(select distinct p ->> 'id' from (
    select json_array_elements(u.policies) as p from cell.dpus u where u.center_id = e.center_id and u.id = e.id
      and u.policies is not null
    union all
    select json_array_elements(w.policies) from cell.waiting_decisions w where w.center_id = e.center_id and w.event_id = e.id
  ) each)`

export interface IndexedRow extends SearchableRow {
  readonly seq: string
  readonly created_at: Date
  /** Of its words when the text was read; 0 without any. */
  readonly epoch: number
}

const indexed = sql`
  e.seq, e.created_at, e.decision_id, e.status, e.actor, e.action, e.reason, e.tags, ${approvalsOf} as approvals,
  ${policiesOf} as policies, coalesce(w.epoch, 0) as epoch`
const words = sql`cell.decision_words w on w.center_id = e.center_id and w.seq = e.seq`

/** The centers with something that is not indexed yet. Steps from center to center, whatever they hold. */
export async function centersBehind(db: Kysely<never>): Promise<readonly number[]> {
  const { rows } = await sql<{ center_id: number }>`
    with recursive centers (center_id) as (
      (select e.center_id from cell.decision_events e order by e.center_id limit 1)
      union all
      select n.center_id from centers c cross join lateral (
        select e.center_id from cell.decision_events e where e.center_id > c.center_id order by e.center_id limit 1) n
    )
    select c.center_id from centers c left join cell.decision_word_marks m using (center_id)
    where (select e.seq from cell.decision_events e where e.center_id = c.center_id order by e.seq desc limit 1)
      > coalesce(m.recorded_through, 0)
    union
    select h.center_id from cell.chain_heads h left join cell.decision_word_marks m using (center_id)
    where h.domain = 'proof' and h.next_index > coalesce(m.sealed_through, 0)
    union
    select w.center_id from cell.decision_words w where w.stale`.execute(db)
  return rows.map(({ center_id }) => center_id)
}

/** Every decision up to this one is committed: whoever records holds the same lock, shared, until the commit. */
export async function committedThrough(tx: TenantTx): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtext('cell.decision_event_counts'), ${tx.caller.centerId}::integer)`.execute(
    tx.db,
  )
  const { rows } = await sql<{ seq: string }>`
    select coalesce(max(seq), 0)::text as seq from cell.decision_events where center_id = ${tx.caller.centerId}`.execute(
    tx.db,
  )
  return rows[0]?.seq ?? '0'
}

interface Marks {
  readonly recorded_through: string
  readonly sealed_through: string
}

/** Locked until the commit: one worker at a time. */
export async function lockMarks(tx: TenantTx): Promise<Marks> {
  await sql`insert into cell.decision_word_marks (center_id) values (${tx.caller.centerId}) on conflict do nothing`.execute(
    tx.db,
  )
  const { rows } = await sql<Marks>`
    select recorded_through::text, sealed_through::text from cell.decision_word_marks
    where center_id = ${tx.caller.centerId} for update`.execute(tx.db)
  return rows[0] as Marks
}

export const moveMark = (tx: TenantTx, mark: keyof Marks, through: string) =>
  sql`update cell.decision_word_marks set ${sql.ref(mark)} = ${through}::bigint
    where center_id = ${tx.caller.centerId}`.execute(tx.db)

export async function recordedAfter(
  tx: TenantTx,
  after: string,
  through: string,
  limit: number,
): Promise<IndexedRow[]> {
  const { rows } = await sql<IndexedRow>`
    select ${indexed} from cell.decision_events e left join ${words}
    where e.center_id = ${tx.caller.centerId} and e.seq > ${after}::bigint and e.seq <= ${through}::bigint
    order by e.seq limit ${limit}`.execute(tx.db)
  return rows
}

/** Those whose evidence stands in the chain from this index on. */
export async function sealedFrom(tx: TenantTx, from: string, limit: number) {
  const { rows } = await sql<IndexedRow & { readonly chain_index: string }>`
    select ${indexed}, u.chain_index from (
      select center_id, id, chain_index from cell.dpus
      where center_id = ${tx.caller.centerId} and domain = 'proof' and chain_index >= ${from}::bigint
      order by chain_index limit ${limit}) u
    join cell.decision_events e on e.center_id = u.center_id and e.id = u.id left join ${words}
    order by u.chain_index`.execute(tx.db)
  return rows
}

/** The next index of the chain: entries without a decision of their own end there too. */
export async function sealedEnd(tx: TenantTx): Promise<string> {
  const { rows } = await sql<{ next_index: string }>`
    select next_index::text from cell.chain_heads where center_id = ${tx.caller.centerId} and domain = 'proof'`.execute(
    tx.db,
  )
  return rows[0]?.next_index ?? '0'
}

export async function staleRows(tx: TenantTx, limit: number): Promise<IndexedRow[]> {
  const { rows } = await sql<IndexedRow>`
    select ${indexed} from cell.decision_words w join cell.decision_events e on e.center_id = w.center_id and e.seq = w.seq
    where w.center_id = ${tx.caller.centerId} and w.stale limit ${limit}`.execute(tx.db)
  return rows
}

/** Leaves a row that a redaction has emptied since its text was read. */
export async function putWords(
  tx: TenantTx,
  rows: readonly (Pick<IndexedRow, 'seq' | 'created_at' | 'epoch'> & Words)[],
) {
  await sql`
    insert into cell.decision_words as w (seq, created_at, amount, tokens, epoch)
    select n.seq, n.created_at, n.amount, array(select t::integer from json_array_elements_text(n.tokens) t), n.epoch
    from json_to_recordset(${JSON.stringify(rows)}::json) as n (
      seq bigint, created_at timestamptz, amount double precision, tokens json, epoch integer)
    order by n.seq
    on conflict (center_id, seq) do update
      set amount = excluded.amount, tokens = excluded.tokens, stale = false where w.epoch = excluded.epoch`.execute(
    tx.db,
  )
}

/** No search holds a connection longer. */
export const boundStatements = (tx: TenantTx, ms: number) =>
  sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(tx.db)

export interface Wanted {
  readonly words: readonly (readonly (readonly number[])[])[]
  readonly low: number | null
  readonly high: number | null
  readonly from: Date | null
  readonly to: Date | null
}

export async function candidates(
  tx: TenantTx,
  { words: all, low, high, from, to }: Wanted,
  { before, newest, most }: { before: string; newest: number; most: number },
): Promise<string[]> {
  const { rows } = await sql<{ seq: string }>`
    select seq::text from cell.find_decisions(${all.length > 0 ? JSON.stringify(all) : null}::json, ${low}, ${high}, ${from}, ${to},
      ${before}::bigint, ${newest}, ${most})`.execute(tx.db)
  return rows.map(({ seq }) => seq)
}

export interface FoundRow extends SearchableRow {
  readonly approvals: readonly (SearchableRow['approvals'][number] & { readonly taken_back: boolean })[]
  readonly seq: string
  readonly id: string
  readonly type: string
  readonly risk_score: number | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly waiting: boolean
  readonly chain_hash: string | null
}

const found = sql`
  e.seq::text, e.id, e.type, e.decision_id, e.status, e.actor, e.action, e.reason, e.risk_score, e.tags, e.created_at, e.updated_at,
  ${approvalsOf} as approvals, ${policiesOf} as policies, h.event_id is not null as waiting,
  (select c.hash from cell.dpus u join cell.chain_entries c
    on c.center_id = u.center_id and c.domain = u.domain and c.idx = u.chain_index
    where u.center_id = e.center_id and u.id = e.id) as chain_hash`
const held = sql`cell.waiting_decisions h on h.center_id = e.center_id and h.event_id = e.id`

export async function rowsBySeq(tx: TenantTx, seqs: readonly string[]): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select ${found} from cell.decision_events e left join ${held}
    where e.center_id = ${tx.caller.centerId} and e.seq = any (${seqs}::bigint[]) order by e.seq desc`.execute(tx.db)
  return rows
}

export async function rowsById(tx: TenantTx, ids: readonly string[]): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select ${found} from cell.decision_events e left join ${held}
    where e.center_id = ${tx.caller.centerId} and e.id = any (${ids}::uuid[]) order by e.seq desc`.execute(tx.db)
  return rows
}

export async function idsNamed(tx: TenantTx, name: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from cell.decision_events where center_id = ${tx.caller.centerId} and decision_id = ${name}`.execute(
    tx.db,
  )
  return rows.map(({ id }) => id)
}

export async function seqOf(tx: TenantTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ seq: string }>`
    select seq::text from cell.decision_events where center_id = ${tx.caller.centerId} and id = ${id}`.execute(tx.db)
  return rows[0]?.seq ?? null
}

/** Members of whose current name a word begins like this; at most twenty. */
export async function membersNamed(tx: DirectoryTx, texts: readonly string[]) {
  const { rows } = await sql<{ text: string; actor_id: string }>`
    select t.text, m.actor_id from unnest(${texts}::text[]) t (text) cross join lateral (
      select distinct m.actor_id from directory.member_words w
        join directory.memberships m on m.center_id = w.center_id and m.id = w.membership_id
      where w.center_id = ${tx.caller.centerId} and w.word >= t.text and w.word < t.text || ${String.fromCodePoint(0x10ffff)}
      limit 20) m`.execute(tx.db)
  return rows
}
