/**
 * Whether a database keeps what it has acknowledged: through a crash of its machine, and through the loss of it. Read
 * once, when the process begins to use the database; a change after that is not noticed.
 */
import type pg from 'pg'
import type { Logger } from 'pino'
import type { DurabilityMode } from '../config/config.ts'

export interface DurabilitySettings {
  readonly is_standby: boolean
  readonly fsync: string
  readonly full_page_writes: string
  readonly synchronous_commit: string
  readonly synchronous_standby_names: string
  /** Our roles with a setting of their own, such as `cs_recorder=off`. */
  readonly of_roles: readonly string[]
}

const query = `
  select pg_is_in_recovery() as is_standby, current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit,
    current_setting('synchronous_standby_names') as synchronous_standby_names,
    array(select r.rolname || substr(c, length('synchronous_commit') + 1)
      from pg_catalog.pg_db_role_setting s join pg_catalog.pg_roles r on r.oid = s.setrole, unnest(s.setconfig) c
      where r.rolname like 'cs\\_%' and c like 'synchronous\\_commit=%'
        and s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
      order by 1) as of_roles`

/** With `remote_write` a standby has received a commit and may not have written it to its disk. */
const waitsForDisk = (synchronousCommit: string): boolean => ['on', 'remote_apply'].includes(synchronousCommit)

/** What is wrong, each with its remedy. */
export function durabilityFaults(found: DurabilitySettings): readonly (readonly [fault: string, remedy: string])[] {
  if (found.is_standby) return [['it is a standby', 'point its address at the primary']]
  const weak = found.of_roles.filter((setting) => !waitsForDisk(setting.slice(setting.indexOf('=') + 1)))
  const faults: [string, string][] = []
  if (found.fsync !== 'on') faults.push(['fsync is off', 'set fsync = on'])
  if (found.full_page_writes !== 'on') faults.push(['full_page_writes is off', 'set full_page_writes = on'])
  if (!waitsForDisk(found.synchronous_commit))
    faults.push([`synchronous_commit is ${found.synchronous_commit}`, 'set synchronous_commit = on'])
  if (weak.length > 0)
    faults.push([
      `some roles have their own synchronous_commit (${weak.join(', ')})`,
      'reset synchronous_commit for these roles',
    ])
  if (found.synchronous_standby_names === '')
    faults.push(['synchronous_standby_names is empty', 'name a synchronous standby'])
  return faults
}

export async function readDurability(client: pg.Client): Promise<DurabilitySettings> {
  const { rows } = await client.query<DurabilitySettings>(query)
  return rows[0] as DurabilitySettings
}

/** The database may lose what it has acknowledged, and DURABILITY is `strict`. */
export class NotDurable extends Error {}

export type CheckDurability = (client: pg.Client, database: string) => Promise<void>

export function checkDurability(mode: DurabilityMode, log: Logger): CheckDurability {
  // The directory and the only cell are often one database.
  const reported = new Set<string>()
  return async (client, database) => {
    const place = `${client.host}:${client.port}/${client.database}`
    if (mode === 'off' || reported.has(place)) return
    const faults = durabilityFaults(await readDurability(client))
    if (faults.length === 0) return
    const [said, remedies] = [faults.map(([fault]) => fault).join('; '), faults.map(([, remedy]) => remedy).join('; ')]
    const message = `The ${database} database may lose what it has acknowledged: ${said}. To fix this: ${remedies}; see "Durability" in docs/runbook.md.`
    if (mode === 'strict') throw new NotDurable(message)
    reported.add(place)
    log.warn({ database }, message)
  }
}
