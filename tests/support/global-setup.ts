/** One migrated template for the whole run; every test file gets a clone of it within a few dozen milliseconds. */
import { migrateAll } from '@countersign/server/data/migrate.ts'
import type { TestProject } from 'vitest/node'
import { databaseUrl, findPostgres, withClient } from '../../tools/postgres.ts'
import { startDatabaseProxy } from './haproxy.ts'
import { type Pooler, type PoolMode, startPgBouncer } from './pgbouncer.ts'
import { readSeed } from './seed.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
    template: string
    /** Of `npm run test:pgbouncer` and `npm run test:haproxy`: every server of the run reaches its databases through it. */
    pooler: Pooler | null
  }
}

/** CI names the version that it installed: the first suite runs on that server or fails. */
async function checkVersion(url: string): Promise<void> {
  const expected = process.env.TEST_POSTGRES_MAJOR
  if (!expected) return
  const { rows } = await withClient(url, (client) => client.query('show server_version_num'))
  const major = String(Math.floor(rows[0].server_version_num / 10_000))
  if (major !== expected) {
    throw new Error(
      `The tests run on PostgreSQL ${major}, but TEST_POSTGRES_MAJOR is ${expected}. Set TEST_DATABASE_URL.`,
    )
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const seed = readSeed(process.env.TEST_SEED)
  process.stdout.write(`Random choices of this run: TEST_SEED=${seed}\n`)
  project.provide('seed', seed)
  const server = await findPostgres(new URL('../../.dev/test/', import.meta.url).pathname)
  await checkVersion(server.url)
  const template = `cs_test_template_${process.pid}`
  const url = databaseUrl(server.url, template)
  await withClient(server.url, (client) => client.query(`create database ${template}`))
  await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
  project.provide('postgres', server.url)
  project.provide('template', template)
  const mode = process.env.TEST_PGBOUNCER as PoolMode | undefined
  const pooler = mode ? await startPgBouncer({ mode, server: server.url }) : null
  // HAProxy forwards bytes: a session stays with its connection.
  const proxy = process.env.TEST_HAPROXY ? await startDatabaseProxy(server.url) : null
  const between = pooler ?? (proxy && { mode: 'session' as const, port: proxy.port })
  project.provide('pooler', between && { mode: between.mode, port: between.port })
  return async () => {
    await pooler?.stop()
    await proxy?.stop()
    await withClient(server.url, (client) => client.query(`drop database if exists ${template} with (force)`))
    await server.stop()
  }
}
