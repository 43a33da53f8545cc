import { createHash } from 'node:crypto'
import * as contract from '@countersign/contract/push.ts'
import { areKeys } from '../../../delivery/transports/push-encryption.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { type Route, route } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { type Push, sealedFor } from './push.ts'
import { dropSubscription, hasSubscription, keepSubscription } from './queries.ts'

export interface PushRouteNeeds {
  readonly box: SecretBox
  readonly transports: Pick<Transports, 'webPush'>
  readonly push: Pick<Push, 'publicKey'>
}

const mostOfPerson = 10

export const pushRoutes = (needs: PushRouteNeeds): Route[] => [
  route(contract.getPush, async ({ principal, identity }, reply) => {
    const subscribed = await identity((tx) => hasSubscription(tx, principal.sessionId), 'read')
    return reply(200, { publicKey: needs.push.publicKey, subscribed })
  }),

  route(contract.subscribePush, async ({ body: { endpoint, keys }, principal, identity }, reply) => {
    if (needs.push.publicKey === null) {
      throw new Problem(
        'SERVICE_UNAVAILABLE',
        "This server can't send push notifications yet. Ask the operator to set them up.",
      )
    }
    const refusal = needs.transports.webPush.refusalOf({ endpoint })
    if (refusal !== null)
      throw new Problem('VALIDATION_ERROR', `"endpoint": ${refusal}`, {
        details: { reason: 'address', field: 'endpoint' },
      })
    if (!areKeys(keys)) {
      throw new Problem(
        'VALIDATION_ERROR',
        '"keys" isn\'t valid. Send the keys that PushSubscription.toJSON() returns.',
        { details: { reason: 'pushKeys', field: 'keys' } },
      )
    }
    const { actorId, sessionId } = principal
    const sealed = needs.box.seal(JSON.stringify({ endpoint, keys }), sealedFor(actorId))
    const endpointHash = createHash('sha256').update(endpoint).digest()
    const row = { session_id: sessionId, actor_id: actorId, endpoint_hash: endpointHash, sealed, created_at: now() }
    await identity((tx) => keepSubscription(tx, row, mostOfPerson))
    return reply(204, null)
  }),

  route(contract.unsubscribePush, async ({ principal, identity }, reply) => {
    await identity((tx) => dropSubscription(tx, principal.sessionId))
    return reply(204, null)
  }),
]
