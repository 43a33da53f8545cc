/** The entry point of this feature. */
export { admitted, EligibilityBehind, needsOfMembers } from './admitted.ts'
export { confirmAsOperator } from './confirm.ts'
export type { Eligibility } from './outbox.ts'
export { unsealedOf } from './outbox-queries.ts'
export { countingMembers } from './queries.ts'
export type { EligibilityRow } from './sealed-rows.ts'
