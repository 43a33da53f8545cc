/** Messages to those whose turn it is. Approvals are put in as rows, so that each test says only when which one was given. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { nowMs, useClock } from '../../../../lib/clock.ts'
import { uuidOf } from '../../../../lib/ids.ts'
import { type Colleague, type Office, openOffice, putApproval } from './fixture.ts'

let mailbox: Mailbox
let server: TestServer
let restore = () => {}
const start = nowMs()
const after = (seconds: number) => {
  restore()
  restore = useClock(() => start + seconds * 1000)
}

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
})
afterEach(() => restore())
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const tell = async (office: Office) => {
  await office.runJob()
  await server.services.mail.close()
}
/** Mails about decisions: new members get another one. */
const letters = (...people: readonly Colleague[]) => people.map((person) => mailsTo(person).length)
const mailsTo = ({ person: { email } }: Colleague) =>
  mailbox.messages.filter(({ to, text }) => to.includes(email) && text.includes('/approve/'))

const approve = (office: Office, id: string, by: Colleague) => putApproval(server, office, id, by)
const takeBack = ({ center }: Office, id: string, position: number) =>
  server.world.query(
    'insert into cell.approval_take_backs (center_id, event_id, position, taken_back_at) values ($1, $2, $3, $4)',
    [center.id, uuidOf('decisionEvent', id), position, new Date(nowMs())],
  )

const collect = (actorId: string) =>
  server.world.query(
    'insert into directory.notification_settings (actor_id, settings, changed_at) values ($1, $2, now())',
    [
      actorId,
      {
        groups: [{ group: 'decisions', mail: true, push: true, text: false, digest: true }],
        quietHours: null,
        timeZone: null,
      },
    ],
    true,
  )
/** The event and the decision of each item, oldest decision first. */
const collected = async (actorId: string) => {
  const items = await server.world.query<{ event: string; url: string }>(
    'select event, url from directory.digest_items where actor_id = $1 order by url',
    [actorId],
    true,
  )
  return items.map(({ event, url }) => [event, url.split('/').at(-1)])
}

async function officeOf(steps: (people: { teacher: Colleague; other: Colleague; admin: Colleague }) => object[]) {
  const office = await openOffice(server)
  const [teacher, other] = [await office.join('INSTRUCTOR'), await office.join('INSTRUCTOR')]
  const { admin } = office
  await office.policy({ approval: { steps: steps({ teacher, other, admin }) } })
  return { office, teacher, other, admin }
}

describe('members are told', () => {
  it('once when it becomes their turn, and not before', async () => {
    const { office, teacher, other, admin } = await officeOf(({ teacher, admin }) => [
      { actorIds: [teacher.id] },
      { actorIds: [admin.id] },
      { roles: ['INSTRUCTOR'] },
    ])
    const { id } = await office.record()
    await tell(office)
    expect(letters(teacher, admin, other)).toEqual([1, 0, 0])
    await approve(office, id, teacher)
    await tell(office)
    expect(letters(teacher, admin, other)).toEqual([1, 1, 0])
    after(700)
    await tell(office)
    await approve(office, id, admin)
    await tell(office)
    expect(letters(teacher, admin, other)).toEqual([1, 1, 1])
    after(1400)
    await tell(office)
    expect(letters(teacher, admin, other)).toEqual([1, 1, 1])
  })

  it('not again while their step has places left', async () => {
    const { office, teacher, other, admin } = await officeOf(() => [{ count: 2 }, { roles: ['INSTRUCTOR'] }])
    const { id } = await office.record()
    await tell(office)
    expect(letters(teacher, other, admin)).toEqual([1, 1, 1])
    after(700)
    await approve(office, id, admin)
    await tell(office)
    expect(letters(teacher, other, admin)).toEqual([1, 1, 1])
  })

  it('after an escalation of their step, from when it became the current one', async () => {
    const { office, teacher, other, admin } = await officeOf(({ teacher, other, admin }) => [
      { actorIds: [teacher.id], escalateTo: { actorIds: [other.id], afterSeconds: 3000 } },
      { actorIds: [other.id], escalateTo: { actorIds: [admin.id], afterSeconds: 2000 } },
    ])
    const { id } = await office.record()
    await tell(office)
    after(1000)
    await approve(office, id, teacher)
    await tell(office)
    expect(letters(teacher, other, admin)).toEqual([1, 1, 0])
    after(2990)
    await tell(office)
    expect(letters(teacher, other, admin)).toEqual([1, 1, 0])
    after(3010)
    await tell(office)
    expect(letters(teacher, other, admin)).toEqual([1, 1, 1])
  })

  it('in place of a member who is absent, whose turn it is', async () => {
    const { office, teacher, other, admin } = await officeOf(({ teacher, admin }) => [
      { actorIds: [teacher.id] },
      { actorIds: [admin.id] },
    ])
    await office.deputy(admin, other)
    const { id } = await office.record()
    await tell(office)
    expect(letters(other, admin)).toEqual([0, 0])
    await approve(office, id, teacher)
    await tell(office)
    expect(letters(other, admin)).toEqual([1, 1])
  })

  it('nothing more when an approval is taken back and given again', async () => {
    const { office, teacher, other, admin } = await officeOf(({ teacher, admin }) => [
      { actorIds: [teacher.id] },
      { actorIds: [admin.id] },
    ])
    const { id } = await office.record()
    await tell(office)
    await approve(office, id, teacher)
    await tell(office)
    after(700)
    await takeBack(office, id, 0)
    await tell(office)
    await approve(office, id, teacher)
    await tell(office)
    after(1400)
    await tell(office)
    expect(letters(teacher, admin, other)).toEqual([1, 1, 0])
  })
})

