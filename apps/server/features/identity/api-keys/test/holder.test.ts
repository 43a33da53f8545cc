/** The answers to the holder of a refused API key, and the id under which a key's actions are audited. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { newApiKey } from '../../../../access/api-key-format.ts'
import { openPartner } from '../../../centers/partner/test/fixture.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

const errorFor = async (token: string) => {
  const { status, body } = await server.call('GET', '/api/v1/decision-events', { token })
  return { status, ...body.error }
}

describe('401 UNAUTHORIZED', () => {
  it('states that the key has expired', async () => {
    const key = await server.world.key(fixture.center, { expiresAt: new Date(Date.now() - 1000) })
    const { status, code, message, details } = await errorFor(key)
    expect([status, code, details]).toEqual([401, 'UNAUTHORIZED', { reason: 'expired' }])
    expect(message).toBe('This API key has expired. Ask an administrator of the center for a new one.')
  })

  it('states that the key was revoked, also when it has expired since', async () => {
    for (const expiresAt of [undefined, new Date(Date.now() - 1000)]) {
      const key = await server.world.key(fixture.center, { revoked: true, ...(expiresAt && { expiresAt }) })
      const { status, code, message, details } = await errorFor(key)
      expect([status, code, details]).toEqual([401, 'UNAUTHORIZED', { reason: 'revoked' }])
      expect(message).toBe('This API key was revoked. Ask an administrator of the center for a new one.')
    }
  })

  it('gives no reason for an unknown key', async () => {
    const revoked = await server.world.key(fixture.center, { revoked: true })
    const alike = `${revoked.slice(0, -8)}${revoked.endsWith('a') ? 'b'.repeat(8) : 'a'.repeat(8)}`
    for (const key of [newApiKey('test'), alike, 'nonsense']) {
      const { status, code, details } = await errorFor(key)
      expect([status, code, details]).toEqual([401, 'UNAUTHORIZED', {}])
    }
  })
})

describe('audit', () => {
  it('names the key by the id that the list of keys shows', async () => {
    const partner = await openPartner(server)
    const center = await partner.center()
    const admin = await server.world.person()
    await server.world.member(admin, center, 'ADMIN')
    const { accessToken: token } = await server.signIn(admin, center.domain)
    const created = await server.call('POST', '/api/api-keys', {
      token,
      body: { name: 'Agent', scopes: ['proof:write'] },
    })
    const { id, key } = created.body.data
    await server.call('POST', '/api/v1/agents/decide', {
      token: key,
      body: {
        agent: { id: 'agent-7' },
        action: { type: 'stock.reorder', description: 'Order 40 boxes' },
      },
    })
    const { body } = await partner.call('GET', '/partner/audit')
    const sealed = body.data.filter((entry: { type: string }) => entry.type === 'decision.sealed')
    expect(id).toMatch(/^key_/)
    expect(sealed.map((entry: { actorId: string }) => entry.actorId)).toEqual([id])
  })
})
