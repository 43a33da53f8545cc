/** The entry point of this feature: the policies in force, for items that are judged by them. */
import type { PolicyRow } from '../../../governance/rows.ts'
import { unavailable } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { CenterProfile } from '../../../sealing/item.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { policyRule, rulesOf, standingRules } from './rules.ts'
import { ruleRows } from './sealed-rows.ts'

export { type InheritedPolicies, type Inheriting, inheritedAgain, inheritedFrom } from './inheritance.ts'
export { noteChange as noteRules, requireUnaltered, rulesOf } from './rules.ts'
export { requireSound } from './sound.ts'

export const needPolicies: Need = need(ruleRows, {})

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
