/** The public interface of this package; other files cannot be imported. */
export { type AnsweredAction, actionDigest, type DigestedAction, digestedOf } from './action-digest.ts'
export {
  type ActionTemplate,
  inLanguage,
  type LocalizedText,
  type SentencePart,
  sentenceOf,
  sentenceParts,
  type TemplateLanguage,
  templateText,
} from './action-template.ts'
export type { Cosigner, Verdict } from './anchor.ts'
export { type ApprovalRequest, contradictionIn, requestedDecision } from './approval-request.ts'
export { fromBase64, toBase64 } from './base64.ts'
export { canonical, type Json, NotRepresentable } from './canonical.ts'
export { type Domain, domains, entryHash, isSandboxLog, logName, preimageName } from './chain.ts'
export { checkNumber } from './check-number.ts'
export { type Checkpoint, checkpointText, parseCheckpoint } from './checkpoint.ts'
export { commitment } from './commitment.ts'
export { comparableId } from './comparable-id.ts'
export {
  approvalHash,
  type Control,
  mostPrior,
  priorDigest,
  priorPattern,
  type Rules,
  rulesDigest,
  type Shown,
  type VoidReason,
  voidReasons,
} from './control.ts'
export {
  type ApprovalFacts,
  type DecisionFacts,
  type ExecutionFacts,
  type Limit,
  type LineFacts,
  lineToSay,
  type PasskeyFacts,
  type RaiseFacts,
  reasonToSay,
  type Warning,
} from './decision-facts.ts'
export {
  type DecisionView,
  decisionView,
  type ShownValue,
  type ViewedDecision,
  type ViewSize,
  viewBound,
  viewSize,
} from './decision-view.ts'
export {
  type DeclarationVerdict,
  type DeclaredLoss,
  declaredIn,
  type LossFacts,
  lossOf,
  verifyDeclaration,
} from './declarations.ts'
export { ed25519Pkcs8 } from './der.ts'
export type { Declaration, ExportDocument } from './export.ts'
export { familyOf, generationName, isUpTo, type LogFamily, type LostLog, type Succession } from './generations.ts'
export { freezeState } from './history-entry.ts'
export { NotJson, type ParseLimits, parseExactly } from './parse.ts'
export {
  type AnyApprovalStatement,
  type ApprovalStatement,
  backupFlags,
  type ConfirmStatement,
  challengeOf,
  checkAssertion,
  type ExpectedAssertion,
  jwkOfCose,
  type PasskeyAssertion,
  type PasskeyFault,
  type PasskeyKey,
  type PasskeyStatement,
  type RaiseStatement,
  type RegisterStatement,
  reasonDigest,
  thumbprintOf,
} from './passkey.ts'
export type { Problem, ProblemCode } from './problem.ts'
export { type ProblemLanguage, problemInWords, problemWords } from './problem-words.ts'
export { type ReceiptVerdict, type SealReceipt, verifyReceipt } from './receipt.ts'
export { shown, shownJson } from './shown.ts'
export {
  type CheckedNote,
  checkNote,
  cosignatureBytes,
  cosignatureMessage,
  type KeyType,
  keyIdOf,
  MalformedNote,
  type Note,
  type NoteSignature,
  parseNote,
  signatureLine,
  type VerifierKey,
  verifierKey,
  vkeyOf,
} from './signed-note.ts'
export { covers, type StopCovers, type Stoppable } from './stops.ts'
export { isWaiting, type Summary, type SummaryOptions, summaryOf } from './summary.ts'
export { readTimestamp, type Stamp, type TimestampToken } from './timestamp.ts'
export { MalformedProof, parseTlogProof, type TlogProof } from './tlog-proof.ts'
export {
  emptyFrontier,
  emptyRoot,
  type Frontier,
  type Growth,
  grow,
  leafHash,
  rootOf,
  type TreeNode,
  verifyConsistency,
  verifyInclusion,
} from './tree.ts'
export {
  logKeyFor,
  MalformedPolicy,
  narrowedTo,
  type PasskeyHost,
  type PolicyGroup,
  type PolicyLog,
  type PolicyWitness,
  parsePolicy,
  satisfied,
  type TrustPolicy,
} from './trust-policy.ts'
export {
  type ChainEntry,
  type ChainHead,
  type ChainOptions,
  type ChainSuccession,
  type ChainVerdict,
  type ChainVerifier,
  chainVerifier,
} from './verify-chain.ts'
export { type ExportVerdict, verifyExport } from './verify-export.ts'
export {
  type ProofFacts,
  type ProofVerdict,
  type Redaction,
  type Standing,
  type VerifyOptions,
  verifyProof,
} from './verify-proof.ts'
