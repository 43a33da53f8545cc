/** Passkeys of this device. What a passkey signs is computed here from the statement that the page shows. */
import { fromBase64Url } from '@countersign/proof/base64.ts'
import { isChallengeOf } from '@countersign/proof/deciding.ts'
import type { PasskeyStatement } from '@countersign/proof/passkey-statement.ts'

/** Only in a secure context, and in browsers that read the options of a server. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** The person did not want to, or has no such passkey here. */
export class PasskeyCanceled extends Error {}

/** This device has a passkey of this account already. */
export class PasskeyTaken extends Error {}

/** What is to be signed is not what the page shows. */
export class PasskeyForeign extends Error {}

/** The options of the server, which name values more widely than the browser does. */
export interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
}

export async function assertWith(options: RequestOptions) {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    const { id, response } = credential.toJSON() as AuthenticationResponseJSON
    const { authenticatorData, clientDataJSON, signature, userHandle = null } = response
    return { id, authenticatorData, clientDataJSON, signature, userHandle }
  } catch {
    throw new PasskeyCanceled()
  }
}

export async function createPasskey(options: unknown) {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as PublicKeyCredentialCreationOptionsJSON,
    )
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    const { id, response } = credential.toJSON() as RegistrationResponseJSON
    const { clientDataJSON, attestationObject, transports } = response
    return { id, clientDataJSON, attestationObject, transports }
  } catch (error) {
    throw (error as Error).name === 'InvalidStateError' ? new PasskeyTaken() : new PasskeyCanceled()
  }
}

/** Throws unless the challenge is that of the statement, for this host, and of nothing else. */
export function requireChallengeOf(statement: unknown, options: RequestOptions): void {
  if (!isChallengeOf(statement as PasskeyStatement, options, location.hostname)) throw new PasskeyForeign()
}

const digits = 16n

/** Of a thumbprint, for two people to read to each other: 16 digits in groups of four. */
export function checkNumber(thumbprint: string): string {
  const bytes = fromBase64Url(thumbprint)?.slice(0, 8)
  if (!bytes) return thumbprint
  const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 10n ** digits
  return value.toString().padStart(Number(digits), '0').match(/.{4}/g)?.join(' ') ?? ''
}
