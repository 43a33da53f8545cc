/** What other features may use: the five stages of sealing a decision, and decisions by their ids. */
export {
  approvalAnswer,
  approvalItem,
  asSigner,
  type Effect,
  type SignedApproval,
} from './approve.ts'
export { challengeItem } from './challenge.ts'
export {
  closingItem,
  confirmationChallengeItem,
  confirmationItem,
  lapseItem,
  type SealedDecision,
  type SignedConfirmation,
} from './confirm.ts'
export {
  approvalRows,
  collectEvidence,
  type Deciding,
  decisionName,
  decisionNamed,
  decisionOf,
  eventRows,
  makeAuditReady,
  matchingPolicies,
  needsOfOpen,
  needsOfSealing,
  policiesOver,
  requestApproval,
  sealInChain,
} from './decision.ts'
export { type ConfirmationRow, type EmergencyRow, emergencyRows, needEmergency } from './emergency.ts'
export { commitAhead, hashActionAhead } from './hash-ahead.ts'
export {
  type Fallback,
  type KnownStanding,
  PeopleUnknown,
  priorHashes,
  ReadAgain,
  requireReadable,
  unknownEvent,
} from './judging.ts'
export { countsOfEvents, pageOfEvents } from './list.ts'
export { type InformedMember, informs, listedIds } from './list-queries.ts'
export { type ActingKey, requireOwnKey } from './own-key.ts'
export { lastApproval, type PolicyCopy, policyCopy, type StoredEventRow } from './queries.ts'
export { type EventFacts, eventOf, hexOf, newEvent, type Recorder, shownActor } from './record.ts'
export { expiryItem, refuseOpen, replaceable, systemRefusal } from './refuse.ts'
export { takeBackItem } from './take-back.ts'
export { trialItem } from './trial.ts'
export {
  type ApprovalAddress,
  approvalAddress,
  judgeAgainUnder,
  notingRefusal,
  overOpen,
  type WaitingRow,
} from './waiting.ts'
export { withdrawalItem } from './withdraw.ts'
