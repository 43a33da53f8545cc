/** Every error code of the Proof API, produced by a request. */
import { errorCodes } from '@countersign/contract/errors.ts'
import { armFailpoint } from '@countersign/server/lib/failpoint.ts'
import { newId } from '@countersign/server/lib/ids.ts'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../tests/support/contract-check.ts'
import { openProofFixture, type ProofFixture } from '../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
})
afterEach(() => armFailpoint(null))
afterAll(() => server.close())

const events = '/api/v1/decision-events'

const ways: Readonly<Record<string, () => Promise<Answer>>> = {
  BAD_REQUEST: () => server.call('POST', events, { token: fixture.key, raw: '{"type":' }),
  UNAUTHORIZED: () => server.call('GET', events),
  FORBIDDEN: async () => {
    const token = await server.world.key(fixture.center, { scopes: ['proof:read'] })
    return server.call('POST', events, { token, body: sampleEvent() })
  },
  NOT_FOUND: () => fixture.v1('GET', `/api/v1/evidence/${newId('evidence')}`),
  METHOD_NOT_ALLOWED: () => fixture.v1('PATCH', events),
  CONFLICT: async () => {
    const event = await fixture.record()
    await fixture.approve(event.id)
    return fixture.approve(event.id)
  },
  VALIDATION_ERROR: () => fixture.v1('POST', events, { type: 'custom' }),
  RATE_LIMIT: async () => {
    const token = await server.world.key(fixture.center, { rateLimit: 1 })
    await server.call('GET', events, { token })
    return server.call('GET', events, { token })
  },
  INTERNAL_ERROR: async () => {
    const event = await fixture.record()
    armFailpoint('fail:seal.append')
    return fixture.approve(event.id)
  },
  POLICY_VIOLATION: async () => {
    const own = await openProofFixture(server)
    await own.policy({ policyRequired: true })
    return own.decide()
  },
  CHAIN_BROKEN: async () => {
    const own = await openProofFixture(server)
    await own.decide()
    await server.world.query('update cell.chain_heads set broken_at = 0 where center_id = $1', [own.center.id])
    return own.decide()
  },
  SERVICE_UNAVAILABLE: async () => {
    const own = await openProofFixture(server)
    await own.decide()
    const event = await own.record()
    // Another transaction holds the chain for longer than the statement timeout.
    const client = new pg.Client({ connectionString: server.services.config.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query('select from cell.chain_heads where center_id = $1 for update', [own.center.id])
    return own.approve(event.id).finally(() => client.end())
  },
}

it('are all produced by a request', () => {
  const codes = Object.entries(errorCodes).filter(([, { proof }]) => proof !== null)
  expect(Object.keys(ways).toSorted()).toEqual(codes.map(([code]) => code).toSorted())
})

it.each(Object.keys(ways))('%s', async (code) => {
  const { status, headers, body } = await (ways[code] as () => Promise<Answer>)()
  expect(body.error).toEqual({
    code,
    message: expect.stringMatching(/^[A-Z"].{10}/),
    requestId: headers.get('x-request-id'),
    details: expect.any(Object),
  })
  expect(status).toBe(errorCodes[code as keyof typeof errorCodes].proof)
  const comesBack = ['RATE_LIMIT', 'SERVICE_UNAVAILABLE'].includes(code)
  if (comesBack) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  else expect(headers.get('retry-after')).toBeNull()
})
