/** The callers of the access matrix: eight kinds, as members, as accounts of a partner, as operators, or by API key. */
import type { Access } from '@countersign/contract/operation.ts'
import { useClock } from '@countersign/server/lib/clock.ts'
import type { TestServer } from '../../support/server.ts'
import type { Center, Partner, Person } from '../../support/world.ts'

export const callers = [
  'none',
  'wrong kind',
  'expired',
  'revoked',
  'read-only',
  'other role',
  'other tenant',
  'right',
] as const
export type Caller = (typeof callers)[number]

export type Kind = 'actor' | 'partner' | 'operator' | 'key' | 'boundKey'

/** What an operation is called with. A public one ignores credentials: it gets tokens that its surface accepts elsewhere. */
export function kindFor(access: Access): Kind {
  if (access.kind === 'public') return 'actor'
  return access.kind === 'key' && access.bound === true ? 'boundKey' : access.kind
}

export interface Cast {
  readonly center: Center
  readonly admin: Person
  readonly instructor: Person
  readonly child: Person
  readonly otherCenter: Center
  /** Each center has a separate partner. */
  readonly partner: Partner
  readonly partnerAdmin: Person
  readonly otherPartner: Partner
  readonly operator: Person
  /** A fresh credential of this caller for an operation that accepts tokens of members, partners or operators, or API keys. */
  credential(caller: Caller, kind: Kind): Promise<string | undefined>
}

const anHour = 3_600_000

export async function gather(server: TestServer): Promise<Cast> {
  const { world } = server
  const [partner, otherPartner] = [await world.partner(), await world.partner()]
  const center = await world.center({ partner })
  const otherCenter = await world.center({ partner: otherPartner })
  const accounts = { admin: await world.person(), operator: await world.person(), outsider: await world.person() }
  await world.account(accounts.admin, partner)
  await world.account(accounts.operator, partner, 'PARTNER_OPERATOR')
  await world.account(accounts.outsider, otherPartner)
  const operator = await world.person({ operator: true })
  const [admin, instructor, child, outsider] = await Promise.all([
    world.person(),
    world.person(),
    world.person(),
    world.person(),
  ])
  for (const each of [center, otherCenter]) {
    await world.query(
      `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
       values ($1, 'center-scale', 'ACTIVE', 'YEARLY', now() + interval '1 year', 1000)`,
      [each.id],
    )
  }
  await world.member(admin, center, 'ADMIN')
  await world.member(instructor, center, 'INSTRUCTOR')
  await world.member(child, center, 'CHILD')
  await world.member(outsider, otherCenter, 'ADMIN')

  // Signed an hour ago with the real key of the service, so that only its age makes it invalid.
  const restore = useClock(() => Date.now() - anHour)
  const expiredToken = await server.signIn(admin, center.domain).finally(restore)

  const token = async (person: Person, entered = center) => (await server.signIn(person, entered.domain)).accessToken
  const plainToken = async (person: Person) => (await server.signIn(person)).accessToken
  const key = (scopes: string[], options = {}) => world.key(center, { scopes, ...options })

  async function revokedToken(): Promise<string> {
    const { accessToken } = await server.signIn(admin, center.domain)
    const { status } = await server.call('POST', '/api/auth/logout', { token: accessToken })
    if (status !== 204) throw new Error('could not sign out')
    return accessToken
  }

  const actors: Record<Caller, () => Promise<string | undefined>> = {
    none: async () => undefined,
    'wrong kind': () => key(['proof:write']),
    expired: async () => expiredToken.accessToken,
    revoked: revokedToken,
    'read-only': () => token(child),
    'other role': () => token(instructor),
    'other tenant': () => token(outsider, otherCenter),
    right: () => token(admin),
  }
  const partners: typeof actors = {
    ...actors,
    'other role': () => plainToken(accounts.operator),
    'other tenant': () => plainToken(accounts.outsider),
    right: () => plainToken(accounts.admin),
  }
  const operators: typeof actors = {
    ...actors,
    'other role': () => plainToken(accounts.admin),
    right: () => plainToken(operator),
  }
  const ofCenter = ['proof:write', 'events:write', 'policies:write', 'sandboxes:write']
  const keys: Record<Caller, () => Promise<string | undefined>> = {
    none: async () => undefined,
    'wrong kind': () => token(admin),
    expired: () => key(['proof:write'], { expiresAt: new Date(Date.now() - anHour) }),
    revoked: () => key(['proof:write'], { revoked: true }),
    'read-only': () => key(['proof:read']),
    'other role': () => key(['events:write']),
    'other tenant': () => world.key(otherCenter, { scopes: ofCenter }),
    right: () => key(ofCenter),
  }
  /** Bound to the actor of the samples, so that it may act on decisions that another key recorded. */
  const boundKeys: typeof keys = {
    ...keys,
    right: () => key(['decide', 'proof:write', 'events:write'], { boundTo: { id: 'agent-7', type: 'ai_agent' } }),
  }
  return {
    center,
    admin,
    instructor,
    child,
    otherCenter,
    partner,
    partnerAdmin: accounts.admin,
    otherPartner,
    operator,
    credential: (caller, kind) =>
      ({ actor: actors, partner: partners, operator: operators, key: keys, boundKey: boundKeys })[kind][caller](),
  }
}
