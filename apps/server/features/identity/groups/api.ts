/** The entry point of this feature: which groups count for whom, and whether a policy may name them. */
export { type GroupsByPerson, groupsIn, groupsOf, requireKnownGroups, unknownGroup } from './counting.ts'
export { createGroup, endGroup, updateGroup } from './group.ts'
export { readGroups, standingGroups } from './queries.ts'
export { type GroupPerson, type GroupRow, needGroups } from './sealed-rows.ts'
