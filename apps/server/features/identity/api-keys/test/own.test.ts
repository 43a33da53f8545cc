import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

const path = '/api/v1/api-key'
const actor = { id: 'coding-agent', type: 'ai_agent' }
let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

describe('200', () => {
  it("returns the key's scopes, actor and center, and not the key", async () => {
    const token = await server.world.key(fixture.center, { scopes: ['decide'], boundTo: actor })
    const { status, body } = await server.call('GET', path, { token })
    expect([status, body.data]).toEqual([
      200,
      { id: expect.stringMatching(/^key_/), scopes: ['decide'], actor, centerId: fixture.center.id, isSandbox: false },
    ])
    expect(JSON.stringify(body)).not.toContain(token)
  })

  it('shows every scope, so that a program can refuse a key that can do too much', async () => {
    const token = await server.world.key(fixture.center, { scopes: ['decide', 'proof:approve'], boundTo: actor })
    expect((await server.call('GET', path, { token })).body.data.scopes).toEqual(['decide', 'proof:approve'])
  })
})

describe('403 FORBIDDEN', () => {
  it('for a key that can only publish events', async () => {
    const token = await server.world.key(fixture.center, { scopes: ['events:write'] })
    expect((await server.call('GET', path, { token })).status).toBe(403)
  })
})
