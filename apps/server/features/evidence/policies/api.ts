/** The entry point of this feature. */
export { requireOwn, requireRoom, standing, waking } from './changing.ts'
export { type InheritedPolicies, type Inheriting, inheritedAgain, inheritedFrom } from './inheritance.ts'
export { addVersion, bodyText, changedBody, policyOf, unknownPolicy, type VersionRow } from './policy.ts'
export { putSharedPolicy, withdrawSharedPolicy } from './shared.ts'
export { requireNoGroups, requireSound } from './sound.ts'
