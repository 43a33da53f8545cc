/** The schema of a development database: migrated, or rebuilt with the developer's consent. */
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { dropSchemas, migrateAll } from '@countersign/server/data/migrate.ts'
import { conflictIn, type MigrationTarget, migrationStatus } from '@countersign/server/data/migration-status.ts'

export interface DevDatabase {
  readonly target: MigrationTarget
  /** Started by `npm run dev` itself, so `--rebuild` needs no further question. */
  readonly embedded: boolean
  /** What was signed in this database; a rebuilt one starts new chains. */
  readonly fenceFolder: string
  readonly rebuild: boolean
  /** Null without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null
}

/** Asks on the terminal that `npm run dev` runs in. */
export const terminal: DevDatabase['ask'] =
  process.stdin.isTTY && process.stdout.isTTY
    ? async (question) => {
        const lines = createInterface({ input: process.stdin, output: process.stdout })
        try {
          return await lines.question(question)
        } finally {
          lines.close()
        }
      }
    : null

/** Returns what happened, for the line `Schema` of the start. */
export async function prepareSchema({ target, embedded, fenceFolder, rebuild, ask }: DevDatabase): Promise<string> {
  const conflict = (await migrationStatus(target)).map(conflictIn).find((found) => found !== null)
  if (conflict) {
    const consented = embedded && rebuild
    if (!consented && !ask) {
      throw new Error(
        `${conflict} ${embedded ? 'To delete all its data and create it again, run npm run dev -- --rebuild.' : 'Run npm run dev in a terminal, where it asks first, or set DATABASE_URL to an empty database.'}`,
      )
    }
    if (!consented && !/^y(es)?$/i.test(((await ask?.(`${conflict} Delete all its data? [y/N] `)) ?? '').trim())) {
      throw new Error("The database wasn't rebuilt. Set DATABASE_URL to an empty one, or start again and answer y.")
    }
    await dropSchemas(target)
    await rm(fenceFolder, { recursive: true, force: true })
  }
  const applied = await migrateAll(target)
  if (conflict) return 'rebuilt'
  return applied.length === 0 ? 'up to date' : `${applied.length} migrations applied`
}
