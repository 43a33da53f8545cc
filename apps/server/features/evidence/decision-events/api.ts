/** What other features may use: the five stages of sealing a decision, and decisions by their ids. */
export type { Recorder } from './ingest.ts'
export { decisionName, eventRows } from './sealed-rows.ts'
export {
  collectEvidence,
  type Deciding,
  decisionNamed,
  decisionOf,
  makeAuditReady,
  matchingPolicies,
  needsOfSealing,
  requestApproval,
  sealInChain,
} from './sealing.ts'
