/** Which migrations each database has, and whether this server can run on them. */
import pg from 'pg'
import type { Logins } from '../config/config.ts'
import { type MigrationFile, type MigrationSet, migrationFiles, released } from './migration-files.ts'

export interface MigrationTarget {
  readonly databaseUrl: string
  readonly cells: ReadonlyMap<string, string>
  /** Without them no password is set or sent. */
  readonly logins?: Logins
  /** The folder of the migration files; tests name another. */
  readonly folder?: URL
}

export interface TargetDatabase {
  /** `directory` or `cell NAME`. */
  readonly name: string
  readonly cell: string | null
  readonly url: string
  readonly sets: readonly MigrationSet[]
}

export const targetDatabases = ({ databaseUrl, cells }: MigrationTarget): TargetDatabase[] => [
  { name: 'directory', cell: null, url: databaseUrl, sets: ['common', 'directory'] },
  ...Array.from(
    cells,
    ([cell, url]): TargetDatabase => ({ name: `cell ${cell}`, cell, url, sets: ['common', 'cell'] }),
  ),
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
  if (!released) return `The ${database} database was created by an older set of migrations. Rebuild it.`
  return `The ${database} database has different migrations from this server: ${[...changed, ...diverged].join(', ')}. Use the release that created it.`
}

/** The server did not answer, or is starting or stopping; it may answer later. */
export class Unreachable extends MigrationError {}

const refusal = (error: unknown): string => (error as { code?: string }).code ?? ''

export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const { host, pathname, username, searchParams } = new URL(url)
    const missing = username === '' && !searchParams.has('user') ? ' The URL has no user.' : ''
    const settings = refusal(error) === '28P01' ? 'DATABASE_URL, CELLS and DATABASE_PASSWORD' : 'DATABASE_URL and CELLS'
    const message = `PostgreSQL at ${host}${pathname} refused the connection: ${(error as Error).message}.${missing} Check ${settings}.`
    // A refusal of PostgreSQL has an SQLSTATE of its own; 57 and 53 pass, as does everything below SQL.
    const lasting = /^(?!53|57|08)[0-9A-Z]{5}$/.test(refusal(error))
    throw new (lasting ? MigrationError : Unreachable)(message, { cause: error })
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function statusOf(
  { name, sets }: TargetDatabase,
  folder: URL | undefined,
  client: pg.Client,
): Promise<DatabaseStatus> {
  return compareMigrations(name, sets, await migrationFiles(sets, folder), await readApplied(client))
}

export const migrationStatus = async (target: MigrationTarget): Promise<DatabaseStatus[]> =>
  Promise.all(
    targetDatabases(target).map((database) =>
      withDatabase(database.url, (client) => statusOf(database, target.folder, client)),
    ),
  )

export function renderStatus(databases: readonly DatabaseStatus[]): string {
  const lines = databases.flatMap(({ database, upToDate, migrations }) => [
    `${database}: ${upToDate ? `up to date, ${migrations.length} migrations` : 'not up to date'}`,
    ...migrations.filter(({ state }) => state !== 'applied').map(({ name, state }) => `  ${state.padEnd(8)} ${name}`),
  ])
  return `${lines.join('\n')}\n`
}
