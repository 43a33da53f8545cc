/** The entry point of this feature. */

export { accountsOf, asAdmin, type ConfirmNeeds, confirmAsOperator } from './confirm.ts'
export type { Eligibility } from './outbox.ts'
export { unsealedOf } from './outbox-queries.ts'
export { countingMembers, everApproving, isCounting } from './queries.ts'
export type { EligibilityRow } from './seal.ts'
export { admitted, countsFrom, EligibilityBehind, eligibilityRows, makersOf, needsOfMembers } from './seal.ts'
