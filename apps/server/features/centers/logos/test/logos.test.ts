import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { chunk, pngSignature } from '../../../../lib/png.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A picture of one color, with a text beside it. */
function picture(color: number, side = 3, text = 'taken at home'): string {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const line = Buffer.concat([Buffer.of(0), Buffer.alloc(side * 3, color)])
  const data = deflateSync(Buffer.concat(Array.from({ length: side }, () => line)))
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from(text)),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
    Buffer.from('<script>'),
  ]).toString('base64')
}

async function aCenter(role = 'ADMIN') {
  const [center, person] = [await server.world.center(), await server.world.person()]
  await server.world.member(person, center, role)
  const { accessToken: token } = await server.signIn(person, center.domain)
  const path = `/api/centers/${center.domain}/logos`
  return { center, token, path, add: (png: string) => server.call('POST', path, { token, body: { png } }) }
}

async function aPartner() {
  const { accessToken: token } = await server.signIn(await server.world.person({ partner: true }))
  const path = '/api/partner/logos'
  return { token, path, add: (png: string) => server.call('POST', path, { token, body: { png } }) }
}

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${server.services.config.port}${path}`)
const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]

describe('201', () => {
  it.each([
    ['a center', aCenter],
    ['a partner', aPartner],
  ] as const)('gives the address of the pixels of %s, which everybody may see and browsers keep', async (_, owner) => {
    const { add } = await owner()
    const { status, body } = await add(picture(9))
    expect(status).toBe(201)
    expect(body.data.logo).toMatch(/^\/assets\/logos\/[0-9a-f]{64}\.png$/)
    const shown = await get(body.data.logo)
    expect(shown.status).toBe(200)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const file = Buffer.from(await shown.arrayBuffer())
    expect([file.subarray(1, 4).toString(), file.includes('home'), file.includes('script')]).toEqual([
      'PNG',
      false,
      false,
    ])
    // The same picture with another text is the same logo.
    expect((await add(picture(9, 3, 'other'))).body.data.logo).toBe(body.data.logo)
  })

  it('which becomes the logo of the center by its settings, for the page without a sign-in too', async () => {
    const { center, token, add } = await aCenter()
    const { logo } = (await add(picture(20))).body.data
    const settings = `/api/centers/${center.domain}/settings`
    const set = await server.call('PATCH', settings, { token, body: { branding: { logo } } })
    expect([set.status, set.body.data.branding.logo]).toEqual([200, logo])
    const { body } = await server.call('GET', `/api/whitelabel/${center.domain}/config`)
    expect(body.data.branding.logo).toBe(logo)
    const back = await server.call('PATCH', settings, { token, body: { branding: { logo: '' } } })
    expect(back.body.data.branding.logo).toBe('')
  })

  it('keeps the one in use and the twenty newest', async () => {
    const { center, token, add } = await aCenter()
    const first = (await add(picture(0))).body.data.logo
    await server.call('PATCH', `/api/centers/${center.domain}/settings`, { token, body: { branding: { logo: first } } })
    const later: string[] = []
    for (let color = 1; color <= 22; color++) later.push((await add(picture(color, 4))).body.data.logo)
    const statuses = await Promise.all([first, ...later].map(async (each) => (await get(each)).status))
    expect(statuses).toEqual([200, 404, 404, ...Array(20).fill(200)])
  })
})

describe('400 VALIDATION_ERROR', () => {
  it.each([
    ['a JPEG that is sent as a PNG', Buffer.from('ffd8ffe000104a46494600', 'hex').toString('base64')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['more than 512 pixels', picture(1, 513)],
    ['more than 200 KB', Buffer.alloc(204_801, 1).toString('base64')],
    ['what is no Base64', '<svg>'],
    ['nothing', ''],
  ])('for %s', async (_, png) => {
    expect(codeOf(await (await aCenter()).add(png))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('who may not', () => {
  it('without a credential: 401', async () => {
    const { path } = await aCenter()
    expect((await server.call('POST', path, { body: { png: picture(1) } })).status).toBe(401)
  })

  it.each(['INSTRUCTOR', 'PARENT', 'CHILD'])('as %s: 403', async (role) => {
    expect(codeOf(await (await aCenter(role)).add(picture(1)))).toEqual([403, 'INSUFFICIENT_ROLE'])
  })

  it('for another center: 403, and nothing is stored there', async () => {
    const [own, other] = [await aCenter(), await aCenter()]
    const { status } = await server.call('POST', other.path, { token: own.token, body: { png: picture(77) } })
    expect(status).toBe(403)
    const rows = await server.world.query('select count(*)::int as n from directory.logos where center_id = $1', [
      other.center.id,
    ])
    expect(rows).toEqual([{ n: 0 }])
  })
})

it('an unknown address, one of another form and a longer one are not found', async () => {
  const unknown = `/assets/logos/${'0'.repeat(64)}`
  for (const path of [`${unknown}.png`, unknown, `${unknown}.svg`, `${unknown}0.png`, '/assets/logos/..%2f.png'])
    expect([path, (await get(path)).status]).toEqual([path, 404])
})
