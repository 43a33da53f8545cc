/** One migrated template for the whole run; every test file gets a clone of it, which takes a few dozen milliseconds. */
import { migrateAll } from '@countersign/server/data/migrate.ts'
import type { TestProject } from 'vitest/node'
import { databaseUrl, findPostgres, withClient } from '../../scripts/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
    template: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await findPostgres(new URL('../../.dev/test/', import.meta.url).pathname)
  const template = `cs_test_template_${process.pid}`
  const url = databaseUrl(server.url, template)
  await withClient(server.url, (client) => client.query(`create database ${template}`))
  await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
  project.provide('postgres', server.url)
  project.provide('template', template)
  return async () => {
    await withClient(server.url, (client) => client.query(`drop database if exists ${template} with (force)`))
    await server.stop()
  }
}
