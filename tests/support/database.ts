import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { databaseUrl, withClient } from '../../tools/postgres.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A fresh database with the current schema. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const server = inject('postgres')
  const name = `cs_test_${randomBytes(6).toString('hex')}`
  // Two clones of one template at the same instant are refused; it takes milliseconds, so try again.
  for (let tries = 1; ; tries++) {
    try {
      await withClient(server, (client) => client.query(`create database ${name} template ${inject('template')}`))
      break
    } catch (error) {
      if (tries === 50) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80))
    }
  }
  return {
    url: databaseUrl(server, name),
    drop: async () => {
      await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}
