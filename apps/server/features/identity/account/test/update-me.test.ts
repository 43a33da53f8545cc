import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { openOffice } from '../../../evidence/decisions/test/fixture.ts'

const path = '/api/auth/me'
let server: TestServer
let center: Center
let other: Center
let person: Person

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  other = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center, 'ADMIN')
  await server.world.member(person, other, 'PARENT', 'SUSPENDED')
})
afterAll(() => server.close())

const change = (body: unknown, token?: string) =>
  server.call('PATCH', path, { body, ...(token !== undefined && { token }) })
const signIn = async (domain?: string, who = person) => (await server.signIn(who, domain)).accessToken
const nameIn = async ({ id }: Center) =>
  (
    await server.world.query('select name from directory.memberships where center_id = $1 and actor_id = $2', [
      id,
      person.actorId,
    ])
  )[0]?.name

describe('200', () => {
  it('is the new name in this session at once, in each center, and in the audit of each', async () => {
    const token = await signIn(center.domain)
    const { status, body } = await change({ name: ' 김하늘 ', language: 'ko' }, token)
    expect([status, body.data.name, body.data.language]).toEqual([200, '김하늘', 'ko'])
    expect((await server.call('GET', path, { token })).body.data).toMatchObject({ name: '김하늘', language: 'ko' })
    expect([await nameIn(center), await nameIn(other)]).toEqual(['김하늘', '김하늘'])
    const [entry] = (await server.call('GET', '/api/audit?type=membership.transitioned', { token })).body.data
    expect(entry).toMatchObject({ actorId: person.actorId, action: 'renamed' })
    expect(entry.details.changes).toEqual([{ field: 'name', old: expect.stringMatching(/^Person/), new: '김하늘' }])
  })

  it('changes the language alone, and leaves the name', async () => {
    const token = await signIn(center.domain)
    const before = (await server.call('GET', path, { token })).body.data.name
    const { body } = await change({ language: 'en' }, token)
    expect(body.data).toMatchObject({ name: before, language: 'en' })
  })

  it('is open to somebody without a center', async () => {
    const guest = await server.world.person()
    const { status, body } = await change({ name: 'Lee' }, await signIn(undefined, guest))
    expect([status, body.data.name]).toEqual([200, 'Lee'])
  })

  it('a center that the person has left keeps the name that it knew', async () => {
    const left = await server.world.center()
    await server.world.member(person, left, 'INSTRUCTOR', 'ENDED')
    const before = await nameIn(left)
    await change({ name: 'After leaving' }, await signIn(center.domain))
    expect([await nameIn(left), await nameIn(center)]).toEqual([before, 'After leaving'])
  })

  it('of ten changes at once every center and the account have the same name', async () => {
    const token = await signIn(center.domain)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => change({ name: `Name ${n}` }, token)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    const [{ name } = {}] = await server.world.query('select name from directory.actors where id = $1', [
      person.actorId,
    ])
    expect([await nameIn(center), await nameIn(other)]).toEqual([name, name])
  })

  it('an earlier seal keeps the name of then, a later one has the new name', async () => {
    const office = await openOffice(server)
    const { admin } = office
    const sealAs = async (name: string) => {
      await change({ name }, admin.token)
      const { id } = await office.record()
      expect((await office.decide(admin, id)).status).toBe(200)
      return id
    }
    const [earlier, later] = [await sealAs('Before'), await sealAs('After')]
    const sealedName = async (id: string) => {
      const { evidence } = await office.read(id)
      const proof = await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: office.key })
      expect(proof.status).toBe(200)
      return proof.body.evidence.approval.approver.name
    }
    expect([await sealedName(earlier), await sealedName(later)]).toEqual(['Before', 'After'])
  })
})

describe('400 VALIDATION_ERROR', () => {
  it.each([
    {},
    { name: '' },
    { name: '   ' },
    { name: 'Kim\nBcc: all@b.example' },
    { name: 'visit https://evil.example' },
    { language: 'fr' },
    { email: 'other@people.example' },
    { name: 'Kim', role: 'ADMIN' },
  ])('for %o', async (body) => {
    const { status, body: answer } = await change(body, await signIn())
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('401 UNAUTHORIZED', () => {
  it('without a session, and with an API key', async () => {
    for (const token of [undefined, await server.world.key(center)]) {
      expect((await change({ name: 'Kim' }, token)).status).toBe(401)
    }
  })
})

describe('403 FORBIDDEN', () => {
  it('for a session that begins on a custom domain: its center has no right over the account', async () => {
    const host = `${center.domain}.people.example`
    const site = await server.world.center({ customDomain: host })
    await server.world.member(person, site)
    const { body } = await server.call('POST', '/api/auth/login', {
      body: { email: person.email, password: person.password },
      headers: { host, 'x-forwarded-host': host },
    })
    const [row] = await server.world.query('select id from directory.domains where domain = $1', [host], true)
    await server.world.query(
      `update directory.sessions set site_id = $2 where id = (select id from directory.sessions
        where actor_id = $1 order by created_at desc limit 1)`,
      [person.actorId, row?.id],
      true,
    )
    const { status, body: answer } = await change({ name: 'Somebody' }, body.data.accessToken)
    expect([status, answer.error.code]).toEqual([403, 'FORBIDDEN'])
  })
})

describe('another tenant', () => {
  it('keeps its own people: no name of anybody else is changed', async () => {
    const others = await server.world.query('select id, name from directory.actors where id <> $1 order by id', [
      person.actorId,
    ])
    await change({ name: 'Only me' }, await signIn(center.domain))
    expect(
      await server.world.query('select id, name from directory.actors where id <> $1 order by id', [person.actorId]),
    ).toEqual(others)
  })
})
