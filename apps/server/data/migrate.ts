/** Forward-only SQL migrations. Each file is one transaction, recorded with its checksum in the same transaction. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logins } from '../config/config.ts'
import { setUpLogins } from './login-setup.ts'
import { withoutPasswords } from './logins.ts'
import { type MigrationFile, migrationFiles } from './migration-files.ts'
import {
  compareMigrations,
  conflictIn,
  MigrationError,
  type MigrationTarget,
  readApplied,
  type TargetDatabase,
  targetDatabases,
  withDatabase,
} from './migration-status.ts'
import { queues } from './queues.ts'

/** A migration that waits behind a long transaction makes all later statements on that table wait too. */
const sessionSettings = "set lock_timeout = '5s'; set client_min_messages = warning"

const bookkeeping = `
  create schema if not exists countersign_migrations;
  create table if not exists countersign_migrations.applied (
    name text primary key,
    checksum text not null,
    incompatible boolean not null,
    applied_at timestamptz(3) not null default now()
  )`

/**
 * One migration process at a time per database. It polls: a statement that waits for the lock holds a snapshot, and
 * CREATE INDEX CONCURRENTLY of the process that has the lock would wait for that snapshot.
 */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(hashtext('countersign_migrations')) as locked`,
    )
    if (rows[0]?.locked) return
    await sleep(100)
  }
}

const record = ({ name, checksum, incompatible }: MigrationFile) =>
  `insert into countersign_migrations.applied (name, checksum, incompatible)
   values (${pg.escapeLiteral(name)}, ${pg.escapeLiteral(checksum)}, ${incompatible})`

async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  if (!file.transaction) return applyConcurrently(client, file)
  try {
    await client.query(`begin;\n${file.text};\nreset role;\n${record(file)};\ncommit`)
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const concurrentIndex = /^create (?:unique )?index concurrently (?<name>\w+)\s+on (?<schema>\w+)\.\w+\s/i

/**
 * Builds indexes without blocking writes. A crash leaves an invalid index, or a valid one that is not recorded: the
 * first is dropped and built again, the second is kept. It waits for running transactions, so it has no lock timeout.
 */
async function applyConcurrently(client: pg.Client, file: MigrationFile): Promise<void> {
  const statements = file.text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  await client.query('set role cs_owner; set lock_timeout = 0')
  try {
    for (const statement of statements) {
      const { name, schema } = concurrentIndex.exec(statement)?.groups ?? {}
      if (!name || !schema) {
        throw new MigrationError(
          `${file.name} has no transaction, so it may contain only "create index concurrently NAME on SCHEMA.TABLE …".`,
        )
      }
      const index = `${schema}.${name}`
      const { rows } = await client.query<{ valid: boolean }>(
        'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
        [index],
      )
      if (rows[0]?.valid) continue
      if (rows[0]) await client.query(`drop index concurrently ${index}`)
      await client.query(statement)
    }
  } finally {
    await client.query(`reset role; ${sessionSettings}`)
  }
  await client.query(record(file))
}

/** A pooler may end the lock, which belongs to a session, between two statements. */
async function requireSession(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if ((client as pg.Client & { processID: number }).processID === rows[0]?.pid) return
  throw new MigrationError(
    "There's a connection pooler between this command and PostgreSQL. For the migration, point DATABASE_URL and CELLS at PostgreSQL itself.",
  )
}

async function migrateDatabase(
  { name, url, sets }: TargetDatabase,
  logins: Logins,
  folder: URL | undefined,
): Promise<string[]> {
  const files = await migrationFiles(sets, folder)
  return withDatabase(url, async (client) => {
    await requireSession(client)
    await client.query(sessionSettings)
    await lock(client)
    const status = compareMigrations(name, sets, files, await readApplied(client))
    const conflict = conflictIn(status)
    if (conflict) throw new MigrationError(conflict)
    await client.query(bookkeeping)
    const pending = new Set(status.migrations.filter(({ state }) => state === 'pending').map((each) => each.name))
    const missing = files.filter((file) => pending.has(file.name))
    for (const file of missing) await apply(client, file)
    await setUpLogins(client, logins)
    // For the server, which compares the schema with its files when it starts.
    await client.query(`
      grant usage on schema countersign_migrations to cs_api;
      grant select on countersign_migrations.applied to cs_api`)
    return missing.map((file) => file.name)
  })
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

/** Directory and every cell. Safe to repeat, to run in several processes at once, and while servers run. */
export async function migrateAll(target: MigrationTarget): Promise<string[]> {
  const applied: string[] = []
  for (const database of targetDatabases(target)) {
    const names = await migrateDatabase(database, target.logins ?? withoutPasswords, target.folder)
    applied.push(...names.map((name) => `${database.name}: ${name}`))
    if (database.sets.includes('cell')) await installJobs(database.url)
  }
  return applied
}

/** Deletes all data. For development databases that an older set of migrations made. */
export async function dropSchemas(target: MigrationTarget): Promise<void> {
  for (const { url } of targetDatabases(target)) {
    await withDatabase(url, (client) =>
      client.query(
        `${sessionSettings}; drop schema if exists directory, cell, countersign, countersign_migrations, pgboss cascade`,
      ),
    )
  }
}
