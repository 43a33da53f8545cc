import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealLargeRecords } from '../../../../../../tests/bench/large-records.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { liftConstraints } from '../../../../../../tests/tamper/forger.ts'
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
