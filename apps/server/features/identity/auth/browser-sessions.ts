/** Sessions of browsers: the refresh token is in a cookie that no script can read. */
import type { endOwnSession, refreshSession, startSession, switchSession } from '@countersign/contract/sessions.ts'
import { hashToken } from '../../../access/opaque-token.ts'
import type { Config } from '../../../config/config.ts'
import type { Context, Cookie } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SignedInAnswer } from './answers.ts'
import { findRefreshToken, sessionOwner } from './queries.ts'
import { endSession, sessionSeconds } from './sessions.ts'
import { enterCenter, refresh, type SignInNeeds, signIn } from './sign-in.ts'

export interface BrowserNeeds extends SignInNeeds {
  readonly config: Pick<Config, 'environment'>
}

/** The same answer with the refresh token moved into its cookie, and with what a console shows around every page. */
function inCookie(
  { config }: BrowserNeeds,
  { payload: { refreshToken, ...payload }, cookies, operator }: SignedInAnswer,
) {
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
function requireOwnOrigin({ fromOwnOrigin }: Pick<Context<typeof refreshSession.spec>, 'fromOwnOrigin'>): void {
  if (fromOwnOrigin()) return
  throw new Problem('FORBIDDEN', 'A change with the session cookie must come from this server itself.')
}

export async function startInBrowser(needs: BrowserNeeds, context: Context<typeof startSession.spec>) {
  const { refreshToken, password, ...who } = context.body
  if (refreshToken !== undefined) {
    if (password !== undefined || Object.keys(who).length > 0) throw ambiguous()
    return inCookie(needs, await refresh(needs, context, refreshToken))
  }
  if (password === undefined) {
    throw new Problem('MISSING_REQUIRED_FIELD', '"password" is missing. Send it with "email" or "phone".')
  }
  return inCookie(needs, await signIn(needs, { ...context, body: { ...who, password } }))
}

const ambiguous = () =>
  new Problem('VALIDATION_ERROR', 'Send "refreshToken" alone, or "password" with "email" or "phone".')

export async function refreshInBrowser(needs: BrowserNeeds, context: Context<typeof refreshSession.spec>) {
  const token = context.cookie('refresh_token')
  if (!token) throw new Problem('UNAUTHORIZED', 'This browser has no session; sign in.')
  requireOwnOrigin(context)
  return inCookie(needs, await refresh(needs, context, token))
}

export const switchInBrowser = async (needs: BrowserNeeds, context: Context<typeof switchSession.spec>) =>
  inCookie(needs, await enterCenter(needs, context))

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
