/** Single-use tokens for companion apps: valid for 60 seconds, once, for one app. */
import type { createSsoToken, verifySsoToken } from '@countersign/contract/auth.ts'
import { principalOf } from '../../../access/authenticate.ts'
import { hashToken, newToken } from '../../../access/opaque-token.ts'
import { requireGoodStanding } from '../../../access/principal.ts'
import { membershipsWithin } from '../../../access/queries.ts'
import type { Context } from '../../../http/route.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { livingSession } from './answers.ts'
import { membershipOf } from './membership.ts'
import * as queries from './queries.ts'

const ssoSeconds = 60

export async function issueSsoToken({ body, principal, identity }: Context<typeof createSsoToken.spec>) {
  const token = newToken('cst')
  const expiresAt = secondsFromNow(ssoSeconds)
  await identity((tx) =>
    queries.insertSsoToken(tx, {
      hash: hashToken(token),
      session_id: principal.sessionId,
      target_app: body.targetApp,
      expires_at: expiresAt,
    }),
  )
  return { token, expiresAt: expiresAt.toISOString() }
}

export function redeemSsoToken({ body, identity }: Context<typeof verifySsoToken.spec>) {
  return identity(async (tx) => {
    const consumed = await queries.consumeSsoToken(tx, hashToken(body.token), body.targetApp)
    if (!consumed)
      throw new Problem('UNAUTHORIZED', "This token isn't valid, was already used or has expired. Request a new one.")
    const session = await livingSession(tx, consumed.session_id, now())
    const { actorId, email, name, role, entered, confinement } = principalOf(session)
    const { centerId, centerDomain } = requireGoodStanding(entered)
    const memberships = (await membershipsWithin(tx, actorId, confinement)).map(membershipOf)
    return { actorId, email, name, role, centerId, centerDomain, targetApp: consumed.target_app as 'lms', memberships }
  })
}
