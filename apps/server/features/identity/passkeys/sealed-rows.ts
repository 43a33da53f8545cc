/** Passkeys in a batch, those that items name by id, and the challenges that they may sign. */
import type { PasskeyKey } from '@countersign/proof/passkey.ts'
import type { ChallengeRow } from '../../../governance/rows.ts'
import type { RowKind } from '../../../sealing/sealed-rows.ts'

export type Confirmed = 'mail' | 'passkey' | 'admin' | 'partner' | 'operator'

export interface PasskeyRow {
  readonly center_id: number
  readonly id: string
  readonly actor_id: string
  readonly key: PasskeyKey
  readonly thumbprint: string
  readonly backup_eligible: boolean
  readonly confirmed: Confirmed
  readonly counts: boolean
  readonly removed: boolean
  readonly bound_at: string
  /** The hash of the newest entry about it. */
  readonly last_entry: string
  /** The entry that bound it, where the item asks for it by `target`. */
  readonly bound?: BoundEntry | null
}

export interface BoundEntry {
  readonly content: string
  readonly hash: string
  readonly previous_hash: string | null
  readonly sealed_at: string
  readonly disclosed: { readonly key?: PasskeyKey } | null
  readonly salts: { readonly key?: string } | null
}

export const passkeyRows: RowKind<PasskeyRow, { readonly id: string; readonly target?: string }> = {
  name: 'passkeys',
  order: 45,
  load: 'load_passkeys',
  write: 'write_passkeys',
  namesOf: ({ id }) => [id],
}

/** A challenge that is updated is spent: the write deletes it. */
export const challengeRows: RowKind<ChallengeRow, { readonly challenge: string }> = {
  name: 'challenges',
  order: 27,
  load: 'hold_challenges',
  write: 'write_challenges',
  namesOf: ({ challenge }) => [challenge],
}
