/** Whether a member's right to approve counts yet, for items that are judged by it. Pure. */
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { counts } from './seal.ts'
import { eligibilityRows } from './sealed-rows.ts'

/** A member as the directory says. */
interface Named {
  readonly membershipId: string
  readonly role: string
}

/** The center has not sealed the membership as the directory has it. Whoever approves brings it there and judges again. */
export class EligibilityBehind extends Problem {
  readonly membershipId: string
  constructor(membershipId: string) {
    super('CONFLICT', 'Your role in this center is just being sealed. Try again in a moment.', {
      details: { reason: 'eligibility', countsFrom: null },
      retryAfter: 2,
      passing: true,
    })
    this.membershipId = membershipId
  }
}

export const needsOfMembers = (people: readonly Pick<Named, 'membershipId'>[]): readonly Need[] =>
  people.map(({ membershipId }) => need(eligibilityRows, { id: membershipId }))

/** Returns the index of the entry by which the first of these people is admitted. All of them must count. */
export function admitted(batch: Batch, people: readonly [Named, ...Named[]]): number {
  const [first] = people.map(({ membershipId, role }) => {
    const row = batch.rows(eligibilityRows).find(membershipId)
    if (!row?.active || row.role !== role) throw new EligibilityBehind(membershipId)
    if (!counts(row, batch.at)) throw notYet(row.counts_from as string)
    return row.since_index
  })
  return first as number
}

const notYet = (from: string): Problem => {
  const countsFrom = new Date(from).toISOString()
  return new Problem(
    'CONFLICT',
    `Your role in this center is new and counts from ${countsFrom} on. Another ADMIN can confirm it before; you can refuse now.`,
    { details: { reason: 'eligibility', countsFrom }, passing: true },
  )
}
