/**
 * What happened that people are told of. Whoever changes something notes the cause in the transaction of the change; whom it tells,
 * by which channels and when, is decided by the matrix of messages when it is told.
 */
import type { TenantTx } from '../data/cells.ts'
import type { DirectoryTx, IdentityTx, OperatorTx } from '../data/directory.ts'
import { type Cause, insertCause, insertCellCause } from './cause-queries.ts'

export type { Cause, CauseFacts } from './cause-queries.ts'

/** Null for what concerns an account and no center. */
export const noteCause = (tx: DirectoryTx | IdentityTx | OperatorTx, centerId: number | null, cause: Cause) =>
  insertCause(tx, centerId, cause)

export const noteCellCause = (tx: TenantTx, cause: Cause) => insertCellCause(tx, cause)
