import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealLargeRecords } from '../../../../../../tests/bench/large-records.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { liftConstraints } from '../../../../../../tests/tamper/forger.ts'
import { verifyGrowth } from '../growth.ts'
import { verifyChainsJob } from '../verify-chains.job.ts'
import { metric, type VerifiedCenter, verifiedCenter } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await liftConstraints(server.world.query)
})
afterAll(() => server.close())

const walk = (stop = new AbortController().signal) => verifyChainsJob(server.services, 'main', stop)
const said = (level: number) => server.logs.map((line) => JSON.parse(line)).filter((line) => line.level >= level)
const filled = async (): Promise<VerifiedCenter> => {
  const fixture = await verifiedCenter(server)
  await fixture.seal()
  const { id } = await fixture.demo()
  await fixture.change(id, { metadata: { reason: 'why' } })
  return fixture
}

describe('the continuous verifier', () => {
  it('verifies the records of every center, and an answer says when', async () => {
    const fixtures = [await filled(), await filled()]
    expect((await fixtures[0]?.verify('chain'))?.recordsVerifiedAt).toBeNull()
    await walk()
    for (const fixture of fixtures) {
      const { recordsVerifiedAt, allValid } = await fixture.verify('chain')
      expect([allValid, recordsVerifiedAt]).toEqual([true, expect.any(String)])
      const checks = await server.world.query(
        `select domain, scanned_to, broken_at from cell.chain_checks where center_id = $1 and mode = 'records' order by domain`,
        [fixture.center.id],
      )
      expect(checks).toEqual(['dpu', 'history', 'proof'].map((domain) => ({ domain, scanned_to: 1, broken_at: null })))
    }
    expect(said(50)).toEqual([])
  })

  it('finds a fault in one center without a request, and continues with the others', async () => {
    const [broken, whole] = [await filled(), await filled()]
    await broken.forge(
      `update cell.dpus set content = 'forged' where center_id = ${broken.center.id} and domain = 'dpu'`,
    )
    await walk()
    await walk()
    expect(await broken.alarms()).toMatchObject([
      { action: 'found', target_id: 'dpu', actor_id: 'verify-chains', details: { brokenAt: 0, mode: 'records' } },
    ])
    expect(await whole.alarms()).toEqual([])
    expect(await metric(server, /^countersign_chains_broken\{cell="main"\} (\d+)/m)).toBe(1)
    const refused = await server.call('POST', '/api/dpu/demo', { token: broken.token, body: {} })
    expect([refused.status, refused.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
    await whole.demo()
  })

  it('finds a center without any chain head', async () => {
    const fixture = await filled()
    await walk()
    await fixture.forge(`delete from cell.chain_heads where center_id = ${fixture.center.id}`)
    await walk()
    expect(await fixture.alarms()).toHaveLength(3)
  })

  it('reads pages of two centers in turn, so that a large center does not delay the others', async () => {
    const large = await verifiedCenter(server)
    await sealLargeRecords(server, large.key, 20)
    const small = await verifiedCenter(server)
    await small.demo()
    const pages: number[] = []
    const { cells } = server.services
    const cell = cells.of('main')
    const observed: typeof cell = {
      ...cell,
      inTenantJob: (centerId, job, work) => {
        pages.push(centerId)
        return cell.inTenantJob(centerId, job, work)
      },
    }
    const needs = { ...server.services, cells: { ...cells, of: () => observed } }
    await verifyChainsJob(needs, 'main', new AbortController().signal)
    // Both were never verified, so they come first.
    expect(pages.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, at) => (at % 2 ? small : large).center.id))
    expect(pages.lastIndexOf(small.center.id)).toBeLessThan(pages.lastIndexOf(large.center.id))
  })

  it('stops when asked, and next time continues with the centers it did not reach', async () => {
    const fixture = await filled()
    const stop = new AbortController()
    const walking = walk(stop.signal)
    stop.abort()
    await walking
    expect((await fixture.verify('chain')).recordsVerifiedAt).toBeNull()
    await walk()
    expect((await fixture.verify('chain')).recordsVerifiedAt).not.toBeNull()
  })
})

describe('growth', () => {
  /** What was verified, and how many entries were read for it. */
  async function grown(fixture: VerifiedCenter) {
    const pages: number[] = []
    const { services } = server
    const metrics = { ...services.metrics, verified: (_: string, read: number) => void pages.push(read) }
    const verdict = await verifyGrowth({
      needs: { ...services, metrics },
      centerId: fixture.center.id,
      inCenter: (work) => services.cells.of('main').inTenantJob(fixture.center.id, 'verify-chains', work),
    })
    return [verdict, pages.reduce((sum, read) => sum + read, 0)]
  }
  const forgeDpu = (fixture: VerifiedCenter, index: number) =>
    fixture.forge(
      `update cell.dpus set content = 'forged'
       where center_id = ${fixture.center.id} and domain = 'dpu' and chain_index = ${index}`,
    )

  it('is verified from where the last verification ended, and a fault in it raises the alarm', async () => {
    const fixture = await filled()
    await fixture.verify('records')
    expect(await grown(fixture)).toEqual(['valid', 0])
    for (let more = 0; more < 3; more++) await fixture.demo()
    expect(await grown(fixture)).toEqual(['valid', 3])
    expect(await grown(fixture)).toEqual(['valid', 0])
    await fixture.demo()
    await forgeDpu(fixture, 4)
    expect(await grown(fixture)).toEqual(['broken', 1])
    expect(await fixture.alarms()).toMatchObject([
      { action: 'found', target_id: 'dpu', details: { brokenAt: 4, mode: 'records' } },
    ])
  })

  it('does not show a change of what was verified before; the next full verification does', async () => {
    const fixture = await filled()
    await fixture.verify('records')
    const { recordsVerifiedAt } = await fixture.verify('chain')
    await fixture.demo()
    await forgeDpu(fixture, 0)
    expect(await grown(fixture)).toEqual(['valid', 1])
    expect((await fixture.verify('chain')).recordsVerifiedAt).toBe(recordsVerifiedAt)
    await walk()
    expect(await fixture.alarms()).toMatchObject([{ details: { brokenAt: 0, mode: 'records' } }])
  })

  it('is not verified from a place that no signed checkpoint covers', async () => {
    const fixture = await filled()
    await fixture.verify('records')
    await fixture.demo()
    const changed = (path: string, value: string) =>
      fixture.forge(
        `update cell.chain_checks set reached = jsonb_set(reached::jsonb, '${path}', '${value}')
         where center_id = ${fixture.center.id} and domain = 'dpu' and mode = 'records'`,
      )
    await changed('{frontier}', `"${Buffer.alloc(32).toString('base64')}"`)
    expect(await grown(fixture)).toEqual(['full', 0])
    await changed('{generation}', '2')
    expect(await grown(fixture)).toEqual(['full', 0])
  })
})

describe('as a job', () => {
  it('runs in the workers of a cell', async () => {
    const working = await startServer({ jobs: true })
    try {
      const fixture = await verifiedCenter(working)
      await fixture.demo()
      working.services.jobs.wake('main', 'verify-chains', { centerId: fixture.center.id })
      await expect
        .poll(async () => (await fixture.verify('chain')).recordsVerifiedAt, { timeout: 30_000, interval: 200 })
        .not.toBeNull()
      const schedules = await working.world.query(`select name, cron from pgboss.schedule where name = 'verify-chains'`)
      expect(schedules).toEqual([{ name: 'verify-chains', cron: '17 * * * *' }])
    } finally {
      await working.close()
    }
  })
})
