/** Trials end once and on time over two years of a turned clock, with restarts and changes to and from daylight saving. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { endTrialsJob } from '../end-trials.job.ts'

let server: TestServer
let other: TestServer
let restore = () => {}
const zone = process.env.TZ

beforeAll(async () => {
  server = await startServer()
  other = await startServer({ beside: server })
})
afterAll(async () => {
  restore()
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
  await other.close()
  await server.close()
})

const day = 86_400_000
const trialDays = 14

async function provision(): Promise<number> {
  const founder = await server.world.person()
  const { accessToken: token } = await server.signIn(founder)
  const body = {
    centerName: 'On trial',
    subdomain: `t-${newUuid().slice(-12)}`,
    planId: 'center-starter',
    orderId: newUuid(),
    adminActorId: founder.actorId,
  }
  const answer = await server.call('POST', '/api/provisioning/center-tenant', { token, body })
  expect(answer.body.data.subscription.status).toBe('TRIAL')
  return answer.body.data.center.id
}

const ends = (centerId: number) =>
  server.world.query<{ at: Date; actor_id: string; move: string }>(
    `select occurred_at as at, actor_id, details ->> 'move' as move from directory.audit_entries
     where center_id = $1 and details ->> 'action' = 'subscription'`,
    [centerId],
  )

/** One trial after the other, so that each change of the clocks falls into some; the job runs hourly in the long form. */
const steps = process.env.TEST_LONG ? 24 * 730 : 2 * 52
const stepsPerTrial = process.env.TEST_LONG ? 12 : 2
const stepMs = Math.round((730 * day) / steps)

it('ends every trial once, by the first run after its end', { timeout: 3_600_000 }, async () => {
  // Far from the real time, which the database uses for nothing here.
  let at = Date.parse('2031-01-01T05:30:00Z')
  restore = useClock(() => at)
  const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Seoul']
  const open: { readonly centerId: number; readonly endsAt: number }[] = []
  let trials = 0
  for (let step = 0; step < steps; step++) {
    process.env.TZ = zones[step % zones.length]
    if (step % stepsPerTrial === 0) open.push({ centerId: await provision(), endsAt: at + trialDays * day })
    if (step % Math.ceil(steps / 8) === 0) {
      await other.close()
      other = await startServer({ beside: server })
    }
    const due = open.filter(({ endsAt }) => endsAt <= at)
    const ended = await Promise.all([server, other].map(({ services }) => endTrialsJob(services)))
    expect(ended.reduce((sum, count) => sum + count, 0)).toBe(due.length)
    for (const trial of due) {
      expect(await ends(trial.centerId)).toEqual([{ at: new Date(at), actor_id: 'end-trials', move: 'lapse' }])
      open.splice(open.indexOf(trial), 1)
      trials++
    }
    at += stepMs
  }
  expect(open.every(({ endsAt }) => endsAt > at - stepMs)).toBe(true)
  expect(trials + open.length).toBe(Math.ceil(steps / stepsPerTrial))
  expect(trials).toBeGreaterThan(40)
  for (const { centerId } of open) expect(await ends(centerId)).toEqual([])
  restore()
})

it('goes on after a run that stopped halfway, and leaves paid and running subscriptions alone', async () => {
  const at = Date.parse('2034-03-12T07:00:00Z')
  restore = useClock(() => at)
  const centers = [await provision(), await provision(), await provision()]
  const [first, second, paid] = centers
  await server.world.query(`update directory.subscriptions set status = 'ACTIVE' where center_id = $1`, [paid])
  const running = await provision().then(async (id) => {
    await server.world.query(`update directory.subscriptions set current_period_end = $2 where center_id = $1`, [
      id,
      new Date(at + trialDays * day + 1),
    ])
    return id
  })
  restore = useClock(() => at + trialDays * day)
  const { services } = server
  let turns = 0
  const asCenter: typeof services.directory.asCenter = (...work) =>
    ++turns > 1 ? Promise.reject(new Error('killed')) : services.directory.asCenter(...work)
  await expect(endTrialsJob({ ...services, directory: { ...services.directory, asCenter } })).rejects.toThrow('killed')
  expect(await endTrialsJob(services)).toBeGreaterThan(0)
  expect(await endTrialsJob(services)).toBe(0)
  for (const id of [first, second]) expect(await ends(id as number)).toHaveLength(1)
  for (const id of [paid, running]) expect(await ends(id as number)).toEqual([])
  restore()
})
