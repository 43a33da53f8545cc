import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { type EventFixture, openFixture } from './fixture.ts'
import { listCases } from './list.cases.ts'
import { liveTotalCases } from './list-live.cases.ts'

let fixture: EventFixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

listCases(() => fixture)
liveTotalCases(() => fixture)

it('lists an event of 1 MB as a summary of bounded size, without input, output and reasoning', async () => {
  const { server, newCenter } = fixture
  const token = await server.world.key(await newCenter({}))
  const name = '\u0001'.repeat(10_000)
  const body = sampleEvent({
    actor: { id: name, type: 'ai_agent', name },
    action: { type: name, description: name, input: { document: 'x'.repeat(700_000) } },
    tags: Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(64, '€')),
  })
  const recorded = await server.call('POST', '/api/v1/decision-events', { token, body })
  expect(recorded.status).toBe(201)
  const { text } = await server.call('GET', '/api/v1/decision-events', { token })
  expect(text.length).toBeLessThan(200_000)
})
