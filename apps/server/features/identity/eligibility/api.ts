/** The entry point of this feature. */

export { accountsOf, asAdmin, type ConfirmNeeds, confirmAsOperator } from './confirm.ts'
export { countingRoles, EligibilityBehind, needsOfMembers, notYet, requireCountingAdmin } from './counting.ts'
export type { Eligibility } from './outbox.ts'
export { unsealedOf } from './outbox-queries.ts'
export { countingMembers, everApproving, isCountingAdmin } from './queries.ts'
export type { EligibilityRow } from './seal.ts'
export { countsFrom, eligibilityRows, makersOf } from './seal.ts'
export type { NextStanding, RoleStanding } from './standings.ts'
