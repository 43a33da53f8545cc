/** Each database: its schema, its login, its clock, whether it keeps what it acknowledges, and its fence store. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { isDatabase } from '../../config/setting-values.ts'
import { skewOf } from '../../data/clock-watch.ts'
import { durabilityFaults, readDurability } from '../../data/durability.ts'
import { loginUrl } from '../../data/logins.ts'
import {
  MigrationError,
  type TargetDatabase,
  targetDatabases,
  Unreachable,
  withDatabase,
} from '../../data/migration-status.ts'
import { requireSchema } from '../../data/schema-check.ts'
import { nowMs } from '../../lib/clock.ts'
import { isCurrent } from '../../sealing/fence/current-database.ts'
import { openStoreAt } from '../../sealing/fence/open.ts'
import { readWhereabouts } from '../../sealing/fence/queries.ts'
import { type Finding, failed, look, ok, skipped, warning } from './finding.ts'
import { keyChecks } from './key-checks.ts'

const leastVersion = 15
/** Tokens and approvals have times of the server and of the database. */
const mostSkewMs = 2000

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024).toLocaleString('en')} MB`

function clock(config: Config, { name, url }: TargetDatabase): Promise<Finding> {
  const remedy = 'Synchronize the clocks of both machines, for example with chrony.'
  return look('clock', name, remedy, () =>
    withDatabase(loginUrl(url, 'cs_api', config.logins), async (client) => {
      const before = nowMs()
      const { rows } = await client.query('select extract(epoch from clock_timestamp()) * 1000 as ms')
      const skew = Math.abs(Math.round(skewOf(before, Number(rows[0].ms), nowMs())))
      return skew > mostSkewMs
        ? failed(`The two clocks differ by ${skew} ms.`, remedy)
        : ok(`The two clocks differ by ${skew} ms.`)
    }),
  )
}

function durability(config: Config, { name, url }: TargetDatabase): Promise<Finding> {
  const guide = 'For three ways to set this up, see docs/durability.md.'
  return look('durability', name, guide, () =>
    withDatabase(loginUrl(url, 'cs_api', config.logins), async (client) => {
      const faults = durabilityFaults(await readDurability(client))
      if (faults.length === 0) return ok('An acknowledged seal survives the loss of one machine.')
      const say = config.durability === 'strict' ? failed : warning
      const remedies = faults.map(([, remedy]) => remedy).join('; ')
      return say(
        `This database may lose what it has acknowledged: ${faults.map(([fault]) => fault).join('; ')}.`,
        `To fix this: ${remedies}. ${guide}`,
      )
    }),
  )
}

function version(config: Config, { name, url }: TargetDatabase): Promise<Finding> {
  const remedy = `Use PostgreSQL ${leastVersion} or later.`
  return look('version', name, remedy, () =>
    withDatabase(loginUrl(url, 'cs_api', config.logins), async (client) => {
      const { rows } = await client.query(
        `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
           current_setting('max_connections') as connections, pg_database_size(current_database()) as bytes`,
      )
      const { version: said, number, connections, bytes } = rows[0]
      const found = `PostgreSQL ${said}, at most ${connections} connections, ${megabytes(Number(bytes))} of data.`
      return number < leastVersion * 10_000 ? failed(found, remedy) : ok(found)
    }),
  )
}

/** The schema is looked at with the login of the requests, so that a missing login is noticed too. */
const schema = (config: Config, database: TargetDatabase): Promise<Finding> =>
  look('schema', database.name, 'Run countersign-server migrate, then this command again.', async () => {
    await requireSchema(config, database, async () => {})
    return ok('It matches this version.')
  })

function store(config: Config, { name, cell, url }: TargetDatabase): Promise<Finding> {
  const remedy = 'Follow "The fence refuses a database" in docs/runbook.md.'
  return look('store', name, remedy, async () => {
    const place = config.log.fence
    const unfenced = 'A process remembers what it signed only until it stops.'
    if (!place)
      return config.production ? warning(unfenced, 'Set TLOG_FENCE to a folder on a local disk.') : skipped(unfenced)
    if (!isDatabase(place.at) && !existsSync(join(place.at, `${cell}.fence`)))
      return skipped("It doesn't exist yet; the first start creates it.")
    const fence = openStoreAt(place, cell as string)
    try {
      const { state } = await fence.read([])
      const where = await withDatabase(loginUrl(url, 'cs_jobs', config.logins), readWhereabouts)
      if (isCurrent(state, where))
        return ok(`The fence store names this database as the current one, after ${state.writes} writes.`)
      if (where.storeId === null && !(await fence.hasLogs()))
        return skipped("It's unused; the first start will bind it to this database.")
      return failed("It doesn't name this database as the current one.", remedy)
    } finally {
      await fence.close()
    }
  })
}

/** What to do about a database that lets nobody in, by SQLSTATE. */
const remedies: Readonly<Record<string, string>> = {
  '3D000': 'Create the database and run countersign-server migrate, or fix DATABASE_URL and CELLS.',
  '28000': "Run countersign-server migrate, which creates the service's roles.",
  '28P01': 'Fix DATABASE_PASSWORD, or run countersign-server migrate, which sets it.',
}

/** Null where the other checks make sense. */
async function unreachable(config: Config, { name, url }: TargetDatabase): Promise<Finding | null> {
  try {
    await withDatabase(loginUrl(url, 'cs_api', config.logins), async () => {})
    return null
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    const code = (error.cause as { code?: string } | undefined)?.code ?? ''
    const remedy =
      error instanceof Unreachable ? 'Start PostgreSQL, or fix the address in DATABASE_URL and CELLS.' : remedies[code]
    const said = failed(error.message, remedy ?? 'Fix DATABASE_URL and CELLS.')
    return { check: 'database', about: name, ...said }
  }
}

export async function databaseChecks(config: Config): Promise<readonly Finding[]> {
  const databases = targetDatabases(config)
  // The directory and the only cell are often one database.
  const distinct = databases.filter(({ url }, n) => databases.findIndex((other) => other.url === url) === n)
  const away = new Map(
    await Promise.all(distinct.map(async (each) => [each.url, await unreachable(config, each)] as const)),
  )
  const reached = ({ url }: TargetDatabase) => !away.get(url)
  const found = await Promise.all([
    ...databases.filter(reached).map((each) => schema(config, each)),
    ...distinct
      .filter(reached)
      .flatMap((each) => [version(config, each), clock(config, each), durability(config, each)]),
    ...databases.filter((each) => each.cell !== null && reached(each)).map((each) => store(config, each)),
  ])
  const fits = found.every(({ check, status }) => check !== 'schema' || status === 'ok')
  const keys = fits && !away.get(config.databaseUrl) ? await keyChecks(config) : []
  return [...[...away.values()].filter((each) => each !== null), ...found, ...keys]
}
