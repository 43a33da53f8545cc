/** A process whose clock is far from that of the database: measured while it runs, it changes nothing until the clocks agree. */
import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture, sampleDecision } from '../support/proof-fixture.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let fixture: ProofFixture
let restore = () => {}
beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
})
afterEach(async () => {
  restore()
  await server.services.clock.look()
})
afterAll(() => server.close())

async function at(aheadMs: number): Promise<void> {
  restore = useClock(() => Date.now() + aheadMs)
  await server.services.clock.look()
}
const record = () =>
  server.call('POST', '/api/v1/decision-events', { token: fixture.key, body: sampleEvent(), impatient: true })
const decide = () =>
  server.call('POST', '/api/v1/agents/decide', { token: fixture.key, body: sampleDecision(), impatient: true })
const skew = async () =>
  Number(/^countersign_clock_skew_seconds (\S+)$/m.exec(await server.services.metrics.text())?.[1])

it('is a metric, and small where the clocks agree', async () => {
  await server.services.clock.look()
  expect(Math.abs(await skew())).toBeLessThan(2)
})

describe('beyond the bound', () => {
  it.each([600_000, -600_000])('%s ms: nothing is recorded, decided or ready', async (aheadMs) => {
    await at(aheadMs)
    expect(Math.abs((await skew()) - aheadMs / 1000)).toBeLessThan(5)
    const words = /^This server's clock is off by (600|599|601) seconds, so nothing was changed\./
    for (const { status, body } of [await record(), await decide()])
      expect([status, body.error.message]).toEqual([503, expect.stringMatching(words)])
    const ready = await server.call('GET', '/health/ready')
    expect([ready.status, ready.body.error.message]).toEqual([503, expect.stringMatching(words)])
    restore()
    await server.services.clock.look()
    expect((await record()).status).toBe(201)
    await expect.poll(async () => (await server.call('GET', '/health/ready')).status).toBe(200)
  })

  it('nothing is sealed for a job either', async () => {
    await at(600_000)
    const { centers, sequencer } = server.services
    const center = await centers.profile(fixture.center.id)
    const caller = { requestId: 'r', actorId: null, centerId: center.centerId }
    const item = { center, caller, holds: { chains: [] }, judge: () => 1 }
    await expect(sequencer.seal(item)).rejects.toThrow("This server's clock")
  })
})

it('within the bound, a process works', async () => {
  await at(20_000)
  expect((await record()).status).toBe(201)
})
