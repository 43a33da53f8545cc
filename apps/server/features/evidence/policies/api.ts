/** The entry point of this feature: the policies in force, for items that are judged by them. */
import type { PolicyRow } from '../../../governance/rows.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { policyRows } from './sealed-rows.ts'

export const needPolicies: Need = need(policyRows, {})

/** The policies in force for the center: those that are shared with it, and its own. */
export const policiesInForce = (batch: Batch): readonly PolicyRow[] =>
  batch
    .rows(policyRows)
    .all()
    .filter(({ deleted }) => !deleted)
