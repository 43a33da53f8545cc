/** Somebody with all rights of the database changes the rules of a center, past every trigger, and puts them back. */
import { asSuperuser } from '../../../../../../tests/crash/rewritten-log.ts'
import type { TestServer } from '../../../../../../tests/support/server.ts'

const tables = ['policy_versions', 'center_rules'] as const

/** `statements` may name the center as $1. Returns what restores the rows of before. */
export async function asAnInsider(server: TestServer, centerId: number, statements: readonly string[]) {
  const url = server.databases[0]?.url as string
  const kept = new Map<string, string>()
  await asSuperuser(url, async (client) => {
    for (const table of tables) {
      const { rows } = await client.query(
        `select coalesce(json_agg(t), '[]')::text as rows from cell.${table} t where center_id = $1`,
        [centerId],
      )
      kept.set(table, rows[0].rows)
    }
    for (const each of statements) await client.query(each, each.includes('$1') ? [centerId] : [])
  })
  return () =>
    asSuperuser(url, async (client) => {
      for (const [table, rows] of kept) {
        await client.query(`delete from cell.${table} where center_id = $1`, [centerId])
        await client.query(`insert into cell.${table} select * from json_populate_recordset(null::cell.${table}, $1)`, [
          rows,
        ])
      }
    })
}
