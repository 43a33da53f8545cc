/** Signing in with a passkey of this device. */
import { entryApi } from '../../app/api.ts'
import { assertWith } from '../../app/passkeys.ts'
import { startSession } from '../../app/session.ts'

export async function signInByPasskey() {
  const api = entryApi()
  const { publicKey } = await api.passkeys.startLogin()
  const assertion = await assertWith(publicKey)
  const { refreshToken } = await api.passkeys.login({ assertion })
  return startSession({ refreshToken })
}
