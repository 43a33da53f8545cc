/** A center with one member of every role, and a second center without these members. */
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

export interface Fixture {
  readonly server: TestServer
  readonly center: Center
  readonly people: Readonly<Record<'admin' | 'instructor' | 'parent' | 'child' | 'suspended' | 'nonmember', Person>>
  readonly tokens: Readonly<Record<'admin' | 'instructor' | 'parent' | 'child' | 'suspended' | 'nonmember', string>>
  readonly foreign: Center
  /** An API key of the center: valid on /api/v1, refused here. */
  readonly apiKey: string
}

export async function openFixture(): Promise<Fixture> {
  const server = await startServer()
  const { world } = server
  const center = await world.center()
  const foreign = await world.center()
  const join = async (role: string) => {
    const person = await world.person()
    await world.member(person, center, role)
    return person
  }
  const people = {
    admin: await join('ADMIN'),
    instructor: await join('INSTRUCTOR'),
    parent: await join('PARENT'),
    child: await join('CHILD'),
    suspended: await join('INSTRUCTOR'),
    nonmember: await world.person(),
  }
  await world.member(people.nonmember, foreign, 'ADMIN')
  const tokens: Record<string, string> = {}
  for (const [name, person] of Object.entries(people)) tokens[name] = (await server.signIn(person)).accessToken
  await world.setMembership(people.suspended, center, { status: 'SUSPENDED' })
  server.services.authenticate.forget(`center:${center.id}`)
  return { server, center, foreign, people, tokens: tokens as Fixture['tokens'], apiKey: await world.key(center) }
}

/** The refusals that every operation on a center in the path has in common. */
export const refusals = (fixture: () => Fixture): [string, string | undefined, string, number, string][] => {
  const { tokens, center, foreign, apiKey } = fixture()
  return [
    ['a caller without a credential', undefined, center.domain, 401, 'UNAUTHORIZED'],
    ['an API key', apiKey, center.domain, 401, 'UNAUTHORIZED'],
    ['a suspended member', tokens.suspended, center.domain, 403, 'MEMBERSHIP_SUSPENDED'],
    ['a person who is not a member, by slug', tokens.nonmember, center.domain, 403, 'NO_MEMBERSHIP'],
    ['a person who is not a member, by id', tokens.nonmember, String(center.id), 403, 'NO_MEMBERSHIP'],
    ['a member of another center', tokens.admin, foreign.domain, 403, 'NO_MEMBERSHIP'],
    ['a center that does not exist', tokens.admin, 'no-such-center', 404, 'CENTER_NOT_FOUND'],
    ['an id that does not exist', tokens.admin, '2147483647', 404, 'CENTER_NOT_FOUND'],
    ['an id beyond 32 bits', tokens.admin, '99999999999', 404, 'CENTER_NOT_FOUND'],
  ]
}

export async function expectRefusals(
  fixture: Fixture,
  method: string,
  pathOf: (center: string) => string,
  body?: unknown,
): Promise<void> {
  for (const [who, token, center, status, code] of refusals(() => fixture)) {
    const answer = await fixture.server.call(method, pathOf(center), {
      ...(token && { token }),
      ...(body !== undefined && { body }),
    })
    const got = [who, answer.status, answer.body?.error?.code]
    if (answer.status !== status || answer.body.error.code !== code)
      throw new Error(`${method} ${pathOf(center)}: ${got.join(' ')}, not ${status} ${code}`)
  }
}
