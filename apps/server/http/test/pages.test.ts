import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { buildConsole } from '../../../../tools/build-console.ts'

let server: TestServer

beforeAll(async () => {
  await buildConsole()
  server = await startServer()
})
afterAll(() => server.close())

const get = (path: string) => fetch(`${server.url}${path}`)

it.each(['/approve/evt_1', '/invitations/csi_1', '/password', '/password/csp_1', '/account', '/account/passkeys'])(
  '%s is a page that runs only our own script and that nobody can frame',
  async (path) => {
    const answer = await get(path)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    // Only the console makes addresses of workers.
    const trusted = `trusted-types ${path.startsWith('/approve/') ? "'none'" : 'countersign'}`
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", trusted]) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toContain('unsafe')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const html = await answer.text()
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=/)
    expect(html.match(/(src|href)="(?!\/assets\/|\/console\/|data:)/g)).toBeNull()
  },
)

it('scripts, styles and fonts are kept by browsers, and nothing else is served beside them', async () => {
  const html = await (await get('/approve/evt_1')).text()
  const [script = '', style = ''] = [/src="([^"]+)"/, /stylesheet"[^>]* href="([^"]+)"/].map(
    (each) => each.exec(html)?.[1],
  )
  const fonts = await (await get('/assets/fonts.css')).text()
  const font = /url\((\/assets\/fonts\/[^)]+)\)/.exec(fonts)?.[1] ?? ''
  for (const [path, type] of [
    [script, 'text/javascript; charset=utf-8'],
    [style, 'text/css; charset=utf-8'],
    [font, 'font/woff2'],
  ] as const) {
    const answer = await get(path)
    await answer.arrayBuffer()
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type])
    expect(answer.headers.get('cache-control')).toContain('immutable')
  }
  expect(fonts).not.toMatch(/https?:/)
  for (const path of [
    '/console/approve.html',
    '/console/approve.json',
    '/assets/approve.js',
    '/assets/fonts/x',
    '/assets/fonts/../fonts.ts',
    '/assets/fonts/%2e%2e%2fpackage.json',
  ]) {
    const answer = await get(path)
    await answer.arrayBuffer()
    expect([path, answer.status]).toEqual([path, 404])
  }
})

it('mails are shown in development only', async () => {
  const production = await startServer({ beside: server, env: { NODE_ENV: 'production' } })
  try {
    for (const path of ['/dev/mail', '/dev/mail/invitation.ko']) {
      const answer = await get(path)
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<!doctype html>')])
      expect((await fetch(`${production.url}${path}`)).status).toBe(404)
    }
    expect((await get('/dev/mail/99')).status).toBe(404)
  } finally {
    await production.close()
  }
})
