/** Every cause that this server notes by itself, made by the operation of a person or by the passing of time, and read as a mail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { openPushService, type PushService, pushSettings } from '../../../../../../tests/support/push-service.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { nowMs, useClock } from '../../../../lib/clock.ts'
import { noteCellCause } from '../../../../mail/causes.ts'
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

const dayMs = 86_400_000

export async function tell(): Promise<void> {
  await tellPeopleJob(server.services, 'main')
  await server.services.mail.close()
  await server.services.push.close()
}

const lettersTo = ({ email }: Person) => mailbox.messages.filter(({ to }) => to.includes(email))
const subjectsTo = (person: Person) => lettersTo(person).map(({ subject }) => subject)

async function place(language: 'ko' | 'en' = 'ko') {
  const { world } = server
  const center = await world.center({ name: '하늘발달센터' })
  if (language === 'en')
    await world.query(`update directory.centers set settings = settings || '{"locale":"en-US"}' where id = $1`, [
      center.id,
    ])
  const people: Record<string, Person> = {}
  for (const role of ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD']) {
    people[role] = await world.person()
    await world.member(people[role] as Person, center, role)
  }
  const {
    ADMIN: admin,
    INSTRUCTOR: instructor,
    PARENT: parent,
    CHILD: child,
  } = people as Record<string, Person> as {
    ADMIN: Person
    INSTRUCTOR: Person
    PARENT: Person
    CHILD: Person
  }
  await world.guardian(parent, child, center)
  const { accessToken: token } = await server.signIn(admin, center.domain)
  return { center, admin, instructor, parent, child, token }
}

/** The first free slots of a weekday that is at least `days` away. */
async function slots(token: string, center: Center, instructor: Person, days = 3): Promise<readonly string[]> {
  for (let day = days; day < days + 7; day++) {
    const date = new Date(nowMs() + day * dayMs).toISOString().slice(0, 10)
    const path = `/api/centers/${center.id}/available-slots?date=${date}&instructorId=${instructor.actorId}`
    const { body } = await server.call('GET', path, { token })
    if (body.data?.slots?.length > 1) return body.data.slots.map((slot: { startsAt: string }) => slot.startsAt)
  }
  throw new Error('there is no free slot')
}

describe.each(['ko', 'en'] as const)('an appointment, in %s', (language) => {
  it('tells the client, the guardian and the instructor when it is made, moved, canceled and missed', async () => {
    const { center, admin, instructor, parent, child, token } = await place(language)
    const [first = '', second = ''] = await slots(token, center, instructor)
    const made = await server.call('POST', `/api/centers/${center.id}/bookings`, {
      token,
      body: { instructorId: instructor.actorId, bookedFor: child.actorId, startsAt: first },
    })
    expect(made.status, made.text).toBe(201)
    await tell()
    const counts = () => [parent, child, instructor, admin].map((person) => lettersTo(person).length)
    expect(counts()).toEqual([1, 1, 1, 0])
    const [letter] = lettersTo(parent)
    expect(letter?.subject).toContain(language === 'ko' ? '수업 예약' : 'lesson')
    expect(letter?.text).toContain(`/c/${center.domain}/family`)
    expect(letter?.text).toContain(language === 'ko' ? '한국 표준시' : 'Korean Standard Time')
    expect(letter?.html).toContain('class="button"')
    // An instructor's mail has no client's name.
    expect(`${lettersTo(instructor)[0]?.subject}${lettersTo(instructor)[0]?.text}`).not.toContain(
      child.email.split('@')[0],
    )
    const id = made.body.data.id
    const moved = await server.call('POST', `/api/centers/${center.id}/bookings/${id}/move`, {
      token,
      body: { startsAt: second },
    })
    expect(moved.status, moved.text).toBe(200)
    const canceled = await server.call('POST', `/api/centers/${center.id}/bookings/${id}/cancel`, {
      token,
      body: { reason: 'ill' },
    })
    expect(canceled.status, canceled.text).toBe(200)
    await tell()
    expect(counts()).toEqual([3, 3, 3, 0])
    const [ofGuardian, ofInstructor] = [parent, instructor].map(
      (person) => lettersTo(person).find(({ subject }) => /변경|moved/.test(subject))?.text ?? '',
    )
    expect(ofGuardian).toMatch(/취소하세요|move or cancel/)
    expect(ofInstructor).toContain(`/c/${center.domain}/bookings`)
    expect(ofInstructor).not.toMatch(/취소하세요|move or cancel|강사 |With /)
    // Nobody is told twice, however often the job runs.
    await tell()
    expect(counts()).toEqual([3, 3, 3, 0])
    expect(new Set(lettersTo(parent).map(({ messageId }) => messageId)).size).toBe(3)
    const again = await server.call('POST', `/api/centers/${center.id}/bookings`, {
      token,
      body: { instructorId: instructor.actorId, bookedFor: child.actorId, startsAt: first },
    })
    await tell()
    const restore = useClock(() => Date.parse(first) + 60_000)
    try {
      const { accessToken } = await server.signIn(admin, center.domain)
      const missed = await server.call('POST', `/api/centers/${center.id}/bookings/${again.body.data.id}/no-show`, {
        token: accessToken,
      })
      expect(missed.status, missed.text).toBe(200)
      await tell()
    } finally {
      restore()
    }
    expect(counts()).toEqual([5, 5, 4, 0])
  })

  it('reminds once, in the evening before', async () => {
    const { center, instructor, parent, child, token } = await place(language)
    const [first = ''] = await slots(token, center, instructor)
    await server.call('POST', `/api/centers/${center.id}/bookings`, {
      token,
      body: { instructorId: instructor.actorId, bookedFor: child.actorId, startsAt: first },
    })
    await tell()
    const localDay = new Date(Date.parse(first) + 9 * 3_600_000).toISOString().slice(0, 10)
    const evening = Date.parse(`${localDay}T18:00:00+09:00`) - dayMs
    for (const [at, letters] of [
      [evening - 3 * 3_600_000, 1],
      [evening, 2],
      [evening + 600_000, 2],
    ] as const) {
      const restore = useClock(() => at)
      try {
        await tell()
      } finally {
        restore()
      }
      expect(lettersTo(parent)).toHaveLength(letters)
    }
    expect(subjectsTo(parent)[1]).toContain(language === 'ko' ? '내일' : 'tomorrow')
  })
})

