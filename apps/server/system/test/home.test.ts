import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('200', () => {
  it('JSON for clients that are not browsers', async () => {
    const { status, body, headers } = await server.call('GET', '/')
    expect([status, headers.get('vary')]).toEqual([200, 'accept'])
    expect(body).toMatchObject({ name: 'Countersign', links: { docs: '/docs' } })
  })

  it('a page for browsers with working links', async () => {
    const response = await fetch(server.url, { headers: { accept: browser } })
    const html = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, path]) => path as string)
    expect(links).toEqual(['/docs', '/verify', '/openapi.json', '/health/ready'])
    for (const path of links) expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200])
  })

  it('a content security policy that allows only the style sheet, by hash', async () => {
    const response = await fetch(server.url, { headers: { accept: browser } })
    const html = await response.text()
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(html).not.toMatch(/<script|style="|https?:/)
  })
})
