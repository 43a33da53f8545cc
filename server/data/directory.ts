/** The directory: who you are, and which center and cell. */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { DB } from './directory.generated.ts'
import { openPool } from './pool.ts'
import { type AfterCommit, transaction } from './transaction.ts'

declare const identityBrand: unique symbol
declare const directoryBrand: unique symbol

/** Who asks, for the audit entry; carried by every transaction. */
export interface Caller {
  readonly requestId: string
  /** Actor id, key id or the name of a job; null before anyone is known. */
  readonly actorId: string | null
  /** 0 where no center is entered. */
  readonly centerId: number
}

interface DirectoryAccess {
  readonly store: 'directory'
  readonly db: Kysely<DB>
  readonly caller: Caller
  readonly afterCommit: AfterCommit
}

/** Before a tenant is known: sign-in and credential look-ups, as the role `cs_auth`. */
export interface IdentityTx extends DirectoryAccess {
  readonly [identityBrand]: true
}

/** As one center, behind its row-level security, as the role `cs_api`. */
export interface DirectoryTx extends DirectoryAccess {
  readonly [directoryBrand]: true
}

export type IdentityWork = <T>(caller: Caller, work: (tx: IdentityTx) => Promise<T>) => Promise<T>

export interface Directory {
  readonly identity: IdentityWork
  asCenter<T>(caller: Caller, work: (tx: DirectoryTx) => Promise<T>): Promise<T>
  /** For housekeeping, which may delete only what has expired. */
  asJobs<T>(work: (db: Kysely<never>) => Promise<T>): Promise<T>
  ping(): Promise<void>
  close(): Promise<void>
}

export function openDirectory(config: Config, log: Logger): Directory {
  const open = (role: 'cs_auth' | 'cs_api' | 'cs_jobs', max: number) =>
    openPool({ url: config.databaseUrl, role, max, log })
  const auth = open('cs_auth', config.poolSize)
  const api = open('cs_api', config.poolSize)
  const jobs = open('cs_jobs', 1)
  const access = (db: Kysely<DB>, caller: Caller, afterCommit: AfterCommit): DirectoryAccess => ({
    store: 'directory',
    db: db.withSchema('directory'),
    caller,
    afterCommit,
  })
  return {
    identity: (caller, work) =>
      transaction(auth, {}, (db: Kysely<DB>, afterCommit) => work(access(db, caller, afterCommit) as IdentityTx)),
    asCenter: (caller, work) =>
      transaction(api, { center_id: caller.centerId, actor_id: caller.actorId ?? '' }, (db: Kysely<DB>, afterCommit) =>
        work(access(db, caller, afterCommit) as DirectoryTx),
      ),
    asJobs: (work) => transaction(jobs, {}, (db: Kysely<never>) => work(db)),
    ping: async () => {
      await auth.query('select 1')
    },
    close: async () => {
      await Promise.all([auth.end(), api.end(), jobs.end()])
    },
  }
}