describe('people who are informed', () => {
  it('get one mail when a decision is sealed or refused, and nothing of what it says', async () => {
    const office = await openOffice(server)
    const [teacher, other] = [await office.join('INSTRUCTOR'), await office.join('INSTRUCTOR')]
    const { admin } = office
    const policy = {
      match: { actionTypes: ['refund.*'] },
      approval: { roles: ['ADMIN'], inform: { actorIds: [teacher.id] } },
    }
    await office.policy(policy)
    const action = { type: 'refund.issue', description: 'For Mina Seo', input: { amount: 820_000 } }
    const [one, two] = [await office.record({ action }), await office.record({ action })]
    await tell(office)
    expect(letters(admin, teacher, other)).toEqual([1, 0, 0])
    expect((await office.decide(admin, one.id)).status).toBe(200)
    expect((await office.decide(admin, two.id, { result: 'rejected', reason: 'No.' })).status).toBe(200)
    await tell(office)
    await tell(office)
    expect(letters(admin, teacher, other)).toEqual([1, 1, 0])
    const { text = '' } = mailsTo(teacher).at(-1) ?? {}
    for (const { id } of [one, two]) expect(text).toContain(id)
    expect(text).not.toMatch(/Mina|820|refund/)
  })

  it('are those of the policies of now, also for what waits already', async () => {
    const office = await openOffice(server)
    const teacher = await office.join('INSTRUCTOR')
    const { id: policyId } = await office.policy({ approval: { roles: ['ADMIN'] } })
    const { id } = await office.record()
    const { token } = office.admin
    const approval = { roles: ['ADMIN'], inform: { roles: ['INSTRUCTOR'] } }
    const changed = await server.call('PATCH', `/api/policies/${policyId}`, { token, body: { approval } })
    expect(changed.status).toBe(200)
    await tell(office)
    expect((await office.decide(office.admin, id)).status).toBe(200)
    await tell(office)
    expect(letters(teacher)).toEqual([1])
  })

  it('find each decision in the one email of the day if they collect them, as those whose turn it is do', async () => {
    const office = await openOffice(server)
    const teacher = await office.join('INSTRUCTOR')
    const { admin } = office
    for (const { id } of [teacher, admin]) await collect(id)
    await office.policy({ approval: { roles: ['ADMIN'], inform: { actorIds: [teacher.id] } } })
    const [one, two, open] = [await office.record(), await office.record(), await office.record()]
    await tell(office)
    expect(await collected(admin.id)).toEqual([one.id, two.id, open.id].map((id) => ['decisionWaits', id]))
    for (const { id } of [one, two]) expect((await office.decide(admin, id)).status).toBe(200)
    await tell(office)
    expect(await collected(teacher.id)).toEqual([one.id, two.id].map((id) => ['informed', id]))
    expect(letters(admin, teacher)).toEqual([0, 0])
    after(86_400)
    await server.services.notifications.sendDigests()
    await server.services.mail.close()
    // What was decided in the meantime is not announced as waiting.
    const linked = (who: Colleague) => mailsTo(who).map(({ text }) => [...new Set(text.match(/evt_\w+/g))].toSorted())
    expect([linked(admin), linked(teacher)]).toEqual([[[open.id]], [[one.id, two.id]]])
  })

  it('are told of nothing where no policy asked', async () => {
    const office = await openOffice(server)
    await office.policy({ guards: { riskThreshold: 0.9 }, approval: { inform: { roles: ['ADMIN'] } } })
    const { id } = await office.record({ riskScore: 0.1 })
    expect((await office.decide(office.admin, id)).status).toBe(200)
    await tell(office)
    expect(letters(office.admin)).toEqual([0])
  })
})
