/** The fence of a cell with a store. */
import type { Logger } from 'pino'
import type { Cell } from '../../data/cells.ts'
import { Problem, unavailable } from '../../lib/problem.ts'
import { currentDatabase, refused } from './current-database.ts'
import { type Fence, type FencedLog, heldWaitMs, OtherDatabase, type Signed } from './fence.ts'
import { otherDatabase } from './sqlite-store.ts'
import type { StoreClient } from './store-client.ts'

const confirmMs = 1000

export function storeFence(cell: Cell, store: StoreClient, log: Logger): Fence {
  const current = currentDatabase(cell, store, log)
  const of = (name: string): FencedLog => store.of(name) ?? { confirmed: undefined, reserved: undefined }

  /** The log is read before the identity. A former identity never returns, so both belong together. */
  const knownIn = (identity: string | null, name: string): FencedLog | null => {
    const known = of(name)
    return identity !== null && store.state().identity === identity ? known : null
  }

  return {
    knowsDatabases: true,
    opened: store.opened,
    of,
    require(where) {
      if (!current.is(where)) throw new OtherDatabase(otherDatabase)
    },
    settle: current.settle,
    async reserve(identity, grown) {
      if (grown.length === 0) return
      const reason = await store.write('reserve', heldWaitMs, identity as string, grown).catch((error: unknown) => {
        throw unavailable('The fence store does not answer.', error)
      })
      if (reason !== null) throw refused(reason)
    },
    async confirm(identity, grown, waitMs = confirmMs) {
      if (grown.length === 0) return
      const reason = await store.write('confirm', waitMs, identity as string, grown).catch((error: unknown) => {
        throw notConfirmed(error)
      })
      if (reason !== null) throw notConfirmed(new Error(reason))
    },
    async shownUpTo(identity, name, newest) {
      let known = knownIn(identity, name)
      if (!known) await current.settle()
      known ??= knownIn(identity, name)
      if (!known) throw refused(otherDatabase)
      const { confirmed, reserved } = known
      const size = confirmed?.size ?? 0
      if (size === newest.size && confirmed?.root !== newest.root)
        throw refused(`${name} has another root than the confirmed one`)
      if (size >= newest.size || !isSame(reserved, newest)) return size
      const rows = [{ log: name, size: newest.size, root: newest.root }]
      const reason = await store.write('confirm', confirmMs, identity as string, rows).catch(String)
      return reason === null ? newest.size : size
    },
    remember() {},
    close: store.close,
  }
}

const isSame = (one: Signed | undefined, other: Signed): boolean => one?.size === other.size && one.root === other.root

/** The commit took effect in a database that may not be the current one any more. */
const notConfirmed = (cause: unknown): Problem =>
  new Problem(
    'SERVICE_UNAVAILABLE',
    'The fence did not confirm the commit, so it is not known whether this took effect. Try again with the same idempotency key: it will not happen twice.',
    { retryAfter: 1, cause },
  )
