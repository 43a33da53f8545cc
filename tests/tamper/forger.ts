/** An attacker with full database access: no trigger, check or constraint applies except the primary keys. */
import pg from 'pg'
import { startServer, type TestServer } from '../support/server.ts'
import { type ProvenTable, provenTables } from './coverage.ts'
import { type FilledChains, fillChains } from './filled-chains.ts'

export type Domain = 'proof' | 'dpu' | 'history'

export interface Place {
  readonly domain: Domain
  readonly index: number
}

/** A row that a proof covers, with the entry that covers it. */
export interface Target extends Place {
  readonly kind: string
  /** A condition that holds for this row only. */
  readonly where: string
  /** The entries of `history` that cover its first and its later outcome. */
  readonly outcomes?: Readonly<Record<string, number | null>>
}

export interface Verdict {
  readonly valid: boolean
  readonly brokenAt: number | null
  readonly reason: string | null
  readonly chainLength: number
}

export interface Forger {
  readonly server: TestServer
  readonly filled: FilledChains
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** Without generated columns, which PostgreSQL computes from the others. */
  columns(table: ProvenTable): Promise<readonly { name: string; type: string }[]>
  /** First, middle and last row of every kind. */
  targets(table: ProvenTable): Promise<readonly Target[]>
  /** Those of them for whose row `t` the condition holds. */
  those(table: ProvenTable, targets: readonly Target[], condition: string): Promise<readonly Target[]>
  lengthOf(domain: Domain): Promise<number>
  verify(mode?: 'chain' | 'records'): Promise<Record<Domain, Verdict>>
  /** Restores a table to its state before the first forgery, and clears the broken mark. */
  restore(table: ProvenTable): Promise<void>
  close(): Promise<void>
}

const dpuOf = (event: string) =>
  `(select u.chain_index from cell.dpus u where u.center_id = t.center_id and u.id = ${event})`
const statusOf = '(select u.event_status from cell.dpus u where u.center_id = t.center_id and u.id = t.id)'
const approvalsOf = '(select count(*) from cell.approvals a where a.center_id = t.center_id and a.event_id = t.id)'

/** For every table: the kinds of rows, the entry that covers a row, and the key of a row. */
const rowsOf: Readonly<
  Record<ProvenTable, { kind: string; domain: string; index: string; key: string; which: string }>
> = {
  entries: { kind: 't.domain', domain: 't.domain', index: 't.idx', key: 'domain, idx', which: 'true' },
  chain_heads: { kind: 't.domain', domain: 't.domain', index: 't.next_index', key: 'domain', which: 'true' },
  dpus: {
    kind: `t.domain || ' ' || t.evidence_level || ' ' || (t.policies is not null)`,
    domain: 't.domain',
    index: 't.chain_index',
    key: 'id',
    which: 'true',
  },
  recorded_decisions: {
    kind: `${statusOf} || ' ' || t.type || ' ' || ${approvalsOf}`,
    domain: `'proof'`,
    index: dpuOf('t.id'),
    key: 'id',
    which: `${statusOf} is not null`,
  },
  approvals: {
    kind: `t.result || ' ' || t.position || ' ' || (select count(*) from cell.approvals a where a.center_id = t.center_id and a.event_id = t.event_id)`,
    domain: `'proof'`,
    index: dpuOf('t.event_id'),
    key: 'event_id, position',
    which: `${dpuOf('t.event_id')} is not null`,
  },
  history: {
    kind: `(select e.type from cell.chain_entries e where e.center_id = t.center_id and e.domain = 'history' and e.idx = t.idx)`,
    domain: `'history'`,
    index: 't.idx',
    key: 'idx',
    which: 'true',
  },
  decision_executions: {
    kind: `case when t.later_index is not null then 'later' when t.outcome_index is not null then 'reported' else 'consumed' end`,
    domain: `'history'`,
    index: 't.consumed_index',
    key: 'event_id',
    which: 'true',
  },
  policy_versions: {
    kind: `case when t.deleted then 'deleted' when t.version = 1 then 'created' else 'updated' end`,
    domain: `'history'`,
    index: `(select h.idx from cell.history h where h.center_id = t.center_id and h.disclosed ->> 'digest' = t.digest
      and h.disclosed ->> 'version' = t.version::text and (h.disclosed ->> 'action' = 'deleted') = t.deleted)`,
    key: 'id, version',
    which: 'true',
  },
  action_type_versions: {
    kind: `case when t.deleted then 'deleted' when t.version = 1 then 'created' else 'updated' end`,
    domain: `'history'`,
    index: `(select e.idx from cell.chain_entries e where e.center_id = t.center_id and e.hash = t.change_hash)`,
    key: 'id, version',
    which: 'true',
  },
  passkeys: {
    kind: `case when t.removed then 'removed' else t.confirmed end`,
    domain: `'history'`,
    index: `(select h.idx from cell.history h where h.center_id = t.center_id and h.disclosed ->> 'action' = 'bound'
      and h.disclosed #>> '{statement,thumbprint}' = t.thumbprint)`,
    key: 'id',
    which: 'true',
  },
  eligibilities: {
    kind: `case when t.active then t.role else 'removed' end`,
    domain: `'history'`,
    index: 't.since_index',
    key: 'id',
    which: 'true',
  },
  groups: {
    kind: `case when t.ended then 'ended' when t.name like '% again' then 'updated' else 'created' end`,
    domain: `'history'`,
    index: 't.changed_index',
    key: 'id',
    which: 'true',
  },
}

