/** Who calls in the access matrix: eight kinds of caller, as holders of a token or of an API key. */
import { useClock } from '@countersign/server/lib/clock.ts'
import type { TestServer } from '../support/server.ts'
import type { Center, Person } from '../support/world.ts'

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

export interface Cast {
  readonly center: Center
  readonly admin: Person
  readonly instructor: Person
  readonly child: Person
  readonly otherCenter: Center
  /** A fresh credential of this caller for an operation that takes access tokens, or API keys. */
  credential(caller: Caller, kind: 'actor' | 'key'): Promise<string | undefined>
}

const anHour = 3_600_000

export async function gather(server: TestServer): Promise<Cast> {
  const { world } = server
  const center = await world.center()
  const otherCenter = await world.center()
  const [admin, instructor, child, stranger] = await Promise.all([
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
  await world.member(stranger, otherCenter, 'ADMIN')

  // Signed an hour ago with the service's own key, so that nothing but its age speaks against it.
  const restore = useClock(() => Date.now() - anHour)
  const expiredToken = await server.signIn(admin, center.domain).finally(restore)

  const token = async (person: Person, entered = center) => (await server.signIn(person, entered.domain)).accessToken
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
    'other tenant': () => token(stranger, otherCenter),
    right: () => token(admin),
  }
  const keys: Record<Caller, () => Promise<string | undefined>> = {
    none: async () => undefined,
    'wrong kind': () => token(admin),
    expired: () => key(['proof:write'], { expiresAt: new Date(Date.now() - anHour) }),
    revoked: () => key(['proof:write'], { revoked: true }),
    'read-only': () => key(['proof:read']),
    'other role': () => key(['events:write']),
    'other tenant': () => world.key(otherCenter, { scopes: ['proof:write', 'events:write'] }),
    right: () => key(['proof:write', 'events:write']),
  }
  return {
    center,
    admin,
    instructor,
    child,
    otherCenter,
    credential: (caller, kind) => (kind === 'key' ? keys : actors)[caller](),
  }
}
