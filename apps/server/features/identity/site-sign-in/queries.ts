import type { IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface HandoffRow {
  readonly hash: Buffer
  readonly kind: 'begun' | 'code'
  readonly site_id: string
  readonly browser: Buffer
  /** Of a code: the person, and what their session at the host of the service began with. */
  readonly actor_id: string | null
  readonly provider_id: string | null
  readonly signed_in_at: Date | null
  readonly expires_at: Date
}

export const insertHandoff = (tx: IdentityTx, row: HandoffRow) =>
  tx.db.insertInto('site_handoffs').values(row).execute()

/** A handoff is used by deleting its row: of concurrent requests exactly one gets it. */
export const takeHandoff = (tx: IdentityTx, kind: HandoffRow['kind'], hash: Buffer) =>
  tx.db
    .deleteFrom('site_handoffs')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now())
    .returning(['site_id', 'browser', 'actor_id', 'provider_id', 'signed_in_at'])
    .executeTakeFirst()

export const beginningOf = (tx: IdentityTx, sessionId: string) =>
  tx.db
    .selectFrom('sessions')
    .select(['provider_id', 'signed_in_at'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
