/** Domain `history`: each change to a record after it was chained is an entry. */
import type { Json } from './canonical.ts'
import { type Prepared, prepare } from './chain.ts'

export type HistoryType = 'level' | 'metadata' | 'redaction' | 'policy' | 'key'

export interface HistoryInput {
  readonly id: string
  readonly type: HistoryType
  /** The id of the changed record. */
  readonly target: string
  /** The new values and the actor: `evidenceLevel`, `metadata`, `paths`, `policy`, `by`, `reason`. */
  readonly values: Readonly<Record<string, Json>>
}

export const historyStatic = ({ id, type, target, values }: HistoryInput, newSalt: () => string): Prepared =>
  prepare('history', { id, type, target }, values, newSalt)
