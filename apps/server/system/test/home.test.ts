import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { buildConsole } from '../../../../tools/build-console.ts'
import { consolePage } from '../../http/console.ts'

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

  it.each(['/', '/login', '/c/haneul/inbox', '/p/centers', '/me', '/operator'])(
    'the document of the console for browsers at %s',
    async (path) => {
      await buildConsole()
      const response = await fetch(server.url + path, { headers: { accept: browser } })
      const html = await response.text()
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).not.toContain('unsafe')
      expect(html).not.toMatch(/<script>|<style|style="|https?:/)
      const files = [...html.matchAll(/"(\/console\/[^"]+)"/g)].map(([, file]) => file as string)
      expect(files.length).toBeGreaterThan(2)
      for (const [file, encoding] of files.flatMap((each) => [
        [each, 'br'],
        [each, 'gzip'],
        [each, 'identity'],
      ])) {
        const answer = await fetch(server.url + file, { headers: { 'accept-encoding': encoding as string } })
        expect([answer.status, answer.headers.get('content-encoding') ?? 'identity']).toEqual([200, encoding])
        expect(answer.headers.get('cache-control')).toContain('immutable')
        expect((await answer.text()).length).toBeGreaterThan(20)
      }
    },
  )
})

describe('404', () => {
  it.each(['/console/index.html', '/console/built-from', '/console/..%2fpackage-12345678.js'])(
    'what no document names: %s',
    async (path) => {
      expect((await fetch(server.url + path)).status).toBe(404)
    },
  )
})

it('without the built files, the answer names the command that makes them', async () => {
  await expect(consolePage(new URL('nowhere/', import.meta.url))).rejects.toThrow('npm run build:console')
})
