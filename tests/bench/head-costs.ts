/** PostgreSQL's cost of locking a chain head, updating it and inserting a checkpoint, each as one statement of many rows. */
import { withoutPasswords } from '@countersign/server/data/logins.ts'
import { openPool } from '@countersign/server/data/pool.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import type { Cost } from './cost.ts'
import { onCpuMicros } from './cost.ts'

const repeats = 30

const statements = {
  'head lock': `select h.* from cell.chain_heads h join json_to_recordset($1) as w (center_id integer)
    using (center_id) where h.domain = 'proof' order by h.center_id for update of h`,
  'head update': `update cell.chain_heads h set next_index = h.next_index + 1, last_hash = h.last_hash
    from json_to_recordset($1) as n (center_id integer) where h.center_id = n.center_id and h.domain = 'proof'`,
  'checkpoint insert': `insert into cell.checkpoints (center_id, domain, size, root, created_at)
    select w.center_id, 'proof', 1000000000 + $2::integer, sha256('x'), now()
    from json_to_recordset($1) as w (center_id integer)`,
  'signature insert': `insert into cell.signatures (center_id, domain, size, line)
    select w.center_id, 'proof', 1000000000 + $2::integer, repeat('n', 130)
    from json_to_recordset($1) as w (center_id integer) on conflict do nothing`,
}

export async function headCosts(url: string, centerIds: readonly number[]): Promise<Record<string, Cost>> {
  const pool = openPool({
    url,
    role: 'cs_sequencer',
    logins: withoutPasswords,
    prepared: true,
    max: 1,
    log: makeLog({ logLevel: 'silent' }),
  })
  const client = await pool.connect()
  const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid as number
  const rows = JSON.stringify(centerIds.map((center_id) => ({ center_id })))
  const costs: Record<string, Cost> = {}
  try {
    for (const [name, text] of Object.entries(statements)) {
      const values = text.includes('$2') ? [rows, 1] : [rows]
      let micros = 0
      let walBytes = 0
      for (let i = -3; i < repeats; i++) {
        await client.query(`begin; set local app.center_ids = '{${centerIds.join(',')}}'; set local enable_seqscan = off;
          set local enable_hashjoin = off; set local enable_mergejoin = off`)
        const before = onCpuMicros(pid)
        await client.query({ name, text, values })
        if (i >= 0) micros += onCpuMicros(pid) - before
        if (i === 0) {
          await client.query('rollback')
          await client.query(`begin; set local app.center_ids = '{${centerIds.join(',')}}'`)
          const plan = await client.query(`explain (analyze, wal, format json) ${text}`, values)
          walBytes = plan.rows[0]['QUERY PLAN'][0].Plan['WAL Bytes']
        }
        await client.query('rollback')
      }
      const per = repeats * centerIds.length
      costs[name] = { serverMicros: 0, postgresMicros: micros / per, walBytes: walBytes / centerIds.length }
    }
  } finally {
    client.release(true)
    await pool.end()
  }
  return costs
}
