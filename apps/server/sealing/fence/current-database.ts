/** Which database of a cell is the current one, and how another becomes it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Cell } from '../../data/cells.ts'
import { type Problem, unavailable } from '../../lib/problem.ts'
import { type Comparison, compareHeads } from './compare.ts'
import type { Whereabouts } from './fence.ts'
import { bindDatabase, type Survey, surveyOf } from './queries.ts'
import type { FenceStore, StoreState } from './store.ts'

const writeMs = 10_000
/** Comparing every head takes a while. A caller waits this long, and a refusal stands this long. */
const callerWaitMs = 3000
const refusalMs = 2000
const comparisons = 3
const refusesMs = 60_000

/** The reason names logs of other centers, so it is for the log and not for the caller. */
export const refused = (reason: string): Problem =>
  unavailable("The service's data didn't pass a safety check", new Error(reason))

export const isCurrent = (state: StoreState, { identity, databaseId, storeId }: Whereabouts): boolean =>
  identity !== null && state.identity === identity && state.databaseId === databaseId && state.id === storeId

/** A store that is restored, promoted and lost together with the cell fences nothing. */
export const isBeside = ({ system }: StoreState, identity: string): boolean =>
  system !== null && identity.startsWith(`${system}:`)

export const besideReason =
  "the fence store is on the cell's own PostgreSQL server; TLOG_FENCE must name a store on another server"

export interface CurrentDatabase {
  /** Returns when a connection may be tried again; throws 503 meanwhile, and where only an operator can decide. */
  settle(): Promise<void>
  /** Within the last minute. An operator may have accepted the database since, without a word to this process. */
  refuses(): boolean
}

export function currentDatabase(cell: Cell, store: FenceStore, log: Logger): CurrentDatabase {
  const { name } = cell
  let refusal: { readonly reason: string; readonly at: number } | null = null
  let settling: Promise<void> | null = null

  const stateOf = async (): Promise<StoreState> => (await store.read([])).state

  /** Each reason is logged once. */
  function refuse(reason: string, identity: string | null): never {
    const advice = `Follow "The fence refuses a database" in docs/runbook.md; npm run operator -- accept-database ${name} compares all heads.`
    if (refusal?.reason !== reason) {
      log.error({ cell: name, identity }, `Nothing is sealed or shown in the cell "${name}": ${reason}. ${advice}`)
    }
    refusal = { reason, at: performance.now() }
    throw refused(reason)
  }

  async function bind({ databaseId, identity, hasEntries }: Survey): Promise<void> {
    if (hasEntries) refuse('the database has entries, and the fence store is empty', identity)
    const reason = await store.write('bind', writeMs, databaseId, identity as string)
    if (reason !== null) refuse(reason, identity)
    await bindDatabase(cell, (await stateOf()).id, false)
  }

  async function promote(where: Survey): Promise<void> {
    const identity = where.identity as string
    const { databaseId } = where
    log.warn({ cell: name, identity }, 'the database has another identity; its heads are compared with the fence store')
    for (let tries = 0; tries < comparisons; tries++) {
      // Another process may have accepted it meanwhile.
      if (isCurrent(await stateOf(), where)) return
      const comparison = await compareHeads(cell, store, identity)
      if (comparison === null) continue
      const fault = faultOf(comparison)
      if (fault !== null) refuse(fault, identity)
      const { writes, resolved, compared } = comparison
      if ((await store.write('accept', writeMs, { databaseId, identity, writes }, resolved)) !== null) continue
      log.warn(
        { cell: name, identity, compared },
        'the database has everything that was confirmed: it is the current one now',
      )
      return
    }
    refuse('another process still seals in the former database', identity)
  }

  async function settle(): Promise<void> {
    if (refusal && performance.now() - refusal.at < refusalMs) throw refused(refusal.reason)
    const where = await surveyOf(cell)
    const { identity, storeId, databaseId, hasEntries } = where
    const state = await stateOf()
    if (!isCurrent(state, where)) {
      if (identity === null) throw unavailable('The service is temporarily read-only', new Error('it is a standby'))
      if (isBeside(state, identity)) refuse(besideReason, identity)
      if (await store.isRetired(identity))
        refuse('the database was replaced by another one and is never used again', identity)
      const isUnused = !(await store.hasLogs()) && (state.databaseId ?? databaseId) === databaseId
      if (isUnused && storeId === null) await bind(where)
      else if (state.databaseId === databaseId && state.id === storeId) await promote(where)
      else refuse(`the database${hasEntries ? ' has entries and' : ''} belongs to another fence store`, identity)
    }
    refusal = null
  }

  return {
    refuses: () => refusal !== null && performance.now() - refusal.at < refusesMs,
    async settle() {
      // One at a time; it goes on when its callers give up.
      settling ??= settle().finally(() => {
        settling = null
      })
      const waiting = new AbortController()
      const tooLong = sleep(callerWaitMs, undefined, { signal: waiting.signal }).then(() => {
        throw unavailable(
          "The service's data is being checked",
          new Error('its chains are compared with the fence store'),
        )
      })
      try {
        await Promise.race([settling, tooLong])
      } finally {
        waiting.abort()
        tooLong.catch(() => {})
        settling?.catch(() => {})
      }
    },
  }
}

const some = 5
export const namedLogs = (logs: readonly string[]): string =>
  logs.slice(0, some).join(', ') + (logs.length > some ? ` and ${logs.length - some} more` : '')

/** What prevents a database from becoming the current one. */
function faultOf({ lost, differing, beyond }: Comparison): string | null {
  if (lost.length > 0) return `the database lacks confirmed entries of ${namedLogs(lost)}`
  if (differing.length > 0) return `the database's entries differ from the confirmed ones of ${namedLogs(differing)}`
  if (beyond.length > 0) return `the database has entries that were never reserved, in ${namedLogs(beyond)}`
  return null
}
