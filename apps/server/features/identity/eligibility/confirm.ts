/**
 * A second person confirms a role before its time: an ADMIN whose own role counts, the partner or the operator. Nobody
 * confirms what concerns themselves or what they made, under any of their accounts.
 */

import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import { familyOf } from '../../../access/queries.ts'
import type { Cells } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { needPolicies } from '../../../governance/rules.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, SealItem } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { needsOfMembers, requireCountingAdmin } from './counting.ts'
import { chains, type Eligibility } from './outbox.ts'
import { membershipOf } from './queries.ts'
import { confirm, type EligibilityRow, eligibilityRows } from './seal.ts'
import { hasBegun, type RoleStanding, standingAs, standingsOf } from './standings.ts'

export interface ConfirmNeeds {
  readonly centers: CenterProfiles
  readonly directory: Directory
  readonly eligibility: Eligibility
  readonly sequencer: Sequencer
}

export interface Confirming {
  readonly by: string
  /** All accounts of whoever confirms; none for the operator. */
  readonly person: readonly string[]
  /** The membership of an ADMIN who confirms; null for the partner and the operator. */
  readonly own: string | null
  readonly role?: string | undefined
}

const unknown = (): Problem =>
  new Problem(
    'NOT_FOUND',
    "This center has no membership with this ID, or the membership's role can't approve. List its members to find the ID.",
  )

export const isOwnMatter = (
  { actor_id }: Pick<EligibilityRow, 'actor_id'>,
  { makers }: Pick<RoleStanding, 'makers'>,
  person: readonly string[],
): boolean => person.some((id) => id === actor_id || makers.includes(id))

type ConfirmItem = Pick<SealItem<EligibilityRow>, 'holds' | 'judge'>

export function confirmItem(center: CenterProfile, caller: Caller, id: string | null, given: Confirming): ConfirmItem {
  const { own } = given
  return {
    holds: {
      chains,
      rows: [
        needPolicies,
        ...(id === null ? [] : [need(eligibilityRows, { id })]),
        ...needsOfMembers(own === null ? [] : [{ membershipId: own }]),
      ],
    },
    judge(batch) {
      const { row, roles } = wanted(batch, id, given)
      if (own !== null) requireCountingAdmin(batch, own)
      return roles.length === 0 ? row : confirm(batch, { center, caller }, row, roles, given.by)
    },
  }
}

/** The roles to confirm: those that do not count yet, or the named one of them. */
function wanted(batch: Batch, id: string | null, { person, role }: Confirming) {
  const row = id === null ? undefined : batch.rows(eligibilityRows).find(id)
  if (!row?.active) throw unknown()
  if (role !== undefined && !standingAs(row, role)) {
    throw new Problem(
      'CONFLICT',
      `This member's role is now ${row.role}. Review the role again before you confirm it.`,
      { details: { reason: 'roleChanged' } },
    )
  }
  const asked = standingsOf(row).filter((each) => role === undefined || role === each.role)
  const waiting = asked.filter((each) => !hasBegun(each, batch.at))
  if ((waiting.length > 0 ? waiting : asked).some((each) => isOwnMatter(row, each, person))) {
    throw new Problem(
      'FORBIDDEN',
      "You can't confirm your own role or a change you made. Ask another administrator, or wait until the change takes effect.",
      { details: { reason: 'ownRole' } },
    )
  }
  return { row, roles: waiting.map((each) => each.role) }
}

/** The accounts of a person, once the center knows all of its members as the directory has them. */
export async function accountsOf({ directory, eligibility }: ConfirmNeeds, caller: Caller, actorId: string) {
  await eligibility.deliverTo(caller.centerId)
  return directory.identity(caller, (tx) => familyOf(tx, actorId), 'read')
}

export const asAdmin = async (
  needs: ConfirmNeeds,
  { actorId, entered }: MemberPrincipal,
  caller: Caller,
): Promise<Confirming> => ({
  by: actorId,
  person: await accountsOf(needs, caller, actorId),
  own: entered.membershipId,
})

/** For the partner and the operator, who are no members. */
export async function confirmFromOutside(
  { centers, sequencer }: ConfirmNeeds,
  caller: Caller,
  id: string | null,
  given: Pick<Confirming, 'by' | 'person'>,
): Promise<EligibilityRow> {
  const center = await centers.profile(caller.centerId)
  const item = confirmItem(center, caller, id, { ...given, own: null })
  const outcome = await sequencer.seal({ ...item, center, caller })
  if ('replay' in outcome) throw new Error('a confirmation has no idempotency key')
  return outcome.result
}

/** The membership of this account itself: the operator names a person by the address. */
export async function confirmAsOperator(
  needs: ConfirmNeeds & { readonly cells: Cells },
  caller: Caller,
  actorId: string,
): Promise<EligibilityRow> {
  await needs.eligibility.deliverTo(caller.centerId)
  const { cell } = await needs.centers.profile(caller.centerId)
  const id = await needs.cells.of(cell).inTenant(caller, (tx) => membershipOf(tx, actorId), 'read')
  return confirmFromOutside(needs, caller, id, { by: 'operator', person: [] })
}
