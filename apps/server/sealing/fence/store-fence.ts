/** The fence of a cell with a store. */
import type { Logger } from 'pino'
import type { Cell } from '../../data/cells.ts'
import { Problem, unavailable } from '../../lib/problem.ts'
import { currentDatabase, isCurrent, refused } from './current-database.ts'
import {
  type Fence,
  type FencedLog,
  heldWaitMs,
  NotReserved,
  OtherDatabase,
  type Signed,
  StoreSilent,
} from './fence.ts'
import { type FenceStore, otherDatabase, type StoredLog } from './store.ts'

const confirmMs = 1000
const unknown: FencedLog = { confirmed: undefined, reserved: undefined }

export function storeFence(cell: Cell, store: FenceStore, log: Logger): Fence {
  const current = currentDatabase(cell, store, log)
  let failures = 0
  const read = (names: readonly string[]) =>
    store.read(names).catch((error: unknown) => {
      failures++
      throw unavailable("A safety check couldn't be completed", error)
    })

  /** Null for a database that is not the current one. */
  async function knownIn(identity: string | null, name: string): Promise<FencedLog | null> {
    const { state, logs } = await read([name])
    return identity !== null && state.identity === identity ? (logs.get(name) ?? unknown) : null
  }

  return {
    knowsDatabases: true,
    opened: store.opened,
    async read(names) {
      const known = new Map<string, StoredLog>()
      for (let wanted = names; ; ) {
        const { state, logs } = await read(wanted)
        for (const [name, found] of logs) known.set(name, found)
        const successors = [...logs.values()].flatMap(({ successor }) => successor ?? [])
        wanted = successors.filter((name) => !known.has(name))
        // The last state was read after all logs, so they belong to its database.
        if (wanted.length === 0)
          return { of: (name) => known.get(name) ?? unknown, is: (where) => isCurrent(state, where) }
      }
    },
    settle: current.settle,
    async reserve(identity, grown) {
      if (grown.length === 0) return
      const reason = await store.write('reserve', heldWaitMs, identity as string, grown).catch((error: unknown) => {
        failures++
        throw new StoreSilent('no reservation in time', { cause: error })
      })
      if (reason === otherDatabase) throw new OtherDatabase(reason)
      if (reason !== null) throw new NotReserved(reason)
    },
    async confirm(identity, grown) {
      if (grown.length === 0) return
      const found = grown.map(({ log, size, root }) => ({ log, size, root }))
      const reason = await store.write('confirm', confirmMs, identity as string, found).catch((error: unknown) => {
        failures++
        throw notConfirmed(error)
      })
      if (reason !== null) throw notConfirmed(new Error(reason))
    },
    async shownUpTo(identity, name, newest) {
      let known = await knownIn(identity, name)
      if (!known) await current.settle()
      known ??= await knownIn(identity, name)
      if (!known) throw refused(otherDatabase)
      const { confirmed, reserved } = known
      const size = confirmed?.size ?? 0
      if (size === newest.size && confirmed?.root !== newest.root)
        throw refused(`${name} has another root than the confirmed one`)
      if (size >= newest.size || !isSame(reserved, newest)) return size
      await store.opened
      const rows = [{ log: name, size: newest.size, root: newest.root }]
      const reason = await store.write('confirm', confirmMs, identity as string, rows).catch(String)
      return reason === null ? newest.size : size
    },
    remember() {},
    health: () => ({ refuses: current.refuses(), failures }),
    close: store.close,
  }
}

const isSame = (one: Signed | undefined, other: Signed): boolean => one?.size === other.size && one.root === other.root

/** The commit took effect in a database that may not be the current one any more. */
const notConfirmed = (cause: unknown): Problem =>
  new Problem(
    'SERVICE_UNAVAILABLE',
    "The change couldn't be confirmed, so we don't know whether it took effect. Try again with the same idempotency key; the change won't be made twice.",
    { retryAfter: 1, cause },
  )
