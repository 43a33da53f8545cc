import * as contract from '@countersign/contract/auth.ts'
import * as sessionContract from '@countersign/contract/sessions.ts'
import { type Route, route } from '../../../http/route.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { currentActor, shownSession } from './answers.ts'
import { answered, type BrowserNeeds, endInBrowser, forgotten, sentToken, start } from './browser-sessions.ts'
import { sessionOwner, sessionsOf } from './queries.ts'
import { endSession } from './sessions.ts'
import { enterCenter, refresh } from './sign-in.ts'
import { issueSsoToken, redeemSsoToken } from './sso.ts'

export const authRoutes = (needs: BrowserNeeds): Route[] => [
  route(contract.login, async (context, reply) => {
    const { payload, cookies } = answered(needs, context, await start(needs, context))
    return reply(200, payload, cookies)
  }),

  route(contract.me, async (context, reply) => reply(200, await currentActor(context, context.principal))),

  route(contract.switchCenter, async (context, reply) => {
    const { payload, cookies } = answered(needs, context, await enterCenter(needs, context))
    return reply(200, payload, cookies)
  }),

  route(contract.refreshToken, async (context, reply) => {
    const { payload, cookies } = answered(needs, context, await refresh(needs, context, sentToken(context)))
    return reply(200, payload, cookies)
  }),

  route(contract.createSsoToken, async (context, reply) => reply(200, await issueSsoToken(context))),

  route(contract.verifySsoToken, async (context, reply) => reply(200, await redeemSsoToken(context))),

  route(contract.logout, async ({ principal, identity }, reply) => {
    const { sessionId, actorId, entered } = principal
    await identity((tx) => endSession(tx, sessionId, 'logout', actorId, entered?.centerId ?? 0))
    needs.authenticate.forget(`session:${sessionId}`)
    return reply(204, null, forgotten)
  }),

  route(sessionContract.endOwnSession, async (context, reply) => {
    await endInBrowser(needs, context)
    return reply(204, null, forgotten)
  }),

  route(sessionContract.listSessions, async ({ principal, identity }, reply) => {
    const rows = await identity((tx) => sessionsOf(tx, principal.actorId), 'read')
    return reply(
      200,
      rows.map((row) => shownSession(row, principal.sessionId)),
    )
  }),

  route(sessionContract.endSession, async ({ params, principal, identity }, reply) => {
    const id = uuidOf('session', params.id)
    const ended = await identity(async (tx) => {
      const owner = id === null ? undefined : await sessionOwner(tx, id)
      if (owner?.actor_id !== principal.actorId) return null
      return (await endSession(tx, owner.id, 'logout', principal.actorId, owner.center_id ?? 0)) ? owner.id : null
    })
    if (ended === null)
      throw new Problem(
        'NOT_FOUND',
        'You have no session with this ID, or it has ended. List your sessions to find the ID.',
      )
    needs.authenticate.forget(`session:${ended}`)
    return reply(204, null, ended === principal.sessionId ? forgotten : [])
  }),
]
