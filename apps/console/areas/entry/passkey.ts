/** Signing in with a passkey of this device. */
import { entryApi } from '../../app/api.ts'
import { startSession } from '../../app/session.ts'

/** Only in a secure context, and in browsers that read the options of a server. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** The person did not want to, or has no passkey here. */
export class PasskeyCanceled extends Error {}

export async function assertWith(options: PublicKeyCredentialRequestOptionsJSON) {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    const { id, response } = credential.toJSON() as AuthenticationResponseJSON
    const { authenticatorData, clientDataJSON, signature, userHandle = null } = response
    return { id, authenticatorData, clientDataJSON, signature, userHandle }
  } catch {
    throw new PasskeyCanceled()
  }
}

export async function signInByPasskey() {
  const api = entryApi()
  const { publicKey } = await api.passkeys.startLogin()
  const assertion = await assertWith(publicKey as PublicKeyCredentialRequestOptionsJSON)
  const { refreshToken } = await api.passkeys.login({ assertion })
  return startSession({ refreshToken })
}
