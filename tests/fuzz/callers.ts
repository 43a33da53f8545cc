/** Callers with credentials of every kind, and the existing objects that a request may name. */

import type { Client, SignedIn } from '../support/client.ts'
import type { Answer } from '../support/contract-check.ts'
import { sampleEvent } from '../support/samples.ts'
import type { Center, Person, World } from '../support/world.ts'

export const callerNames = [
  'nobody',
  'admin',
  'adminByCookie',
  'adminByCookieElsewhere',
  'instructor',
  'suspended',
  'visitor',
  'partner',
  'operator',
  'writeKey',
  'readKey',
  'expiredKey',
  'revokedKey',
  'otherCenterKey',
] as const
export type CallerName = (typeof callerNames)[number]

/** The server under test and its database. */
export interface Target extends Client {
  readonly world: World
  readonly publicUrl: string
}

export interface Callers {
  headers(name: CallerName): Record<string, string>
  /** The value of a `live` name. */
  value(name: string): string | number
  /** Updates the known objects from an answer: objects may be new, and a session may have ended. */
  learn(operationId: string | undefined, answer: Answer): Promise<void>
}

export async function makeCallers(server: Target): Promise<Callers> {
  const { world } = server
  const partner = await world.partner()
  const [center, other] = [await world.center({ partner }), await world.center()]
  const people = {
    admin: await world.person({ phone: `+8210${String(Date.now()).slice(-8)}` }),
    instructor: await world.person(),
    suspended: await world.person(),
    visitor: await world.person(),
    partner: await world.person(),
    operator: await world.person({ operator: true }),
  }
  await world.account(people.partner, partner)
  await world.member(people.admin, center, 'ADMIN')
  await world.member(people.admin, other, 'INSTRUCTOR')
  await world.member(people.instructor, center, 'INSTRUCTOR')
  await world.member(people.suspended, center, 'INSTRUCTOR')

  await world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit, seat_used, staff_used)
     values ($1, 'center-growth', 'ACTIVE', 'MONTHLY', now() + interval '30 days', 1000, 3, 3)`,
    [center.id],
  )

  const enter = (person: Person, into?: Center) => server.signIn(person, into?.domain)
  const start = {
    admin: () => enter(people.admin, center),
    adminByCookie: () => enter(people.admin, center),
    adminByCookieElsewhere: () => enter(people.admin, center),
    instructor: () => enter(people.instructor, center),
    suspended: async () => {
      await world.setMembership(people.suspended, center, { status: 'ACTIVE' })
      const session = await enter(people.suspended, center)
      await world.setMembership(people.suspended, center, { status: 'SUSPENDED' })
      return session
    },
    visitor: () => enter(people.visitor),
    partner: () => enter(people.partner),
    operator: () => enter(people.operator),
  }
  const sessions = {} as Record<keyof typeof start, SignedIn>
  for (const name of Object.keys(start) as (keyof typeof start)[]) sessions[name] = await start[name]()

  const keys: Partial<Record<CallerName, string>> = {
    writeKey: await world.key(center, { scopes: ['proof:write', 'events:write'] }),
    readKey: await world.key(center, { scopes: ['proof:read'] }),
    expiredKey: await world.key(center, { expiresAt: new Date(Date.now() - 1000) }),
    revokedKey: await world.key(center, { revoked: true }),
    otherCenterKey: await world.key(other),
  }
  const [row] = await world.query<{ phone: string }>('select phone from directory.actors where id = $1', [
    people.admin.actorId,
  ])
  const known: Record<string, string | number> = {
    email: people.admin.email,
    phone: row?.phone ?? '',
    password: people.admin.password,
    centerDomain: center.domain,
    centerId: center.id,
    center: center.domain,
    domain: center.domain,
    actorId: people.instructor.actorId,
    instructorId: people.instructor.actorId,
    adminActorId: people.admin.actorId,
    planId: 'center-starter',
    refreshToken: (await enter(people.instructor, center)).refreshToken,
    token: 'cst_none-yet',
    id: 'key_00000000000000000000000000',
  }
  const keeper = await world.person()
  const writeKey = keys.writeKey as string
  Object.assign(known, await sealedThings(server, writeKey, sessions.admin.accessToken))
  Object.assign(known, await webhookThings(server, writeKey))
  let last: CallerName = 'nobody'

  return {
    headers(name) {
      last = name
      const session = sessions[name as keyof typeof start]
      if (name === 'adminByCookie' || name === 'adminByCookieElsewhere') {
        const origin = name === 'adminByCookie' ? server.publicUrl : 'https://elsewhere.example'
        return { cookie: `auth_token=${session.accessToken}; last_tenant=${center.domain}`, origin }
      }
      const token = session?.accessToken ?? keys[name]
      return token === undefined ? {} : { authorization: `Bearer ${token}` }
    },
    value: (name) => known[name] ?? name,
    async learn(operationId, { status, body }) {
      if (status >= 400) return
      // A suspended center would refuse every later request.
      if (operationId === 'partner.updateCenter' || operationId === 'admin.setCenterStatus')
        await world.setCenterStatus(center, 'ACTIVE')
      // So would a subscription that ended.
      if (operationId === 'admin.updateSubscription')
        await world.query(
          `update directory.subscriptions set status = 'ACTIVE' where center_id = $1`,
          [center.id],
          true,
        )
      if (operationId === 'apiKeys.create') known.id = body.data.id
      if (operationId === 'decisionEvents.record') known.decisionEventId = body.data.id
      if (operationId === 'webhooks.delete') Object.assign(known, await webhookThings(server, writeKey))
      if (operationId === 'dpus.createDemo') known.dpuId = body.data.id
      if (operationId === 'policies.create') known.policyId = body.data.id
      if (operationId === 'auth.createSsoToken') known.token = body.data.token
      if (operationId === 'auth.refreshToken') known.refreshToken = body.data.refreshToken
      if (operationId === 'auth.login' || operationId === 'auth.switchCenter')
        known.refreshToken = body.data.refreshToken
      // The refresh token is spent: a second use of it would end the session.
      if (operationId === 'auth.startSession') known.refreshToken = (await start.admin()).refreshToken
      // Whoever has a new password gets the old one back, and ended sessions begin again.
      if (operationId === 'auth.changePassword') {
        await world.query(
          `update directory.credentials c set password_hash = k.password_hash from directory.credentials k where k.actor_id = $1`,
          [keeper.actorId],
        )
        for (const name of Object.keys(start) as (keyof typeof start)[]) sessions[name] = await start[name]()
      }
      if (operationId !== undefined && ending.has(operationId) && last in start) {
        const name = last as keyof typeof start
        sessions[name] = await start[name]()
      }
    },
  }
}

const ending = new Set(['auth.logout', 'auth.switchCenter', 'auth.switchSession', 'auth.endSession', 'sessions.end'])

/** A sealed decision, an open one, a DPU and a policy. */
async function sealedThings(server: Target, key: string, token: string): Promise<Record<string, string>> {
  const made = async (path: string, credential: string, body: object) =>
    (await server.call('POST', path, { token: credential, body })).body.data
  const event = () => made('/api/v1/decision-events', key, sampleEvent())
  const [sealed, open] = [await event(), await event()]
  const approver = { id: 'lead-1', type: 'human' }
  await made(`/api/v1/decision-events/${sealed.id}/approvals`, key, { approver, result: 'approved' })
  const policy = { name: 'A policy', match: { actionTypes: ['never'] }, guards: { humanReview: true } }
  return {
    decisionEventId: open.id,
    evidenceId: sealed.evidence.id,
    dpuId: (await made('/api/dpu/demo', token, {})).id,
    policyId: (await made('/api/policies', token, policy)).id,
  }
}

/** A webhook with a failed event, and a recovery of it. */
async function webhookThings(server: Target, token: string): Promise<Record<string, string>> {
  const post = async (path: string, body: object) =>
    (await server.call('POST', `/api/v1/${path}`, { token, body })).body
  const { id: webhookId } = await post('webhooks', { url: 'https://hooks.example.org/', events: ['*'] })
  const eventId = `failed-${webhookId}`
  await post('events', { id: eventId, type: 'payment.failed', data: {} })
  await server.world.query(
    `with failed as (
       update cell.webhook_deliveries d set status = 'failed', attempts = 1, failed_in_cycle = 1, attempted_at = now(), next_at = null
       from cell.webhook_event_ids i
       where d.center_id = i.center_id and d.event_id = i.id and i.public_id = $1
       returning d.*)
     insert into cell.webhook_attempts (center_id, webhook_id, event_id, number, at, ms, excerpt, error, message)
     select center_id, webhook_id, event_id, 1, attempted_at, 5000, '', 'timeout', 'No answer within 5 seconds.' from failed`,
    [eventId],
  )
  const recovery = await post(`webhooks/${webhookId}/recover`, { since: new Date().toISOString() })
  // Completed, so that another recovery may start.
  await server.world.query('update cell.webhook_recoveries set completed_at = now()')
  return { webhookId, eventId, recoveryId: recovery.data.id }
}
