import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { newUuid } from '../../../../lib/ids.ts'

let server: TestServer
let first: Center
let second: Center

beforeAll(async () => {
  server = await startServer()
  first = await server.world.center()
  second = await server.world.center()
})
afterAll(() => server.close())

async function signIn(person: Person, { cookie, centerDomain }: { cookie?: string; centerDomain?: string } = {}) {
  const { status, body, headers } = await server.call('POST', '/api/auth/login', {
    body: { email: person.email, password: person.password, ...(centerDomain && { centerDomain }) },
    ...(cookie && { headers: { cookie } }),
  })
  expect(status).toBe(200)
  const { center, destination, actor, accessToken } = body.data
  return { center, destination, role: actor.role, accessToken, cookies: headers.getSetCookie() }
}

async function memberOf(...memberships: [Center, role: string, status?: string][]): Promise<Person> {
  const person = await server.world.person()
  for (const [center, role, status] of memberships) await server.world.member(person, center, role, status)
  return person
}

const at = (center: Center) => ({ id: center.id, name: `Center ${center.domain}`, domain: center.domain })

describe('200, by destination', () => {
  it('admin_dashboard for an ADMIN, before the last visited center', async () => {
    const person = await memberOf([first, 'PARENT'], [second, 'ADMIN'])
    expect(await signIn(person, { cookie: `last_tenant=${first.domain}` })).toMatchObject({
      center: at(second),
      destination: 'admin_dashboard',
      role: 'ADMIN',
    })
  })

  it('workspace of the center that was named', async () => {
    const person = await memberOf([first, 'PARENT'], [second, 'INSTRUCTOR'])
    expect(await signIn(person, { centerDomain: second.domain, cookie: `last_tenant=${first.domain}` })).toMatchObject({
      center: at(second),
      destination: 'workspace',
      role: 'INSTRUCTOR',
    })
  })

  it('workspace of the last visited center, by the cookie of the last login', async () => {
    const person = await memberOf([first, 'PARENT'], [second, 'INSTRUCTOR'])
    const { cookies } = await signIn(person, { centerDomain: first.domain })
    const kept = cookies.find((line) => line.startsWith('last_tenant=')) as string
    expect(kept).toMatch(new RegExp(`^last_tenant=${first.domain};.*HttpOnly`))
    expect(await signIn(person, { cookie: kept.split(';')[0] as string })).toMatchObject({
      center: at(first),
      destination: 'workspace',
      role: 'PARENT',
    })
  })

  it('workspace of the only center', async () => {
    const person = await memberOf([first, 'CHILD'], [second, 'ADMIN', 'SUSPENDED'])
    expect(await signIn(person)).toMatchObject({ center: at(first), destination: 'workspace', role: 'CHILD' })
  })

  describe('by the domain of the email address', () => {
    const proven = (domain: string, owner: { center?: number; partner?: string; pending?: true }) =>
      server.world.query(
        `insert into directory.domains (id, center_id, partner_id, purpose, domain, token, created_at, proven_at, next_check_at)
         values ($1, $2, $3, 'email', $4, 'token', now(), $5, $5::timestamptz + interval '1 day')`,
        [newUuid(), owner.center, owner.partner, domain, owner.pending ? null : new Date()],
      )

    it('workspace of the center that has proven it, or whose partner has', async () => {
      const partner = await server.world.partner()
      const [school, branch] = [await server.world.center(), await server.world.center({ partner })]
      await proven('school.example', { center: school.id })
      await proven('network.example', { partner: partner.id })
      for (const [domain, center] of [
        ['School.example', school],
        ['network.example', branch],
      ] as const) {
        const person = await server.world.person({ email: `teacher@${domain.toLowerCase()}` })
        for (const each of [first, school, branch, second]) await server.world.member(person, each, 'INSTRUCTOR')
        expect(await signIn(person)).toMatchObject({ center: at(center), destination: 'workspace' })
      }
    })

    it('tenant_picker for a domain that is not proven, is proven for a site, or by several of the centers', async () => {
      const hosts = [await server.world.center({ customDomain: 'host.example' }), await server.world.center()]
      await proven('pending.example', { center: hosts[0]?.id as number, pending: true })
      for (const { id } of hosts) await proven('both.example', { center: id })
      for (const domain of ['pending.example', 'host.example', 'both.example']) {
        const person = await server.world.person({ email: `teacher@${domain}` })
        for (const each of [first, ...hosts]) await server.world.member(person, each, 'INSTRUCTOR')
        expect(await signIn(person)).toMatchObject({ center: null, destination: 'tenant_picker' })
      }
    })

    it('tenant_picker for an address that is not verified', async () => {
      const school = await server.world.center()
      await proven('claimed.example', { center: school.id })
      const person = await server.world.person({ email: 'somebody@claimed.example' })
      await server.world.query('update directory.actors set email_verified_at = null where id = $1', [person.actorId])
      for (const each of [first, school]) await server.world.member(person, each, 'INSTRUCTOR')
      expect(await signIn(person)).toMatchObject({ center: null, destination: 'tenant_picker' })
    })
  })

  it('tenant_picker for several centers, also when the cookie names a center that the person cannot enter', async () => {
    const otherCenter = await server.world.center()
    const person = await memberOf([first, 'PARENT'], [second, 'PARENT'])
    for (const cookie of [undefined, `last_tenant=${otherCenter.domain}`, 'last_tenant=%00', 'last_tenant=']) {
      const answer = await signIn(person, cookie === undefined ? {} : { cookie })
      expect(answer).toMatchObject({ center: null, destination: 'tenant_picker' })
      expect(answer.cookies.some((line) => line.startsWith('last_tenant='))).toBe(false)
    }
  })

  it.each([
    ['INVITED', 'waiting'],
    ['PENDING', 'waiting'],
    ['SUSPENDED', 'onboarding'],
    ['ENDED', 'onboarding'],
    ['REJECTED', 'onboarding'],
  ])('%s only: %s', async (status, destination) => {
    expect(await signIn(await memberOf([first, 'ADMIN', status]))).toMatchObject({ center: null, destination })
  })

  it('onboarding for a person of a suspended center only', async () => {
    const closed = await server.world.center({ status: 'SUSPENDED' })
    expect(await signIn(await memberOf([closed, 'ADMIN']))).toMatchObject({ center: null, destination: 'onboarding' })
  })

  it('onboarding for a person without any membership, who is signed in nevertheless', async () => {
    const answer = await signIn(await memberOf())
    expect(answer).toMatchObject({ center: null, destination: 'onboarding', role: 'CHILD' })
    const me = await server.call('GET', '/api/auth/me', { token: answer.accessToken })
    expect(me.body.data).toMatchObject({ centerId: null, centerDomain: null, memberships: [] })
  })

  it('partner_dashboard for a partner account without a center', async () => {
    const person = await server.world.person({ partner: true })
    expect(await signIn(person)).toMatchObject({ center: null, destination: 'partner_dashboard' })
  })
})
