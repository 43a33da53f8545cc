/** Groups in a batch: every one of the center that has not ended. */
import { type Need, need, type RowKind } from '../../../sealing/sealed-rows.ts'

export interface GroupPerson {
  readonly actorId: string
  readonly countsFrom: string
  /** The index in `history` of the entry by which the person counts: the one that added or confirmed them. */
  readonly since: number
}

export interface GroupRow {
  readonly center_id: number
  readonly id: string
  readonly name: string
  /** By actor ID; none once the group has ended. */
  readonly people: readonly GroupPerson[]
  /** Everybody who cannot confirm the people who do not count yet. */
  readonly makers: readonly string[]
  readonly ended: boolean
  /** The newest entry about it. */
  readonly changed_index: number
  readonly changed_at: string
  readonly last_entry: string
}

export const groupRows: RowKind<GroupRow, Record<string, never>> = {
  name: 'groups',
  order: 56,
  load: 'load_groups',
  write: 'write_groups',
  namesOf: ({ id }) => [id],
}

export const needGroups: Need = need(groupRows, {})
