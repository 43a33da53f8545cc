/**
 * A hundred schedules in four time zones over a month with clock changes, with two workers and an outage of two days. The
 * expected due times are computed independently: minute by minute, from the local time.
 */
import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { seededRandom } from '../../../../../../tests/support/seeded-random.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { workflow } from '../../../../../../tests/support/workflow-fixture.ts'
import { scheduleWorker } from './worker.ts'

const minute = 60_000
const timezones = ['Europe/Berlin', 'America/New_York', 'Asia/Seoul', 'Australia/Sydney']
/** Twenty centers with five schedules each; four of them in the short form. */
const centersPerZone = process.env.TEST_LONG ? 5 : 1

interface Wall {
  readonly minute: number
  readonly hour: number
  readonly day: number
  readonly weekday: number
}

const crons: readonly { cron: string; matches(wall: Wall): boolean }[] = [
  { cron: '30 2 * * *', matches: ({ minute: m, hour }) => m === 30 && hour === 2 },
  { cron: '30 1 * * *', matches: ({ minute: m, hour }) => m === 30 && hour === 1 },
  { cron: '0 9 * * 1-5', matches: ({ minute: m, hour, weekday }) => m === 0 && hour === 9 && weekday % 6 !== 0 },
  { cron: '0 0 1,15 * *', matches: ({ minute: m, hour, day }) => m === 0 && hour === 0 && (day === 1 || day === 15) },
  { cron: '15 */6 * * *', matches: ({ minute: m, hour }) => m === 15 && hour % 6 === 0 },
]
const definitions = crons.map(({ cron }, n) => workflow({ key: `due.${n}`, type: 'SCHEDULED', schedule: { cron } }))

let servers: TestServer[]
const centers: { readonly id: number; readonly timezone: string }[] = []
let restore = () => {}
beforeAll(async () => {
  const first = await startServer({ definitions })
  servers = [first, await startServer({ definitions, beside: first })]
  for (const timezone of timezones) {
    for (let n = 0; n < centersPerZone; n++) {
      const { id } = await first.world.center()
      await first.world.query(`update directory.centers set settings = settings || $2 where id = $1`, [
        id,
        JSON.stringify({ timezone }),
      ])
      centers.push({ id, timezone })
    }
  }
}, 180_000)
afterEach(() => restore())
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close()
})

/** The local time of an instant, as milliseconds as if it were UTC. */
function localClock(timezone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  return (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`)
}

const wallOf = (shown: number): Wall => {
  const date = new Date(shown)
  return { minute: date.getUTCMinutes(), hour: date.getUTCHours(), day: date.getUTCDate(), weekday: date.getUTCDay() }
}

/** Each matching local time is due when it first occurs, or at the clock change that skips it. */
function dueTimes(timezone: string, from: number, to: number): Map<string, number[]> {
  const shows = localClock(timezone)
  const due = new Map(definitions.map(({ key }) => [key, new Set<number>()]))
  let seen = shows(from - minute)
  for (let instant = from; instant <= to; instant += minute) {
    for (const now = shows(instant); seen < now; ) {
      seen += minute
      for (const [n, { matches }] of crons.entries()) if (matches(wallOf(seen))) due.get(`due.${n}`)?.add(instant)
    }
  }
  return new Map([...due].map(([key, times]) => [key, [...times]]))
}

/** Of the due times during the outage only the last one is started. */
const withOutage = (times: readonly number[], from: number, to: number): number[] => {
  const missed = times.filter((each) => each > from && each <= to)
  return times.filter((each) => !missed.includes(each) || each === missed.at(-1))
}

const seasons = [
  ['spring in the north, autumn in the south', '2026-03-07T00:00Z', '2026-03-28T02:20Z'],
  ['autumn in the north, spring in the south', '2026-10-03T00:00Z', '2026-10-24T02:20Z'],
] as const

it.each(process.env.TEST_LONG ? seasons : seasons.slice(0, 1))(
  'each due time fires once: %s',
  async (_season, begin, away) => {
    const random = seededRandom(Date.parse(begin))
    const from = Date.parse(begin)
    const to = from + 31 * 86_400_000
    const outage = { from: Date.parse(away), to: Date.parse(away) + 2 * 86_400_000 }
    let now = from
    restore = useClock(() => now)
    const workers = servers.map(scheduleWorker)
    await Promise.all(workers.map((worker) => worker.sync()))
    const shares = [0, 0]
    while (now < to) {
      // Never a whole hour: no schedule here is due twice within one.
      now = Math.min(to, now + Math.round((20 + random() * 39) * minute))
      if (now > outage.from && now < outage.to) now = outage.to
      const fired = await Promise.all(workers.map((worker) => worker.fire()))
      for (const [index, count] of fired.entries()) shares[index] = (shares[index] as number) + count
    }
    const { world } = servers[0] as TestServer
    const rows = await world.query<{ center_id: number; workflow_key: string; scheduled_for: Date }>(
      `select center_id, workflow_key, scheduled_for from cell.executions where scheduled_for > $1 order by scheduled_for`,
      [new Date(from)],
    )
    const found = Map.groupBy(rows, ({ center_id, workflow_key }) => `${center_id} ${workflow_key}`)
    expect(found.size).toBe(timezones.length * centersPerZone * crons.length)
    for (const timezone of timezones) {
      const due = dueTimes(timezone, from + minute, to)
      for (const { id } of centers.filter((center) => center.timezone === timezone)) {
        for (const [key, times] of due) {
          const fired = (found.get(`${id} ${key}`) ?? []).map(({ scheduled_for }) => scheduled_for.toISOString())
          const expected = withOutage(times, outage.from, outage.to).map((each) => new Date(each).toISOString())
          expect({ timezone, key, fired }).toEqual({ timezone, key, fired: expected })
        }
      }
    }
    // Both workers must have started executions; else the test would cover only one.
    expect(Math.min(...shares)).toBeGreaterThan(0)
  },
  600_000,
)
