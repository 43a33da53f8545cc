import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { newId, uuidOf } from '../../../../lib/ids.ts'
import {
  approved,
  consume,
  newExecutor,
  recorded,
  refused,
  type SealedDecision,
} from '../../executions/test/fixture.ts'
import { tellFreezesJob } from '../tell-freezes.job.ts'

let mailbox: Mailbox
let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
  fixture = await openProofFixture(server)
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const reason = 'The same refund three times'
const stop = (covers: object, of = fixture) => of.platform('POST', '/api/freezes', { ...covers, reason })
const lift = (id: string, of = fixture) => of.platform('POST', `/api/freezes/${id}/lift`, { reason: 'Found and fixed' })
const stopped = async (covers: object, of = fixture) => {
  const { status, body, text } = await stop(covers, of)
  if (status !== 201) throw new Error(text)
  return body.data
}
const frozen = ({ status, body }: { status: number; body: { error?: { details?: unknown } } }) => [
  status,
  (body.error?.details as { reason?: string } | undefined)?.reason,
]
const asks = { actor: { id: 'agent-7', type: 'ai_agent' } }

describe('201', () => {
  it('stops requests, approvals and runs of an agent, and nothing else, until it is lifted', async () => {
    const [waiting, ready, running] = [await recorded(fixture), await approved(fixture), await approved(fixture)]
    const executor = newExecutor()
    await consume(fixture, running, executor)
    const freeze = await stopped({ actorId: 'AGENT-7 ' })
    expect(freeze).toMatchObject({ actorId: 'AGENT-7 ', reason, rank: 'center', madeBy: fixture.admin.actorId })
    expect(freeze.running).toMatchObject([{ eventId: running.id, executor, actionType: 'money.transfer' }])

    expect(frozen(await fixture.decide())).toEqual([409, 'frozen'])
    expect(frozen(await fixture.approve(waiting.id))).toEqual([409, 'frozen'])
    expect(frozen(await fixture.approveAsMember(waiting.id))).toEqual([409, 'frozen'])
    expect(frozen(await consume(fixture, ready, newExecutor()))).toEqual([409, 'frozen'])
    // What has begun is reported, facts are recorded, others go on, and a refusal always works.
    const reported = await fixture.v1('POST', `/api/v1/decision-events/${running.id}/outcome`, {
      ...{ executor, status: 'succeeded' },
    })
    expect(reported.status).toBe(200)
    expect(
      (
        await fixture.v1('POST', '/api/v1/decision-events', {
          type: 'ai_recommendation',
          ...asks,
          action: { type: 'note' },
        })
      ).status,
    ).toBe(201)
    expect((await fixture.decide({ agent: { id: 'agent-8' } })).status).toBe(201)
    const other = await recorded(fixture)
    expect((await fixture.approve(other.id, { result: 'rejected' })).status).toBe(200)

    expect((await lift(freeze.id)).body.data).toMatchObject({
      liftedBy: fixture.admin.actorId,
      liftReason: 'Found and fixed',
    })
    expect((await consume(fixture, ready, newExecutor())).status).toBe(200)
    expect((await fixture.approve(waiting.id)).status).toBe(200)
    expect((await fixture.decide()).status).toBe(201)
  })

  it('stops what a key recorded and what it takes, action types by pattern, and the whole center', async () => {
    const own = await server.world.key(fixture.center, { boundTo: { id: 'agent-7', type: 'ai_agent' } })
    const { body } = await fixture.platform('GET', '/api/api-keys')
    const keyId = body.data.find(({ actor }: { actor: object | null }) => actor)?.id
    const ready = await approved(fixture)
    const ofKey = await stopped({ keyId })
    expect(frozen(await consume(fixture, ready, newExecutor(), { token: own }))).toEqual([409, 'frozen'])
    await lift(ofKey.id)

    const ofTypes = await stopped({ actionTypes: ['MONEY.*'] })
    expect(frozen(await consume(fixture, ready, newExecutor()))).toEqual([409, 'frozen'])
    expect((await fixture.decide()).status).toBe(201)
    await lift(ofTypes.id)

    const whole = await stopped({ center: true })
    expect(frozen(await consume(fixture, ready, newExecutor()))).toEqual([409, 'frozen'])
    expect(frozen(await fixture.decide())).toEqual([409, 'frozen'])
    const elsewhere = await openProofFixture(server)
    expect((await elsewhere.decide()).status).toBe(201)
    await lift(whole.id)
    expect((await consume(fixture, ready, newExecutor())).status).toBe(200)
  })

  it('stops what a key approves, until it is lifted, and nothing that it refuses', async () => {
    const own = await openProofFixture(server)
    await own.policy({ humanReview: true })
    const [waiting, other] = [await recorded(own), await recorded(own)]
    const key = await server.world.key(own.center, { scopes: ['proof:approve'] })
    const answer = (id: string, result: string) =>
      server.call('POST', `/api/v1/decision-events/${id}/approvals`, {
        token: key,
        body: { approver: { id: 'therapist-4', type: 'human' }, result },
      })
    const { body } = await own.platform('GET', '/api/api-keys')
    const { id: keyId } = body.data.find(({ scopes }: { scopes: string[] }) => scopes.includes('proof:approve'))
    const freeze = await stopped({ keyId }, own)
    expect(frozen(await answer(waiting.id, 'approved'))).toEqual([409, 'frozen'])
    expect((await answer(other.id, 'rejected')).status).toBe(200)
    await lift(freeze.id, own)
    expect((await answer(waiting.id, 'approved')).status).toBe(200)
  })

  it('is shown with a decision that waits and that it covers', async () => {
    const own = await openProofFixture(server)
    await own.policy({ humanReview: true })
    const { id } = await recorded(own)
    const shown = async () => (await own.platform('GET', `/api/decisions/${id}`)).body.data.waiting.frozen
    expect(await shown()).toBeNull()
    await stopped({ actorId: 'agent-8' }, own)
    expect(await shown()).toBeNull()
    const freeze = await stopped({ actionTypes: ['money.*'] }, own)
    expect(await shown()).toBe(freeze.id)
    await lift(freeze.id, own)
    expect(await shown()).toBeNull()
  })

  it('is sealed with its lifting, and the records verify', async () => {
    const freeze = await stopped({ actorId: 'agent-9' })
    const before = await server.world.query<{ disclosed: Record<string, unknown>; idx: number }>(
      `select idx, disclosed from cell.history where center_id = $1 order by idx desc limit 1`,
      [fixture.center.id],
      true,
    )
    expect(before[0]).toMatchObject({
      idx: freeze.historyIndex,
      disclosed: {
        action: 'frozen',
        covers: { actorId: 'agent-9' },
        reason,
        rank: 'center',
        by: { id: fixture.admin.actorId },
      },
    })
    await lift(freeze.id)
    const { body } = await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')
    expect(body.data.valid).toBe(true)
    const { body: audit } = await fixture.platform('GET', '/api/audit')
    expect(audit.data.filter(({ targetId }: { targetId: string }) => targetId === freeze.id)).toHaveLength(2)
  })

  it('answers the same request again after the lifting: a stopped decision is not kept for its Idempotency-Key', async () => {
    const freeze = await stopped({ actorId: 'agent-7' })
    const key = { 'idempotency-key': newId('request') }
    expect(frozen(await fixture.decide({}, key))).toEqual([409, 'frozen'])
    await lift(freeze.id)
    expect((await fixture.decide({}, key)).status).toBe(201)
  })

  it('mails every administrator, without the name of the agent', async () => {
    const mails = () => mailbox.messages.filter(({ to }) => to.includes(fixture.admin.email))
    const tell = async () => {
      await tellFreezesJob(server.services, 'main')
      await server.services.mail.sendDue()
    }
    await tell()
    const before = mails().length
    const freeze = await stopped({ actorId: 'agent-with-a-telling-name' })
    await tell()
    await expect.poll(() => mails().length, { timeout: 10_000 }).toBe(before + 1)
    const stopMail = mails().at(-1)
    expect(stopMail?.text).toContain(`/c/${fixture.center.domain}/stop`)
    expect(stopMail?.text).not.toContain('telling-name')
    await lift(freeze.id)
    await tell()
    await expect.poll(() => mails().length, { timeout: 10_000 }).toBe(before + 2)
    expect(mails().at(-1)?.text).not.toBe(stopMail?.text)
  })
})

