/** The entry point of this feature: the policies in force, for items that are judged by them. */
import type { PolicyRow } from '../../../governance/rows.ts'
import { unavailable } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { CenterProfile } from '../../../sealing/item.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { policyRows } from './sealed-rows.ts'

export { type InheritedPolicies, type Inheriting, inheritedAgain, inheritedFrom } from './inheritance.ts'
export { requireSound } from './sound.ts'

export const needPolicies: Need = need(policyRows, {})

/**
 * The policies in force for the center: those that are shared with it, and its own. It throws while an inherited one is not
 * written, so that nothing is judged without it.
 */
export function policiesInForce(batch: Batch, { inherited }: Pick<CenterProfile, 'inherited'>): readonly PolicyRow[] {
  const rows = batch.rows(policyRows)
  if (inherited?.ids.some((id) => !rows.find(id)))
    throw unavailable('The policies that this center inherited are not written yet.')
  return rows.all().filter(({ deleted }) => !deleted)
}
