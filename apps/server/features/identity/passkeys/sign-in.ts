/** Sign-in by a passkey that the authenticator finds by the host alone. Every refusal has the same answer. */
import { randomBytes } from 'node:crypto'
import type { passkeyLogin, startPasskeyLogin } from '@countersign/contract/passkeys.ts'
import type { Tokens } from '../../../access/tokens.ts'
import type { Context } from '../../../http/route.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { enter, tokenPair } from '../auth/api.ts'
import type { PasskeyHost } from './host.ts'
import * as queries from './queries.ts'
import * as webauthn from './webauthn.ts'

export interface PasskeyLoginNeeds {
  readonly passkeyHost: PasskeyHost
  readonly tokens: Tokens
}

const refusal = () =>
  new Problem('INVALID_CREDENTIALS', "This passkey can't be used to sign in here. Try again, or use your password.")

export async function startLogin(
  { passkeyHost }: PasskeyLoginNeeds,
  { identity }: Context<typeof startPasskeyLogin.spec>,
) {
  const challenge = randomBytes(32)
  const expiresAt = secondsFromNow(webauthn.challengeSeconds)
  const publicKey = webauthn.requestOptions(passkeyHost, webauthn.base64url(challenge), [])
  await identity((tx) =>
    queries.insertChallenge(tx, { challenge, kind: 'login', asker: null, pending: null, expires_at: expiresAt }),
  )
  return { publicKey, expiresAt: expiresAt.toISOString() }
}

export async function login({ passkeyHost, tokens }: PasskeyLoginNeeds, context: Context<typeof passkeyLogin.spec>) {
  const { body, client, cookie, host, identity } = context
  const { assertion, centerDomain } = body
  const challenge = webauthn.challengeIn(assertion.clientDataJSON)
  const credential = Buffer.from(assertion.id, 'base64url')
  const { spent, key } = await identity(async (tx) => ({
    spent: await queries.spendChallenge(tx, { challenge, kind: 'login', asker: null, stated: false }),
    key: await queries.livePasskeyOf(tx, credential),
  }))
  if (!spent || !key || assertion.userHandle !== webauthn.base64url(key.handle)) throw refusal()
  const result = await webauthn.doublyAssertionOf(passkeyHost, challenge, key, assertion)
  if ('fault' in result) throw refusal()
  const signedIn = await identity(async (tx) => {
    if (!(await queries.noteUse(tx, key.id, result.counter))) throw refusal()
    const details = { passkey: typedId('passkey', key.id) }
    const lastTenant = cookie('last_tenant')
    const how = { details, via: 'passkey', passkeyId: key.id } as const
    return enter(tx, { actorId: key.actor_id, client, host, centerDomain, lastTenant, ...how })
  })
  return tokenPair(tokens, signedIn)
}