describe('of fifty at once', () => {
  it('no consumption comes after the stop that covers it', async () => {
    const ready: SealedDecision[] = []
    for (let n = 0; n < 25; n++) ready.push(await approved(fixture))
    const taking = ready.map((event) => consume(fixture, event, newExecutor()))
    const freeze = await stopped({ actorId: 'agent-7' })
    const answers = [
      ...(await Promise.all(taking)),
      ...(await Promise.all(ready.map((event) => consume(fixture, event, newExecutor())))),
    ]
    expect(answers.filter(({ status }) => status === 409).length).toBeGreaterThanOrEqual(25)
    const [{ late } = { late: -1 }] = await server.world.query<{ late: number }>(
      `select count(*)::int as late from cell.decision_executions where center_id = $1 and consumed_index > $2`,
      [fixture.center.id, freeze.historyIndex],
      true,
    )
    expect(late).toBe(0)
    await lift(freeze.id)
  })

  it('one lifting is sealed', async () => {
    const freeze = await stopped({ actorId: 'agent-10' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => lift(freeze.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(404)])
  })
})

describe('400 and 422', () => {
  it.each([
    {},
    { actorId: 'a', center: true },
    { actorId: '' },
    { actionTypes: [] },
    { actionTypes: [' '] },
    { center: false },
  ])('for %j', async (covers) => {
    expect([400, 422]).toContain((await stop(covers)).status)
  })
  it('without a reason', async () => {
    expect([400, 422]).toContain((await fixture.platform('POST', '/api/freezes', { center: true })).status)
  })
})

describe('401, 403 and 404', () => {
  it('for nobody, an API key, an INSTRUCTOR and another center', async () => {
    const body = { actorId: 'agent-7', reason }
    expect((await server.call('POST', '/api/freezes', { body })).status).toBe(401)
    expect((await fixture.v1('POST', '/api/freezes', body)).status).toBe(401)
    const instructor = { token: fixture.instructorToken, body }
    expect(refused(await server.call('POST', '/api/freezes', instructor))).toEqual([403, 'INSUFFICIENT_ROLE'])
    const freeze = await stopped({ actorId: 'agent-11' })
    const elsewhere = await openProofFixture(server)
    expect((await lift(freeze.id, elsewhere)).status).toBe(404)
    expect((await elsewhere.platform('GET', '/api/freezes')).body.data).toEqual([])
    await lift(freeze.id)
    expect((await lift(freeze.id)).status).toBe(404)
  })

  it('for whoever is stopped: another administrator lifts it', async () => {
    const freeze = await stopped({ actorId: fixture.admin.actorId })
    expect(refused(await lift(freeze.id))).toEqual([403, 'FORBIDDEN'])
    const second = await server.world.person()
    await server.world.member(second, fixture.center, 'ADMIN')
    const { accessToken: token } = await server.signIn(second, fixture.center.domain)
    const path = `/api/freezes/${freeze.id}/lift`
    expect((await server.call('POST', path, { token, body: { reason } })).status).toBe(200)
  })
})

describe('a partner', () => {
  it('stops its own centers, and only it or the operator lifts that', async () => {
    const partner = await server.world.partner()
    const center = await server.world.center({ partner })
    const person = await server.world.person()
    await server.world.account(person, partner)
    const admin = await server.world.person()
    await server.world.member(admin, center, 'ADMIN')
    const { accessToken: token } = await server.signIn(person)
    const { accessToken: own } = await server.signIn(admin, center.domain)
    const body = { center: true, reason }
    const made = await server.call('POST', `/api/partner/centers/${center.id}/freezes`, { token, body })
    expect([made.status, made.body.data?.rank]).toEqual([201, 'partner'])
    const { id } = made.body.data
    const lifted = (path: string, as: string) => server.call('POST', path, { token: as, body: { reason } })
    expect(refused(await lifted(`/api/freezes/${id}/lift`, own))).toEqual([403, 'FORBIDDEN'])
    const elsewhere = `/api/partner/centers/${fixture.center.id}/freezes`
    expect(refused(await server.call('POST', elsewhere, { token, body }))).toEqual([404, 'CENTER_NOT_FOUND'])
    expect((await lifted(`/api/partner/centers/${center.id}/freezes/${id}/lift`, token)).status).toBe(200)
  })
})

describe('GET', () => {
  it('lists what is in force first, for staff', async () => {
    const { body: left } = await fixture.platform('GET', '/api/freezes')
    for (const { id, liftedAt } of left.data) if (liftedAt === null) await lift(id)
    const freeze = await stopped({ actionTypes: ['refund'] })
    const { body } = await server.call('GET', '/api/freezes', { token: fixture.instructorToken })
    expect(body.data[0]).toMatchObject({ id: freeze.id, actionTypes: ['refund'], liftedAt: null })
    expect(body.data.slice(1).every(({ liftedAt }: { liftedAt: string | null }) => liftedAt !== null)).toBe(true)
    await lift(freeze.id)
  })
})

describe('a stop that was altered in the database', () => {
  it.each([
    [`update cell.freezes set reason = 'other' where id = $1`],
    [`update cell.freezes set covers = '{"actorId":"somebody"}' where id = $1`],
    [`update cell.freezes set lifted_by = 'x', lifted_at = now(), lifted_index = 1, lift_reason = 'x' where id = $1`],
  ])('does not verify: %s', async (change) => {
    const own = await openProofFixture(server)
    const freeze = await stopped({ actorId: 'agent-7' }, own)
    await server.world.query('alter table cell.freezes disable trigger all', [], true)
    await server.world.query(change, [uuidOf('freeze', freeze.id)], true)
    await server.world.query('alter table cell.freezes enable trigger all', [], true)
    const { body } = await own.platform('GET', '/api/dpu/verify-chain?mode=records')
    expect(body.data.valid).toBe(false)
  })
})

describe('what a stop covers', () => {
  const coverage = (query: string, of = fixture) => of.platform('GET', `/api/freezes/coverage${query}`)

  it('200: how many requests wait and what runs, of an agent, a key, action types or the whole center', async () => {
    const own = await openProofFixture(server)
    await own.policy({ humanReview: true })
    const [open, running] = [await recorded(own), await approved(own)]
    const executor = newExecutor()
    await consume(own, running, executor)
    const { body: keys } = await own.platform('GET', '/api/api-keys')
    const key = (keys.data as { id: string }[]).at(-1)
    for (const query of ['', '?actorId=AGENT-7', `?keyId=${key?.id}`, '?actionTypes=note,MONEY.*']) {
      const { status, body } = await coverage(query, own)
      expect([query, status, body.data]).toEqual([
        query,
        200,
        {
          ...{ waiting: 1, waitingIds: [open.id], runs: null },
          running: [expect.objectContaining({ eventId: running.id, executor })],
        },
      ])
    }
    const nothing = { waiting: 0, waitingIds: [], running: [], runs: null }
    expect((await coverage('?actorId=agent-8', own)).body.data).toEqual(nothing)
    expect((await coverage('', await openProofFixture(server))).body.data).toEqual(nothing)
  })

  it('200: how much of it was consumed in each minute before the entry of a stop, and since', async () => {
    const own = await openProofFixture(server)
    const [first, second, later] = [await approved(own), await approved(own), await approved(own)]
    for (const each of [first, second]) await consume(own, each, newExecutor())
    const ofOther = await stopped({ actorId: 'agent-8' }, own)
    await consume(own, later, newExecutor())
    const runsOf = async (query: string) =>
      (await coverage(`${query}&index=${ofOther.historyIndex}`, own)).body.data.runs
    const before = Array.from({ length: 14 }, () => 0)
    expect(await runsOf('?actorId=agent-7')).toEqual({ minutes: [...before, 2], later: 1 })
    expect(await runsOf('?actorId=agent-8')).toEqual({ minutes: [...before, 0], later: 0 })
    expect((await coverage('?index=999999', own)).body.data.runs).toBeNull()
  })

  it('422: two of them at once, or an empty type', async () => {
    expect((await coverage('?actorId=a&actionTypes=b')).body.error.code).toBe('VALIDATION_ERROR')
    expect((await coverage('?actionTypes=a,,b')).body.error.code).toBe('VALIDATION_ERROR')
  })
})
