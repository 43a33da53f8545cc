/** A member asks: the decision is theirs, waits for others, and is withdrawn, refused or sealed like any other. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type Colleague, type Office, openOffice } from '../../decisions/test/fixture.ts'

let server: TestServer
let office: Office
let teacher: Colleague
beforeAll(async () => {
  server = await startServer()
  office = await openOffice(server)
  teacher = await office.join('INSTRUCTOR')
  const steps = [{ title: 'Staff' }, { title: 'Director', roles: ['ADMIN'] }]
  await office.policy({ match: { actionTypes: ['tuition.*'] }, approval: { identity: 'session', steps } })
})
afterAll(() => server.close())

const refund = { type: 'tuition.refund', input: { learner: 'Lee Haneul', amount: 200_000 } }
const ask = (
  { token }: Pick<Colleague, 'token'>,
  body: object = { action: refund, reason: 'Moves away.' },
  more = {},
) => server.call('POST', '/api/decisions', { token, body, ...more })
const asked = async (who: Colleague, body?: object): Promise<string> => {
  const { status, body: answer, text } = await ask(who, body)
  if (status !== 201) throw new Error(text)
  return answer.data.eventId
}
const refusal = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [status, body.error?.code]

describe('what a member asks for', () => {
  it('is theirs, goes through the line, and its seal names them', async () => {
    const other = await office.join('INSTRUCTOR')
    const id = await asked(teacher, { action: refund, reason: 'Moves away.', tags: ['tuition-refund'] })
    expect(await office.read(id)).toMatchObject({
      status: 'recorded',
      type: 'human_approval',
      actor: { id: teacher.id, type: 'human' },
      action: refund,
      reason: 'Moves away.',
      tags: ['tuition-refund'],
      recordedBy: null,
    })
    const inbox = await server.call('GET', '/api/console/inbox?view=asked', { token: teacher.token })
    expect(inbox.body.data.map(({ eventId }: { eventId: string }) => eventId)).toContain(id)
    expect((await office.decide(other, id)).status).toBe(200)
    expect((await office.decide(office.admin, id)).status).toBe(200)
    const { status, evidence } = await office.read(id)
    expect(status).toBe('sealed')
    const exported = await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: office.key })
    expect(exported.body.evidence.event.actor).toMatchObject({ id: teacher.id, type: 'human' })
    expect(verifyExport(exported.body)).toMatchObject({ valid: true, problems: [] })
  })

  it('is approved by nobody who asked, an ADMIN neither', async () => {
    for (const who of [teacher, office.admin]) {
      const id = await asked(who)
      const answer = await office.decide(who, id)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect((await office.read(id)).approvals).toEqual([])
    }
  })

  it('is withdrawn by them', async () => {
    const id = await asked(teacher)
    const { status } = await server.call('POST', `/api/decisions/${id}/withdraw`, { token: teacher.token, body: {} })
    expect(status).toBe(200)
    expect(await office.read(id)).toMatchObject({ status: 'rejected', waiting: null })
  })

  it('is one decision for one key, however often it is sent', async () => {
    const headers = { 'idempotency-key': 'refund-1' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(teacher, undefined, { headers })))
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.eventId)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made).size).toBe(1)
    // The others came while the first was under way.
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      answers.every(({ status }) => status === 201) ? new Set([201]) : new Set([201, 409]),
    )
  })
})

describe('nothing is recorded', () => {
  it('409 where no policy asks, because nobody would be told', async () => {
    const answer = await ask(teacher, { action: { type: 'note.add', input: {} } })
    expect(refusal(answer)).toEqual([409, 'CONFLICT'])
    expect(answer.body.error.details).toMatchObject({ reason: 'noPolicy' })
  })

  it('400 for a reserved type, an unknown field and too much to read', async () => {
    const rows = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`r${n}`, n]))
    for (const body of [
      { action: { type: 'countersign.policy', input: {} } },
      { action: refund, actor: { id: 'somebody', type: 'human' } },
      { action: { type: 'tuition.refund', input: rows } },
      { action: {} },
      {},
    ]) {
      expect((await ask(teacher, body)).status).toBe(400)
    }
  })

  it('401 without a session, 403 for families', async () => {
    expect(refusal(await ask({ token: 'wrong' }))).toEqual([401, 'UNAUTHORIZED'])
    expect((await ask({ token: office.key })).status).toBe(401)
    for (const role of ['PARENT', 'CHILD']) {
      expect(refusal(await ask(await office.join(role)))).toEqual([403, 'INSUFFICIENT_ROLE'])
    }
  })

  it('in a frozen center', async () => {
    const frozen = await openOffice(server)
    await frozen.policy()
    const { status } = await server.call('POST', '/api/freezes', {
      token: frozen.admin.token,
      body: { center: true, reason: 'Stop.' },
    })
    expect(status).toBe(201)
    expect((await ask(frozen.admin, { action: { type: 'plan.adjust', input: {} } })).status).toBe(409)
  })
})
