import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { codeOf, memberOf, openPartner, type PartnerFixture } from './fixture.ts'

let server: TestServer
let partner: PartnerFixture

beforeAll(async () => {
  server = await startServer()
  partner = await openPartner(server)
})
afterAll(() => server.close())

describe('members', () => {
  const path = '/partner/members'

  it('200: lists members of all centers in every state, ordered by center, in exact pages', async () => {
    const [first, second] = [await partner.center(), await partner.center()]
    const active = await memberOf(server, first, 'ADMIN')
    const ended = await memberOf(server, first, 'CHILD', 'ENDED')
    const invited = await memberOf(server, second, 'PARENT', 'INVITED')
    await memberOf(server, await server.world.center())
    const { status, body } = await partner.asOperator('GET', path)
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      { actorId: active.actorId, email: active.email, centerId: first.id, role: 'ADMIN', status: 'ACTIVE' },
      { actorId: ended.actorId, centerDomain: first.domain, status: 'ENDED' },
      { actorId: invited.actorId, centerId: second.id, role: 'PARENT', status: 'INVITED', endedAt: null },
    ])
    expect(body.data[0].id).toMatch(/^mbr_/)
    const pages = []
    for (const page of [1, 2, 3, 4]) {
      const answer = await partner.call('GET', `${path}?limit=1&page=${page}`)
      expect(answer.body.pagination).toMatchObject({ total: 3, totalPages: 3, hasMore: page < 3 })
      pages.push(...answer.body.data)
    }
    expect(pages).toEqual(body.data)
  })

  it('200: lists a person of two centers twice', async () => {
    const fixture = await openPartner(server)
    const person = await memberOf(server, await fixture.center())
    await server.world.member(person, await fixture.center())
    await server.world.member(person, await partner.center())
    const { body } = await fixture.call('GET', path)
    expect(body.data.map((each: { actorId: string }) => each.actorId)).toEqual([person.actorId, person.actorId])
  })

  it('400 VALIDATION_ERROR: more than a hundred to a page', async () => {
    expect(codeOf(await partner.call('GET', `${path}?limit=101`))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('settings', () => {
  const path = '/partner/settings'
  const patch = (body: unknown, headers = {}) => partner.call('PATCH', path, body, headers)

  it('200: are empty at first, and change by merge patch', async () => {
    expect((await partner.call('GET', path)).body.data).toEqual({})
    const steps: [object, object][] = [
      [
        { brand: { color: '#fff', logo: 'a' }, tags: [1, 2] },
        { brand: { color: '#fff', logo: 'a' }, tags: [1, 2] },
      ],
      [{ brand: { color: '#000' } }, { brand: { color: '#000', logo: 'a' }, tags: [1, 2] }],
      [{ tags: [3] }, { brand: { color: '#000', logo: 'a' }, tags: [3] }],
      [{ brand: { logo: null }, tags: null }, { brand: { color: '#000' } }],
      [
        { brand: 'none', deep: { a: { b: null, c: 1 } } },
        { brand: 'none', deep: { a: { c: 1 } } },
      ],
      [{}, { brand: 'none', deep: { a: { c: 1 } } }],
    ]
    for (const [change, result] of steps) {
      const answer = await patch(change)
      expect([answer.status, answer.body.data]).toEqual([200, result])
      expect((await partner.asOperator('GET', path)).body.data).toEqual(result)
    }
  })

  it('200: writes an audit entry that names the fields and not their values', async () => {
    const fixture = await openPartner(server)
    await fixture.call('PATCH', path, { webhook: 'https://secret.example', color: 1 })
    await fixture.call('PATCH', path, {})
    const { body } = await fixture.call('GET', '/partner/audit')
    expect(body.data).toMatchObject([
      {
        type: 'settings.updated',
        centerId: null,
        centerName: null,
        actorId: fixture.admin.actorId,
        targetType: 'partner',
        details: { action: 'partner', fields: 'webhook color' },
      },
    ])
    expect(body.data[0].targetId).toMatch(/^ptn_/)
  })

  it('200: applies both of two concurrent patches', async () => {
    const fixture = await openPartner(server)
    const names = Array.from({ length: 10 }, (_, i) => `k${i}`)
    await Promise.all(names.map((name) => fixture.call('PATCH', path, { [name]: name })))
    expect(Object.keys((await fixture.call('GET', path)).body.data).sort()).toEqual(names)
  })

  it.each([[[]], ['text'], [null], [7]])('400 VALIDATION_ERROR: %j is no object', async (body) => {
    expect(codeOf(await patch(body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('400 VALIDATION_ERROR: more than 64 KiB in all', async () => {
    const fixture = await openPartner(server)
    const half = 'x'.repeat(40_000)
    expect((await fixture.call('PATCH', path, { a: half })).status).toBe(200)
    expect(codeOf(await fixture.call('PATCH', path, { b: half }))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await fixture.call('PATCH', path, { a: null, b: half })).status).toBe(200)
  })

  it('403 INSUFFICIENT_ROLE: an operator of the partner may read but not write', async () => {
    expect((await partner.asOperator('GET', path)).status).toBe(200)
    expect(codeOf(await partner.asOperator('PATCH', path, { a: 1 }))).toEqual([403, 'INSUFFICIENT_ROLE'])
  })
})
