/** The directory: identities, and the center and cell of each. */
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { DB } from './directory.generated.ts'
import { figuresOf, openPool, type PoolFigures } from './pool.ts'
import {
  type AfterCommit,
  readClock,
  requireCommit,
  requireWritable,
  type TransactionMode,
  transaction,
} from './transaction.ts'
import { placeOf, type WriteFault, type WriteHealth, writeHealth } from './write-health.ts'

declare const identityBrand: unique symbol
declare const directoryBrand: unique symbol
declare const partnerBrand: unique symbol
declare const operatorBrand: unique symbol

/** The caller, for audit entries; carried by every transaction. */
export interface Caller {
  readonly requestId: string
  /** Actor id, key id or job name; null before the caller is authenticated. */
  readonly actorId: string | null
  /** Of a key: all ids of its line of replacements, its own included. */
  readonly keyLine?: readonly string[]
  /** 0 outside a center. */
  readonly centerId: number
}

interface DirectoryAccess {
  readonly store: 'directory'
  readonly db: Kysely<DB>
  readonly caller: Caller
  readonly afterCommit: AfterCommit
}

/** Before the tenant is known: sign-in and credential lookups, as the role `cs_auth`. */
export interface IdentityTx extends DirectoryAccess {
  readonly [identityBrand]: true
}

/** As one center, behind its row-level security, as the role `cs_api`. */
export interface DirectoryTx extends DirectoryAccess {
  readonly [directoryBrand]: true
}

/** As one partner, who sees its centers and is a member of none, as the role `cs_api`. */
export interface PartnerTx extends DirectoryTx {
  readonly [partnerBrand]: true
  readonly partnerId: string
}

/** Over all centers, as the role `cs_operator`: for the operator's shell, never for a request. */
export interface OperatorTx extends DirectoryAccess {
  readonly [operatorBrand]: true
}

export type IdentityWork = <T>(
  caller: Caller,
  work: (tx: IdentityTx) => Promise<T>,
  mode?: TransactionMode,
) => Promise<T>

export interface Directory {
  readonly identity: IdentityWork
  asCenter<T>(caller: Caller, work: (tx: DirectoryTx) => Promise<T>, mode?: TransactionMode): Promise<T>
  /** The policies do not get the person's id: rows that the person may see as a member are not the partner's to see. */
  asPartner<T>(
    caller: Caller,
    partnerId: string,
    work: (tx: PartnerTx) => Promise<T>,
    mode?: TransactionMode,
  ): Promise<T>
  /** For housekeeping, whose role may delete only expired rows. */
  asJobs<T>(work: (db: Kysely<never>) => Promise<T>): Promise<T>
  /** Resolves if the directory can be written. */
  ping(): Promise<void>
  /** What recently kept its database from committing; null if nothing did. */
  writeFault(): WriteFault | null
  /** The time of its database, in milliseconds since 1970. */
  clockMs(): Promise<number>
  /** Resolves when an empty change was committed. */
  commit(): Promise<void>
  pools(): PoolFigures[]
  close(): Promise<void>
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function openDirectory(config: Config, log: Logger, health: WriteHealth = writeHealth()): Directory {
  const { logins, preparedStatements: prepared } = config
  const open = (role: 'cs_auth' | 'cs_api' | 'cs_jobs', max: number) =>
    openPool({ url: config.databaseUrl, role, logins, prepared, max, log, pipeline: true, health })
  const place = placeOf(config.databaseUrl)
  const auth = open('cs_auth', config.poolSize)
  const api = open('cs_api', config.poolSize)
  const jobs = open('cs_jobs', 1)
  return {
    identity: (caller, work, mode) =>
      transaction(auth, {}, (db: Kysely<DB>, afterCommit) => work(access(db, caller, afterCommit) as IdentityTx), mode),
    asCenter: (caller, work, mode) =>
      transaction(
        api,
        { center_id: caller.centerId, actor_id: personId(caller) },
        (db: Kysely<DB>, afterCommit) => work(access(db, caller, afterCommit) as DirectoryTx),
        mode,
      ),
    asPartner: (caller, partnerId, work, mode) =>
      transaction(
        api,
        { center_id: 0, partner_id: partnerId },
        (db: Kysely<DB>, afterCommit) => work({ ...access(db, caller, afterCommit), partnerId } as PartnerTx),
        mode,
      ),
    asJobs: (work) => transaction(jobs, {}, (db: Kysely<never>) => work(db)),
    ping: () => requireWritable(auth),
    writeFault: () => health.at(place),
    clockMs: () => readClock(auth),
    commit: () => requireCommit(auth),
    pools: () => figuresOf({ auth, api, jobs }),
    close: async () => {
      await Promise.all([auth.end(), api.end(), jobs.end()])
    },
  }
}

/** The id of an API key, or of a job, is none of a person. */
const personId = ({ actorId }: Caller): string => (actorId !== null && isUuid.test(actorId) ? actorId : '')

export const access = (db: Kysely<DB>, caller: Caller, afterCommit: AfterCommit): DirectoryAccess => ({
  store: 'directory',
  db: db.withSchema('directory'),
  caller,
  afterCommit,
})

/** Whose rows a transaction writes, where they belong to a center or to a partner. */
export const ownerOf = (tx: DirectoryTx): { readonly center_id: number | null; readonly partner_id: string | null } =>
  'partnerId' in tx
    ? { center_id: null, partner_id: (tx as PartnerTx).partnerId }
    : { center_id: tx.caller.centerId, partner_id: null }

const setting = (tx: DirectoryAccess, name: 'center_id' | 'partner_id' | 'operator_id', value: string) =>
  sql`select set_config(${`app.${name}`}, ${value}, true)`.execute(tx.db)

/** Enters a center for the rest of the transaction; `0` leaves it. */
export const becomeCenter = (tx: DirectoryTx | OperatorTx, centerId: number) =>
  setting(tx, 'center_id', String(centerId))

/** Acts for this partner too for the rest of the transaction. The permission is checked before. */
export const becomePartner = (tx: DirectoryTx, partnerId: string) => setting(tx, 'partner_id', partnerId)

/** Acts as this operator too for the rest of the transaction; the database reads the flag of the account. */
export const becomeOperator = (tx: DirectoryTx, actorId: string) => setting(tx, 'operator_id', actorId)

/** Runs work in one center within the same transaction. The permission is checked before. */
export async function withinCenter<T, Tx extends DirectoryTx | OperatorTx>(
  tx: Tx,
  centerId: number,
  work: (own: Tx) => Promise<T>,
): Promise<T> {
  await becomeCenter(tx, centerId)
  const result = await work({ ...tx, caller: { ...tx.caller, centerId } })
  await becomeCenter(tx, tx.caller.centerId)
  return result
}
