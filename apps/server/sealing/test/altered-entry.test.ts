/** The last stored entry of a chain is altered, and the next seal detects it. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

let server: TestServer
let client: pg.Client
beforeAll(async () => {
  server = await startServer()
  client = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `do $$ declare c record; begin
       for c in select conname from pg_constraint where conrelid = 'cell.entries'::regclass and contype = 'c'
       loop execute format('alter table cell.entries drop constraint %I', c.conname); end loop;
     end $$`,
  )
})
afterAll(async () => {
  await client.end()
  await server.close()
})

async function sealedTwice(): Promise<ProofFixture> {
  const fixture = await openProofFixture(server)
  await fixture.decide()
  await fixture.decide()
  return fixture
}

const heads = async ({ center }: ProofFixture) =>
  (
    await client.query(
      `select broken_at::int, next_index::int from cell.chain_heads where center_id = $1 and domain = 'proof'`,
      [center.id],
    )
  ).rows

const alarms = async ({ center }: ProofFixture) =>
  (
    await client.query(
      `select target_id, details ->> 'reason' as reason from cell.audit_entries
       where center_id = $1 and type = 'integrity.alarm'`,
      [center.id],
    )
  ).rows

const forgeries: [name: string, sql: string][] = [
  [
    'its hash was changed',
    `update cell.entries set hash = decode(repeat('00', 32), 'hex')
     where center_id = $1 and domain = 'proof' and idx = 1`,
  ],
  ['it was deleted', `delete from cell.entries where center_id = $1 and domain = 'proof' and idx = 1`],
]

it.each(forgeries)('marks the chain, raises an alarm and answers 422 CHAIN_BROKEN: %s', async (_, forgery) => {
  const fixture = await sealedTwice()
  const event = await fixture.record()
  await client.query(forgery, [fixture.center.id])
  for (const attempt of [1, 2]) {
    const { status, body } = await fixture.approve(event.id)
    expect([attempt, status, body.error?.code]).toEqual([attempt, 422, 'CHAIN_BROKEN'])
    expect(body.error.details).toEqual({ domain: 'proof', brokenAt: 1 })
  }
  expect(await heads(fixture)).toEqual([{ broken_at: 1, next_index: 2 }])
  expect(await alarms(fixture)).toEqual([
    { target_id: 'proof', reason: "the chain's last entry isn't the one that was sealed" },
  ])
  expect((await fixture.decide()).status).toBe(422)
})

it('seals the other approvals of the same batch', async () => {
  const [broken, whole] = [await sealedTwice(), await sealedTwice()]
  await client.query(forgeries[0]?.[1] as string, [broken.center.id])
  const [bad, good] = [await broken.record(), await whole.record()]
  const answers = await Promise.all([broken.approve(bad.id), whole.approve(good.id), broken.decide(), whole.decide()])
  expect(answers.map(({ status }) => status)).toEqual([422, 200, 422, 201])
})
