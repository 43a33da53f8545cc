/**
 * Checks an assertion of WebAuthn: that the key signed this challenge for this host, with the person present and
 * verified by the authenticator. The server runs it before it seals, so it seals nothing that a verifier refuses.
 */
import { sha256Bytes } from '#sha256'
import { fromBase64Url, toBase64Url } from './base64.ts'
import { parseExactly } from './parse.ts'
import { type PasskeyKey, type PasskeySignature, passkeyNumbers, signatureBy, signatureHolds } from './passkey-key.ts'
import type { ProblemCode } from './problem.ts'

// biome-ignore lint/performance/noBarrelFile: one module has everything about passkeys
export { jwkOfCose } from './cose-key.ts'
export { type PasskeyKey, type PasskeySignature, thumbprintOf } from './passkey-key.ts'
export {
  type AnyApprovalStatement,
  type ApprovalStatement,
  type ConfirmationStatement,
  type ConfirmStatement,
  challengeOf,
  type PasskeyStatement,
  type RaiseStatement,
  type RegisterStatement,
  reasonDigest,
  type StepUpStatement,
} from './passkey-statement.ts'

/** Base64url, as received. */
export interface PasskeyAssertion {
  readonly authenticatorData: string
  readonly clientDataJSON: string
  readonly signature: string
}

export type PasskeyFault = Exclude<Extract<ProblemCode, `passkey-${string}`>, 'passkey-unclaimed'>

export interface ExpectedAssertion {
  readonly challenge: Uint8Array
  readonly key: PasskeyKey
  readonly rpId: string
  /** Null: any origin, where no trust policy names them. */
  readonly origins: readonly string[] | null
  /** As in the binding: it never changes in the life of a credential. */
  readonly backupEligible?: boolean | undefined
}

/** The most bytes of `clientDataJSON` and of `authenticatorData`. */
const mostBytes = 4096

/** Null when the assertion is good. Never throws. */
export function checkAssertion(assertion: PasskeyAssertion, expected: ExpectedAssertion): PasskeyFault | null {
  const read = readAssertion(assertion, expected)
  if (typeof read === 'string') return read
  return signatureHolds(read.signed) ? null : 'passkey-signature'
}

/** An assertion in which all is as expected but the signature, which is still to be checked. */
export interface ReadAssertion {
  readonly signed: PasskeySignature
  /** How often the key has signed, as its authenticator says; 0 where it doesn't count. */
  readonly counter: number
}

/** Everything that `checkAssertion` finds without the signature. Never throws. */
export function readAssertion(assertion: PasskeyAssertion, expected: ExpectedAssertion): PasskeyFault | ReadAssertion {
  const authenticatorData = fromBase64Url(assertion.authenticatorData)
  const clientData = fromBase64Url(assertion.clientDataJSON)
  const signature = fromBase64Url(assertion.signature)
  if (authenticatorData === null || clientData === null || signature === null) return 'passkey-spelling'
  if (authenticatorData.length > mostBytes || clientData.length > mostBytes) return 'passkey-size'
  const fault = clientDataFault(clientData, expected) ?? authenticatorDataFault(authenticatorData, expected) ?? null
  if (fault !== null) return fault
  const numbers = passkeyNumbers(expected.key)
  if (numbers === null) return 'passkey-key'
  const message = new Uint8Array(authenticatorData.length + 32)
  message.set(authenticatorData)
  message.set(sha256Bytes(clientData), authenticatorData.length)
  const signed = signatureBy(numbers, message, signature)
  if (signed === null) return 'passkey-signature'
  return { signed, counter: new DataView(message.buffer).getUint32(33) }
}

/** Invalid UTF-8 is an error; a byte order mark stays and is not JSON. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Members in any order, and others beside: browsers add some. */
function clientDataFault(bytes: Uint8Array, { challenge, origins }: ExpectedAssertion): PasskeyFault | null {
  let value: unknown
  try {
    value = parseExactly(decoder.decode(bytes))
  } catch {
    return 'passkey-client-data'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'passkey-client-data'
  const data = value as Readonly<Record<string, unknown>>
  if (data.type !== 'webauthn.get') return 'passkey-type'
  if (data.challenge !== toBase64Url(challenge)) return 'passkey-challenge'
  if (typeof data.origin !== 'string' || (origins !== null && !origins.includes(data.origin))) return 'passkey-origin'
  return isFramed(data) ? 'passkey-framed' : null
}

/** Whether the page stood in a frame of another site, by the client data of the browser. */
export const isFramed = ({ crossOrigin, topOrigin }: Readonly<Record<string, unknown>>): boolean =>
  (crossOrigin !== undefined && crossOrigin !== false) || topOrigin !== undefined

const flag = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64, extended: 128 } as const

function authenticatorDataFault(bytes: Uint8Array, { rpId, backupEligible }: ExpectedAssertion): PasskeyFault | null {
  const flags = bytes[32] ?? 0
  const has = (bit: number): boolean => (flags & bit) !== 0
  const ends = has(flag.extended) ? bytes.length > 37 : bytes.length === 37
  if (!ends || has(flag.attested) || (has(flag.backedUp) && !has(flag.backupEligible))) {
    return 'passkey-authenticator-data'
  }
  const host = sha256Bytes(new TextEncoder().encode(rpId))
  if (!host.every((byte, at) => byte === bytes[at])) return 'passkey-host'
  if (!has(flag.present) || !has(flag.verified)) return 'passkey-user'
  return backupEligible === undefined || has(flag.backupEligible) === backupEligible ? null : 'passkey-backup'
}

/** What the authenticator says of its key; nothing proves it. Null for what is no authenticator data. */
export function backupFlags(authenticatorData: string): {
  readonly backupEligible: boolean
  readonly backedUp: boolean
} | null {
  const flags = fromBase64Url(authenticatorData)?.[32]
  if (flags === undefined) return null
  return { backupEligible: (flags & flag.backupEligible) !== 0, backedUp: (flags & flag.backedUp) !== 0 }
}
