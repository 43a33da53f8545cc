/** A partner with an account of each role, and calls as each of them. */
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import type { TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Partner, Person } from '../../../../../../tests/support/world.ts'

export interface PartnerFixture extends Partner {
  readonly admin: Person
  readonly operator: Person
  /** As the PARTNER_ADMIN. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** As the PARTNER_OPERATOR. */
  asOperator(method: string, path: string, body?: unknown): Promise<Answer>
  center(options?: Parameters<TestServer['world']['center']>[0]): Promise<Center>
}

export async function openPartner(server: TestServer): Promise<PartnerFixture> {
  const { world } = server
  const [partner, admin, operator] = [await world.partner(), await world.person(), await world.person()]
  await world.account(admin, partner)
  await world.account(operator, partner, 'PARTNER_OPERATOR')
  const tokens = new Map<Person, string>()
  async function as(person: Person, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const token = tokens.get(person) ?? (await server.signIn(person)).accessToken
    tokens.set(person, token)
    return server.call(method, `/api${path}`, { token, headers, ...(body !== undefined && { body }) })
  }
  return {
    ...partner,
    admin,
    operator,
    call: (method, path, body, headers) => as(admin, method, path, body, headers),
    asOperator: (method, path, body) => as(operator, method, path, body),
    center: (options) => world.center({ ...options, partner }),
  }
}

export const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.error?.code]

/** A member of a center who has an account. */
export async function memberOf(server: TestServer, center: Center, role = 'INSTRUCTOR', status = 'ACTIVE') {
  const person = await server.world.person()
  await server.world.member(person, center, role, status)
  return person
}

export const subscribe = (server: TestServer, center: Center, planId: string, status: string) =>
  server.world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
     select $1, id, $3, billing_cycle, now() + interval '30 days', 1000 from directory.plans where id = $2`,
    [center.id, planId, status],
    false,
  )
