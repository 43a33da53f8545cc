/** What other features may use: the five stages of sealing a decision, and decisions by their ids. */
export { approvalAnswer, approvalItem, type Effect, type Fallback } from './approve.ts'
export { challengeItem } from './challenge.ts'
export { expiryItem, needsOfOpen, refuseOpen, replaceable, systemRefusal } from './close.ts'
export { type EventFacts, eventOf, hexOf, newEvent } from './event.ts'
export type { Recorder } from './ingest.ts'
export { countsOfEvents, pageOfEvents } from './list.ts'
export { notingRefusal } from './note-waiting.ts'
export { type KnownStanding, priorHashes, ReadAgain, requireReadable, unknownEvent } from './open-decision.ts'
export { lastApproval, policyCopy, type StoredEventRow } from './queries.ts'
export { approvalRows, decisionName, eventRows } from './sealed-rows.ts'
export {
  collectEvidence,
  type Deciding,
  decisionNamed,
  decisionOf,
  makeAuditReady,
  matchingPolicies,
  needsOfSealing,
  policiesOver,
  requestApproval,
  sealInChain,
} from './sealing.ts'
export { asSigner, type SignedApproval } from './signed-approval.ts'
export { takeBackItem } from './take-back.ts'
export {
  type ApprovalAddress,
  approvalAddress,
  judgeAgainUnder,
  overOpen,
  type PolicyCopy,
  type WaitingRow,
} from './waiting.ts'
