import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { PasskeyHost } from '../api.ts'
import { passkeyHost, requirePasskeyHost } from '../host.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const start = (authUrl: string) => requirePasskeyHost({ authUrl }, server.services.directory, server.services.log)

it('is the host name without the port, and its origin has the port', () => {
  const { rpId, origin }: PasskeyHost = passkeyHost({ authUrl: 'http://localhost:3000/somewhere' })
  expect([rpId, origin]).toEqual(['localhost', 'http://localhost:3000'])
})

it.each(['http://127.0.0.1:3000', 'http://[::1]:3000'])('is no IP address: %s', async (authUrl) => {
  const other = await startServer({ env: { AUTH_URL: authUrl } })
  try {
    const { status, body } = await other.call('POST', '/api/auth/passkeys/login/options')
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    await requirePasskeyHost({ authUrl }, other.services.directory, other.services.log)
    expect(other.logs.filter((line) => line.includes('there are no passkeys'))).toHaveLength(1)
  } finally {
    await other.close()
  }
})

it('is fixed at the first start', async () => {
  await start('https://one.example')
  await start('https://one.example:8443')
  for (const other of ['https://two.example', 'https://127.0.0.1']) {
    await expect(start(other)).rejects.toThrow(/belong to the host "one\.example" and do not work at/)
  }
})
