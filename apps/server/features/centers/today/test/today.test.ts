import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  startWorkflowFixture,
  type WorkflowFixture,
  workflow,
  workflowId,
} from '../../../../../../tests/support/workflow-fixture.ts'
import { useClock } from '../../../../lib/clock.ts'
import { twoWeeks } from '../read.ts'

const hourMs = 3_600_000
let fixture: WorkflowFixture
beforeAll(async () => {
  fixture = await startWorkflowFixture({ definitions: [workflow({ key: 'by-hand' })] })
})
afterAll(() => fixture.close())

const today = async (token = fixture.token) => {
  const answer = await fixture.server.call('GET', '/api/console/today', { token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data
}
const steps = async () =>
  Object.fromEntries((await today()).steps.map((each: { step: string; done: boolean }) => [each.step, each.done]))

/** An appointment that begins so many hours from now. */
const book = (hours: number, status: string, instructorId = fixture.instructor.actorId) =>
  fixture.server.world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status)
     values ($1, gen_random_uuid(), $2, gen_random_uuid(), $2, $3::timestamptz, $3::timestamptz + interval '10 minutes', now(), $4)`,
    [fixture.center.id, instructorId, new Date(Date.now() + hours * hourMs).toISOString(), status],
  )

describe('twoWeeks', () => {
  it.each([
    ['2026-11-16', '2026-11-09'],
    ['2026-11-22', '2026-11-09'],
    ['2026-11-23', '2026-11-16'],
    ['2027-01-01', '2026-12-21'],
  ])('on %s begins on Monday %s', (day, first) => {
    const days = twoWeeks(day)
    expect(days).toHaveLength(14)
    expect(days[0]).toBe(first)
    expect(new Set(days).size).toBe(14)
  })
})

describe('console.getToday', () => {
  it('200 counts what was sealed and refused since yesterday, not what was before', async () => {
    const before = await today()
    const sealed = await fixture.record()
    await fixture.approve(sealed.id)
    const refused = await fixture.record()
    await fixture.approve(refused.id, { result: 'rejected', reason: 'No.' })
    await fixture.record()
    const after = await today()
    expect([after.sealed - before.sealed, after.rejected - before.rejected]).toEqual([1, 1])
    const later = useClock(() => Date.now() + 49 * hourMs)
    try {
      const token = (await fixture.server.signIn(fixture.admin, fixture.center.domain)).accessToken
      // A redaction changes the row of a decision that was sealed before.
      const redaction = { paths: ['event.tags'], reason: 'Asked for.' }
      const { status } = await fixture.server.call('POST', `/api/dpu/${sealed.id}/redactions`, {
        token,
        body: redaction,
      })
      expect(status).toBe(201)
      expect(await today(token)).toMatchObject({ sealed: 0, rejected: 0, joined: 0 })
    } finally {
      later()
    }
  })

  it('200 with the drafts that nobody has reviewed', async () => {
    const executionId = await fixture.run('by-hand')
    const { dpuId } = await fixture.ended(executionId)
    expect((await today()).drafts).toEqual([
      {
        executionId,
        workflowId: workflowId('by-hand'),
        completedAt: expect.any(String),
        sentToMe: false,
        sentTo: null,
      },
    ])
    const raised = await fixture.raise(dpuId as string, 'DOCUMENTED')
    expect(raised.status).toBe(200)
    expect((await today()).drafts).toEqual([])
  })

  it('200 with appointments by day: an administrator sees all, an instructor their own', async () => {
    await book(-0.5, 'attended')
    await book(-1, 'no_show')
    await book(-1.5, 'canceled')
    await book(0.5, 'booked')
    await book(-0.5, 'attended', fixture.admin.actorId)
    await book(-24 * 40, 'attended')
    const sum = ({ days }: { days: Record<string, number>[] }) =>
      ['attended', 'missed', 'open'].map((kind) => days.reduce((all, day) => all + (day[kind] as number), 0))
    expect((await today()).days).toHaveLength(14)
    expect(sum(await today())).toEqual([2, 1, 1])
    expect(sum(await today(fixture.instructorToken))).toEqual([1, 1, 1])
  })

  it('200 with the steps of the first week, each done when the thing exists, and none once all are', async () => {
    const { world } = fixture.server
    expect((await today(fixture.instructorToken)).steps).toBeNull()
    // The service notes the use of the fixture's key some seconds later; the test below has a center without one.
    expect(await steps()).toMatchObject({
      ...{ name: false, hours: false, staff: true, clients: false, passkey: false, policy: false },
    })
    const settings = `/api/centers/${fixture.center.id}/settings`
    for (const other of [
      { features: { documents: false } },
      { timezone: 'Asia/Seoul' },
      { booking: { slotMinutes: 30 } },
    ])
      expect((await fixture.platform('PATCH', settings, other)).status).toBe(200)
    const { call } = fixture.server
    const view = { name: 'Sealed', filters: { status: 'sealed' }, shared: true }
    expect((await call('PUT', '/api/views', { token: fixture.token, body: view })).status).toBe(200)
    expect(await steps()).toMatchObject({ name: false, hours: false })
    const openingHours = { mon: [{ from: '10:00', to: '19:00' }] }
    expect((await fixture.platform('PATCH', settings, { booking: { openingHours } })).status).toBe(200)
    expect(await steps()).toMatchObject({ name: false, hours: true })
    const rename = await fixture.platform('PATCH', `/api/centers/${fixture.center.id}`, { name: 'Another name' })
    expect(rename.status).toBe(200)
    await world.member(await world.person(), fixture.center, 'CHILD')
    await world.query('update directory.api_keys set last_used_at = now() where center_id = $1', [fixture.center.id])
    await fixture.policy({ humanReview: true })
    expect(await steps()).toEqual({
      ...{ name: true, hours: true, staff: true, clients: true, passkey: false, policy: true, agent: true },
    })
    await world.query(
      `insert into directory.passkeys (id, actor_id, credential_id, thumbprint, key, cose, counter, aaguid, backup_eligible,
         backed_up, statement, assertion, created_at)
       values (gen_random_uuid(), $1, '\\x01', repeat('a', 43), '{}', '\\x01', 0, '', false, false, '{}', '{}', now())`,
      [fixture.admin.actorId],
    )
    expect((await today()).steps).toBeNull()
  })

  it('200 with nothing of another center', async () => {
    const { world, signIn } = fixture.server
    const other = await world.center()
    const person = await world.person()
    await world.member(person, other)
    const found = await today((await signIn(person, other.domain)).accessToken)
    expect(found).toMatchObject({ sealed: 0, rejected: 0, drafts: [] })
    expect(
      found.days.every((day: Record<string, number>) => day.attended === 0 && day.missed === 0 && day.open === 0),
    ).toBe(true)
    expect(found.steps.every(({ done }: { done: boolean }) => !done)).toBe(true)
  })

  it('403 for a guardian, 401 without a credential', async () => {
    const { world, signIn, call } = fixture.server
    const guardian = await world.person()
    await world.member(guardian, fixture.center, 'PARENT')
    const { accessToken } = await signIn(guardian, fixture.center.domain)
    expect((await call('GET', '/api/console/today', { token: accessToken })).status).toBe(403)
    expect((await call('GET', '/api/console/today')).status).toBe(401)
  })
})
