import { sql } from 'kysely'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid } from '../../../lib/ids.ts'
import type { TestPerson } from './cast.ts'

export interface TestMember {
  readonly actor_id: string
  readonly membership_id: string
  readonly name: string
  readonly role: TestPerson['role']
}

/** Those of them who are ACTIVE members. */
export async function findTestPeople(tx: DirectoryTx, people: readonly TestPerson[]): Promise<readonly TestMember[]> {
  const ids = people.map(({ actorId }) => actorId)
  const { rows } = await sql<TestMember>`
    select actor_id, id as membership_id, name, role from directory.memberships
    where center_id = ${tx.caller.centerId} and actor_id = any (${ids}::uuid[]) and status = 'ACTIVE'
    order by array_position(${ids}::uuid[], actor_id)`.execute(tx.db)
  return rows
}

/** Adds those who are no members yet. */
export async function addTestPeople(tx: DirectoryTx | OperatorTx, people: readonly TestPerson[]): Promise<void> {
  const { centerId } = tx.caller
  const { rows } = await sql<{ actor_id: string }>`
    select actor_id from directory.memberships
    where center_id = ${centerId} and actor_id = any (${people.map(({ actorId }) => actorId)}::uuid[])`.execute(tx.db)
  const known = new Set(rows.map(({ actor_id }) => actor_id))
  const added = people.filter(({ actorId }) => !known.has(actorId))
  if (added.length === 0) return
  await tx.db
    .insertInto('actors')
    .values(added.map(({ actorId: id, name }) => ({ id, name, email: null })))
    .execute()
  await tx.db
    .insertInto('memberships')
    .values(
      added.map(({ actorId, name, role }) => ({
        ...{ center_id: centerId, id: newUuid(), actor_id: actorId, name, role, status: 'ACTIVE' as const },
        ...{ address: null, accepted: true, invited_at: now() },
      })),
    )
    .execute()
}
