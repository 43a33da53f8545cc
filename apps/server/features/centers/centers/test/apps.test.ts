/** Companion applications: whom the installation and the center let open which, and the token that signs in there once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

let server: TestServer
let bare: TestServer
let center: Center
const people: Record<string, Person> = {}

beforeAll(async () => {
  const [lms, erp] = ['https://learn.example/c/{center}/', 'http://localhost:8088/erp?from=countersign']
  server = await startServer({ env: { LMS_URL: lms, ERP_URL: erp, CMS_URL: 'https://content.example' } })
  bare = await startServer()
  center = await server.world.center()
  for (const role of ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD']) {
    const person = await server.world.person()
    people[role] = person
    await server.world.member(person, center, role)
  }
}, 60_000)
afterAll(async () => {
  await server.close()
  await bare.close()
})

const tokenOf = async (role: string) => (await server.signIn(people[role] as Person, center.domain)).accessToken
const listed = async (role: string, at = center.domain) =>
  server.call('GET', `/api/centers/${at}/apps`, { token: await tokenOf(role) })
const apps = async (role: string): Promise<string[]> =>
  (await listed(role)).body.data.map(({ app }: { app: string }) => app)

describe('the applications of a center', () => {
  it('are those of the role, with the center in their addresses', async () => {
    expect((await listed('ADMIN')).body.data).toEqual([
      { app: 'lms', url: `https://learn.example/c/${center.domain}` },
      { app: 'cms', url: 'https://content.example' },
      { app: 'erp', url: 'http://localhost:8088/erp?from=countersign' },
    ])
    expect([await apps('INSTRUCTOR'), await apps('PARENT'), await apps('CHILD')]).toEqual([
      ['lms', 'cms'],
      ['lms'],
      ['lms'],
    ])
  })

  it('are none where the operator set none', async () => {
    const elsewhere = await bare.world.center()
    const admin = await bare.world.person()
    await bare.world.member(admin, elsewhere, 'ADMIN')
    const { accessToken: token } = await bare.signIn(admin, elsewhere.domain)
    expect((await bare.call('GET', `/api/centers/${elsewhere.domain}/apps`, { token })).body.data).toEqual([])
  })

  it('are turned off and on again by the center', async () => {
    const token = await tokenOf('ADMIN')
    const path = `/api/centers/${center.domain}/settings`
    const turn = (cms: boolean | null) => server.call('PATCH', path, { token, body: { features: { cms } } })
    expect((await turn(false)).status).toBe(200)
    expect(await apps('ADMIN')).toEqual(['lms', 'erp'])
    expect((await turn(null)).status).toBe(200)
    expect(await apps('ADMIN')).toEqual(['lms', 'cms', 'erp'])
  })

  it('are signed in to with a token that works once and names the center', async () => {
    const token = await tokenOf('CHILD')
    const made = await server.call('POST', '/api/auth/sso/token', { token, body: { targetApp: 'lms' } })
    const body = { token: made.body.data.token, targetApp: 'lms' }
    const redeemed = await server.call('POST', '/api/auth/sso/verify', { body })
    expect(redeemed.body.data).toMatchObject({ actorId: people.CHILD?.actorId, centerDomain: center.domain })
    expect((await server.call('POST', '/api/auth/sso/verify', { body })).status).toBe(401)
  })
})

describe('refused', () => {
  it('401 without a session, 403 for somebody else, and 404 for no center', async () => {
    expect((await server.call('GET', `/api/centers/${center.domain}/apps`)).status).toBe(401)
    const other = await server.world.center()
    expect((await listed('ADMIN', other.domain)).status).toBe(403)
    expect([403, 404]).toContain((await listed('ADMIN', 'no-such-center')).status)
  })
})
