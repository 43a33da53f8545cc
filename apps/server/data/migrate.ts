/** Forward-only SQL migrations with Kysely's Migrator: it brings the lock and the bookkeeping, the files bring the SQL. */
import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { queues } from '../jobs/queues.ts'

const root = new URL('../database/', import.meta.url)

type MigrationSet = 'common' | 'directory' | 'cell'

function provider(set: MigrationSet): MigrationProvider {
  const folder = new URL(`${set}/`, root)
  return {
    async getMigrations() {
      const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
      const migrations: Record<string, Migration> = {}
      for (const file of files) {
        const text = await readFile(new URL(file, folder), 'utf8')
        migrations[file.replace(/\.sql$/, '')] = {
          up: (db) =>
            sql
              .raw(`${text};\nreset role`)
              .execute(db)
              .then(() => {}),
        }
      }
      return migrations
    },
  }
}

async function apply(db: Kysely<unknown>, set: MigrationSet): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: provider(set),
    migrationTableSchema: 'countersign_migrations',
    migrationTableName: set,
    migrationLockTableName: `${set}_lock`,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => `${set}/${result.migrationName}`)
}

async function migrateDatabase(url: string, sets: readonly MigrationSet[]): Promise<string[]> {
  // A migration never waits long behind traffic, and so never makes traffic wait behind it.
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    options: '-c lock_timeout=5000 -c client_min_messages=warning',
  })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await db.schema.createSchema('countersign_migrations').ifNotExists().execute()
    const applied: string[] = []
    for (const set of sets) applied.push(...(await apply(db, set)))
    return applied
  } finally {
    await db.destroy()
  }
}

/** pg-boss keeps its own schema; only its owner may change it, the workers merely use it. */
async function installJobs(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c client_min_messages=warning' })
  const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) }
  const boss = new PgBoss({ db, schema: 'pgboss', supervise: false, schedule: false })
  boss.on('error', () => {})
  try {
    await boss.start()
    for (const { name, ...options } of queues) {
      if (!(await boss.getQueue(name))) await boss.createQueue(name, options)
    }
    await boss.stop({ graceful: false })
    await pool.query(`
      grant usage on schema pgboss to cs_jobs, cs_api;
      grant select, insert, update, delete on all tables in schema pgboss to cs_jobs;
      grant execute on all functions in schema pgboss to cs_jobs`)
  } finally {
    await pool.end()
  }
}

export interface MigrationTarget {
  readonly databaseUrl: string
  readonly cells: ReadonlyMap<string, string>
}

/** Directory and every cell. Safe to run twice, by several at once, and beside running servers. */
export async function migrateAll({ databaseUrl, cells }: MigrationTarget): Promise<string[]> {
  const applied = await migrateDatabase(databaseUrl, ['common', 'directory'])
  for (const [name, url] of cells) {
    applied.push(...(await migrateDatabase(url, ['common', 'cell'])).map((migration) => `${name}: ${migration}`))
    await installJobs(url)
  }
  return applied
}
