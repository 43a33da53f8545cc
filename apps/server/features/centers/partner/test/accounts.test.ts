/** Who acts for a partner: listed, lowered, ended. Rights end at once, in every process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Person } from '../../../../../../tests/support/world.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { codeOf, openPartner, type PartnerFixture } from './fixture.ts'

const path = '/partner/accounts'
let server: TestServer
let partner: PartnerFixture
let other: PartnerFixture

beforeAll(async () => {
  server = await startServer()
  partner = await openPartner(server)
  other = await openPartner(server)
})
afterAll(() => server.close())

async function colleague(role: 'PARTNER_ADMIN' | 'PARTNER_OPERATOR', own: PartnerFixture = partner): Promise<Person> {
  const person = await server.world.person()
  await server.world.account(person, own, role)
  return person
}
const change = (person: Person, role: string, by = partner.call) => by('PATCH', `${path}/${person.actorId}`, { role })
const end = (person: Person, by = partner.call) => by('DELETE', `${path}/${person.actorId}`)
const rolesOf = (own: PartnerFixture) =>
  server.world.query<{ role: string }>('select role from directory.partner_accounts where partner_id = $1', [own.id])

describe('a list', () => {
  it('names the people of the partner, for both roles, and nobody else', async () => {
    for (const call of [partner.call, partner.asOperator]) {
      const { status, body } = await call('GET', path)
      expect(status).toBe(200)
      expect(body.pagination.total).toBe(2)
      expect(body.data.map(({ actorId }: Person) => actorId).toSorted()).toEqual(
        [partner.admin.actorId, partner.operator.actorId].toSorted(),
      )
    }
    const { body } = await partner.call('GET', path)
    const own = body.data.find(({ self }: { self: boolean }) => self)
    expect(own).toMatchObject({ actorId: partner.admin.actorId, role: 'PARTNER_ADMIN', last: true })
  })
})

describe('a role', () => {
  it('is lowered and raised in open sessions, with an entry each', async () => {
    const person = await colleague('PARTNER_ADMIN')
    const { accessToken: token } = await server.signIn(person)
    const rename = () => server.call('PATCH', '/api/partner/settings', { token, body: { a: 1 } })
    expect((await rename()).status).toBe(200)
    const lowered = await change(person, 'PARTNER_OPERATOR')
    expect(lowered.body.data).toMatchObject({ actorId: person.actorId, role: 'PARTNER_OPERATOR', last: false })
    expect(codeOf(await rename())).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect((await server.call('GET', '/api/partner/centers', { token })).status).toBe(200)
    expect((await change(person, 'PARTNER_ADMIN')).status).toBe(200)
    expect((await rename()).status).toBe(200)
    const { body } = await partner.call('GET', '/partner/audit')
    const entries = body.data.filter(({ details }: { details: object }) =>
      JSON.stringify(details).includes(person.actorId),
    )
    expect(entries.map(({ details }: { details: object }) => details)).toMatchObject([
      { action: 'account role changed', fromRole: 'PARTNER_OPERATOR', toRole: 'PARTNER_ADMIN' },
      { action: 'account role changed', fromRole: 'PARTNER_ADMIN', toRole: 'PARTNER_OPERATOR' },
    ])
  })
})

describe('an end', () => {
  it('takes all rights at once, in other processes within a second, and an invitation brings them back', async () => {
    const person = await colleague('PARTNER_ADMIN')
    const second = await startServer({ beside: server })
    try {
      const { accessToken: token } = await server.signIn(person)
      for (const each of [server, second]) {
        expect((await each.call('GET', '/api/partner/centers', { token })).status).toBe(200)
      }
      expect((await end(person)).status).toBe(204)
      expect(codeOf(await server.call('GET', '/api/partner/centers', { token }))).toEqual([403, 'FORBIDDEN'])
      await expect
        .poll(async () => (await second.call('GET', '/api/partner/centers', { token })).status, { timeout: 1000 })
        .toBe(403)
      // Nothing but the account has ended.
      expect((await server.call('GET', '/api/auth/me', { token })).status).toBe(200)
    } finally {
      await second.close()
    }
    expect(codeOf(await end(person))).toEqual([404, 'NOT_FOUND'])
    const again = await partner.call('POST', '/partner/invitations', { email: person.email, role: 'PARTNER_OPERATOR' })
    expect(again.status).toBe(201)
  })

  it('of the last PARTNER_ADMIN is refused, and so is a lower role', async () => {
    const alone = await openPartner(server)
    for (const answer of [
      await change(alone.admin, 'PARTNER_OPERATOR', alone.call),
      await end(alone.admin, alone.call),
    ]) {
      expect(codeOf(answer)).toEqual([409, 'CONFLICT'])
    }
    const heir = await colleague('PARTNER_ADMIN', alone)
    expect((await end(alone.admin, alone.call)).status).toBe(204)
    expect(codeOf(await alone.call('GET', path))).toEqual([403, 'FORBIDDEN'])
    const { accessToken: token } = await server.signIn(heir)
    const { body } = await server.call('GET', `/api${path}`, { token })
    expect(body.data.find(({ self }: { self: boolean }) => self).last).toBe(true)
  })

  it('leaves one of fifty who lower and end each other', { timeout: 60_000 }, async () => {
    const crowd = await openPartner(server)
    const people = [crowd.admin]
    while (people.length < 50) people.push(await colleague('PARTNER_ADMIN', crowd))
    const tokens: string[] = []
    for (const person of people) tokens.push((await server.signIn(person)).accessToken)
    const answers = await Promise.all(
      people.map((_, at) => {
        const victim = people[(at + 1) % people.length] as Person
        const lowers = at % 2 === 0
        return server.call(lowers ? 'PATCH' : 'DELETE', `/api${path}/${victim.actorId}`, {
          token: tokens[at] as string,
          ...(lowers && { body: { role: 'PARTNER_OPERATOR' } }),
        })
      }),
    )
    const refused = answers.filter(({ status }) => status >= 400)
    expect(refused.every(({ status }) => [403, 409].includes(status))).toBe(true)
    const left = (await rolesOf(crowd)).filter(({ role }) => role === 'PARTNER_ADMIN')
    expect(left.length).toBeGreaterThanOrEqual(1)
    expect(left.length).toBe(50 - (answers.length - refused.length))
  })

  it('is decided by the database when everybody removes the same two at once', async () => {
    const pair = await openPartner(server)
    const heir = await colleague('PARTNER_ADMIN', pair)
    const both = [pair.admin.actorId, heir.actorId]
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) =>
        server.services.directory.asPartner(
          { requestId: `race-${at}`, actorId: both[at % 2] as string, centerId: 0 },
          pair.id,
          (tx) =>
            tx.db
              .deleteFrom('partner_accounts')
              .where('actor_id', '=', both[at % 2] as string)
              .returning('role')
              .execute(),
        ),
      ),
    )
    const removed = outcomes.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    expect(removed).toHaveLength(1)
    expect((await rolesOf(pair)).filter(({ role }) => role === 'PARTNER_ADMIN')).toHaveLength(1)
  })
})

describe('refused', () => {
  it('for a PARTNER_OPERATOR', async () => {
    const person = await colleague('PARTNER_OPERATOR')
    expect(codeOf(await change(person, 'PARTNER_ADMIN', partner.asOperator))).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect(codeOf(await end(person, partner.asOperator))).toEqual([403, 'INSUFFICIENT_ROLE'])
  })

  it('for an account of another partner, as for one that does not exist', async () => {
    for (const actorId of [other.operator.actorId, newUuid()]) {
      const stranger = { actorId, email: '', password: '' } as Person
      expect(codeOf(await change(stranger, 'PARTNER_ADMIN'))).toEqual([404, 'NOT_FOUND'])
      expect(codeOf(await end(stranger))).toEqual([404, 'NOT_FOUND'])
    }
    expect(await rolesOf(other)).toHaveLength(2)
  })

  it.each([
    [{}, 'MISSING_REQUIRED_FIELD'],
    [{ role: 'ADMIN' }, 'VALIDATION_ERROR'],
    [{ role: 'PARTNER_ADMIN', more: 1 }, 'VALIDATION_ERROR'],
  ])('%j', async (body, code) => {
    expect(codeOf(await partner.call('PATCH', `${path}/${partner.operator.actorId}`, body))).toEqual([400, code])
  })

  it('without a credential', async () => {
    expect(codeOf(await server.call('GET', `/api${path}`))).toEqual([401, 'UNAUTHORIZED'])
  })
})

describe('invitations of somebody who goes', () => {
  it.each(['removed', 'lowered'])('end when the account is %s', async (what) => {
    const person = await colleague('PARTNER_ADMIN')
    const { accessToken: token } = await server.signIn(person)
    const body = { email: `${newUuid()}@people.example`, role: 'PARTNER_ADMIN' }
    expect((await server.call('POST', '/api/partner/invitations', { token, body })).status).toBe(201)
    await (what === 'removed' ? end(person) : change(person, 'PARTNER_OPERATOR'))
    const { body: open } = await partner.call('GET', '/partner/invitations')
    expect(open.data.map(({ email }: { email: string }) => email)).not.toContain(body.email)
  })
})
