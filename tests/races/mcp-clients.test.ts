/**
 * Many MCP clients at once over two server processes. Every request may reach either process: a decision that one has
 * recorded is waited for in the other, and of two clients that take it at the same time one gets it.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, done, openCenter, refund } from '../../apps/server/features/automation/mcp/test/fixture.ts'
import { type ChildServer, spawnBeside } from '../support/child-server.ts'
import { eras, type McpClient, overHttp } from '../support/mcp.ts'
import type { ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'

const count = process.env.TEST_LONG ? 50 : 10
let server: TestServer
let other: ChildServer
let fixture: ProofFixture
let pairs: { one: McpClient; two: McpClient }[]

beforeAll(async () => {
  server = await startServer()
  const limits = { RATE_LIMIT_PROOF: '1000000/60', RATE_LIMIT_BYTES_PER_CENTER: '999999999/1' }
  ;[other, fixture] = await Promise.all([spawnBeside(server, limits), openCenter(server)])
  const open = (url: string, n: number) => overHttp(url, fixture.key, { era: eras[n % 2] as (typeof eras)[number] })
  pairs = await Promise.all(
    Array.from({ length: count / 2 }, async (_, n) => ({
      one: await open(server.url, n),
      two: await open(other.url, n),
    })),
  )
}, 600_000)
afterAll(async () => {
  await Promise.all(pairs.flatMap(({ one, two }) => [one.close(), two.close()]))
  await other.stop()
  await server.close()
})

it(`${count} clients record, wait and act over two processes, and each decision is taken once`, async () => {
  const outcomes = await Promise.all(
    pairs.map(async ({ one, two }, n) => {
      const asked = { ...refund(1000 + n), idempotencyKey: `call-${n}` }
      const [first, second] = await Promise.all([
        done(one, 'request_approval', asked),
        done(two, 'request_approval', asked),
      ])
      expect(second.eventId).toBe(first.eventId)
      const { eventId } = first
      const waiting = [one, two].map((client) => done(client, 'wait_for_approval', { eventId, withinSeconds: 50 }))
      expect((await fixture.approveAsMember(eventId)).status).toBe(200)
      for (const state of await Promise.all(waiting)) expect(state).toMatchObject({ status: 'allowed', eventId })
      const { type, input } = refund(1000 + n).action
      const taken = await Promise.all(
        [one, two].map((client) => call(client, 'consume_approval', { eventId, action: { type, input } })),
      )
      return taken.map(({ isError = false }) => isError).toSorted()
    }),
  )
  expect(outcomes).toEqual(pairs.map(() => [false, true]))
}, 120_000)
