/** Workers at rest: how seldom they ask, and how soon they learn that something is due. */
import { setTimeout as sleep } from 'node:timers/promises'
import { dueWork } from '@countersign/server/jobs/due-work.ts'
import { wakeUps } from '@countersign/server/jobs/wake-ups.ts'
import { openRedis } from '@countersign/server/lib/redis.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { startWebhookFixture, type WebhookFixture } from '../../../../tests/support/webhook-fixture.ts'

/** Longer than the last of the looks that a write causes. */
const calmMs = 1200
/** A look that no write causes comes by chance in a fifth of the rounds. */
const soonMs = 400
const rounds = 6

describe('a process that rests', () => {
  let fixture: WebhookFixture
  beforeAll(async () => {
    fixture = await startWebhookFixture()
    await fixture.server.services.deliveryWorkers.stop()
    await fixture.register()
  })
  afterAll(() => fixture.close())

  it.each([
    ['over Redis', true],
    ['not at once where Redis is away, but at its next look', false],
  ])('learns of a delivery that another process wrote, %s', async (_, isThere) => {
    const { config, cells, log } = fixture.server.services
    const redis = openRedis(isThere ? config.redisUrl : 'redis://127.0.0.1:9', log)
    const waking = wakeUps(redis, config.redisPrefix, log)
    const woken = vi.fn()
    const telling = dueWork(log, waking).tell(cells.of('main'), 'deliver', woken)
    telling.start()
    let soon = 0
    for (let round = 0; round < rounds; round++) {
      await fixture.server.world.query('update cell.webhook_endpoints set due_at = null')
      await sleep(calmMs)
      woken.mockClear()
      await fixture.publish()
      await vi
        .waitFor(() => expect(woken).toHaveBeenCalled(), { timeout: soonMs, interval: 5 })
        .then(
          () => soon++,
          () => {},
        )
    }
    if (isThere) expect(soon).toBe(rounds)
    else {
      expect(soon).toBeLessThan(rounds)
      await vi.waitFor(() => expect(woken).toHaveBeenCalled(), { timeout: 3000 })
    }
    await telling.stop()
    waking.close()
    redis?.disconnect()
  })
})

describe('an idle worker', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ jobs: true, cells: ['one'] })
  })
  afterAll(() => server.close())

  /** `npm run bench -- idle` measures for minutes: less than two. The jobs of a minute may fall into this window. */
  it('makes a few transactions a second in its cell', async () => {
    const [cell] = server.services.config.cells.values()
    const read = async () => {
      const [row] = await server.world.query<{ n: number }>(
        'select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = $1',
        [new URL(cell as string).pathname.slice(1)],
      )
      return row?.n as number
    }
    await sleep(13_000)
    const before = await read()
    await sleep(15_000)
    const perSecond = ((await read()) - before) / 15
    expect(perSecond).toBeGreaterThan(0)
    expect(perSecond).toBeLessThan(5)
  })
})
