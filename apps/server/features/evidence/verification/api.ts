/** The API of this feature: what the entries of a chain commit to, and whether the record of one holds. */
export { type CommittedEntry, committedAfter, committedLines } from './committed-lines.ts'
export { adminAddresses } from './notice-queries.ts'
export { recordFault } from './records.ts'
