/** Each cell of the matrix that a cause fills: one message for one cause, in both languages, by every channel. */
import {
  channelsOf,
  groupOf,
  type MessageEvent,
  type MessagePerson,
  messageEvents,
} from '@countersign/contract/messages.ts'
import { tradeTerms } from '@countersign/words/trades.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { openPushService, type PushService, pushSettings } from '../../../../../../tests/support/push-service.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { nowMs } from '../../../../lib/clock.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { noteCause } from '../../../../mail/causes.ts'
import { eventLabel } from '../../../../mail/templates.ts'

let mailbox: Mailbox
let service: PushService
let server: TestServer
const places: Partial<Record<'ko' | 'en', Awaited<ReturnType<typeof place>>>> = {}

beforeAll(async () => {
  mailbox = await openMailbox()
  service = await openPushService()
  server = await startServer({ env: { ...pushSettings, SMTP_URL: mailbox.url } })
  for (const language of ['ko', 'en'] as const) places[language] = await place(language)
})
afterAll(async () => {
  await server.close()
  await service.close()
  await mailbox.close()
})

/** Sent by features of their own, each with a test: they name people who are no members, or collect decisions. */
const sentElsewhere: readonly MessageEvent[] = [
  ...(['decisionWaits', 'myTurn', 'escalated', 'policyChangeWaits', 'informed', 'objected', 'unconfirmed'] as const),
  ...(['invited', 'partnerInvited', 'guardianInvited', 'mayApprove', 'openAccount', 'accountExists'] as const),
  ...(['newPassword', 'linkAccount', 'noAccountToLink', 'addressCode', 'addressTaken', 'passkeyAdded'] as const),
  ...(['passkeyWaits', 'passkeyConfirmed', 'adminPasskeysOn', 'adminPasskeysOff', 'passwordChanged'] as const),
  ...(['emailChanged', 'phoneChanged'] as const),
]
const ours = messageEvents.filter((event) => !sentElsewhere.includes(event))

async function equip(person: Person, center: Center, language: 'ko' | 'en') {
  const phone = `+8210${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  await server.world.query(
    'update directory.actors set phone = $2, phone_verified_at = now(), language = $3 where id = $1',
    [person.actorId, phone, language],
  )
  const { accessToken: token } = await server.signIn(person, center.domain)
  const browser = service.subscribe()
  await server.call('PUT', '/api/auth/push', { token, body: browser })
  return { ...person, phone, endpoint: browser.endpoint }
}

async function place(language: 'ko' | 'en') {
  const { world } = server
  const center = await world.center({ name: '하늘발달센터' })
  const make = async (role: string) => {
    const person = await world.person()
    await world.member(person, center, role)
    return equip(person, center, language)
  }
  const [admins, instructor, guardians, person] = [
    ...[await make('ADMIN'), await make('INSTRUCTOR'), await make('PARENT'), await make('CHILD')],
  ] as const
  await world.guardian(guardians as Person, person as Person, center)
  const [requester, commenters] = [await make('INSTRUCTOR'), await make('ADMIN')]
  return { center, people: { admins, instructor, guardians, person, requester, commenters } }
}

async function send(event: MessageEvent, { center, people }: Awaited<ReturnType<typeof place>>) {
  const at = (days: number) => new Date(nowMs() + days * 86_400_000).toISOString()
  const facts = {
    ...{ person: people.person?.actorId as string, instructors: [people.instructor?.actorId as string] },
    ...{ requester: [people.requester?.actorId as string], commenters: [people.commenters?.actorId as string] },
    ...{
      by: people.commenters?.actorId ?? null,
      at: at(5),
      startsAt: at(3),
      before: at(2),
      role: 'PARENT',
      status: 'PENDING',
    },
    ...{ id: 'evt_1', of: { until: at(9), domain: 'proof', entry: 3, from: 3, to: 5, device: 'Chrome, Windows' } },
  }
  const { directory, mail, push, notifications } = server.services
  await directory.identity({ requestId: 'test', actorId: null, centerId: 0 }, (tx) =>
    noteCause(tx, groupOf(event) === 'security' && !facts.of ? null : center.id, { id: newUuid(), event, facts }),
  )
  // Twice, as two workers would.
  await Promise.all([notifications.drain(), notifications.drain()])
  await mail.sendDue()
  await push.sendDue()
  await mail.close()
  await push.close()
}

it.each(ours.flatMap((event) => (['ko', 'en'] as const).map((language) => [event, language] as const)))(
  '%s in %s fills its cells once',
  async (event, language) => {
    const found = places[language]
    if (!found) throw new Error('there is no place')
    const { people } = found
    const [mails, pushes, texts] = [
      mailbox.messages.length,
      service.received.length,
      server.services.mail.previews.length,
    ]
    await send(event, found)
    const newMails = mailbox.messages.slice(mails)
    const newPushes = service.received.slice(pushes)
    const newTexts = server.services.mail.previews.slice(0, server.services.mail.previews.length - texts)
    for (const [as, who] of Object.entries(people)) {
      if (!who) continue
      const listed = channelsOf(event)[as as MessagePerson] ?? []
      // An administrator who commented is an administrator too, and is not told of what they did.
      const isActor = as === 'commenters'
      const wanted = isActor ? [] : listed
      const got = {
        mail: newMails.filter(({ to }) => to.includes(who.email)),
        push: newPushes.filter(({ endpoint }) => endpoint === who.endpoint),
        text: newTexts.filter(({ to }) => to === who.phone),
      }
      const counts = { mail: got.mail.length, push: got.push.length, text: got.text.length }
      const expected = { mail: 0, push: 0, text: 0 }
      for (const channel of wanted) expected[channel] = 1
      expect([as, counts]).toEqual([as, expected])
      for (const { subject, text } of got.mail) {
        expect(`${subject}${text}`).not.toMatch(/cs[a-z]{1,2}_|eyJ|undefined|null|\{\w+\}/)
        expect(/[가-힣]/.test(text.replaceAll('하늘발달센터', ''))).toBe(language === 'ko')
        expect(text.match(/Korean Standard Time|한국 표준시/g)?.length ?? 0).toBeLessThan(2)
      }
      for (const { message } of got.push)
        expect(JSON.parse(message)).toMatchObject({
          kind: event,
          language,
          text: eventLabel(event, language, tradeTerms('education')),
        })
    }
  },
)
