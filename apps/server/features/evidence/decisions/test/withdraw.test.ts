/** Whoever asked for a decision withdraws it while it waits, and `agent.approval.decided` tells how each one ended. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { newId } from '../../../../lib/ids.ts'
import { type Colleague, type Office, openOffice } from './fixture.ts'

let server: TestServer
let office: Office
beforeAll(async () => {
  server = await startServer()
  office = await openOffice(server)
  await office.policy()
})
afterAll(() => server.close())

const byKey = (id: string, body: object = {}, token = office.key): Promise<Answer> =>
  server.call('POST', `/api/v1/decision-events/${id}/withdraw`, { token, body })
const byMember = ({ token }: Pick<Colleague, 'token'>, id: string, body: object = {}): Promise<Answer> =>
  server.call('POST', `/api/decisions/${id}/withdraw`, { token, body })
const asks = ({ id }: Colleague) => office.record({ actor: { id, type: 'human', name: 'Kim Minji' } })
const refused = ({ status, body }: Answer) => [status, body.error?.code]

describe('200', () => {
  it('to the key that recorded it: sealed as refused by the service, with who did it', async () => {
    const { id, decisionId } = await office.record()
    const { status, body } = await byKey(id, { reason: 'The order was canceled.' })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      eventId: id,
      decisionId,
      withdrawnAt: expect.stringMatching(/Z$/),
      sealedHash: expect.stringMatching(/^sha256:/),
    })
    const read = await office.read(id)
    expect(read).toMatchObject({
      status: 'rejected',
      waiting: null,
      usableUntil: null,
      approvals: [
        {
          approver: { id: 'countersign', type: 'system' },
          identity: { level: 'system', by: 'countersign' },
          result: 'rejected',
          reason: 'withdrawn',
        },
      ],
    })
    const exported = await server.call('GET', `/api/v1/evidence/${read.evidence.id}/export`, { token: office.key })
    expect(exported.body.evidence.approval).toMatchObject({ reason: 'withdrawn', submittedBy: read.recordedBy })
    expect(verifyExport(exported.body)).toMatchObject({ valid: true, problems: [] })
    expect(await office.inbox()).not.toContain(id)
  })

  it('to a key bound to its actor, and to any id of the same record', async () => {
    const bound = await server.world.key(office.center, { boundTo: { id: 'agent-7', type: 'ai_agent' } })
    const { id } = await office.record()
    expect((await byKey(id.replace('evt_', 'dpu_'), {}, bound)).status).toBe(200)
  })

  it('to its actor who is signed in; the seal names the member', async () => {
    const teacher = await office.join('INSTRUCTOR')
    const { id } = await asks(teacher)
    expect((await byMember(teacher, id, { reason: 'A mistake.' })).status).toBe(200)
    const { evidence, comments } = await office.read(id)
    expect(comments).toMatchObject([{ author: { id: teacher.id }, text: 'A mistake.' }])
    const exported = await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: office.key })
    expect(exported.body.evidence.approval).toMatchObject({ reason: 'withdrawn', submittedBy: teacher.id })
  })

  it('after the first of two approvals, which stays in the record', async () => {
    await office.policy({ match: { actionTypes: ['plan.double'] }, guards: { dualApproval: true } })
    const { id } = await office.record({ action: { type: 'plan.double' } })
    expect((await office.decide(office.admin, id)).status).toBe(200)
    expect((await byKey(id)).status).toBe(200)
    expect((await office.read(id)).approvals).toMatchObject([{ result: 'approved' }, { reason: 'withdrawn' }])
  })
})

describe('409', () => {
  it('for a decision that does not wait, is decided, was withdrawn or has expired', async () => {
    const free = await office.record({ action: { type: 'note.add' } })
    const [approved, twice] = [await office.record(), await office.record()]
    await office.decide(office.admin, approved.id)
    await byKey(twice.id)
    for (const { id } of [free, approved, twice]) expect(refused(await byKey(id))).toEqual([409, 'CONFLICT'])
    await office.policy({ match: { actionTypes: ['plan.short'] }, approval: { expiresAfterSeconds: 60 } })
    const short = await office.record({ action: { type: 'plan.short' } })
    const restore = useClock(() => Date.now() + 61_000)
    expect(refused(await byKey(short.id))).toEqual([409, 'CONFLICT'])
    restore()
  })

  it('a withdrawn decision is neither approved nor consumed', async () => {
    const { id, actionDigest } = await office.record()
    await byKey(id)
    expect((await office.decide(office.admin, id)).status).toBe(409)
    const body = { actionDigest, executor: 'one' }
    const taken = await server.call('POST', `/api/v1/decision-events/${id}/consume`, { token: office.key, body })
    expect(taken.status).toBe(409)
  })
})

describe('refused', () => {
  it('400 and 422 for another body', async () => {
    const { id } = await office.record()
    for (const body of [{ reason: '' }, { reason: 7 }, { reason: 'x'.repeat(1001) }, { why: 'x' }]) {
      expect((await byKey(id, body)).status).toBe(422)
      expect((await byMember(office.admin, id, body)).status).toBe(400)
    }
  })

  it('401 without a credential, and with one of the other surface', async () => {
    const { id } = await office.record()
    expect((await byKey(id, {}, 'ck_wrong')).status).toBe(401)
    expect((await byMember({ token: 'wrong' }, id)).status).toBe(401)
    expect((await byMember({ token: office.key }, id)).status).toBe(401)
  })

  it('403 to another key, to a key that only reads, and to whoever did not ask', async () => {
    const { id } = await office.record()
    const other = await server.world.key(office.center, { scopes: ['proof:write'] })
    const reader = await server.world.key(office.center, { scopes: ['proof:read'] })
    expect((await byKey(id, {}, other)).status).toBe(403)
    expect((await byKey(id, {}, reader)).status).toBe(403)
    expect(refused(await byMember(office.admin, id))).toEqual([403, 'FORBIDDEN'])
    const parent = await office.join('PARENT')
    expect((await byMember(parent, id)).status).toBe(403)
    expect((await office.read(id)).status).toBe('recorded')
  })

  it('404 in another center, for an unknown id, and to a key bound to another actor', async () => {
    const elsewhere = await openOffice(server)
    const { id } = await office.record()
    const bound = await server.world.key(office.center, { boundTo: { id: 'agent-8', type: 'ai_agent' } })
    expect((await byKey(id, {}, elsewhere.key)).status).toBe(404)
    expect((await byKey(id, {}, bound)).status).toBe(404)
    expect((await byMember(elsewhere.admin, id)).status).toBe(404)
    for (const none of [newId('decisionEvent'), 'evt_x']) expect((await byKey(none)).status).toBe(404)
  })
})

it('wins or loses against the last approval, 50 at once, and never both', { timeout: 120_000 }, async () => {
  const { id } = await office.record()
  const shown = await office.shown(office.admin, id)
  const approve = () =>
    server.call('POST', `/api/decisions/${id}/approvals`, {
      token: office.admin.token,
      body: { result: 'approved', ...shown },
    })
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      (at % 2 === 0 ? byKey(id) : approve()).then(({ status }) => ({ at, status })),
    ),
  )
  const [winner, ...others] = answers.filter(({ status }) => status === 200)
  expect(others).toEqual([])
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  const { status, approvals } = await office.read(id)
  expect(status).toBe((winner?.at ?? 0) % 2 === 0 ? 'rejected' : 'sealed')
  expect(approvals).toHaveLength(1)
})

describe('agent.approval.decided', () => {
  const told = async (id: string) =>
    (
      await server.world.query<{ data: Record<string, unknown> }>(
        "select data::json as data from cell.webhook_events where type = 'agent.approval.decided' and center_id = $1 and data::json ->> 'eventId' = $2",
        [office.center.id, id],
        true,
      )
    ).map(({ data: { outcome, reason, usableUntil } }) => [outcome, reason, typeof usableUntil])

  it('is told once, however a decision that waited ends, and not of one that did not wait', async () => {
    const webhook = { url: 'https://consumer.example/hook', events: ['agent.approval.decided'] }
    await server.call('POST', '/api/webhooks', { token: office.admin.token, body: webhook })
    await office.policy({ match: { actionTypes: ['plan.late'] }, approval: { expiresAfterSeconds: 60 } })
    const [approved, denied, withdrawn, replaced] = [
      await office.record(),
      await office.record(),
      await office.record(),
      await office.record(),
    ].map(({ id }) => id) as [string, string, string, string]
    const { id: expired } = await office.record({ action: { type: 'plan.late' } })
    const { id: free } = await office.record({ action: { type: 'note.add' } })
    await office.decide(office.admin, approved, { reason: 'Fine.' })
    await office.decide(office.admin, denied, { result: 'rejected', reason: 'Too much.' })
    await byKey(withdrawn, { reason: 'No longer needed.' })
    await office.record({ replaces: replaced })
    const other = await server.world.key(office.center, { scopes: ['proof:approve'] })
    const claim = { approver: { id: 'therapist-4', type: 'human' }, result: 'approved' }
    await server.call('POST', `/api/v1/decision-events/${free}/approvals`, { token: other, body: claim })
    const restore = useClock(() => Date.now() + 61_000)
    await office.runJob()
    restore()
    expect(await told(approved)).toEqual([['approved', 'Fine.', 'string']])
    expect(await told(denied)).toEqual([['refused', 'Too much.', 'object']])
    expect(await told(withdrawn)).toEqual([['withdrawn', 'No longer needed.', 'object']])
    expect(await told(replaced)).toEqual([['replaced', null, 'object']])
    expect(await told(expired)).toEqual([['expired', null, 'object']])
    expect(await told(free)).toEqual([])
    await office.runJob()
    expect(await told(expired)).toHaveLength(1)
  })
})
