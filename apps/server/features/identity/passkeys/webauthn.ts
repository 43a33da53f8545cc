/**
 * What browsers are asked, and what of their answers is accepted: by the function that verifies exports and, where a key is
 * registered or a person signs in or steps up, by the library too.
 */

import type { Assertion, CreationOptions, RequestOptions } from '@countersign/contract/passkeys.ts'
import {
  challengeOf,
  isFramed,
  jwkOfCose,
  type PasskeyKey,
  readAssertion,
  thumbprintOf,
} from '@countersign/proof/passkey.ts'
import { signatureHoldsSoon } from '@countersign/proof/passkey-signature-async.node.ts'
import type { AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Static } from 'typebox'
import type { Caller, Directory, IdentityTx } from '../../../data/directory.ts'
import { nowMs } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PasskeyHost } from './host.ts'
import type { StoredPasskey } from './queries.ts'
import * as queries from './queries.ts'

/** Loaded when a passkey is used: its 250 files would slow the start of every process. */
const library = () => import('@simplewebauthn/server')

export const challengeSeconds = 300
const timeout = challengeSeconds * 1000

/** ES256, EdDSA, RS256, in this order: an authenticator takes the first that it knows. */
const algorithms = [-7, -8, -257]

export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

type KnownCredential = Pick<StoredPasskey, 'credential_id' | 'transports'>

const credentialsOf = (keys: readonly KnownCredential[]) =>
  keys.map(({ credential_id, transports }) => ({
    id: base64url(credential_id),
    type: 'public-key' as const,
    ...(transports.length > 0 && { transports }),
  }))

/** Without keys any passkey of this host may answer. */
export const requestOptions = (
  { rpId }: PasskeyHost,
  challenge: string,
  keys: readonly KnownCredential[],
): Static<typeof RequestOptions> => ({
  challenge,
  rpId,
  timeout,
  userVerification: 'required',
  allowCredentials: credentialsOf(keys),
})

export const creationOptions = (
  { rpId }: PasskeyHost,
  challenge: string,
  user: { readonly handle: Uint8Array; readonly email: string; readonly name: string },
  keys: readonly KnownCredential[],
): Static<typeof CreationOptions> => ({
  challenge,
  rp: { id: rpId, name: 'Countersign' },
  user: { id: base64url(user.handle), name: user.email || user.name, displayName: user.name },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout,
  excludeCredentials: credentialsOf(keys),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
})

export const refused = (what: string): Problem =>
  new Problem(
    'VALIDATION_ERROR',
    `The passkey's response was refused: ${what}. Start again, and send the browser's response unchanged.`,
    { details: { reason: 'passkeyAnswer' } },
  )

export const challengeGone = (): Problem =>
  new Problem(
    'CONFLICT',
    'This challenge is unknown, was already used or has expired, and nothing was changed. Start again with a new one.',
    { details: { reason: 'challenge' } },
  )

/** The challenge that the browser answers. Only a name to look its row up by: the checks compare it. */
export function challengeIn(clientDataJSON: string): Buffer {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    if (typeof challenge === 'string' && challenge.length === 43) return Buffer.from(challenge, 'base64url')
  } catch {
    // The same answer as for a challenge of another form.
  }
  throw refused('"clientDataJSON" doesn\'t contain a challenge from this server')
}

export interface AttestedKey {
  readonly credentialId: string
  readonly cose: string
  readonly key: PasskeyKey
  readonly thumbprint: string
  readonly transports: readonly string[]
  readonly counter: number
  readonly aaguid: string
  readonly backupEligible: boolean
  readonly backedUp: boolean
}

interface Attestation {
  readonly id: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports?: readonly string[]
}

export async function attestedKey(
  { rpId, origin }: PasskeyHost,
  challenge: Uint8Array,
  { id, clientDataJSON, attestationObject, transports = [] }: Attestation,
): Promise<AttestedKey> {
  const response: RegistrationResponseJSON = {
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
    response: { clientDataJSON, attestationObject, transports: [...transports] as AuthenticatorTransport[] },
  }
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: base64url(challenge),
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((error: Error) => {
    throw refused(error.message)
  })
  if (!verified) throw refused("its attestation isn't valid")
  // The library does not look at it.
  const clientData = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as Record<string, unknown>
  if (isFramed(clientData)) {
    throw new Problem(
      'VALIDATION_ERROR',
      "The passkey's response was refused because the page was embedded in another site. Open the page directly and try again.",
      { details: { reason: 'embedded' } },
    )
  }
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo
  const key = strictKey(credential.publicKey)
  return {
    credentialId: credential.id,
    cose: base64url(credential.publicKey),
    key,
    thumbprint: thumbprintOf(key),
    transports,
    counter: credential.counter,
    aaguid,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  }
}

function strictKey(cose: Uint8Array): PasskeyKey {
  try {
    return jwkOfCose(cose)
  } catch (error) {
    throw refused(`its key isn't accepted (${(error as Error).message})`)
  }
}

