/** The entry point of this feature. */

export { isFixed, requireOwn, requireRoom, standing, waking } from './changing.ts'
export { checkDecision } from './check.ts'
export { type CopiedGroup, copyAgain, copyHolds, type RuleCopy } from './copied.ts'
export { peopleFor, requireConfirmable } from './emergency.ts'
export { type InheritedPolicies, type Inheriting, inheritedFrom } from './inheritance.ts'
export { addVersion, bodyText, changedBody, policyOf, unknownPolicy, type VersionRow } from './policy.ts'
export { standingPolicies } from './queries.ts'
export { putSharedPolicy, withdrawSharedPolicy } from './shared.ts'
export { requireNoGroups, requireSound } from './sound.ts'
