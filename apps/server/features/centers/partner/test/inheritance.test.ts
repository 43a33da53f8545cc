/** What new centers inherit from their partner, and the list of centers as CSV. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { codeOf, openPartner, type PartnerFixture, subscribe } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const branding = { logo: 'https://partner.example/logo.png', primaryColor: '#aa3300' }
const newCenters = { branding, planId: 'center-growth' }

async function partnerOf(kind: 'white_label' | 'franchise'): Promise<PartnerFixture> {
  const partner = await openPartner(server)
  await server.world.query('update directory.partners set kind = $2 where id = $1', [partner.id, kind])
  return partner
}

const create = (partner: PartnerFixture, tenantType = 'WHITE_LABEL') => {
  const adminEmail = `a-${newUuid().slice(-12)}@centers.example`
  return partner.call('POST', '/partner/centers', { name: 'Branch', tenantType, vertical: 'welfare', adminEmail })
}

async function asAdmin(id: number) {
  const admin = await server.world.person()
  const [row] = await server.world.query<{ domain: string }>('select domain from directory.centers where id = $1', [id])
  const center = { id, domain: row?.domain ?? '' }
  await server.world.member(admin, center, 'ADMIN')
  const { accessToken: token } = await server.signIn(admin, center.domain)
  return (method: string, path: string, body?: object) =>
    server.call(method, `/api/centers/${id}${path}`, { token, ...(body && { body }) })
}

describe.each(['white_label', 'franchise'] as const)('a center of a %s partner', (kind) => {
  it('inherits branding and plan, and shows what is inherited', async () => {
    const partner = await partnerOf(kind)
    const before = (await create(partner)).body.data
    expect(before.settings.inherited).toEqual([])
    expect((await partner.call('PATCH', '/partner/settings', { newCenters })).status).toBe(200)
    const { status, body } = await create(partner)
    expect(status).toBe(201)
    const { id, settings } = body.data
    expect(settings.branding).toEqual({ ...branding, description: '', customDomain: null })
    expect(settings.inherited).toEqual(['branding.logo', 'branding.primaryColor'])
    const [row] = await server.world.query('select plan_id from directory.subscriptions where center_id = $1', [id])
    expect(row).toEqual({ plan_id: 'center-growth' })
    const listed = await partner.call('GET', `/partner/centers/${before.id}`)
    expect(listed.body.data.settings.inherited).toEqual([])

    const call = await asAdmin(id)
    const own = await call('PATCH', '/settings', { branding: { description: 'By the river' } })
    expect(own.body.data).toMatchObject({ branding: { ...branding, description: 'By the river' } })
    const changed = await call('PATCH', '/settings', { branding: { primaryColor: '#000000' } })
    if (kind === 'franchise') {
      expect(codeOf(changed)).toEqual([403, 'FORBIDDEN'])
      expect(changed.body.error.message).toContain('"branding.primaryColor" is set by the partner')
    } else expect(changed.body.data.inherited).toEqual(['branding.logo'])

    const patch = { branding: { primaryColor: '#0a0b0c' } }
    const byPartner = await partner.call('PATCH', `/partner/centers/${id}`, patch)
    const unset = await partner.call('PATCH', `/partner/centers/${id}`, { branding: { description: 'By the sea' } })
    expect(codeOf(unset)).toEqual([403, 'FORBIDDEN'])
    expect(codeOf(await partner.asOperator('PATCH', `/partner/centers/${id}`, patch))).toEqual([
      403,
      'INSUFFICIENT_ROLE',
    ])
    if (kind === 'franchise') {
      expect(byPartner.body.data.settings).toMatchObject({
        branding: { ...branding, ...patch.branding, description: 'By the river' },
        inherited: ['branding.logo', 'branding.primaryColor'],
      })
      expect(codeOf(await call('PATCH', '/settings', patch))).toEqual([403, 'FORBIDDEN'])
    } else {
      // Its own color; the logo is still the partner's.
      expect(codeOf(byPartner)).toEqual([403, 'FORBIDDEN'])
      const logo = 'https://partner.example/new.png'
      const another = await partner.call('PATCH', `/partner/centers/${id}`, { branding: { logo } })
      expect(another.body.data.settings).toMatchObject({ branding: { logo }, inherited: ['branding.logo'] })
    }
  })

  it('of earlier days gets branding later, and loses it', async () => {
    const partner = await partnerOf(kind)
    const { id } = (await create(partner)).body.data
    const patch = (given: object) => partner.call('PATCH', `/partner/centers/${id}`, { branding: given })
    const { settings } = (await patch(branding)).body.data
    expect(settings).toMatchObject({ branding, inherited: ['branding.logo', 'branding.primaryColor'] })
    const call = await asAdmin(id)
    const changed = await call('PATCH', '/settings', { branding: { logo: '' } })
    expect(changed.status).toBe(kind === 'franchise' ? 403 : 200)
    const removed = await patch({ primaryColor: null })
    expect(removed.body.data.settings).toMatchObject({
      branding: { primaryColor: '#1f5fbf' },
      inherited: kind === 'franchise' ? ['branding.logo'] : [],
    })
    expect((await call('PATCH', '/settings', { branding: { primaryColor: '#123456' } })).status).toBe(200)
    expect(codeOf(await patch({ primaryColor: '#654321' }))).toEqual([403, 'FORBIDDEN'])
    expect(codeOf(await patch({ customDomain: 'a.example' }))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

it('a center that a partner account provisions inherits the branding too, and has the plan of the order', async () => {
  const partner = await partnerOf('white_label')
  await partner.call('PATCH', '/partner/settings', { newCenters })
  const { body } = await partner.call('POST', '/provisioning/center-tenant', {
    centerName: 'Ordered',
    subdomain: `o-${newUuid().slice(-12)}`,
    planId: 'center-starter',
    orderId: newUuid(),
    adminActorId: partner.admin.actorId,
  })
  expect(body.data.settings.inherited).toEqual(['branding.logo', 'branding.primaryColor'])
  expect(body.data.subscription.planId).toBe('center-starter')
})

it.each([
  [{ planId: 'lms-basic' }, 'newCenters.planId'],
  [{ branding: { primaryColor: 'red' } }, 'newCenters.branding.primaryColor'],
  [{ branding: { customDomain: 'a.example' } }, 'newCenters.branding.customDomain'],
  ['all', 'newCenters'],
])('400 for %j in newCenters', async (given, place) => {
  const partner = await partnerOf('franchise')
  const answer = await partner.call('PATCH', '/partner/settings', { newCenters: given })
  expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
  expect(answer.body.error.message).toContain(`"${place}"`)
})

it('CSV of the centers of a partner, for both roles, and of no other partner', async () => {
  const [partner, other] = [await partnerOf('franchise'), await partnerOf('franchise')]
  const center = await partner.center({ name: '=HYPERLINK("x"), 하늘' })
  await subscribe(server, center, 'center-growth', 'ACTIVE')
  const second = await partner.center()
  await other.center()
  for (const call of [partner.call, partner.asOperator]) {
    const { status, text } = await call('GET', '/partner/centers.csv')
    const lines = text.trimEnd().split('\r\n')
    expect([status, lines.length]).toEqual([200, 3])
    expect(lines[0]).toMatch(/^id,name,centerDomain,tenantType,vertical,status,country,region,memberCount,planId/)
    expect(lines[1]).toMatch(new RegExp(`^${second.id},`))
    expect(lines[2]).toContain(`${center.id},"'=HYPERLINK(""x""), 하늘",${center.domain},CENTER`)
    expect(lines[2]).toContain('center-growth,ACTIVE')
  }
})
