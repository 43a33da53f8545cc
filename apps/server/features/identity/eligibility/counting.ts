/** Whether a member's right to approve counts yet, for items that are judged by it. Pure. */
import { approverRoles } from '@countersign/contract/enums.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { eligibilityRows } from './seal.ts'
import { hasBegun, isSame, type RoleStanding, standingAs, standingsOf } from './standings.ts'

/** A member as the directory says. */
interface Named {
  readonly membershipId: string
  /** All of their roles. */
  readonly roles: readonly string[]
}

/** The center has not sealed the membership as the directory has it. Whoever approves brings it there and judges again. */
export class EligibilityBehind extends Problem {
  readonly membershipId: string
  constructor(membershipId: string) {
    super(
      'CONFLICT',
      'Your role in this center just changed, and the change is still being recorded. Try again in a moment.',
      {
        details: { reason: 'eligibility', countsFrom: null },
        retryAfter: 2,
        passing: true,
      },
    )
    this.membershipId = membershipId
  }
}

export const needsOfMembers = (people: readonly Pick<Named, 'membershipId'>[]): readonly Need[] =>
  people.map(({ membershipId }) => need(eligibilityRows, { id: membershipId }))

/** The roles of this member that count, each with the entry by which it does, and those that do not yet. */
export function countingRoles(
  batch: Batch,
  { membershipId, roles }: Named,
): { readonly counting: readonly RoleStanding[]; readonly waiting: readonly RoleStanding[] } {
  const row = batch.rows(eligibilityRows).find(membershipId)
  const standings = row ? standingsOf(row) : []
  const approving = approverRoles.filter((role) => roles.includes(role))
  if (approving.length === 0 || !isSame(standings, approving)) throw new EligibilityBehind(membershipId)
  const counting = standings.filter((each) => hasBegun(each, batch.at))
  return { counting, waiting: standings.filter((each) => !counting.includes(each)) }
}

/** Throws unless this ADMIN's own role counts. */
export function requireCountingAdmin(batch: Batch, membershipId: string): void {
  const row = batch.rows(eligibilityRows).find(membershipId)
  const own = row && standingAs(row, 'ADMIN')
  if (!own) throw new EligibilityBehind(membershipId)
  if (!hasBegun(own, batch.at)) throw notYet(own.countsFrom)
}

export const notYet = (from: string): Problem => {
  const countsFrom = new Date(from).toISOString()
  return new Problem(
    'CONFLICT',
    `Your role in this center is new, so your approvals don't count until ${countsFrom}. To have them count sooner, ask another administrator to confirm your role.`,
    { details: { reason: 'eligibility', countsFrom }, passing: true },
  )
}
