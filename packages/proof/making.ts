/** How records and their proofs are made. A verifier needs none of this; a program that makes test data does. */
export { entryContent, type Prepared } from './chain.ts'
export { exportDocument, type StoredEntry } from './export.ts'
export { historyStatic, unitState } from './history-entry.ts'
export { type ProofApproval, proofStatic, proofValues } from './proof-entry.ts'
export { writeTlogProof } from './tlog-proof.ts'
