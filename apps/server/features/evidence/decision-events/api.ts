/** What other features may use: the five stages of sealing a decision, and decisions by their ids. */
export type { Recorder } from './ingest.ts'
export {
  collectEvidence,
  type Deciding,
  decisionNamed,
  decisionOf,
  makeAuditReady,
  matchingPolicies,
  requestApproval,
  sealInChain,
} from './sealing.ts'
