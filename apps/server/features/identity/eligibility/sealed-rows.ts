/** Eligibilities in a batch: those that items name by membership, or all of a person. */
import type { RowKind } from '../../../sealing/sealed-rows.ts'

export interface EligibilityRow {
  readonly center_id: number
  /** The membership. */
  readonly id: string
  readonly actor_id: string
  readonly role: string
  readonly active: boolean
  /** Everybody who cannot confirm it, beside its person. */
  readonly makers: readonly string[]
  /** The newest entry about it. */
  readonly since_index: number
  readonly since_at: string
  /** Null while it is not active. */
  readonly counts_from: string | null
  readonly confirmed_by: string | null
  /** The change of the directory that it is from. */
  readonly change_id: number
  readonly last_entry: string
}

export const eligibilityRows: RowKind<EligibilityRow, { readonly id: string } | { readonly actor_id: string }> = {
  name: 'eligibilities',
  order: 46,
  load: 'load_eligibilities',
  write: 'write_eligibilities',
  namesOf: ({ id }) => [id],
}