it('a membership tells who was invited, accepted, approved, refused or changed', async () => {
  const { center, admin, token } = await place()
  const person = await server.world.person()
  await server.world.member(person, center, 'PARENT', 'INVITED')
  const { accessToken } = await server.signIn(person)
  const memberships = await server.call('GET', '/api/auth/me', { token: accessToken })
  const id = memberships.body.data.memberships[0].id
  expect((await server.call('POST', `/api/memberships/${id}/accept`, { token: accessToken })).status).toBe(200)
  await tell()
  expect(subjectsTo(admin).join()).toContain('초대를 수락했습니다')
  expect((await server.call('POST', `/api/memberships/${id}/approve`, { token })).status).toBe(200)
  await tell()
  expect((await server.call('PATCH', `/api/memberships/${id}`, { token, body: { role: 'CHILD' } })).status).toBe(200)
  await tell()
  expect(subjectsTo(person).map((each) => each.replace(/^\[[^\]]+\] /, ''))).toEqual([
    '구성원으로 승인되었습니다',
    '역할이 변경되었습니다',
  ])
  const refused = await server.world.person()
  await server.world.member(refused, center, 'PARENT', 'PENDING')
  const listed = await server.call('GET', `/api/centers/${center.id}/members?status=PENDING`, { token })
  const other = listed.body.data.find((each: { email: string }) => each.email === refused.email)
  expect((await server.call('POST', `/api/memberships/${other.id}/reject`, { token })).status).toBe(200)
  await tell()
  expect(subjectsTo(refused)[0]).toContain('승인되지 않았습니다')
})

it('a child whom a guardian adds is told to the administrators, and what became of it to the guardian', async () => {
  const { center, admin, instructor, parent, token } = await place()
  const { accessToken } = await server.signIn(parent, center.domain)
  const add = async (name: string) => {
    const added = await server.call('POST', `/api/centers/${center.id}/children`, {
      token: accessToken,
      body: { name },
    })
    expect(added.status, added.text).toBe(201)
    return added.body.data.membership.id as string
  }
  const [admitted, refused] = [await add('이하늘'), await add('이바다')]
  await tell()
  expect(subjectsTo(admin).filter((each) => each.includes('승인을 기다리는 수강생'))).toHaveLength(2)
  // An administrator's mail has no client's name.
  expect(JSON.stringify(lettersTo(admin))).not.toMatch(/이하늘|이바다/)
  expect((await server.call('POST', `/api/memberships/${admitted}/approve`, { token })).status).toBe(200)
  expect((await server.call('POST', `/api/memberships/${refused}/reject`, { token })).status).toBe(200)
  await tell()
  expect(
    subjectsTo(parent)
      .map((each) => each.replace(/^\[[^\]]+\] /, ''))
      .toSorted(),
  ).toEqual(['이바다 님이 구성원으로 승인되지 않았습니다', '이하늘 님이 구성원으로 승인되었습니다'])
  expect(lettersTo(instructor)).toEqual([])
  const made = await server.call('POST', `/api/centers/${center.id}/children`, { token, body: { name: '이나무' } })
  expect(made.status, made.text).toBe(201)
  const before = lettersTo(admin).length
  await tell()
  expect(lettersTo(admin)).toHaveLength(before)
})

