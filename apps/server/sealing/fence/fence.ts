/**
 * The fence: which size and root of a log may be shown, kept outside the database. A batch reserves its sizes before
 * COMMIT and confirms them after it; both fail for a database that the fence does not name as the current one. So a
 * size has one confirmed root, even if a former primary still accepts commits.
 */
import { LRUCache } from 'lru-cache'

export interface Signed {
  readonly size: number
  /** In hex. */
  readonly root: string
}

export interface FencedLog {
  /** The newest confirmed size; undefined for a log without one. */
  readonly confirmed: Signed | undefined
  /** What a batch has reserved and not confirmed. */
  readonly reserved: Signed | undefined
}

/** The confirmed end of a log of which the database lacks entries. */
export interface Lost extends Signed {
  readonly log: string
}

/** What a batch adds to a log. */
export interface Growth extends Signed {
  readonly log: string
  /** The size and the root before the batch; null for the first entries. */
  readonly from: number
  readonly fromRoot: string | null
  /** The reservation that the batch found before it began: that of a batch that died, or of one that has committed since. */
  readonly replaces: Signed | null
  /** The log begins with this batch, as the next generation of these logs, which lost entries. They are closed for good. */
  readonly succeeds?: readonly Lost[]
}

/** What the fence knew at one moment. Sizes only grow, so it is the least that is confirmed later. */
export interface Known {
  of(log: string): FencedLog
  /** Whether this was the current database. */
  is(where: Whereabouts): boolean
}

/** What a database says of itself. */
export interface Whereabouts {
  /** System identifier, timeline and OID. Null on a standby. */
  readonly identity: string | null
  readonly databaseId: string
  /** Null before it is bound to a store. */
  readonly storeId: string | null
}

/** How long a batch that holds chain heads waits for the store. */
export const heldWaitMs = 250

/** The connection leads to a database that the fence does not name as the current one. */
export class OtherDatabase extends Error {}

/** The store did not take the reservation: another process has written since the fence was read, or the head is not ours. */
export class NotReserved extends Error {}

/** The store took no reservation in time: the batch is rolled back. */
export class StoreSilent extends Error {}

export interface FenceHealth {
  /** The fence has refused the database of the cell within the last minute. */
  readonly refuses: boolean
  /** Calls of the store that failed or took too long, since the process began. */
  readonly failures: number
}

export interface Fence {
  /** Whether batches and readers name their database; false without a store. */
  readonly knowsDatabases: boolean
  /** Writes can begin without delay. */
  readonly opened: Promise<void>
  /** With the logs that continue these. Throws 503 where the store does not answer. */
  read(logs: readonly string[]): Promise<Known>
  /**
   * Compares a database that is not the current one with the store. Returns when a connection may be tried again;
   * throws 503 where only an operator can decide.
   */
  settle(): Promise<void>
  /** At most 250 ms, while the batch holds locks. Throws `NotReserved`, or `StoreSilent` when it takes longer: then roll back. */
  reserve(identity: string | null, grown: readonly Growth[]): Promise<void>
  /** Throws 503 "not known whether this took effect" when it is refused or takes too long. */
  confirm(identity: string | null, grown: readonly (Signed & { readonly log: string })[]): Promise<void>
  /**
   * The size up to which checkpoints of a log may be shown. `newest` is a committed checkpoint of the database with
   * this identity; if its batch died before it could confirm, this call confirms it. Throws 503 for another database.
   */
  shownUpTo(identity: string | null, log: string, newest: Signed): Promise<number>
  /** A verification has confirmed this checkpoint. Kept only if no store is set. */
  remember(log: string, seen: Signed): void
  health(): FenceHealth
  close(): Promise<void>
}

export const confirmedOf = async (fence: Fence, log: string): Promise<Signed | undefined> =>
  (await fence.read([log])).of(log).confirmed

const maxRemembered = 100_000

/** Without a store: what this process has seen, for as long as it runs. It fences nothing. */
export function processFence(): Fence {
  const logs = new LRUCache<string, Signed>({ max: maxRemembered })
  const remember = (log: string, { size, root }: Signed): void => {
    if (size > (logs.get(log)?.size ?? 0)) logs.set(log, { size, root })
  }
  return {
    knowsDatabases: false,
    opened: Promise.resolve(),
    read: async () => ({ of: (log) => ({ confirmed: logs.get(log), reserved: undefined }), is: () => true }),
    async settle() {},
    async reserve() {},
    async confirm(_identity, grown) {
      for (const each of grown) remember(each.log, each)
    },
    shownUpTo: async () => Number.POSITIVE_INFINITY,
    remember,
    health: () => ({ refuses: false, failures: 0 }),
    async close() {},
  }
}
