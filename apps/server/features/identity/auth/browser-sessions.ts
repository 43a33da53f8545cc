/** Sessions of browsers: the refresh token is in a cookie that no script can read. */
import type { login, refreshToken } from '@countersign/contract/auth.ts'
import type { BodyOf, SpecOf } from '@countersign/contract/operation.ts'
import type { endOwnSession } from '@countersign/contract/sessions.ts'
import { hashToken } from '../../../access/opaque-token.ts'
import type { Config } from '../../../config/config.ts'
import type { Context, Cookie } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SignedInAnswer } from './answers.ts'
import { findRefreshToken, sessionOwner } from './queries.ts'
import { endSession, sessionSeconds } from './sessions.ts'
import { refresh, type SignInNeeds, signIn } from './sign-in.ts'

export interface BrowserNeeds extends SignInNeeds {
  readonly config: Pick<Config, 'environment'>
}

type NewSession = Partial<BodyOf<SpecOf<typeof login>>> & { readonly refreshToken?: string }

/** In a browser the refresh token is in its cookie, beside what a console shows around every page. */
export function answered({ config }: BrowserNeeds, { byCookie }: { byCookie: boolean }, answer: SignedInAnswer) {
  if (!byCookie) return answer
  const {
    payload: { refreshToken, ...payload },
    cookies,
    operator,
  } = answer
  const kept: Cookie = { name: 'refresh_token', value: refreshToken, maxAge: sessionSeconds }
  return { payload: { ...payload, operator, environment: config.environment }, cookies: [...cookies, kept] }
}

/** What signing out sets. */
export const forgotten: readonly Cookie[] = (['auth_token', 'refresh_token'] as const).map((name) => ({
  name,
  value: '',
  maxAge: 0,
}))

/** A cookie is sent by the browser whoever made the page; only pages of this server may use it. */
function requireOwnOrigin({ fromOwnOrigin }: Pick<Context<typeof endOwnSession.spec>, 'fromOwnOrigin'>): void {
  if (fromOwnOrigin()) return
  throw new Problem(
    'FORBIDDEN',
    "A change made with the session cookie must come from one of this server's pages. Send an access token instead.",
  )
}

/** By credentials, or in a browser also by the refresh token of another sign-in. */
export async function start(needs: SignInNeeds, context: Context<SpecOf<typeof login>>): Promise<SignedInAnswer> {
  const { refreshToken, password, ...who } = context.body as NewSession
  if (refreshToken !== undefined) {
    if (password !== undefined || Object.keys(who).length > 0) throw ambiguous()
    return refresh(needs, context, refreshToken)
  }
  if (password === undefined) {
    throw new Problem('MISSING_REQUIRED_FIELD', '"password" is missing. Send it with "email" or "phone".')
  }
  return signIn(needs, { ...context, body: { ...who, password } })
}

const ambiguous = () =>
  new Problem(
    'VALIDATION_ERROR',
    'The request has both ways to sign in, or neither. Send "refreshToken" alone, or "password" with "email" or "phone".',
    { details: { reason: 'oneWayIn' } },
  )

/** The refresh token of the body, or that of the cookie. */
export function sentToken(context: Context<SpecOf<typeof refreshToken>>): string {
  if (!context.byCookie) return (context.body as { readonly refreshToken: string }).refreshToken
  const token = context.cookie('refresh_token')
  if (!token) throw new Problem('UNAUTHORIZED', "This browser isn't signed in. Sign in, then try again.")
  requireOwnOrigin(context)
  return token
}

/** Any token that the session ever had names it: signing out in a tab that lost a race must work too. */
export async function endInBrowser({ authenticate }: SignInNeeds, context: Context<typeof endOwnSession.spec>) {
  const token = context.cookie('refresh_token')
  if (!token) return
  requireOwnOrigin(context)
  const ended = await context.identity(async (tx) => {
    const found = await findRefreshToken(tx, hashToken(token))
    const owner = found && (await sessionOwner(tx, found.session_id))
    if (!owner) return null
    await endSession(tx, owner.id, 'logout', owner.actor_id, owner.center_id ?? 0)
    return owner.id
  })
  if (ended !== null) authenticate.forget(`session:${ended}`)
}