type CheckedKey = Pick<StoredPasskey, 'credential_id' | 'key' | 'cose' | 'counter' | 'backup_eligible'>
type AssertionBody = Static<typeof Assertion>

/** The counter after a good assertion, or why it is refused. */
type Judged = { readonly counter: number } | { readonly fault: string }

/**
 * By the function that verifies exports, with the signature checked in the thread pool. A counter that doesn't rise may be that
 * of a copy of the key.
 */
export async function assertionOf(
  { rpId, origin }: PasskeyHost,
  challenge: Uint8Array,
  { key, backup_eligible: backupEligible, counter: before }: CheckedKey,
  assertion: AssertionBody,
): Promise<Judged> {
  const read = readAssertion(assertion, { challenge, key, rpId, origins: [origin], backupEligible })
  if (typeof read === 'string') return { fault: read }
  const { signed, counter } = read
  if (!(await signatureHoldsSoon(signed))) return { fault: 'passkey-signature' }
  return (counter > 0 || before > 0) && counter <= before
    ? { fault: `its counter, ${counter}, isn't higher than the last one, ${before}` }
    : { counter }
}

/** By the library. */
export async function libraryAssertionOf(
  { rpId, origin }: PasskeyHost,
  challenge: Uint8Array,
  stored: CheckedKey,
  { id, userHandle, ...assertion }: AssertionBody,
): Promise<Judged> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { ...assertion, ...(userHandle && { userHandle }) },
      },
      expectedChallenge: base64url(challenge),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: base64url(stored.credential_id),
        publicKey: new Uint8Array(stored.cose),
        counter: stored.counter,
      },
    })
    return verified ? { counter: authenticationInfo.newCounter } : { fault: 'passkey-signature' }
  } catch (error) {
    return { fault: (error as Error).message }
  }
}

/** By both, one after the other, where a key begins to count or a session begins. */
export async function doublyAssertionOf(...given: Parameters<typeof assertionOf>): Promise<Judged> {
  const own = await assertionOf(...given)
  return 'fault' in own ? own : libraryAssertionOf(...given)
}

/** What is sealed of an assertion. */
export const sealedAssertion = ({ authenticatorData, clientDataJSON, signature }: AssertionBody) => ({
  authenticatorData,
  clientDataJSON,
  signature,
})

/** Whether a live key of a person has signed a statement. */
export type NamedPasskey = Awaited<ReturnType<typeof queries.livePasskeyOf>>

interface Signed {
  readonly actorId: string
  readonly statement: Parameters<typeof challengeOf>[0]
  readonly assertion: AssertionBody
}

interface VerifyNeeds {
  readonly directory: Directory
  readonly host: PasskeyHost
}

/** The live key that an assertion names. */
export const namedPasskey = (tx: IdentityTx, { id }: Pick<AssertionBody, 'id'>): Promise<NamedPasskey> =>
  queries.livePasskeyOf(tx, Buffer.from(id, 'base64url'))

/** Verifies the signature by the key as the directory knows it now. Returns the id of the key. */
export async function verifyPasskey(
  needs: VerifyNeeds,
  caller: Caller,
  signed: Signed,
  judge?: typeof assertionOf,
): Promise<string> {
  const key = await needs.directory.identity(caller, (tx) => namedPasskey(tx, signed.assertion), 'read')
  return verifyBy(needs, caller, key, signed, judge)
}

/** A key without a counter notes its use at most once in this time: an approval then writes nothing to the directory. */
const notedForMs = 3_600_000

/** The same for a key that was just read. */
export async function verifyBy(
  { directory, host }: VerifyNeeds,
  caller: Caller,
  key: NamedPasskey,
  { actorId, statement, assertion }: Signed,
  judge: typeof assertionOf = assertionOf,
): Promise<string> {
  const isOwn = key?.actor_id === actorId && isHandle(assertion.userHandle, key.handle)
  if (!isOwn)
    throw new Problem('CONFLICT', "This passkey isn't yours or has been removed. Use another one.", {
      details: { reason: 'passkeyRemoved' },
    })
  const result = await judge(host, challengeOf(statement), key, assertion)
  if ('fault' in result) throw refused(result.fault)
  const isNoted = key.last_used_at !== null && nowMs() - key.last_used_at.getTime() < notedForMs
  if (result.counter === 0 && isNoted) return key.id
  const live = await directory.identity(caller, (tx) => queries.noteUse(tx, key.id, result.counter))
  if (!live)
    throw new Problem('CONFLICT', 'This passkey was removed. Use another one.', {
      details: { reason: 'passkeyRemoved' },
    })
  return key.id
}

/** An authenticator may leave it out where it was asked for a named credential. */
const isHandle = (given: string | null | undefined, handle: Buffer): boolean =>
  given === undefined || given === null || given === base64url(handle)
