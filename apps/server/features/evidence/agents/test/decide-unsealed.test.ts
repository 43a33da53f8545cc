/** The answer when sealing fails, and how the decision is sealed later. */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { armFailpoint } from '../../../../lib/failpoint.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
})
afterEach(() => armFailpoint(null))
afterAll(() => server.close())

const withKey = (key: string) => ({ 'idempotency-key': key })
const statusOf = async (eventId: string) =>
  (await fixture.v1('GET', '/api/v1/decision-events?limit=100')).body.data.find(
    ({ id }: { id: string }) => id === eventId,
  )?.status

describe.each(['seal.append', 'seal.written', 'seal.begin'])('sealing fails at %s', (failpoint) => {
  const key = (name: string) => withKey(`${failpoint}-${name}`)

  it('answers 200 pending, counts nothing as decided, and seals with the same key later', async () => {
    armFailpoint(`fail:${failpoint}`)
    const failed = await fixture.decide({}, key('repaired'))
    expect(failed.status).toBe(200)
    expect(failed.body.data).toMatchObject({
      decisionId: `${failpoint}-repaired`,
      outcome: 'pending',
      dpu: { status: 'pending', chainHash: null },
    })
    expect(failed.body.data.note).toContain('same Idempotency-Key')
    expect(await statusOf(failed.body.data.eventId)).toBe('recorded')
    const state = (await fixture.v1('GET', `/api/v1/dpu/${failed.body.data.dpu.id}`)).body.data
    expect(state).toMatchObject({ status: 'pending', chainHash: null })

    armFailpoint(null)
    const repaired = await fixture.decide({}, key('repaired'))
    expect([repaired.status, repaired.headers.get('idempotency-replayed')]).toEqual([200, null])
    const { eventId, dpu } = failed.body.data
    expect(repaired.body.data).toMatchObject({ eventId, outcome: 'completed', dpu: { id: dpu.id, status: 'sealed' } })
    expect(await statusOf(eventId)).toBe('sealed')
    expect((await fixture.decide({}, key('repaired'))).body).toEqual(repaired.body)
  })

  it('keeps one decision through repeated failures', async () => {
    armFailpoint(`fail:${failpoint}`)
    const answers = []
    for (let i = 0; i < 3; i++) answers.push(await fixture.decide({}, key('again')))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    armFailpoint(null)
    const sealed = await fixture.decide({}, key('again'))
    expect(sealed.body.data.eventId).toBe(answers[0]?.body.data.eventId)
    expect(sealed.body.data.dpu.status).toBe('sealed')
  })

  it('answers 409 CONFLICT for another decision with the same key', async () => {
    armFailpoint(`fail:${failpoint}`)
    await fixture.decide({}, key('other'))
    armFailpoint(null)
    const { status, body } = await fixture.decide({ reason: 'Another one.' }, key('other'))
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
  })

  it('keeps a decision without a key as an event that a person may approve', async () => {
    armFailpoint(`fail:${failpoint}`)
    const { status, body } = await fixture.decide()
    expect([status, body.data.outcome, body.data.dpu.status]).toEqual([200, 'pending', 'pending'])
    expect(body.data.note).toContain('with an Idempotency-Key')
    armFailpoint(null)
    expect((await fixture.approve(body.data.eventId)).status).toBe(200)
  })
})

it('answers 200 pending when the chain stays locked, and the same key seals the decision afterwards', async () => {
  await fixture.decide()
  const client = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from cell.chain_heads where center_id = $1 for update', [fixture.center.id])
    const busy = await fixture.decide({}, withKey('busy'))
    expect([busy.status, busy.body.data.outcome]).toEqual([200, 'pending'])
    expect(busy.body.data.dpu).toMatchObject({ status: 'pending', chainHash: null })
    expect(await statusOf(busy.body.data.eventId)).toBe('recorded')
    await client.query('rollback')
    const sealed = await fixture.decide({}, withKey('busy'))
    expect([sealed.status, sealed.headers.get('idempotency-replayed')]).toEqual([200, null])
    expect(sealed.body.data).toMatchObject({
      eventId: busy.body.data.eventId,
      outcome: 'completed',
      dpu: { id: busy.body.data.dpu.id, status: 'sealed' },
    })
  } finally {
    await client.end()
  }
})

it('a lone decision under a policy needs the chain `proof` alone: another transaction may hold the history and the rules', async () => {
  await fixture.policy({ riskThreshold: 1 }, { match: { actionTypes: ['lone'] } })
  const client = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    const held = [fixture.center.id]
    await client.query(`select from cell.chain_heads where center_id = $1 and domain <> 'proof' for update`, held)
    const rules = await client.query('select from cell.center_rules where center_id = $1 for update', held)
    expect(rules.rowCount).toBe(1)
    const { body } = await fixture.decide({ action: { type: 'lone', description: 'x' }, riskScore: 0 })
    expect(body.data).toMatchObject({ outcome: 'completed', dpu: { status: 'sealed' } })
  } finally {
    await client.end()
  }
})

it('a failure to seal is logged with the decision id and without its content', async () => {
  armFailpoint('fail:seal.append')
  await fixture.decide({ reason: 'a confidential reason' }, withKey('logged'))
  const lines = server.logs.filter((line) => line.includes('a decision could not be sealed'))
  expect(lines.at(-1)).toContain('"decisionId":"logged"')
  expect(lines.join('')).not.toContain('a confidential reason')
})

it('an approval whose sealing fails answers 500 INTERNAL_ERROR, and the same key tries again', async () => {
  const event = await fixture.record()
  armFailpoint('fail:seal.append')
  const failed = await fixture.approve(event.id, {}, withKey('approval'))
  expect([failed.status, failed.body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
  expect(await statusOf(event.id)).toBe('recorded')
  armFailpoint(null)
  const again = await fixture.approve(event.id, {}, withKey('approval'))
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null])
})
