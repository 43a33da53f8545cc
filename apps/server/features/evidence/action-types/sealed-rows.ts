/** Action types in a batch: every one of the center in its newest version, without its texts. */
import type { RowKind } from '../../../sealing/sealed-rows.ts'

interface ActionTypeRow {
  readonly center_id: number
  readonly id: string
  readonly version: number
  readonly key: string
  readonly deleted: boolean
  readonly change_hash: string
}

/** What is written besides; a batch does not read it again. */
export interface ActionTypeVersion extends ActionTypeRow {
  readonly template: string
  readonly digest: string
  readonly created_by: string
  readonly created_at: string
}

export const actionTypeRows: RowKind<ActionTypeRow, Record<string, never>> = {
  name: 'action types',
  order: 55,
  load: 'load_action_types',
  write: 'write_action_types',
  namesOf: ({ key }) => [key],
}
