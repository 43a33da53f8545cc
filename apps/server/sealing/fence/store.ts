/** A fence store: what the fence knows of one cell, outside the database of the cell. */
import type { FencedLog, Growth, Signed } from './fence.ts'

export interface StoreState {
  readonly id: string
  /** Null before the store is bound to a database. */
  readonly databaseId: string | null
  readonly identity: string | null
  /** Counts every write, so that a comparison notices what happened meanwhile. */
  readonly writes: number
  /** The system identifier of the PostgreSQL that has the store; null for a file. */
  readonly system: string | null
}

export interface StoredLog extends FencedLog {
  readonly name: string
  /** Its size when it was begun; 0 for the first generation. */
  readonly begunAt: number
  /** The generation that continues a log that lost entries. Null while it is open. */
  readonly successor: string | null
}

/** A log at a size, as it is confirmed or found in a database. */
export interface Found extends Signed {
  readonly log: string
}

/** The database that becomes the current one, if nothing was written since `writes` was read. */
export interface NewDatabase {
  readonly databaseId: string
  readonly identity: string
  readonly writes: number
}

/** Null when it took effect, otherwise the reason why it did not. */
export type Refusal = string | null

/** The writes of a store. Each is one transaction, and is on the disk when it returns. */
export interface StoreWrites<Result = Refusal> {
  /**
   * Each size must continue the confirmed one. A reservation of exactly the continued size is confirmed: the caller holds
   * the head and has found it committed. Any other reservation is replaced only if the caller names it, so that a
   * reservation that arrives late does not replace that of a later batch. A log that begins as the next generation closes
   * those that it succeeds, if their confirmed ends are the given ones.
   */
  reserve(identity: string, grown: readonly Growth[]): Result
  /** A size that another process has confirmed meanwhile is confirmed. */
  confirm(identity: string, found: readonly Found[]): Result
  /** The first database of an unused store. */
  bind(databaseId: string, identity: string): Result
  /**
   * Another identity becomes the current one. The former identity never becomes current again, and what it reserved and
   * did not confirm is dead, unless the new database has it.
   */
  accept(to: NewDatabase, found: readonly Found[]): Result
}

export type StoreCall = keyof StoreWrites

export interface FenceStore {
  /** Writes can begin without delay. */
  readonly opened: Promise<void>
  /** The state and some logs at one moment. */
  read(names: readonly string[]): Promise<{ state: StoreState; logs: ReadonlyMap<string, StoredLog> }>
  isRetired(identity: string): Promise<boolean>
  /** Whether any size is confirmed. */
  hasLogs(): Promise<boolean>
  /** In the order of names. */
  page(after: string, most: number): Promise<readonly StoredLog[]>
  /** Throws `StoreFailure` after `waitMs`. */
  write<C extends StoreCall>(call: C, waitMs: number, ...given: Parameters<StoreWrites[C]>): Promise<Refusal>
  close(): Promise<void>
}

/** The write took too long or failed. Whether it took effect is not known. */
export class StoreFailure extends Error {}

/** Of a size that only a witness has seen. No root of a database equals it, so the log stays closed at this size. */
export const unknownRoot = 'unknown'

export const otherDatabase = 'another database is the current one'
export const otherStore = 'the store belongs to another database'
export const writtenMeanwhile = 'the store was written during the comparison'

export const closed = (log: string, successor: string): string => `${log} is closed: ${successor} continues it`
export const otherLoss = (log: string): string => `${log} has another confirmed end than the declared one`
export const begunAlready = (log: string): string => `${log} has begun already`

export const signedAt = (size: unknown, root: unknown): Signed | undefined =>
  typeof size === 'number' && size > 0 ? { size, root: root as string } : undefined
