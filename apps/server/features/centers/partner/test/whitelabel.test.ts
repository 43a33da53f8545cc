import { newUuid } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { codeOf } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const config = (domain: string) => server.call('GET', `/api/whitelabel/${domain}/config`)
const newDomain = () => `d-${newUuid().slice(-12)}.example`

describe('200', () => {
  it('shows branding, features and locale by slug, without a credential', async () => {
    const { domain } = await server.world.center()
    const { status, body } = await config(domain)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      domain,
      name: `Center ${domain}`,
      vertical: 'education',
      locale: 'ko-KR',
      branding: { logo: '', description: '', primaryColor: '#1f5fbf', customDomain: null },
    })
    expect(Object.keys(body.data).sort()).toEqual(['branding', 'domain', 'features', 'locale', 'name', 'vertical'])
    expect(Object.values(body.data.features).every((each) => typeof each === 'boolean')).toBe(true)
  })

  it('by the custom domain of a white-label center, in any letter case', async () => {
    const customDomain = newDomain()
    const { domain } = await server.world.center({ customDomain, tenantType: 'WHITE_LABEL' })
    for (const asked of [customDomain, customDomain.toUpperCase(), domain.toUpperCase()]) {
      expect((await config(asked)).body.data).toMatchObject({ domain, branding: { customDomain } })
    }
  })

  it('by the custom domain of a center of a white-label partner, and not of one of a franchise', async () => {
    for (const [kind, status] of [
      ['white_label', 200],
      ['franchise', 404],
    ] as const) {
      const customDomain = newDomain()
      await server.world.center({ customDomain, partner: await server.world.partner(kind) })
      expect([kind, (await config(customDomain)).status]).toEqual([kind, status])
    }
  })

  it('of a suspended center, like its public information', async () => {
    const { domain } = await server.world.center({ status: 'SUSPENDED' })
    expect((await config(domain)).status).toBe(200)
    expect((await server.call('GET', `/api/centers/${domain}/info`)).status).toBe(200)
  })
})

describe('404 CENTER_NOT_FOUND', () => {
  it('for an unknown domain, that of an ended center, and that of a center without white label', async () => {
    const [ended, plain] = [newDomain(), newDomain()]
    const { domain } = await server.world.center({
      status: 'INACTIVE',
      customDomain: ended,
      tenantType: 'WHITE_LABEL',
    })
    await server.world.center({ customDomain: plain })
    for (const asked of ['no-such-center', newDomain(), domain, ended, plain]) {
      expect([asked, ...codeOf(await config(asked))]).toEqual([asked, 404, 'CENTER_NOT_FOUND'])
    }
  })
})
