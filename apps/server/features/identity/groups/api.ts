/** The entry point of this feature: which groups count for whom, and whether a policy may name them. */
export { type GroupsByPerson, groupsOf, requireKnownGroups, unknownGroup } from './counting.ts'
export { readGroups } from './queries.ts'
export { type GroupPerson, type GroupRow, needGroups } from './sealed-rows.ts'
