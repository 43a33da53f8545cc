/**
 * Before the server serves: the schema of every database fits this version, and its settings keep what was acknowledged
 * (durability.ts). A process starts without a cell that cannot be reached, and admits it when it answers and fits.
 */
import type { Logger } from 'pino'
import { type Loop, loop } from '../concurrency/loop.ts'
import type { DurabilityMode } from '../config/config.ts'
import type { Cells } from './cells.ts'
import { type CheckDurability, checkDurability } from './durability.ts'
import { loginUrl, requireLogin, WrongLogin, withoutPasswords } from './logins.ts'
import {
  conflictIn,
  type DatabaseStatus,
  MigrationError,
  type MigrationState,
  type MigrationTarget,
  statusOf,
  type TargetDatabase,
  targetDatabases,
  Unreachable,
  withDatabase,
} from './migration-status.ts'

const command = 'Run npm run db:migrate (or countersign-server migrate).'

/** As the role that requests use, so that a login or a grant that is missing is noticed here. */
const statusForServer = (
  target: MigrationTarget,
  database: TargetDatabase,
  check: CheckDurability,
): Promise<DatabaseStatus> =>
  withDatabase(loginUrl(database.url, 'cs_api', target.logins ?? withoutPasswords), async (client) => {
    await requireLogin(client, 'cs_api')
    const status = await statusOf(database, target.folder, client)
    await check(client, database.name)
    return status
  }).catch((error: unknown) => {
    if (error instanceof WrongLogin) throw new MigrationError(error.message)
    // Without the login cs_api, or without its right to read the table, the database was never migrated to the end.
    const { code } = ((error as Error).cause ?? error) as { code?: string }
    if (code !== '28000' && code !== '42501') throw error
    throw new MigrationError(`The schema of the ${database.name} database is missing. ${command}`)
  })

/** Throws when the schema is older than the files of this version, or newer and marked as incompatible. */
export async function requireSchema(
  target: MigrationTarget,
  database: TargetDatabase,
  check: CheckDurability,
): Promise<void> {
  const status = await statusForServer(target, database, check)
  const names = (wanted: MigrationState) => status.migrations.filter(({ state }) => state === wanted)
  const conflict = conflictIn(status)
  if (conflict) throw new MigrationError(`${conflict} npm run db:status lists the differences.`)
  const [pending] = names('pending')
  if (pending) {
    const count = names('pending').length
    throw new MigrationError(
      `The schema of the ${database.name} database is too old: ${count} migrations are missing, starting with ${pending.name}. ${command}`,
    )
  }
  const newer = names('unknown').find(({ incompatible }) => incompatible)
  if (newer) {
    throw new MigrationError(
      `The schema of the ${database.name} database is too new: ${newer.name} needs a newer server. Start the version that ran npm run db:migrate.`,
    )
  }
}

const lookEveryMs = 1000

export async function requireSchemas(
  target: MigrationTarget & { readonly durability?: DurabilityMode },
  cells: Pick<Cells, 'exclude' | 'admit'>,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const [directory, ...others] = targetDatabases(target)
  const check = checkDurability(target.durability ?? 'off', log)
  const requireFit = (database: TargetDatabase) => requireSchema(target, database, check)
  await requireFit(directory as TargetDatabase)
  const waiting = await Promise.all(others.map((database) => checkCell(requireFit, database, cells, log)))
  return { stop: async () => void (await Promise.all(waiting.map((each) => each?.stop()))) }
}

async function checkCell(
  requireFit: (database: TargetDatabase) => Promise<void>,
  database: TargetDatabase,
  cells: Pick<Cells, 'exclude' | 'admit'>,
  log: Logger,
): Promise<Loop | null> {
  const cell = database.cell as string
  try {
    await requireFit(database)
    return null
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    cells.exclude(cell)
    log.error({ err: error, cell }, "a cell can't be reached; its centers get 503 until it responds")
  }
  const failure = "a cell isn't ready; checking again every second"
  const looking = loop({
    everyMs: lookEveryMs,
    async turn() {
      await requireFit(database)
      cells.admit(cell)
      log.info({ cell }, 'a cell that was unreachable is ready')
      // Not awaited: it resolves when this turn has ended.
      void looking.stop()
    },
    log,
    failure,
    fields: { cell },
  })
  looking.start()
  return looking
}
