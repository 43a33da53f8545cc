import type { Cell } from '../../../data/cells.ts'
import { firstUuidAt } from '../../../lib/ids.ts'

/** `mark` is the same for the same change; the others name what changed, without its content. */
export interface ChangeRow {
  readonly center_id: number
  readonly mark: string
  readonly type: string
  readonly target_type: string
  readonly target_id: string
}

const changesCall = {
  pool: 'watchers',
  name: 'recent_changes',
  text: 'select center_id, mark, type, target_type, target_id from cell.recent_changes($1, $2, $3, $4)',
} as const

/** What changed in these centers since then, the newest `most` of each source and center. */
export const recentChanges = (cell: Cell, centerIds: readonly number[], since: number, most: number) =>
  cell.call<ChangeRow>(changesCall, [`{${centerIds.join(',')}}`, firstUuidAt(since), new Date(since), most])
