/** Domain `history`: whatever may change after a record was chained becomes an entry of its own. */
import type { Json } from './canonical.ts'
import { type Prepared, prepare } from './chain.ts'

export type HistoryType = 'level' | 'metadata' | 'redaction' | 'policy' | 'key'

export interface HistoryInput {
  readonly id: string
  readonly type: HistoryType
  /** The id of what changed. */
  readonly target: string
  /** What it is now, and who did it: `evidenceLevel`, `metadata`, `paths`, `policy`, `by`, `reason`. */
  readonly values: Readonly<Record<string, Json>>
}

export const historyStatic = ({ id, type, target, values }: HistoryInput, newSalt: () => string): Prepared =>
  prepare('history', { id, type, target }, values, newSalt)
