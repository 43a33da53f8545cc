/** Sign-ins under way. Each belongs to one browser, by a cookie, and is used once. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashToken } from '../../../access/opaque-token.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { Cookie } from '../../../http/route.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import type { Challenge } from './client.ts'
import { type AttemptKind, insertAttempt, takeAttempt } from './queries.ts'

/** An identity that a provider has proven and that is linked to nobody. */
export interface UnlinkedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string
}

interface Contents {
  readonly login: Challenge
  readonly link: UnlinkedIdentity
  readonly mail: UnlinkedIdentity
}

export interface Attempt<K extends AttemptKind> {
  readonly providerId: string
  readonly centerId: number
  readonly content: Contents[K]
}

const seconds: Readonly<Record<AttemptKind, number>> = { login: 600, link: 900, mail: 3600 }
const cookieSeconds = 3600

export const newBrowser = (): string => randomBytes(32).toString('base64url')

export const browserCookie = (browser: string): Cookie => ({
  name: 'oidc_login',
  value: browser,
  maxAge: cookieSeconds,
})
export const noBrowserCookie: Cookie = { name: 'oidc_login', value: '', maxAge: 0 }

/** `token` is the state, the ticket or the mailed token; it is stored as a hash, and the content encrypted. */
export async function begin<K extends AttemptKind>(
  tx: IdentityTx,
  box: SecretBox,
  kind: K,
  { token, browser, providerId, centerId, content }: Attempt<K> & { token: string; browser: string },
): Promise<Date> {
  const hash = hashToken(token)
  const expiresAt = secondsFromNow(seconds[kind])
  await insertAttempt(tx, {
    hash,
    kind,
    provider_id: providerId,
    center_id: centerId,
    browser: hashToken(browser),
    sealed: box.seal(JSON.stringify(content), hash.toString('hex')),
    expires_at: expiresAt,
  })
  return expiresAt
}

/** One answer for a token that is unknown, used, expired or of another browser. */
export const notThisBrowser = (): Problem =>
  new Problem(
    'UNAUTHORIZED',
    'This sign-in was already used, has expired or was started in another browser. Sign in again.',
  )

export async function take<K extends AttemptKind>(
  tx: IdentityTx,
  box: SecretBox,
  kind: K,
  token: string,
  browser: string | undefined,
): Promise<Attempt<K> | null> {
  const hash = hashToken(token)
  const row = await takeAttempt(tx, kind, hash)
  if (!row || browser === undefined || !timingSafeEqual(row.browser, hashToken(browser))) return null
  const content = JSON.parse(box.open(row.sealed, hash.toString('hex')).toString()) as Contents[K]
  return { providerId: row.provider_id, centerId: row.center_id, content }
}