export async function openForger(): Promise<Forger> {
  const server = await startServer()
  const filled = await fillChains(server)
  const client = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await client.connect()
  const query = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<R>(text, values)).rows
  await query('set session_replication_role = replica')
  await liftConstraints(query)
  await query('create schema backup')
  for (const table of provenTables) await query(`create table backup.${table} as table cell.${table}`)
  const { id } = filled.center
  const columns: Forger['columns'] = (table) =>
    query(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
      [`cell.${table}`],
    )

  return {
    server,
    filled,
    query,
    columns,
    async targets(table) {
      const { kind, domain, index, key, which } = rowsOf[table]
      const rows = await query<Target & { keys: Record<string, unknown> }>(
        `select kind, domain, index::integer, keys from (
           select *, row_number() over (partition by kind order by index) as nth, count(*) over (partition by kind) as all_of_kind
           from (select ${kind} as kind, ${domain} as domain, ${index} as index,
             (select row_to_json(k) from (select t.${key.replaceAll(', ', ', t.')}) k) as keys
             from cell.${table} t where t.center_id = $1 and ${which}) rows
         ) ranked where nth in (1, (all_of_kind + 1) / 2, all_of_kind) order by kind, index`,
        [id],
      )
      const targets = rows.map(({ keys, ...rest }) => {
        const conditions = Object.entries(keys).map(([column, value]) => `${column} = '${value}'`)
        return { ...rest, where: [`center_id = ${id}`, ...conditions].join(' and ') }
      })
      if (table !== 'decision_executions') return targets
      const outcomes =
        'select outcome_index::integer as outcome, later_index::integer as later from cell.decision_executions'
      return Promise.all(
        targets.map(async (target) => {
          const [found] = await query<Record<string, number | null>>(`${outcomes} where ${target.where}`)
          return { ...target, outcomes: found as Record<string, number | null> }
        }),
      )
    },
    async those(table, targets, condition) {
      const held: Target[] = []
      for (const target of targets) {
        const found = await query(`select from cell.${table} t where ${target.where} and ${condition}`)
        if (found.length > 0) held.push(target)
      }
      return held
    },
    async lengthOf(domain) {
      const rows = await query<{ n: number }>(
        `select count(*)::integer as n from backup.entries where center_id = $1 and domain = $2`,
        [id, domain],
      )
      return rows[0]?.n as number
    },
    async verify(mode = 'records') {
      const answer = await server.call('GET', `/api/dpu/verify-chain?mode=${mode}`, { token: filled.token })
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body.data.domains
    },
    async restore(table) {
      // Writes only the rows that differ: rewriting a table a thousand times would make it slow to read.
      for (const each of new Set<ProvenTable>([table, 'chain_heads'])) {
        const names = (await columns(each)).map(({ name }) => name).join(', ')
        await query(`
          delete from cell.${each} t where not exists (select from backup.${each} b where b::text = t::text);
          insert into cell.${each} (${names}) select ${names} from backup.${each} b
          where not exists (select from cell.${each} t where t::text = b::text)`)
      }
    },
    async close() {
      await client.end()
      await server.close()
    },
  }
}

/** Checks, unique keys and NOT NULL constraints of the proven tables; primary keys and identities stay. */
export async function liftConstraints(query: Forger['query']): Promise<void> {
  const tables = provenTables.map((table) => `'cell.${table}'::regclass`).join(', ')
  const lifted = await query<{ statement: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
     from pg_constraint where conrelid in (${tables}) and contype in ('c', 'u')
     union all
     select format('alter table %s alter column %I drop not null', a.attrelid::regclass, a.attname)
     from pg_attribute a where a.attrelid in (${tables}) and a.attnum > 0 and a.attnotnull and a.attidentity = '' and not exists (
       select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any (i.indkey))`,
  )
  for (const { statement } of lifted) await query(statement)
}
