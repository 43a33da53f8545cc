/** Passkeys for other features: which of a person's keys count in a center, what they are asked to sign, and whether they did. */
export { countingPasskeys, signingMembers } from './center-queries.ts'
export { bindTestKey, confirmSoleAdmin } from './confirm.ts'
export type { PasskeyHost } from './host.ts'
export { noteChange as notePasskeyChange } from './outbox-queries.ts'
export { insertChallenge, livePasskeys, spendChallenge } from './queries.ts'
export {
  challengeRows,
  keepChallenge,
  needsOfKeys,
  needsOfSigned,
  type PasskeyRow,
  passkeyRows,
  requireChallenge,
  requireKey,
  requirePolicies,
  type Signed,
  withoutChallenge,
} from './signed.ts'
export { waitingPasskeys } from './standing.ts'
export {
  base64url,
  challengeGone,
  challengeIn,
  challengeSeconds,
  doublyAssertionOf,
  type NamedPasskey,
  namedPasskey,
  requestOptions,
  verifyBy,
  verifyPasskey,
} from './webauthn.ts'
