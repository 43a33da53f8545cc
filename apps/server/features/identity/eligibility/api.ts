/** The entry point of this feature. */

export { confirmAsOperator } from './confirm.ts'
export type { Eligibility } from './outbox.ts'
export { unsealedOf } from './outbox-queries.ts'
export { countingMembers } from './queries.ts'
export type { EligibilityRow } from './seal.ts'
export { admitted, EligibilityBehind, needsOfMembers } from './seal.ts'
