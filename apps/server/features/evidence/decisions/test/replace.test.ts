import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { newId } from '../../../../lib/ids.ts'
import { type Office, openOffice } from './fixture.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const record = ({ key }: Office, overrides: Record<string, unknown>) =>
  server.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent(overrides) })

const decide = ({ key }: Office, replaces: string) =>
  server.call('POST', '/api/v1/agents/decide', {
    token: key,
    body: { agent: { id: 'agent-7' }, action: { type: 'plan.adjust' }, reason: 'Answers the question.', replaces },
  })

describe('a decision that replaces another one', () => {
  it.each(['recorded', 'decided'])(
    '%s: the old one is refused in the same commit, and the new one waits',
    async (how) => {
      const office = await openOffice(server)
      await office.policy()
      const { id: old } = await office.record()
      const answer = how === 'recorded' ? await record(office, { replaces: old }) : await decide(office, old)
      expect(answer.status).toBe(201)
      const id = answer.body.data.id ?? answer.body.data.eventId
      expect(await office.inbox()).toEqual([id])
      expect(await office.read(id)).toMatchObject({ status: 'recorded', replaces: old })
      expect(await office.read(old)).toMatchObject({
        status: 'rejected',
        evidence: { status: 'sealed' },
        approvals: [{ approver: { id: 'countersign', type: 'system' }, result: 'rejected', reason: 'replaced' }],
      })
      expect((await office.decide(office.admin, old)).status).toBe(409)
      expect((await office.decide(office.admin, id)).status).toBe(200)
      const exported = await server.call('GET', `/api/v1/evidence/${(await office.read(id)).evidence.id}/export`, {
        token: office.key,
      })
      expect(exported.body.evidence.event.replaces).toBe(old)
    },
  )

  it('is recorded once for one idempotencyKey', async () => {
    const office = await openOffice(server)
    await office.policy()
    const { id: old } = await office.record()
    const sent = { replaces: old, idempotencyKey: 'second' }
    const [first, second] = [await record(office, sent), await record(office, sent)]
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.data.id).toBe(first.body.data.id)
  })

  it('409 unless the old one is of this center and of the same actor, and still waits', async () => {
    const office = await openOffice(server)
    const elsewhere = await openOffice(server)
    const { id: free } = await office.record()
    await office.policy()
    await elsewhere.policy()
    const foreign = await elsewhere.record()
    const closed = await office.record()
    await office.decide(office.admin, closed.id, { result: 'rejected' })
    const others = await office.record({ actor: { id: 'agent-8', type: 'ai_agent' } })
    for (const replaces of [free, foreign.id, closed.id, others.id, newId('decisionEvent')]) {
      expect((await record(office, { replaces })).status).toBe(409)
      expect((await decide(office, replaces)).status).toBe(409)
    }
    expect((await record(office, { replaces: 'evt_x' })).status).toBe(422)
    expect((await elsewhere.read(foreign.id)).status).toBe('recorded')
  })

  it('wins or loses against an approval of the old one, and never both', async () => {
    const office = await openOffice(server)
    await office.policy()
    for (let n = 0; n < 10; n++) {
      const { id: old } = await office.record()
      const [replaced, approved] = await Promise.all([
        record(office, { replaces: old }),
        office.decide(office.admin, old),
      ])
      expect([replaced.status, approved.status].sort()).toEqual(replaced.status === 201 ? [201, 409] : [200, 409])
      expect((await office.read(old)).status).toBe(replaced.status === 201 ? 'rejected' : 'sealed')
    }
  })
})
