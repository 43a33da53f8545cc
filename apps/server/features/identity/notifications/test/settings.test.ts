/** What a person chose decides which messages wait to be sent, and when. */
import { messageGroupNames, messageGroups } from '@countersign/contract/messages.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { openPushService, type PushService, pushSettings } from '../../../../../../tests/support/push-service.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { nowMs, useClock } from '../../../../lib/clock.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { noteCause } from '../../../../mail/causes.ts'
import { tellPeopleJob } from '../tell-people.job.ts'

let mailbox: Mailbox
let service: PushService
let server: TestServer

beforeAll(async () => {
  mailbox = await openMailbox()
  service = await openPushService()
  server = await startServer({ env: { ...pushSettings, SMTP_URL: mailbox.url } })
})
afterAll(async () => {
  await server.close()
  await service.close()
  await mailbox.close()
})

const path = '/api/auth/me/notifications'
const allOn = messageGroupNames.map((group) => ({
  ...{ group, mail: true, push: true, text: messageGroups[group].text !== null, digest: false },
}))
const withChoice = (group: string, change: object) =>
  allOn.map((each) => (each.group === group ? { ...each, ...change } : each))

async function place() {
  const { world } = server
  const center = await world.center({ name: '하늘발달센터' })
  const person = await world.person()
  await world.member(person, center, 'PARENT')
  const phone = `+8210${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  await world.query('update directory.actors set phone = $2, phone_verified_at = now() where id = $1', [
    person.actorId,
    phone,
  ])
  const { accessToken: token } = await server.signIn(person, center.domain)
  const browser = service.subscribe()
  expect((await server.call('PUT', '/api/auth/push', { token, body: browser })).status).toBe(204)
  const choose = async (body: object) => {
    const answer = await server.call('PUT', path, {
      token,
      body: { groups: allOn, quietHours: null, timeZone: null, ...body },
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data
  }
  const counts = () => [
    mailbox.messages.filter(({ to }) => to.includes(person.email)).length,
    service.received.filter(({ endpoint }) => endpoint === browser.endpoint).length,
    // Without TEXT_URL, the development outbox keeps text messages.
    server.services.mail.previews.filter(({ to }) => to === phone).length,
  ]
  return { center, person, token, phone, browser, choose, counts }
}

async function cause(
  center: Center,
  person: Person,
  event: 'appointmentMoved' | 'deputyNamed' | 'newSignIn',
  id = newUuid(),
) {
  const at = (days: number) => new Date(nowMs() + days * 86_400_000).toISOString()
  const facts = { person: person.actorId, startsAt: at(3), before: at(2), by: person.actorId, of: { until: at(9) } }
  const caller = { requestId: 'test', actorId: null, centerId: 0 }
  await server.services.directory.identity(caller, (tx) =>
    noteCause(tx, event === 'newSignIn' ? null : center.id, { id, event, facts }),
  )
  return id
}

async function tell(at?: number): Promise<void> {
  const restore = at === undefined ? () => {} : useClock(() => at)
  try {
    await tellPeopleJob(server.services, 'main')
    await server.services.mail.sendDue()
    await server.services.push.sendDue()
    await server.services.mail.close()
    await server.services.push.close()
  } finally {
    restore()
  }
}

describe('the settings of a person', () => {
  it('are the defaults before a choice, and then what was chosen', async () => {
    const { token, choose } = await place()
    const { body } = await server.call('GET', path, { token })
    expect(body.data.groups.map(({ group }: { group: string }) => group)).toEqual(messageGroupNames)
    expect(body.data.groups[0]).toMatchObject({
      group: 'appointments',
      mail: true,
      push: true,
      text: true,
      digest: false,
    })
    const quietHours = { from: '22:00', until: '07:00' }
    const chosen = await choose({
      groups: withChoice('decisions', { push: false }),
      quietHours,
      timeZone: 'Asia/Seoul',
    })
    expect(chosen.groups[1]).toMatchObject({ group: 'decisions', mail: true, push: false })
    expect((await server.call('GET', path, { token })).body.data).toEqual(chosen)
    expect(chosen).toMatchObject({ quietHours, timeZone: 'Asia/Seoul' })
  })

  it.each([
    ['security messages off', { groups: withChoice('security', { mail: false }) }],
    ['text messages that there are not', { groups: withChoice('security', { text: true }) }],
    ['a daily email that there is not', { groups: withChoice('appointments', { digest: true }) }],
    ['a group twice', { groups: [allOn[0], allOn[0]] }],
    ['an unknown group', { groups: [{ ...allOn[0], group: 'weather' }] }],
    ['an unknown time zone', { timeZone: 'Mars/Base' }],
    ['quiet hours without a length', { quietHours: { from: '07:00', until: '07:00' } }],
    ['an unknown field', { sound: true }],
  ])('cannot be: %s', async (_, change) => {
    const { token } = await place()
    const body = { groups: allOn, quietHours: null, timeZone: null, ...change }
    const answer = await server.call('PUT', path, { token, body })
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('need a session', async () => {
    expect((await server.call('GET', path)).status).toBe(401)
    expect((await server.call('PUT', path, { body: {} })).status).toBe(401)
  })
})

describe('a message', () => {
  it('comes by every channel that is on, once for each cause', async () => {
    const { center, person, counts } = await place()
    const id = await cause(center, person, 'appointmentMoved')
    await tell()
    expect(counts()).toEqual([1, 1, 1])
    await cause(center, person, 'appointmentMoved', id)
    await server.world.query('update directory.message_causes set told_at = null where id = $1', [id])
    await tell()
    expect(counts()).toEqual([1, 1, 1])
  })

  it('does not come by a channel that is off, except those that are fixed', async () => {
    const { center, person, choose, counts } = await place()
    await choose({ groups: withChoice('appointments', { mail: false, text: false }) })
    await cause(center, person, 'appointmentMoved')
    await tell()
    expect(counts()).toEqual([0, 1, 0])
    await cause(center, person, 'newSignIn')
    await tell()
    expect(counts()).toEqual([1, 2, 0])
  })

  it('by push and text waits for the end of the quiet hours, and email does not', async () => {
    const { center, person, choose, counts } = await place()
    const wall = (ms: number) => new Date(ms + 9 * 3_600_000).toISOString().slice(11, 16)
    await choose({ quietHours: { from: wall(nowMs() - 3_600_000), until: wall(nowMs() + 3_600_000) } })
    await cause(center, person, 'appointmentMoved')
    await tell()
    expect(counts()).toEqual([1, 0, 0])
    await tell(nowMs() + 3_660_000)
    expect(counts()).toEqual([1, 1, 1])
  })

  it('waits for the one email of the day, with all others', async () => {
    const { center, person, choose, counts } = await place()
    await choose({ groups: withChoice('decisions', { digest: true, push: false, text: false }) })
    for (let n = 0; n < 3; n++) await cause(center, person, 'deputyNamed')
    await tell()
    expect(counts()).toEqual([0, 0, 0])
    await tell(nowMs() + 86_400_000)
    await tell(nowMs() + 86_400_000)
    expect(counts()).toEqual([1, 0, 0])
    const letter = mailbox.messages.find(({ to }) => to.includes(person.email))
    expect(letter?.subject).toContain('3건')
    expect(letter?.text.split(`/c/${center.domain}/inbox`)).toHaveLength(4)
  })

  it.each(['SUSPENDED', 'ENDED'])('that was collected comes to nobody who is %s the next morning', async (status) => {
    const { center, person, choose, counts } = await place()
    await choose({ groups: withChoice('decisions', { digest: true, push: false, text: false }) })
    await cause(center, person, 'deputyNamed')
    await tell()
    await server.world.setMembership(person, center, { status })
    await tell(nowMs() + 86_400_000)
    expect(counts()).toEqual([0, 0, 0])
  })

  it('comes to nobody who is no longer a member', async () => {
    const { center, person, counts } = await place()
    await server.world.setMembership(person, center, { status: 'ENDED' })
    await cause(center, person, 'appointmentMoved')
    await tell()
    expect(counts()).toEqual([0, 0, 0])
  })
})
