/** The migration runner on small sets of files. Every test has a database of its own. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { databaseUrl, withClient } from '../../../../tools/postgres.ts'
import { makeLog } from '../../lib/log.ts'
import { migrateAll } from '../migrate.ts'
import { released } from '../migration-files.ts'
import { type MigrationTarget, migrationStatus } from '../migration-status.ts'
import { requireSchemas } from '../schema-check.ts'

let folder: string
let url: string
let target: MigrationTarget
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  for (const set of ['common', 'directory', 'cell']) mkdirSync(join(folder, set))
  const name = `cs_test_migrate_${randomBytes(4).toString('hex')}`
  url = databaseUrl(inject('postgres'), name)
  await withClient(inject('postgres'), (client) => client.query(`create database ${name}`))
  target = { databaseUrl: url, cells: new Map(), folder: pathToFileURL(`${folder}/`) }
  file(
    '0001_schema',
    'create schema t authorization cs_owner;\nset local role cs_owner;\ncreate table t.rows (n integer);',
  )
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  const name = new URL(url).pathname.slice(1)
  await withClient(inject('postgres'), (client) => client.query(`drop database ${name} with (force)`))
})

const file = (name: string, text: string) => writeFileSync(join(folder, 'directory', `${name}.sql`), `${text}\n`)
const remove = (name: string) => rmSync(join(folder, 'directory', `${name}.sql`))
const query = async (text: string) => (await withClient(url, (client) => client.query(text))).rows
const states = async () => (await migrationStatus(target)).flatMap(({ migrations }) => migrations.map((m) => m.state))

describe('migrateAll', () => {
  it('applies every file once, in order', async () => {
    file('0002_more', 'alter table t.rows add column m integer;')
    expect(await migrateAll(target)).toEqual(['directory: directory/0001_schema', 'directory: directory/0002_more'])
    expect(await migrateAll(target)).toEqual([])
    expect(await states()).toEqual(['applied', 'applied'])
  })

  it('applies a file once when several processes run it', async () => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrateAll(target)))
    expect(applied.flat()).toEqual(['directory: directory/0001_schema'])
  })

  it('undoes a file that fails, and keeps those before it', async () => {
    file('0002_bad', 'create table t.half (n integer);\nselect 1 / 0;')
    await expect(migrateAll(target)).rejects.toThrow('division by zero')
    expect(await states()).toEqual(['applied', 'pending'])
    expect(await query(`select to_regclass('t.half') as half`)).toEqual([{ half: null }])
    file('0002_bad', 'create table t.half (n integer);')
    expect(await migrateAll(target)).toEqual(['directory: directory/0002_bad'])
  })

  it('refuses a database on which an applied file has changed', async () => {
    await migrateAll(target)
    file('0001_schema', 'create schema other;')
    expect(await states()).toEqual(['changed'])
    await expect(migrateAll(target)).rejects.toThrow(
      released
        ? /has different migrations from this server: directory\/0001_schema/
        : /created by an older set of migrations/,
    )
  })

  it('refuses a database with pending files and files that this version does not have', async () => {
    await migrateAll(target)
    remove('0001_schema')
    file('0001_renamed', 'create schema other;')
    expect(await states()).toEqual(['pending', 'unknown'])
    await expect(migrateAll(target)).rejects.toThrow(/migrations/)
    expect(await query(`select to_regnamespace('other') as other`)).toEqual([{ other: null }])
  })

  it('refuses a database from before checksums were recorded', async () => {
    await query('create schema countersign')
    await expect(migrateAll(target)).rejects.toThrow(/migrations/)
  })

  it('states in one sentence why a connection failed', async () => {
    const withoutRole = new URL(url)
    withoutRole.username = 'nobody_of_this_name'
    await expect(migrateAll({ ...target, databaseUrl: withoutRole.href })).rejects.toThrow(
      /^PostgreSQL at \S+ refused the connection: .+ Check DATABASE_URL and CELLS\.$/,
    )
  })
})

describe('a file that begins with -- no transaction', () => {
  const index = (kind = '') => `-- no transaction\ncreate ${kind}index concurrently rows_n\n  on t.rows (n);`
  const valid = () => query(`select indisvalid as valid from pg_index where indexrelid = to_regclass('t.rows_n')`)

  it('builds its index, also while another process waits for the migration lock', async () => {
    file('0002_index', index())
    const applied = await Promise.all([migrateAll(target), migrateAll(target)])
    expect(applied.flat()).toHaveLength(2)
    expect(await valid()).toEqual([{ valid: true }])
  })

  it('drops the invalid index of a failed attempt and builds it again', async () => {
    await migrateAll(target)
    await query('insert into t.rows values (1), (1)')
    file('0002_index', index('unique '))
    await expect(migrateAll(target)).rejects.toThrow(/could not create unique index/)
    expect(await valid()).toEqual([{ valid: false }])
    expect(await states()).toEqual(['applied', 'pending'])
    await query('delete from t.rows')
    expect(await migrateAll(target)).toEqual(['directory: directory/0002_index'])
    expect(await valid()).toEqual([{ valid: true }])
  })

  it('keeps a valid index that a crash left unrecorded', async () => {
    await migrateAll(target)
    await query('create index rows_n on t.rows (n)')
    const before = await query(`select 't.rows_n'::regclass::oid as oid`)
    file('0002_index', index())
    await migrateAll(target)
    expect(await query(`select 't.rows_n'::regclass::oid as oid`)).toEqual(before)
    expect(await states()).toEqual(['applied', 'applied'])
  })

  it('is refused when it contains any other statement', async () => {
    file('0002_index', '-- no transaction\ndrop table t.rows;')
    await expect(migrateAll(target)).rejects.toThrow(/may contain only "create index concurrently/)
  })
})

const requireSchema = (of: MigrationTarget) =>
  requireSchemas(of, { exclude: () => {}, admit: () => {} }, makeLog({ logLevel: 'silent' }))

describe('the schema that a server needs', () => {
  it('is refused while it is missing or too old', async () => {
    await expect(requireSchema(target)).rejects.toThrow(
      'The schema of the directory database is too old: 1 migrations are missing, starting with directory/0001_schema. Run npm run db:migrate (or countersign-server migrate).',
    )
    await migrateAll(target)
    await requireSchema(target)
    file('0002_more', 'select 1;')
    await expect(requireSchema(target)).rejects.toThrow(/too old: 1 migrations are missing.*npm run db:migrate/)
  })

  it('may be newer by migrations that are compatible, and is refused when one is not', async () => {
    file('0002_more', 'select 1;')
    await migrateAll(target)
    remove('0002_more')
    await requireSchema(target)
    file('0002_more', 'select 1;')
    file('0003_contract', '-- incompatible\nselect 1;')
    await migrateAll(target)
    remove('0002_more')
    remove('0003_contract')
    await expect(requireSchema(target)).rejects.toThrow(/too new: directory\/0003_contract needs a newer server/)
  })

  it('is refused when another set of files made it', async () => {
    await migrateAll(target)
    file('0001_schema', 'create schema other;')
    await expect(requireSchema(target)).rejects.toThrow(/npm run db:status lists the differences/)
  })
})

/** Null where the tests run in a copy without git. */
function versionTags(): string | null {
  try {
    return execFileSync('git', ['tag', '--list', 'v[0-9]*'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}
const tags = versionTags()

it.skipIf(!tags)('released files are listed from the first version tag on', () => {
  expect(released).toBe(true)
})
