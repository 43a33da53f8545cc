/** What a caller submits to the sequencer: the rows to lock, and the judge function that runs while they are locked. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { CenterProfile } from '../data/center-profile.ts'
import type { Caller } from '../data/directory.ts'
import type { Batch } from './batch.ts'
import type { Claim } from './claims.ts'
import type { Need } from './sealed-rows.ts'

export interface SealItem<T> {
  readonly center: CenterProfile
  readonly caller: Caller
  /** The chains that it may append to, and the rows that must not change while it is judged. */
  readonly holds: { readonly chains: readonly Domain[]; readonly rows?: readonly Need[] }
  /** The size of what it brings. */
  readonly bytes?: number
  /**
   * Decides first and writes after: it throws a Problem before its first write or not at all. It runs again when the
   * batch is repeated, so it keeps no state outside the batch.
   */
  readonly judge: (batch: Batch) => T
}

export interface WaitingSeal {
  readonly item: SealItem<unknown>
  readonly claim: Claim<unknown> | null
}
