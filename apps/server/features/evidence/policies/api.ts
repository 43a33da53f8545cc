/** The entry point of this feature: the policies in force, for items that are judged by them. */

import type { CenterProfile } from '../../../data/center-profile.ts'
import type { PolicyRow } from '../../../governance/rows.ts'
import { policyRule, rulesOf, standingRules } from '../../../governance/rules.ts'
import { unavailable } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'

export { requireOwn, requireRoom, standing, waking } from './changing.ts'
export { type InheritedPolicies, type Inheriting, inheritedAgain, inheritedFrom } from './inheritance.ts'
export { addVersion, bodyText, changedBody, policyOf, unknownPolicy, type VersionRow } from './policy.ts'
export { putSharedPolicy, withdrawSharedPolicy } from './shared.ts'
export { requireSound } from './sound.ts'

/**
 * The policies in force for the center: those that are shared with it, and its own. It throws while an inherited one is not
 * written, or where the stored ones are not those that were sealed, so that nothing is judged without them.
 */
export function policiesInForce(batch: Batch, center: CenterProfile): readonly PolicyRow[] {
  if (center.inherited?.ids.some((id) => !policyRule(batch, id))) {
    throw unavailable('The policies that this center inherited are not written yet.')
  }
  rulesOf(batch, center)
  return standingRules(batch, center)
}

/** The version in force, if there is one. */
export function standingPolicy(batch: Batch, id: string): PolicyRow | undefined {
  const row = policyRule(batch, id)
  return row?.deleted ? undefined : row
}
