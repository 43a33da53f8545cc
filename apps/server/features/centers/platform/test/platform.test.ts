import { newId } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { liftConstraints } from '../../../../../../tests/tamper/forger.ts'
import { type VerifiedCenter, verifiedCenter } from '../../../evidence/verification/test/fixture.ts'
import { verifyChainsJob } from '../../../evidence/verification/verify-chains.job.ts'

let server: TestServer
let token: string
let broken: VerifiedCenter
let owned: Center

beforeAll(async () => {
  server = await startServer()
  const { world } = server
  await liftConstraints(world.query)
  token = (await server.signIn(await world.person({ operator: true }))).accessToken
  broken = await verifiedCenter(server)
  owned = await world.center({ partner: await world.partner() })
  await world.partner()
  await world.setCenterStatus(owned, 'SUSPENDED')
  for (let entries = 0; entries < 3; entries++) await broken.seal()
})
afterAll(() => server.close())

const get = async (path: string) => (await server.call('GET', `/api/admin/${path}`, { token })).body
const codeOf = async (path: string) => {
  const { status, body } = await server.call('GET', `/api/admin/${path}`, { token })
  return [status, body.error?.code]
}
const place = () => `alarms/${broken.center.id}/proof`

describe('an alarm', () => {
  it('is none before the verifier finds a fault', async () => {
    expect((await get('overview')).data.cells).toMatchObject([{ name: 'main', up: true, centers: 2, alarms: [] }])
    expect(await codeOf(place())).toEqual([404, 'NOT_FOUND'])
  })

  it('leads to the entry: index, stored and computed hashes, verdicts, and nothing that the entry says', async () => {
    await broken.forge(
      `update cell.entries set template = template || ' '
       where center_id = ${broken.center.id} and domain = 'proof' and idx = 1`,
    )
    await verifyChainsJob(server.services, 'main', new AbortController().signal)
    const { cells } = (await get('overview')).data
    expect(cells[0].alarms).toEqual([
      {
        centerId: broken.center.id,
        centerName: expect.any(String),
        centerDomain: broken.center.domain,
        domain: 'proof',
        brokenAt: 1,
        acknowledged: null,
      },
    ])
    const { text, body } = await server.call('GET', `/api/admin/${place()}`, { token })
    const { before, entry, checks, length, cell } = body.data
    expect([length, cell, before.index, entry.index]).toEqual([3, 'main', 0, 1])
    expect(before.hash).toBe(before.computedHash)
    expect(entry.previousHash).toBe(before.hash)
    expect(entry.computedHash).not.toBe(entry.hash)
    expect(checks).toMatchObject([{ mode: 'records', brokenAt: 1, reason: expect.any(String) }])
    for (const content of ['agent-', 'c-102', 'Planner', 'Kim Minji', 'plan.adjust'])
      expect(text).not.toContain(content)
  })

  it('has no entry where entries are gone', async () => {
    await broken.forge(
      `delete from cell.entries where center_id = ${broken.center.id} and domain = 'proof' and idx = 1`,
    )
    expect((await get(place())).data).toMatchObject({ before: { index: 0 }, entry: null })
  })

  it('of a center or chain that does not exist is refused', async () => {
    expect(await codeOf('alarms/999999/proof')).toEqual([404, 'NOT_FOUND'])
    expect(await codeOf(`alarms/${broken.center.id}/other`)).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('lists', () => {
  const ids = async (query: string) => (await get(`centers?${query}`)).data.map(({ id }: { id: number }) => id)

  it('find centers by name, slug, id, state, cell and partner', async () => {
    const all = [owned.id, broken.center.id]
    const { data } = await get(`centers?search=${owned.domain}`)
    expect(data).toMatchObject([{ id: owned.id, status: 'SUSPENDED', cell: 'main', sandbox: false, members: 0 }])
    const partnerId = data[0].partner.id
    expect(await ids('')).toEqual(all)
    expect(await ids('status=ACTIVE')).toEqual([broken.center.id])
    expect(await ids(`search=${broken.center.id}&cell=main`)).toContain(broken.center.id)
    expect(await ids('cell=other')).toEqual([])
    expect(await ids('search=100%25')).toEqual([])
    expect(await ids(`partnerId=${partnerId}`)).toEqual([owned.id])
    expect(await ids(`partnerId=${newId('partner')}`)).toEqual([])
    for (const invalid of ['partnerId=mem_x', 'status=GONE']) {
      expect(await codeOf(`centers?${invalid}`)).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('name partners with their centers, page by page', async () => {
    const { data, pagination } = await get('partners?limit=1')
    expect(data).toMatchObject([{ centers: 0 }])
    expect(pagination).toMatchObject({ total: 2, hasMore: true })
    expect((await get('partners?limit=1&page=2')).data).toMatchObject([{ centers: 1 }])
    expect((await get('partners?search=nothing-like-it')).data).toEqual([])
    expect(await codeOf('partners?limit=1000')).toEqual([400, 'VALIDATION_ERROR'])
  })
})

it('the overview counts centers, and says which jobs are late or failing', async () => {
  const run = (name: string, state: string, ago: string, output: object | null = null) =>
    server.world.query(
      `insert into pgboss.job (name, state, started_on, completed_on, created_on, output, expire_seconds)
       values ($1, $2::text::pgboss.job_state, now() - $3::interval, case when $2 <> 'active' then now() - $3::interval end,
         now() - $3::interval, $4, 300)`,
      [name, state, ago, output && JSON.stringify(output)],
    )
  const schedule = (name: string, cron: string, ago: string) =>
    server.world.query(`insert into pgboss.schedule (name, cron, created_on) values ($1, $2, now() - $3::interval)`, [
      name,
      cron,
      ago,
    ])
  for (const name of ['send-mail', 'end-trials', 'check-domains', 'notify-channels'])
    await schedule(name, '* * * * *', '1 day')
  await schedule('housekeeping', '* * * * *', '1 minute')
  await run('send-mail', 'completed', '1 minute')
  await run('end-trials', 'completed', '20 minutes')
  await run('end-trials', 'failed', '2 minutes', { name: 'error', code: '42501', message: 'row of 이하늘' })
  // A worker that died left this run active.
  await run('check-domains', 'active', '10 minutes')
  await run('notify-channels', 'active', '1 minute')
  const { data } = await get('overview')
  expect([data.centers, data.partners]).toEqual([{ active: 1, suspended: 1, inactive: 0, sandboxes: 0 }, 2])
  const [{ jobs, queues }] = data.cells
  expect(queues).toEqual({
    overdueDeliverySeconds: 0,
    heldDeliveries: 0,
    failingEndpoints: 0,
    runningExecutions: 0,
    overdueExecutionSeconds: 0,
  })
  const time = expect.any(String)
  expect(jobs).toMatchObject([
    { name: 'check-domains', late: true, running: false, lastSuccessAt: null },
    { name: 'end-trials', late: true, lastSuccessAt: time, lastFailureAt: time, lastError: '42501', failures: 1 },
    { name: 'housekeeping', late: false, lastSuccessAt: null },
    { name: 'notify-channels', late: false, running: true, lastSuccessAt: null },
    { name: 'send-mail', late: false, lastSuccessAt: time, lastFailureAt: null, nextAt: time },
  ])
  expect(JSON.stringify(data)).not.toContain('이하늘')
})
