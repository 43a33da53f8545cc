import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { codeOf, memberOf, openPartner, type PartnerFixture } from './fixture.ts'

const path = '/partner/centers'
let server: TestServer
let partner: PartnerFixture
let other: PartnerFixture

beforeAll(async () => {
  server = await startServer()
  partner = await openPartner(server)
  other = await openPartner(server)
})
afterAll(() => server.close())

const namesOf = (answer: Awaited<ReturnType<PartnerFixture['call']>>): string[] =>
  answer.body.data.map((center: { name: string }) => center.name)

describe('the list', () => {
  let fixture: PartnerFixture
  beforeAll(async () => {
    fixture = await openPartner(server)
    for (const name of ['Haneul Busan', 'Badaro Seoul', 'Haneul Daegu', '하늘 인천', '100% Care_House']) {
      await fixture.center({ name })
    }
    await other.center({ name: 'Haneul of another' })
    await server.world.center({ name: 'Haneul without a partner' })
  })

  it('200: newest first, in pages with exact totals', async () => {
    const first = await fixture.call('GET', `${path}?limit=2`)
    expect(first.status).toBe(200)
    expect(namesOf(first)).toEqual(['100% Care_House', '하늘 인천'])
    expect(first.body.pagination).toEqual({ page: 1, limit: 2, total: 5, totalPages: 3, hasMore: true })
    expect(first.body.meta).toEqual({ page: 1, total: 5 })
    const last = await fixture.asOperator('GET', `${path}?limit=2&page=3`)
    expect(namesOf(last)).toEqual(['Haneul Busan'])
    expect(last.body.pagination).toMatchObject({ page: 3, total: 5, hasMore: false })
    const beyond = await fixture.call('GET', `${path}?page=1000000&limit=100`)
    expect([beyond.body.data, beyond.body.pagination.total]).toEqual([[], 5])
  })

  it('200: fifty to a page by default', async () => {
    expect((await fixture.call('GET', path)).body.pagination).toMatchObject({ page: 1, limit: 50, total: 5 })
  })

  it.each([
    ['haneul', ['Haneul Daegu', 'Haneul Busan']],
    ['BUSAN', ['Haneul Busan']],
    ['badarro', ['Badaro Seoul']],
    ['하늘', ['하늘 인천']],
    ['100%', ['100% Care_House']],
    ['%', ['100% Care_House']],
    ['_', ['100% Care_House']],
    ['nowhere', []],
    ["'; drop table directory.centers; --", []],
  ])('200: search for %s', async (search, names) => {
    const found = await fixture.call('GET', `${path}?search=${encodeURIComponent(search)}`)
    expect(namesOf(found)).toEqual(names)
    expect(found.body.pagination.total).toBe(names.length)
  })

  it('200: search by slug, and in pages', async () => {
    const [center] = (await fixture.call('GET', `${path}?limit=1`)).body.data
    const bySlug = await fixture.call('GET', `${path}?search=${center.centerDomain}`)
    expect(bySlug.body.data).toEqual([center])
    const second = await fixture.call('GET', `${path}?search=haneul&limit=1&page=2`)
    expect([namesOf(second), second.body.pagination.total]).toEqual([['Haneul Busan'], 2])
  })

  it.each(['limit=101', 'limit=0', 'page=0', 'page=x', `search=${'x'.repeat(201)}`])(
    '400 VALIDATION_ERROR: %s',
    async (query) => {
      expect(codeOf(await fixture.call('GET', `${path}?${query}`))).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  it('403 FORBIDDEN: for a person without a partner account, also an operator of the platform', async () => {
    for (const operator of [false, true]) {
      const { accessToken: token } = await server.signIn(await server.world.person({ operator }))
      expect(codeOf(await server.call('GET', `/api${path}`, { token }))).toEqual([403, 'FORBIDDEN'])
    }
  })
})

describe('one center', () => {
  it('200: with members and settings', async () => {
    const center = await partner.center()
    await memberOf(server, center)
    await memberOf(server, center, 'PARENT', 'INVITED')
    const { status, body } = await partner.asOperator('GET', `${path}/${center.id}`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id: center.id, centerDomain: center.domain, status: 'ACTIVE', memberCount: 1 })
    expect(body.data.settings.locale).toBe('ko-KR')
  })

  it.each(['2000000000', '2147483647'])('404 CENTER_NOT_FOUND: %s', async (id) => {
    expect(codeOf(await partner.call('GET', `${path}/${id}`))).toEqual([404, 'CENTER_NOT_FOUND'])
  })

  it("404 CENTER_NOT_FOUND: the same body for another partner's center and for one without a partner", async () => {
    const theirs = await partner.call('GET', `${path}/${(await other.center()).id}`)
    const unowned = await partner.call('GET', `${path}/${(await server.world.center()).id}`)
    expect(codeOf(theirs)).toEqual([404, 'CENTER_NOT_FOUND'])
    expect(unowned.text).toBe(theirs.text)
  })

  it.each(['abc', '0', '-1', '1.5', '2147483648'])('400 VALIDATION_ERROR: %s is no id', async (id) => {
    expect(codeOf(await partner.call('GET', `${path}/${id}`))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('a change', () => {
  const change = async (id: number, body: object, who: 'call' | 'asOperator' = 'call') =>
    partner[who]('PATCH', `${path}/${id}`, body)
  const entriesOf = (id: number) =>
    server.world.query(
      'select type, actor_id, details from directory.audit_entries where center_id = $1 order by occurred_at, id',
      [id],
    )

  it('200: suspends and reinstates, with immediate effect on members and keys', async () => {
    const center = await partner.center()
    const person = await memberOf(server, center)
    const key = await server.world.key(center)
    const { accessToken: token } = await server.signIn(person, center.domain)
    const look = async () => [
      codeOf(await server.call('GET', `/api/centers/${center.id}`, { token })),
      codeOf(await server.call('GET', '/api/v1/decision-events', { token: key })),
    ]
    const [open, closed] = [
      [
        [200, undefined],
        [200, undefined],
      ],
      [
        [403, 'CENTER_SUSPENDED'],
        [403, 'FORBIDDEN'],
      ],
    ]
    expect(await look()).toEqual(open)
    expect((await change(center.id, { status: 'SUSPENDED' })).body.data.status).toBe('SUSPENDED')
    expect(await look()).toEqual(closed)
    expect((await change(center.id, { status: 'ACTIVE' })).body.data.status).toBe('ACTIVE')
    expect(await look()).toEqual(open)
    expect(await entriesOf(center.id)).toMatchObject([
      { type: 'session.changed' },
      {
        type: 'center.updated',
        actor_id: partner.admin.actorId,
        details: { action: 'suspend', from: 'ACTIVE', to: 'SUSPENDED' },
      },
      { type: 'center.updated', details: { action: 'reinstate', from: 'SUSPENDED', to: 'ACTIVE' } },
    ])
  })

  it('200: takes effect in another process within a second', async () => {
    const second = await startServer({ beside: server })
    try {
      const center = await partner.center()
      const { accessToken: token } = await second.signIn(await memberOf(server, center), center.domain)
      const status = async () => (await second.call('GET', `/api/centers/${center.id}`, { token })).status
      expect(await status()).toBe(200)
      await change(center.id, { status: 'SUSPENDED' })
      const felt = performance.now() + 1000
      while ((await status()) === 200 && performance.now() < felt) await new Promise((go) => setTimeout(go, 20))
      expect(await status()).toBe(403)
    } finally {
      await second.close()
    }
  })

  it('200: renames, and search finds only the new name', async () => {
    const center = await partner.center({ name: 'Altername' })
    const { status, body } = await change(center.id, { name: 'Neuername' })
    expect([status, body.data.name, body.data.centerDomain]).toEqual([200, 'Neuername', center.domain])
    const found = async (query: string) => (await server.call('POST', '/api/centers/search', { body: { query } })).body
    expect((await found('Neuername')).data).toMatchObject([{ centerDomain: center.domain }])
    expect((await found('Altername')).data).toEqual([])
    expect(await entriesOf(center.id)).toMatchObject([{ type: 'center.updated', details: { action: 'rename' } }])
  })

  it('200: relocates, with the old and the new place in the audit', async () => {
    const center = await partner.center()
    const placeOf = ({ body }: Awaited<ReturnType<typeof change>>) => [
      body.data.settings.country,
      body.data.settings.region,
    ]
    expect(placeOf(await change(center.id, { region: 'KR-11' }))).toEqual(['KR', 'KR-11'])
    expect(placeOf(await change(center.id, { country: 'KR', region: 'KR-11' }))).toEqual(['KR', 'KR-11'])
    // A region does not stay behind in another country.
    expect(placeOf(await change(center.id, { country: 'JP' }))).toEqual(['JP', null])
    expect(codeOf(await change(center.id, { region: 'KR-11' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await entriesOf(center.id)).toMatchObject([
      {
        actor_id: partner.admin.actorId,
        details: { action: 'relocate', fromCountry: 'KR', fromRegion: null, toCountry: 'KR', toRegion: 'KR-11' },
      },
      { details: { action: 'relocate', fromCountry: 'KR', fromRegion: 'KR-11', toCountry: 'JP', toRegion: null } },
    ])
  })

  it('200: writes one entry for each changed field and none for an unchanged one', async () => {
    const center = await partner.center({ name: 'Same' })
    for (const body of [{}, { name: 'Same' }, { status: 'ACTIVE' }, { name: 'Same', status: 'ACTIVE' }]) {
      expect((await change(center.id, body)).status).toBe(200)
    }
    expect(await entriesOf(center.id)).toEqual([])
    await change(center.id, { name: 'Other', status: 'SUSPENDED' })
    expect((await entriesOf(center.id)).length).toBe(2)
    // A suspended center can be renamed.
    expect((await change(center.id, { name: 'Third' })).body.data).toMatchObject({ name: 'Third', status: 'SUSPENDED' })
  })

  it.each([{ status: 'ACTIVE' }, { status: 'SUSPENDED' }, { name: 'Again' }])(
    '409 CONFLICT: a center that has ended, for %j',
    async (body) => {
      const center = await partner.center({ status: 'INACTIVE' })
      expect(codeOf(await change(center.id, body))).toEqual([409, 'CONFLICT'])
      expect(await entriesOf(center.id)).toEqual([])
    },
  )

  it.each([{ status: 'INACTIVE' }, { status: 'active' }, { name: '' }, { vertical: 'education' }, { name: null }])(
    '400 VALIDATION_ERROR: %j',
    async (body) => {
      const center = await partner.center()
      expect(codeOf(await change(center.id, body))).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  it('403 INSUFFICIENT_ROLE: for an operator of the partner', async () => {
    const center = await partner.center()
    expect(codeOf(await change(center.id, { status: 'SUSPENDED' }, 'asOperator'))).toEqual([403, 'INSUFFICIENT_ROLE'])
  })

  it("404 CENTER_NOT_FOUND: another partner's center, which stays unchanged", async () => {
    const theirs = await other.center()
    expect(codeOf(await change(theirs.id, { status: 'SUSPENDED' }))).toEqual([404, 'CENTER_NOT_FOUND'])
    expect((await other.call('GET', `${path}/${theirs.id}`)).body.data.status).toBe('ACTIVE')
  })
})

it('refuses a deleted partner account once the cached session expires', async () => {
  const fixture = await openPartner(server)
  const settle = async (want: number) => {
    for (let tries = 0; tries < 100; tries++) {
      if ((await fixture.call('GET', path)).status === want) return want
      await new Promise((go) => setTimeout(go, 20))
    }
    return 'never'
  }
  expect(await settle(200)).toBe(200)
  await server.world.query('delete from directory.partner_accounts where actor_id = $1', [fixture.admin.actorId])
  expect(await settle(403)).toBe(403)
})