it('a new browser, a removed passkey and their times', async () => {
  const { center, admin } = await place()
  const agent = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36'
  const signIn = () =>
    server.call('POST', '/api/auth/login', {
      body: { email: admin.email, password: admin.password, centerDomain: center.domain },
      headers: { 'user-agent': agent },
    })
  expect((await signIn()).status).toBe(200)
  expect((await signIn()).status).toBe(200)
  await tell()
  expect(lettersTo(admin)).toHaveLength(1)
  expect(lettersTo(admin)[0]?.text).toContain('Chrome, Windows')
})

it('a center whose people cannot be told now holds back no other', async () => {
  const [broken, other] = [await place(), await place()]
  const { services } = server
  for (const { center, admin } of [broken, other]) {
    await services.cells.of('main').inTenantJob(center.id, 'test', (tx) => {
      const of = { until: new Date(nowMs() + dayMs).toISOString() }
      const facts = { person: admin.actorId, by: admin.actorId, startsAt: new Date(nowMs()).toISOString(), of }
      return noteCellCause(tx, { id: 'deputy test', event: 'deputyNamed', facts })
    })
  }
  const failing: typeof services.notifications.tell = (tx, cause, center) =>
    center?.centerId === broken.center.id
      ? Promise.reject(new Error('cannot be told'))
      : services.notifications.tell(tx, cause, center)
  const { drain, sendDigests } = services.notifications
  await tellPeopleJob({ ...services, notifications: { drain, sendDigests, tell: failing } }, 'main')
  await services.mail.close()
  expect([broken, other].map(({ admin }) => lettersTo(admin).length)).toEqual([0, 1])
  await tell()
  expect([broken, other].map(({ admin }) => lettersTo(admin).length)).toEqual([1, 1])
})

it('trials and keys that end tell the administrators once', async () => {
  const { center, admin, instructor } = await place()
  await server.world.key(center, { expiresAt: new Date(nowMs() + 5 * dayMs) })
  await tell()
  await tell()
  expect(subjectsTo(admin).filter((each) => each.includes('API 키'))).toHaveLength(1)
  expect(lettersTo(instructor)).toEqual([])
})

it('a comment, a deputy and a decision tell those concerned, without what they say', async () => {
  const { center, admin, instructor, token } = await place()
  await server.call('POST', '/api/policies', { token, body: { name: 'all', match: {}, guards: { humanReview: true } } })
  const key = await server.world.key(center)
  const actor = { id: instructor.actorId, type: 'human', name: 'I' }
  const { body } = await server.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent({ actor }) })
  const event = body.data.id
  const before = lettersTo(instructor).length
  const said = await server.call('POST', `/api/decisions/${event}/comments`, { token, body: { text: 'Secret words' } })
  expect(said.status, said.text).toBe(201)
  const at = (days: number) => new Date(nowMs() + days * dayMs).toISOString()
  const named = await server.call('PUT', '/api/decisions/deputy', {
    token,
    body: { actorId: instructor.actorId, from: at(0), until: at(3) },
  })
  expect(named.status, named.text).toBe(200)
  await tell()
  const letters = lettersTo(instructor).slice(before)
  expect(letters).toHaveLength(2)
  for (const { text, html } of letters) expect(`${text}${html}`).not.toContain('Secret words')
  const decided = await server.call('POST', `/api/decisions/${event}/approvals`, {
    token,
    body: { result: 'rejected', reason: 'no' },
  })
  expect(decided.status, decided.text).toBeLessThan(300)
  await tell()
  expect(subjectsTo(instructor).at(-1)).toContain('요청하신 결정')
  expect(lettersTo(admin).filter(({ subject }) => subject.includes('요청하신'))).toEqual([])
})
