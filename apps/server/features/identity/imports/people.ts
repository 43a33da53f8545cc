/** What the import does with one row. The caller holds the lock of the center, and undoes the row when it is refused. */
import type { ActorRole, ImportEffect, ImportReason } from '@countersign/contract/enums.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { addChildOfCenter, type EnrollNeeds, lockPair, offerGuardianship } from '../families/api.ts'
import {
  type InvitationNeeds,
  invitationStands,
  inviteByMail,
  isWorkspace,
  type LockedMembership,
  lockByAddress,
  nameLocked,
} from '../members/api.ts'
import { childrenNamed, type NamedChild } from './queries.ts'
import type { ReadRow } from './rows.ts'

export interface Importing {
  readonly needs: InvitationNeeds & EnrollNeeds
  readonly tx: DirectoryTx
  /** Accounts by the addresses that the rows name. */
  readonly known: ReadonlyMap<string, string | null>
  readonly approved: boolean
  readonly families: boolean
  readonly centerName: string
  readonly inviter: string
}

export interface Done {
  readonly effect: ImportEffect
  readonly membershipId?: string
  readonly formerName?: string
  readonly sameName?: boolean
  readonly guardiansInvited?: number
  /** How many people get an email. */
  readonly emails: number
}

export class Refusal extends Error {
  readonly reason: ImportReason
  constructor(reason: ImportReason) {
    super(reason)
    this.reason = reason
  }
}

const closed = { SUSPENDED: 'suspended', REJECTED: 'rejected', ENDED: 'ended' } as const
function requireOpen({ status }: Pick<LockedMembership, 'status'>): void {
  if (status in closed) throw new Refusal(closed[status as keyof typeof closed])
}

const membershipAt = ({ tx, known }: Importing, address: string) =>
  lockByAddress(tx, address, known.get(address) ?? null)

export async function carryOut(importing: Importing, row: ReadRow): Promise<Done> {
  const { email, name, roles, guardians } = row
  const isChild = roles.includes('CHILD')
  if ((guardians.length > 0 || email === null) && !importing.families) throw new Refusal('families')
  if (email === null) return child(importing, { name: name as string, guardians })
  const done = await person(importing, { email, name, roles })
  if (guardians.length === 0) return done
  const member = await membershipAt(importing, email)
  if (!member || !(isChild || member.roles.includes('CHILD'))) throw new Refusal('guardiansNotForRole')
  return withGuardians(importing, member.actor_id, guardians, done)
}

async function person(
  importing: Importing,
  { email, name, roles }: { email: string; name: string | null; roles: readonly ActorRole[] },
): Promise<Done> {
  const { needs, tx } = importing
  if (roles.includes('ADMIN') && (await isWorkspace(tx))) throw new Refusal('workspace')
  const earlier = await membershipAt(importing, email)
  if (!earlier) {
    if (roles.length === 0) throw new Refusal('rolesMissing')
    const { membershipId } = await inviteByMail(needs, tx, {
      ...letter(importing),
      email,
      roles,
      ...(name && { name }),
    })
    return { effect: 'invited', membershipId, emails: 1 }
  }
  requireOpen(earlier)
  // Another address of a member: who that is, is not for the importer to learn.
  if (earlier.address !== email) return { effect: 'unchanged', emails: 0 }
  const sameRoles = roles.length === 0 || roles.join() === earlier.roles.join()
  const isNamed = name === null || name === earlier.name
  if (earlier.status === 'INVITED') {
    if (sameRoles && isNamed && (await invitationStands(tx, earlier.id)))
      return { effect: 'unchanged', membershipId: earlier.id, emails: 0 }
    const again = { roles: roles.length === 0 ? earlier.roles : roles, name: name ?? earlier.name }
    await inviteByMail(needs, tx, { ...letter(importing), email, ...again })
    return {
      ...{ effect: 'reinvited', membershipId: earlier.id, emails: 1 },
      ...(!isNamed && { formerName: earlier.name }),
    }
  }
  if (!sameRoles) throw new Refusal('rolesDiffer')
  if (isNamed) return { effect: 'unchanged', membershipId: earlier.id, emails: 0 }
  await nameLocked(needs.authenticate, tx, earlier, name)
  return { effect: 'changed', membershipId: earlier.id, formerName: earlier.name, emails: 0 }
}

const letter = ({ approved, centerName, inviter }: Importing) => ({ approved, centerName, inviter })

const isOpen = ({ status }: NamedChild): boolean => !(status in closed)

/** The child that the row means, rather one that is here than one that has left. Null: none yet. */
function meant(named: readonly NamedChild[], guardians: readonly string[]): NamedChild | null {
  const theirs = named.filter((each) => each.guardians.some((address) => guardians.includes(address)))
  const others = guardians.length === 0 ? named : named.filter((each) => each.guardians.length === 0)
  const fitting = theirs.length > 0 ? theirs : others
  const here = fitting.filter(isOpen)
  const [found, another] = here.length > 0 ? here : fitting
  // Without guardians, any child of this name is meant.
  if (another && guardians.length > 0) throw new Refusal('ambiguous')
  return found ?? null
}

async function child(
  importing: Importing,
  { name, guardians }: { name: string; guardians: readonly string[] },
): Promise<Done> {
  const named = await childrenNamed(importing.tx, name)
  const found = meant(named, guardians)
  if (found) {
    requireOpen(found)
    return withGuardians(importing, found.actor_id, guardians, {
      ...{ effect: 'unchanged', membershipId: found.id, emails: 0 },
    })
  }
  const { actor_id, id } = await addChildOfCenter(importing.needs, importing.tx, name)
  const added: Done = { effect: 'added', membershipId: id, sameName: named.length > 0, emails: 0 }
  return withGuardians(importing, actor_id, guardians, added)
}

async function withGuardians(
  importing: Importing,
  childId: string,
  guardians: readonly string[],
  done: Done,
): Promise<Done> {
  let [guardiansInvited, emails] = [0, done.emails]
  for (const email of guardians) {
    const offered = await offer(importing, childId, email)
    if (offered === null) continue
    guardiansInvited++
    emails += offered.emails
  }
  if (guardiansInvited === 0) return done
  return { ...done, effect: done.effect === 'unchanged' ? 'changed' : done.effect, guardiansInvited, emails }
}

/** One link accepts everything that the center has offered, so a link that still works needs no second email. */
async function offer(importing: Importing, childId: string, email: string): Promise<{ emails: number } | null> {
  const { needs, tx } = importing
  const earlier = await membershipAt(importing, email)
  if (earlier) {
    requireOpen(earlier)
    if (earlier.actor_id === childId) throw new Refusal('guardianOfSelf')
    // Also one that has ended: an old file doesn't bring it back.
    if (await lockPair(tx, childId, earlier.actor_id)) return null
    if (await invitationStands(tx, earlier.id)) {
      await offerGuardianship(tx, childId, earlier.actor_id)
      return { emails: 0 }
    }
  }
  const { actorId } = await inviteByMail(needs, tx, {
    ...{ ...letter(importing), email, roles: ['PARENT'], approved: true, guardian: true },
  })
  await offerGuardianship(tx, childId, actorId)
  return { emails: 1 }
}
