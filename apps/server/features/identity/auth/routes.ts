import * as contract from '@countersign/contract/auth.ts'
import { membershipsWithin } from '../../../access/queries.ts'
import { type Route, route } from '../../../http/route.ts'
import { authorizedDomains } from './answers.ts'
import { membershipOf } from './membership.ts'
import { endSession } from './sessions.ts'
import { enterCenter, refresh, type SignInNeeds, signIn } from './sign-in.ts'
import { issueSsoToken, redeemSsoToken } from './sso.ts'

export const authRoutes = (needs: SignInNeeds): Route[] => [
  route(contract.login, async (context, reply) => {
    const { payload, cookies } = await signIn(needs, context)
    return reply(200, payload, cookies)
  }),

  route(contract.me, async ({ principal, identity }, reply) => {
    const memberships = await identity((tx) => membershipsWithin(tx, principal.actorId, principal.confinement))
    const { actorId, email, name, role, entered } = principal
    return reply(200, {
      actorId,
      email,
      name,
      role,
      centerId: entered?.centerId ?? null,
      centerDomain: memberships.find((row) => row.center_id === entered?.centerId)?.center_domain ?? null,
      authorizedDomains: authorizedDomains(memberships),
      memberships: memberships.map(membershipOf),
    })
  }),

  route(contract.switchCenter, async (context, reply) => {
    const { payload, cookies } = await enterCenter(needs, context)
    return reply(200, payload, cookies)
  }),

  route(contract.refreshToken, async (context, reply) => {
    const { payload, cookies } = await refresh(needs, context)
    return reply(200, payload, cookies)
  }),

  route(contract.createSsoToken, async (context, reply) => reply(200, await issueSsoToken(context))),

  route(contract.verifySsoToken, async (context, reply) => reply(200, await redeemSsoToken(context))),

  route(contract.logout, async ({ principal, identity }, reply) => {
    const { sessionId, actorId, entered } = principal
    await identity((tx) => endSession(tx, sessionId, 'logout', actorId, entered?.centerId ?? 0))
    needs.authenticate.forget(`session:${sessionId}`)
    return reply(204, null, [{ name: 'auth_token', value: '', maxAge: 0 }])
  }),
]
