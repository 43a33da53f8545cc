/** Totals while the center is busy: exact at every moment, during recording and counting. */
import { describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { countEventsJob } from '../count-events.job.ts'
import type { EventFixture } from './fixture.ts'

const path = '/api/v1/decision-events'

const kinds = [
  { query: '', counts: () => true },
  { query: 'type=custom', counts: (n: number) => n % 2 === 0 },
  { query: 'tag=third', counts: (n: number) => n % 3 === 0 },
  { query: 'status=recorded', counts: () => true },
  { query: 'type=custom&tag=third&status=recorded', counts: (n: number) => n % 6 === 0 },
]

const numbered = (n: number) =>
  sampleEvent({ type: n % 2 === 0 ? 'custom' : 'escalation', tags: n % 3 === 0 ? ['third', `n-${n}`] : [`n-${n}`] })

export function liveTotalCases(fixture: () => EventFixture, home?: string): void {
  describe('total while events are recorded and counted', () => {
    it('is at least what was answered before and at most what was sent', async () => {
      const { server, newCenter, cellOf } = fixture()
      const center = await newCenter({ cell: home })
      const token = await server.world.key(center)
      const events = 600
      const sent: number[] = []
      const answered: number[] = []
      let looks = 0
      let counts = 0
      let done = false

      async function write(): Promise<void> {
        while (sent.length < events) {
          const n = sent.length
          sent.push(n)
          const headers: Record<string, string> = n % 5 === 0 ? { 'idempotency-key': `k-${n}` } : {}
          const { status } = await server.call('POST', path, { token, body: numbered(n), headers })
          expect(status).toBe(201)
          answered.push(n)
        }
      }
      async function look({ query, counts: of }: (typeof kinds)[number]): Promise<void> {
        while (!done) {
          const least = answered.filter(of).length
          const { body } = await server.call('GET', `${path}?${query}`, { token })
          const most = sent.filter(of).length
          expect(body.pagination.total).toBeGreaterThanOrEqual(least)
          expect(body.pagination.total).toBeLessThanOrEqual(most)
          looks++
        }
      }
      async function count(): Promise<void> {
        while (!done) {
          await countEventsJob(server.services, cellOf(center), { centerId: center.id })
          counts++
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      }

      const watching = Promise.all([...kinds.map(look), count(), count()])
      await Promise.all(Array.from({ length: 8 }, write)).finally(() => {
        done = true
      })
      await watching
      expect(looks).toBeGreaterThan(20)
      expect(counts).toBeGreaterThan(5)
      for (const { query, counts: of } of kinds) {
        const { body } = await server.call('GET', `${path}?limit=1&${query}`, { token })
        expect(body.pagination.total).toBe(sent.filter(of).length)
      }
      const kept = await fixture().inCellOf<{ total: number }>(
        center,
        `select sum(events)::int as total from cell.decision_event_counts where center_id = $1 and tag = ''`,
        [center.id],
      )
      expect(kept[0]?.total).toBeGreaterThan(0)
    })

    it('consecutive pages include every event that existed when reading began', async () => {
      const { server, newCenter } = fixture()
      const token = await server.world.key(await newCenter({ cell: home }))
      const record = (n: number) => server.call('POST', path, { token, body: numbered(n) })
      const before = new Set<string>()
      for (let n = 0; n < 30; n++) before.add((await record(n)).body.data.id)
      const seen = new Set<string>()
      for (let offset = 0, hasMore = true; hasMore; offset += 10) {
        const { body } = await server.call('GET', `${path}?limit=10&offset=${offset}`, { token })
        for (const { id } of body.data) seen.add(id)
        hasMore = body.pagination.hasMore
        // New events push older ones towards later pages: some appear twice, none is missed.
        if (offset < 30) await Promise.all([record(100), record(101)])
      }
      expect([...before].filter((id) => !seen.has(id))).toEqual([])
    })
  })
}
