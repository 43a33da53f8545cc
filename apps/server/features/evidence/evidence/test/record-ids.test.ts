/** Event, decision, evidence and unit of one record: an operation that takes the id of one takes those of the others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openProofFixture,
  type ProofFixture,
  startProofFixture,
} from '../../../../../../tests/support/proof-fixture.ts'
import { typedIds, uuidOf } from '../../../../lib/ids.ts'

let fixture: ProofFixture & { close(): Promise<void> }
let key: string
beforeAll(async () => {
  fixture = await startProofFixture()
  key = await fixture.server.world.key(fixture.center, { scopes: ['events:write'] })
})
afterAll(() => fixture.close())

const kinds = ['decisionEvent', 'decision', 'evidence', 'dpu'] as const
type Kind = (typeof kinds)[number]

const named = (eventId: string, kind: Kind): string => typedIds(uuidOf('decisionEvent', eventId) as string, kind)[0]

const recorded = async (kind: Kind) => {
  const { id } = await fixture.record()
  return { id, other: named(id, kind) }
}
const sealed = async (kind: Kind) => {
  const both = await recorded(kind)
  expect((await fixture.approve(both.id)).status).toBe(200)
  return both
}

describe.each(kinds)('the id of the %s', (kind) => {
  it.each([
    '/api/v1/decision-events/{id}',
    '/api/v1/evidence/{id}',
    '/api/v1/evidence/{id}/export',
    '/api/v1/dpu/{id}',
  ])('reads GET %s', async (path) => {
    const { id, other } = await sealed(kind)
    const own = path.includes('evidence') ? named(id, 'evidence') : path.includes('dpu') ? named(id, 'dpu') : id
    const [first, second] = [own, other].map((each) => fixture.v1('GET', path.replace('{id}', each)))
    expect((await second)?.status).toBe(200)
    const shown = ({ exportedAt, ...others }: Record<string, unknown>) => others
    expect(shown((await second)?.body)).toEqual(shown((await first)?.body))
  })

  it.each([
    '/api/decisions/{id}',
    '/api/dpu/{id}',
    '/api/dpu/{id}/verify',
    '/api/dpu/{id}/export',
    '/api/dpu/{id}/responsibility',
    '/api/console/trace/{id}',
  ])('reads GET %s', async (path) => {
    const { other } = await sealed(kind)
    expect((await fixture.platform('GET', path.replace('{id}', other))).status).toBe(200)
  })

  it('approves, consumes and reports', async () => {
    const { id, other } = await recorded(kind)
    const { actionDigest } = (await fixture.v1('GET', `/api/v1/decision-events/${id}`)).body.data
    const approved = await fixture.approve(other)
    expect([approved.status, approved.body.data.decisionId]).toEqual([200, named(id, 'decision')])
    const path = `/api/v1/decision-events/${other}`
    const consumed = await fixture.v1('POST', `${path}/consume`, { actionDigest, executor: 'run-1' })
    expect([consumed.status, consumed.body.data.eventId]).toEqual([200, id])
    const reported = await fixture.v1('POST', `${path}/outcome`, { executor: 'run-1', status: 'succeeded' })
    expect([reported.status, reported.body.data.eventId]).toEqual([200, id])
  })

  it('is opened, commented and approved by a member', async () => {
    const own = await openProofFixture(fixture.server)
    await own.policy({ humanReview: true }, { approval: { identity: 'session' } })
    const { eventId } = (await own.decide()).body.data
    const path = `/api/decisions/${named(eventId, kind)}`
    expect((await own.platform('POST', `${path}/opened`)).body.data.eventId).toBe(eventId)
    expect((await own.platform('POST', `${path}/comments`, { text: 'Why?' })).status).toBe(201)
    const approved = await own.approveAsMember(named(eventId, kind))
    expect([approved.status, approved.body.data.decisionId]).toEqual([200, named(eventId, 'decision')])
  })

  it('raises and redacts the unit', async () => {
    const { eventId } = (await fixture.decide({}, { 'idempotency-key': `raise-${kind}` })).body.data
    const id = named(eventId, kind)
    const raised = await fixture.raise(id, 'AUDIT_READY')
    expect([raised.status, raised.body.data.id]).toEqual([200, named(eventId, 'dpu')])
    const body = { paths: ['event.actor.name'], reason: 'A name.' }
    const redacted = await fixture.platform('POST', `/api/dpu/${id}/redactions`, body)
    expect([redacted.status, redacted.body.data.dpuId]).toEqual([201, named(eventId, 'dpu')])
  })

  it('filters lists of decisions and of audit entries', async () => {
    const { id, other } = await sealed(kind)
    for (const found of [
      await fixture.v1('GET', `/api/v1/decision-events?decisionId=${other}`),
      await fixture.platform('GET', `/api/decisions?decisionId=${other}`),
    ]) {
      expect([found.body.data.map((each: { id: string }) => each.id), found.body.pagination.total]).toEqual([[id], 1])
    }
    const audit = (await fixture.platform('GET', `/api/audit?targetId=${other}`)).body
    expect(audit.data).toMatchObject([{ type: 'decision.sealed', targetId: id }])
  })

  it('is public, and proves a certificate', async () => {
    const { id, other } = await sealed(kind)
    const { status, body } = await fixture.server.call('GET', `/verify/${other}`)
    expect([status, body.dpuId, body.verified]).toEqual([200, named(id, 'dpu'), expect.anything()])
    const certificate = { id: `certificate-${kind}`, type: 'certificate.issued', data: { dpuId: other } }
    expect((await fixture.server.call('POST', '/api/v1/events', { token: key, body: certificate })).status).toBe(202)
  })

  it('replaces a decision that waits', async () => {
    const own = await openProofFixture(fixture.server)
    await own.policy({ humanReview: true })
    const { eventId } = (await own.decide()).body.data
    const second = (await own.decide({ replaces: named(eventId, kind) })).body.data
    const details = (await own.v1('GET', `/api/v1/decision-events/${second.eventId}`)).body.data
    expect(details.replaces).toBe(eventId)
    const third = await own.record({
      actor: { id: 'agent-7', type: 'ai_agent' },
      replaces: named(second.eventId, kind),
    })
    expect((await own.v1('GET', `/api/v1/decision-events/${third.id}`)).body.data.replaces).toBe(second.eventId)
  })
})

it('a decisionId that the caller chose is found although it looks like the id of an event', async () => {
  const { id } = await fixture.record()
  const chosen = await fixture.record({ idempotencyKey: id })
  const { data } = (await fixture.v1('GET', `/api/v1/decision-events?decisionId=${id}`)).body
  expect(data.map((each: { id: string }) => each.id).sort()).toEqual([id, chosen.id].sort())
})

it('a unit of the platform has no event: its public address is that of the unit alone', async () => {
  const unit = await fixture.unit()
  expect((await fixture.raise(unit.id, 'AUDIT_READY')).status).toBe(200)
  const uuid = uuidOf('dpu', unit.id) as string
  const statuses = typedIds(uuid, ...kinds).map(
    async (id) => (await fixture.server.call('GET', `/verify/${id}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 200])
})
