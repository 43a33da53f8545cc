/** `countersign-server migrate` and `countersign-server status`. */
import { ConfigError, type Environment, readConfig } from '../config/config.ts'
import { migrateAll } from '../data/migrate.ts'
import { MigrationError, type MigrationTarget, migrationStatus, renderStatus } from '../data/migration-status.ts'

interface Streams {
  out(text: string): void
  err(text: string): void
}

/** Migrations use no secret, so neither a missing one nor the rules of production stop them. */
const unused = Buffer.alloc(32).toString('base64')
const targetOf = (env: Environment): MigrationTarget =>
  readConfig({ SECRET_KEY: unused, ...env, NODE_ENV: 'development' })

async function reporting(failed: string, { err }: Streams, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    const { message, stack } = error as Error
    const expected = error instanceof ConfigError || error instanceof MigrationError
    err(`${failed}: ${expected ? message : stack}\n`)
    return 1
  }
}

export const migrate = (env: Environment, streams: Streams): Promise<number> =>
  reporting('The migration failed', streams, async () => {
    const applied = await migrateAll(targetOf(env))
    const list =
      applied.length === 0 ? 'Nothing to migrate: everything is up to date.' : `Applied:\n  ${applied.join('\n  ')}`
    streams.out(`${list}\n`)
    return 0
  })

/** 0 when every database is up to date, 1 otherwise. */
export const status = (args: readonly string[], env: Environment, streams: Streams): Promise<number> =>
  reporting("Couldn't read the status", streams, async () => {
    const databases = await migrationStatus(targetOf(env))
    const upToDate = databases.every((database) => database.upToDate)
    streams.out(
      args.includes('--json') ? `${JSON.stringify({ upToDate, databases }, null, 2)}\n` : renderStatus(databases),
    )
    return upToDate ? 0 : 1
  })
