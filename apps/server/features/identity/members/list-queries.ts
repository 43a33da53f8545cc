/** Lists of members, by name. */
import type { ActorRole, MembershipStatus } from '@countersign/contract/enums.ts'
import { type RawBuilder, sql } from 'kysely'
import type { DirectoryTx } from '../../../data/directory.ts'
import type { MemberRow } from './queries.ts'

export interface MemberFilter {
  readonly search?: string
  readonly role?: ActorRole
  readonly status?: MembershipStatus
}

export interface MemberPosition {
  readonly id: string
  readonly name: string
}

/** Words are cut to 40 characters, so a longer search text is too. */
const wordLength = 40
const lastCharacter = String.fromCodePoint(0x10ffff)

function matching(tx: DirectoryTx, { search, role, status }: MemberFilter): RawBuilder<unknown> {
  const text = search?.trim().toLowerCase().slice(0, wordLength)
  const center = tx.caller.centerId
  return sql.join(
    [
      sql`m.center_id = ${center}`,
      // As a constant, so that the index of that role is used.
      ...(role === undefined ? [] : [sql`${sql.lit(role)} = any (m.roles)`]),
      ...(status === undefined ? [] : [sql`m.status = ${status}`]),
      ...(text === undefined
        ? []
        : [
            sql`m.id in (select w.membership_id from directory.member_words w
              where w.center_id = ${center} and w.word >= ${text} and w.word < ${text + lastCharacter})`,
          ]),
    ],
    sql` and `,
  )
}

export async function pageOfMembers(
  tx: DirectoryTx,
  filter: MemberFilter,
  { after, limit, offset }: { after: MemberPosition | null; limit: number; offset: number },
): Promise<MemberRow[]> {
  const onwards = after === null ? sql`` : sql`and (m.name, m.id) > (${after.name}, ${after.id}::uuid)`
  const { rows } = await sql<MemberRow>`
    select m.id, m.center_id, c.name as center_name, c.domain as center_domain, m.actor_id, m.name, m.address, m.accepted,
      m.role, m.roles, m.status, m.invited_at, m.ended_at
    from (select * from directory.memberships m where ${matching(tx, filter)} ${onwards}
      order by m.name, m.id limit ${limit} offset ${offset}) m
    join directory.centers c on c.id = m.center_id
    order by m.name, m.id`.execute(tx.db)
  return rows
}

export const positionOf = (tx: DirectoryTx, id: string): Promise<MemberPosition | undefined> =>
  tx.db
    .selectFrom('memberships')
    .select(['id', 'name'])
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function countMatching(tx: DirectoryTx, filter: MemberFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from directory.memberships m where ${matching(tx, filter)}`.execute(tx.db)
  return rows[0]?.n ?? 0
}

export interface MemberFigures {
  /** `also`: of members who have a higher role too, and are counted with that one. */
  readonly counts: readonly { role: ActorRole; status: MembershipStatus; also: boolean; members: number }[] | null
  readonly admins: number
  /** Null without a subscription, and where the plan counts only staff: such a plan has no limit for all members. */
  readonly seats: { readonly used: number; readonly limit: number } | null
}

/** A few rows that triggers maintain; no memberships are counted. */
export async function memberFigures(tx: DirectoryTx): Promise<MemberFigures> {
  const center = tx.caller.centerId
  const { rows } = await sql<MemberFigures>`
    select c.admin_count as admins,
      (select json_agg(k) from directory.member_counts k where k.center_id = ${center}) as counts,
      (select json_build_object('used', s.seat_used, 'limit', s.seat_limit) from directory.subscriptions s
        where s.center_id = ${center} and s.staff_limit is null) as seats
    from directory.centers c where c.id = ${center}`.execute(tx.db)
  return rows[0] as MemberFigures
}
