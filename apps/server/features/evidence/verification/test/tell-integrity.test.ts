/** A center hears of a broken chain and of lost entries: once by webhook, and every ADMIN by mail. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { clearBroken } from '../../../../integrity/alarm.ts'
import { tellIntegrityJob } from '../tell-integrity.job.ts'

let server: TestServer
let mailbox: Mailbox
let fixture: ProofFixture

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})
beforeEach(async () => {
  fixture = await openProofFixture(server)
  await fixture.v1('POST', '/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['integrity.*'] })
  await fixture.decide()
  await fixture.decide()
})

const tell = () => tellIntegrityJob(server.services, 'main')
const sent = async () => {
  const rows = await server.world.query<{ type: string; data: string }>(
    'select type, data::text from cell.webhook_events where center_id = $1 order by created_at, id',
    [fixture.center.id],
  )
  return rows.map(({ type, data }) => ({ type, ...JSON.parse(data) }))
}
const mailed = (words: RegExp, count: number) =>
  expect
    .poll(
      () => mailbox.messages.filter(({ to, text }) => to.includes(fixture.admin.email) && words.test(text)).length,
      {
        timeout: 20_000,
      },
    )
    .toBe(count)
const mark = (at: number) =>
  server.world.query(`update cell.chain_heads set broken_at = $2 where center_id = $1 and domain = 'proof'`, [
    fixture.center.id,
    at,
  ])

describe('a chain that is found broken', () => {
  it('is announced once, to the webhook and to the ADMIN, and again after it was cleared', async () => {
    await mark(1)
    await tell()
    await tell()
    expect(await sent()).toMatchObject([
      {
        type: 'integrity.alarm',
        domain: 'proof',
        chainIndex: 1,
        readOn: expect.stringMatching(/\/api\/v1\/chains\/proof\/entries$/),
      },
    ])
    await mailed(/2번 기록부터|at entry 2/, 1)
    // As clear-chain does it.
    await server.services.cells.of('main').inTenantJob(fixture.center.id, 'test', (tx) => clearBroken(tx, 'proof'))
    await tell()
    await mark(1)
    await tell()
    expect((await sent()).map(({ type }) => type)).toEqual(['integrity.alarm', 'integrity.alarm'])
    await mailed(/2번 기록부터|at entry 2/, 2)
  })

  it('is announced once by two workers at the same time', async () => {
    await mark(0)
    await Promise.all([tell(), tell(), tell()])
    expect(await sent()).toHaveLength(1)
  })

  it('says nothing to another center', async () => {
    const other = fixture
    fixture = await openProofFixture(server)
    await fixture.v1('POST', '/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] })
    await server.world.query(`update cell.chain_heads set broken_at = 0 where center_id = $1`, [other.center.id])
    await tell()
    expect((await sent()).filter(({ type }) => type.startsWith('integrity'))).toEqual([])
  })
})

describe('a declared loss', () => {
  it('is announced with what is lost, by index, and mailed', async () => {
    await server.world.query(
      `insert into cell.log_generations (center_id, domain, generation, restored_size, restored_root, lost_size,
         reason, declared_by, declared_at)
       values ($1, 'proof', 2, 1, sha256('x'), 4, 'A disk failed.', 'Operations', now())`,
      [fixture.center.id],
    )
    await tell()
    await tell()
    expect(await sent()).toMatchObject([
      {
        type: 'integrity.loss',
        domain: 'proof',
        generation: 2,
        restoredSize: 1,
        lostSize: 4,
        lostFrom: 1,
        lostTo: 3,
        reason: 'A disk failed.',
        log: expect.stringMatching(/\/proof\/2$/),
      },
    ])
    await mailed(/2번부터 4번|entries 2 to 4/, 1)
  })
})
