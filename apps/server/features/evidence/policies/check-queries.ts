import type { ActorRole } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { DirectoryTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface Approvable {
  /** The ACTIVE members who may approve by one of their roles. `person` is the same for accounts with one email address. */
  readonly members: readonly {
    readonly actorId: string
    readonly name: string
    readonly roles: readonly ActorRole[]
    readonly person: string
    readonly groupIds?: readonly string[]
    /** Whether they hold a passkey that counts in the center. */
    readonly signs?: boolean
  }[]
  /** Live API keys with the scope `proof:approve`. */
  readonly keys: number
}

export async function findApprovable(tx: DirectoryTx): Promise<Approvable> {
  const { rows: members } = await sql<Approvable['members'][number]>`
    select m.actor_id as "actorId", m.name, m.roles,
      coalesce(a.email, a.id::text) as person
    from directory.memberships m join directory.actors a on a.id = m.actor_id
    where m.center_id = ${tx.caller.centerId} and m.status = 'ACTIVE' and m.role in ('ADMIN', 'INSTRUCTOR')
    order by m.actor_id limit 1000`.execute(tx.db)
  const { rows } = await sql<{ keys: number }>`
    select count(*)::int as keys from directory.api_keys
    where center_id = ${tx.caller.centerId} and revoked_at is null and 'proof:approve' = any (scopes)
      and (expires_at is null or expires_at > ${now()})`.execute(tx.db)
  return { members, keys: rows[0]?.keys ?? 0 }
}
