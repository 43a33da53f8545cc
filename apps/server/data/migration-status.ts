/** Which migrations each database has, and whether this server can run on them. */
import pg from 'pg'
import { type MigrationFile, type MigrationSet, migrationFiles, released } from './migration-files.ts'
import { sessionOptions } from './pool.ts'

export interface MigrationTarget {
  readonly databaseUrl: string
  readonly cells: ReadonlyMap<string, string>
  /** The folder of the migration files; tests name another. */
  readonly folder?: URL
}

export interface TargetDatabase {
  /** `directory` or `cell NAME`. */
  readonly name: string
  readonly url: string
  readonly sets: readonly MigrationSet[]
}

export const targetDatabases = ({ databaseUrl, cells }: MigrationTarget): TargetDatabase[] => [
  { name: 'directory', url: databaseUrl, sets: ['common', 'directory'] },
  ...Array.from(cells, ([name, url]): TargetDatabase => ({ name: `cell ${name}`, url, sets: ['common', 'cell'] })),
]

/** `unknown`: applied by another version of the server, which has a file that this one does not have. */
export type MigrationState = 'applied' | 'pending' | 'changed' | 'unknown'

export interface DatabaseStatus {
  readonly database: string
  readonly upToDate: boolean
  readonly migrations: readonly {
    readonly name: string
    readonly state: MigrationState
    readonly incompatible: boolean
  }[]
}

/** What failed, in a message for the operator; no stack is needed. */
export class MigrationError extends Error {}

export interface AppliedMigration {
  readonly name: string
  readonly checksum: string
  readonly incompatible: boolean
}

/** Databases of development versions that had no table of checksums. */
const unreadable: AppliedMigration = { name: 'common/(without checksums)', checksum: '', incompatible: true }

export async function readApplied(client: pg.Client): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<{ known: boolean; migrated: boolean }>(
    `select to_regclass('countersign_migrations.applied') is not null as known,
       to_regnamespace('countersign') is not null as migrated`,
  )
  if (!rows[0]?.known) return rows[0]?.migrated ? [unreadable] : []
  const applied = await client.query<AppliedMigration>(
    'select name, checksum, incompatible from countersign_migrations.applied order by name',
  )
  return applied.rows
}

export function compareMigrations(
  database: string,
  sets: readonly MigrationSet[],
  files: readonly MigrationFile[],
  all: readonly AppliedMigration[],
): DatabaseStatus {
  const applied = new Map(
    all.filter(({ name }) => sets.some((set) => name.startsWith(`${set}/`))).map((row) => [row.name, row]),
  )
  const known = files.map(({ name, checksum, incompatible }) => {
    const found = applied.get(name)
    applied.delete(name)
    const state: MigrationState = !found ? 'pending' : found.checksum === checksum ? 'applied' : 'changed'
    return { name, state, incompatible }
  })
  const unknown = Array.from(applied.values(), ({ name, incompatible }) => ({
    name,
    state: 'unknown' as const,
    incompatible,
  }))
  const migrations = [...known, ...unknown]
  return { database, upToDate: migrations.every(({ state }) => state === 'applied'), migrations }
}

/** Why `migrateAll` must not touch a database, or null. */
export function conflictIn({ database, migrations }: DatabaseStatus): string | null {
  const names = (state: MigrationState) => migrations.filter((each) => each.state === state).map(({ name }) => name)
  const changed = names('changed')
  // Only unknown ones: a newer server has migrated. Together with pending ones: the two sets have diverged.
  const diverged = names('pending').length > 0 ? names('unknown') : []
  if (changed.length + diverged.length === 0) return null
  if (!released) return `The ${database} database was made by an older set of migrations. Rebuild it.`
  return `The ${database} database has other migrations than this server: ${[...changed, ...diverged].join(', ')}. Restore the files of the release that made it.`
}

export async function withDatabase<T>(
  url: string,
  options: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, options, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const { host, pathname, username } = new URL(url)
    const missing = username === '' ? ' The URL names no user.' : ''
    throw new MigrationError(
      `PostgreSQL at ${host}${pathname} refused the connection: ${(error as Error).message}.${missing} Check DATABASE_URL and CELLS.`,
      { cause: error },
    )
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function statusOf(
  { name, url, sets }: TargetDatabase,
  folder: URL | undefined,
  options: string,
): Promise<DatabaseStatus> {
  const files = await migrationFiles(sets, folder)
  return withDatabase(url, options, async (client) => compareMigrations(name, sets, files, await readApplied(client)))
}

export const migrationStatus = async (target: MigrationTarget): Promise<DatabaseStatus[]> =>
  Promise.all(targetDatabases(target).map((database) => statusOf(database, target.folder, '')))

export function renderStatus(databases: readonly DatabaseStatus[]): string {
  const lines = databases.flatMap(({ database, upToDate, migrations }) => [
    `${database}: ${upToDate ? `up to date, ${migrations.length} migrations` : 'not up to date'}`,
    ...migrations.filter(({ state }) => state !== 'applied').map(({ name, state }) => `  ${state.padEnd(8)} ${name}`),
  ])
  return `${lines.join('\n')}\n`
}

const command = 'Run npm run db:migrate (or countersign-server migrate).'

/** Before the server serves: throws when a schema is older than its files, or newer and marked as incompatible. */
export async function requireSchema(target: MigrationTarget): Promise<void> {
  for (const database of targetDatabases(target)) {
    const status = await statusOf(database, target.folder, sessionOptions('cs_api')).catch((error: unknown) => {
      // Without the role cs_api, or without its right to read the table, the database was never migrated to the end.
      const { code } = ((error as Error).cause ?? error) as { code?: string }
      if (code !== '22023' && code !== '42501') throw error
      throw new MigrationError(`The schema of the ${database.name} database is missing. ${command}`)
    })
    const names = (wanted: MigrationState) => status.migrations.filter(({ state }) => state === wanted)
    const conflict = conflictIn(status)
    if (conflict) throw new MigrationError(`${conflict} npm run db:status lists the differences.`)
    const [pending] = names('pending')
    if (pending) {
      const count = names('pending').length
      throw new MigrationError(
        `The schema of the ${database.name} database is too old: ${count} migrations are missing, the first is ${pending.name}. ${command}`,
      )
    }
    const newer = names('unknown').find(({ incompatible }) => incompatible)
    if (newer) {
      throw new MigrationError(
        `The schema of the ${database.name} database is too new: ${newer.name} needs a newer server. Start the version that ran npm run db:migrate.`,
      )
    }
  }
}
