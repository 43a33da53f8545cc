/** A client from the invitation to a moved appointment, on a phone in Korean and on a desktop in English; and a family over two centers. */
import entryEn from '@countersign/words/en/entry.json' with { type: 'json' }
import familyEn from '@countersign/words/en/family.json' with { type: 'json' }
import uiEn from '@countersign/words/en/ui.json' with { type: 'json' }
import entryKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import familyKo from '@countersign/words/ko/family.json' with { type: 'json' }
import uiKo from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled, type View } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import { plain } from '../support/pages-fixture.ts'
import { saidIn } from '../support/said.ts'
import type { Center, Person } from '../support/world.ts'
import { violations } from './axe.ts'

const ko = saidIn(familyKo, 'ko')
const en = saidIn(familyEn, 'en')
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const password = 'a password of a client'

let desk: ConsoleDesk
let director: Person
let instructor: Person

async function openAllWeek(center: Center, who: Person, features: object = {}): Promise<void> {
  const { accessToken: token } = await desk.server.signIn(who, center.domain)
  const openingHours = Object.fromEntries(days.map((day) => [day, [{ from: '09:00', to: '18:00' }]]))
  const body = { timezone: 'Asia/Seoul', booking: { slotMinutes: 60, openingHours }, features }
  const { status, text } = await desk.server.call('PATCH', `/api/centers/${center.domain}/settings`, { token, body })
  if (status !== 200) throw new Error(text)
}

beforeAll(async () => {
  desk = await openConsole()
  instructor = await desk.person('김민준', 'INSTRUCTOR')
  director = await desk.person('박서연')
  await openAllWeek(desk.center, director)
}, 180_000)
afterAll(() => desk?.close())

const inDays = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10)
const dialog = (page: Page) => page.getByRole('dialog')
const message = (page: Page) => page.locator('.done-line').getByRole('status')

async function linkTo(email: string): Promise<string> {
  const found = async () => {
    await desk.server.services.mail.close()
    const letter = desk.mailbox.messages.findLast(({ to }) => to.includes(email))
    return plain(letter?.text ?? '')
      .split(/[\s"<>]+/)
      .find((word) => word.startsWith(`${desk.origin}/invitations/`))
  }
  await expect.poll(found).toBeDefined()
  return (await found()) as string
}

/** Chooses a day and the time that begins at this hour. */
async function chooseTime(page: Page, words: Pick<typeof ko, 'date'>, day: string, name: RegExp): Promise<void> {
  await dialog(page).getByLabel(words.date).fill(day)
  await dialog(page).getByRole('radio', { name }).check()
}

const rowsOf = (email: string) =>
  desk.server.world.query<{ status: string; starts_at: Date }>(
    `select b.status, b.starts_at from cell.bookings b join directory.actors a on a.id = b.booked_for
     where a.email = $1 order by b.created_at`,
    [email],
  )

const views: readonly (View & {
  readonly words: typeof ko
  readonly entry: typeof entryKo
  readonly ui: typeof uiKo
})[] = [
  { language: 'ko', width: 360, height: 740, words: ko, entry: entryKo, ui: saidIn(uiKo, 'ko') },
  { language: 'en', theme: 'dark', words: en, entry: entryEn, ui: saidIn(uiEn, 'en') },
]

describe.each(views)('a client ($language, $width)', ({ words, entry, ui, ...view }) => {
  const email = `client-${view.language}@people.example`
  // Times that the other client has not taken.
  const [first, second] = view.language === 'ko' ? [/오후 3:00/, /오후 4:00/] : [/9:00 AM/, /10:00 AM/]
  const textOf = (text: string) => new RegExp(text.slice(0, text.indexOf('{')).trim())

  it('is invited, accepts, books, moves, takes the move back, cancels and books again', async () => {
    const { accessToken: token } = await desk.server.signIn(director, desk.center.domain)
    const invited = await desk.server.call('POST', `/api/centers/${desk.center.domain}/members`, {
      token,
      body: { email, name: '정도윤', role: 'CHILD', approved: true },
    })
    expect(invited.status).toBe(201)
    const page = await desk.visit(null, new URL(await linkTo(email)).pathname, view)
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: entry.goCenter.replace('{name}', '하늘발달센터') }).click()

    // The first page says what to do next.
    await page.waitForURL('**/appointments')
    await page.getByText(words.nothingText).waitFor()
    await page.getByRole('link', { name: ui.navAppointments }).waitFor()
    expect([await violations(page), await misfits(page)]).toEqual([[], []])

    await page.getByRole('button', { name: words.book }).click()
    await chooseTime(page, words, inDays(3), first)
    expect([await violations(page, { dialog: true }), await misfits(page)]).toEqual([[], []])
    await dialog(page).getByRole('button', { name: words.confirmBook }).click()
    await message(page).getByText(textOf(words.donebooked)).waitFor()
    const next = page.getByRole('region', { name: words.next })
    await next.getByRole('heading', { name: first }).waitFor()
    expect(await next.textContent()).toContain('김민준')

    await next.getByRole('button', { name: words.move }).click()
    await chooseTime(page, words, inDays(4), second)
    await dialog(page).getByRole('button', { name: words.moveTo }).click()
    await message(page).getByText(textOf(words.donemoved)).waitFor()
    await next.getByRole('heading', { name: second }).waitFor()
    expect([await violations(page), await misfits(page)]).toEqual([[], []])
    await page.getByRole('button', { name: ui.undo }).click()
    await next.getByRole('heading', { name: first }).waitFor()
    await message(page).getByText(ui.undone).waitFor()

    // Canceled without a reason: it stays in the list, and the message can take it back.
    await next.getByRole('button', { name: words.cancel, exact: true }).click()
    await dialog(page).getByRole('button', { name: words.confirmCancel }).click()
    await message(page).getByText(textOf(words.donecanceled)).waitFor()
    await page.getByRole('button', { name: new RegExp(words.statuscanceled) }).click()
    await dialog(page).getByText(words.closedCanceled).waitFor()
    await dialog(page).getByRole('button', { name: words.close }).click()
    await page.getByRole('button', { name: ui.undo }).click()
    await next.getByRole('heading', { name: first }).waitFor()
    expect((await rowsOf(email)).map(({ status }) => status)).toEqual(['canceled', 'booked'])

    // Their own time can't be booked twice, and the page says so before the button.
    await page.getByRole('button', { name: words.book }).click()
    await dialog(page).getByLabel(words.date).fill(inDays(3))
    await dialog(page).getByRole('radio', { name: second }).waitFor()
    expect(await dialog(page).getByRole('radio', { name: first }).count()).toBe(0)
    await dialog(page).getByRole('button', { name: ui.cancel }).click()
    expect([desk.complaints, desk.foreign]).toEqual([[], []])
    await page.context().close()
  })

  it('reads their own attendance and no other', async () => {
    const { world } = desk.server
    const [client] = await world.query<{ id: string }>('select id from directory.actors where email = $1', [email])
    const other = await desk.person('다른 이용자', 'CHILD')
    await world.query(
      `insert into cell.attendance (center_id, id, kind, source, client_id, instructor_id, at, recorded_at)
       select $1, gen_random_uuid(), kind, 'event', client, $4, now() - n * interval '1 day', now()
       from (values ('attended', $2::uuid, 1), ('no_show', $2, 2), ('attended', $3, 3)) v (kind, client, n)`,
      [desk.center.id, client?.id, other.actorId, instructor.actorId],
    )
    const page = await desk.visit({ email, password } as Person, `/c/${desk.center.domain}/appointments`, view)
    await page.getByRole('link', { name: ui.navAttendance }).click()
    await page.getByText(words.counts.replace('{attended}', '1').replace('{missed}', '1')).waitFor()
    expect(await page.locator('.family-rows li').count()).toBe(2)
    expect([await violations(page), await misfits(page)]).toEqual([[], []])
    await page.context().close()
  })
})

it('a center that has turned booking off offers neither a new appointment nor another time, and says so', async () => {
  const center = await desk.server.world.center({ name: '쉬는센터' })
  const [head, client] = [await desk.person('원장', 'ADMIN', center), await desk.person('이용자', 'CHILD', center)]
  const teacher = await desk.person('강사', 'INSTRUCTOR', center)
  await openAllWeek(center, head)
  const { accessToken: token } = await desk.server.signIn(client, center.domain)
  const startsAt = `${inDays(3)}T05:00:00.000Z`
  const body = { instructorId: teacher.actorId, startsAt }
  expect((await desk.server.call('POST', `/api/centers/${center.domain}/bookings`, { token, body })).status).toBe(201)
  await openAllWeek(center, head, { booking: false })
  const page = await desk.visit(client, `/c/${center.domain}/appointments`)
  await page.getByText('지금 온라인 예약을 받지 않습니다').waitFor()
  const next = page.getByRole('region', { name: ko.next })
  // The sentence is there before the appointments are.
  await next.waitFor()
  expect(await next.getByRole('button').allInnerTexts()).toEqual([ko.cancel])
  expect(await page.getByRole('button', { name: ko.book }).count()).toBe(0)
  await page.context().close()
})

it('a guardian is warned of an appointment in another center, and may book nevertheless', async () => {
  const { world } = desk.server
  const [parent, child] = [await desk.person('정미래', 'PARENT'), await desk.person('정하나', 'CHILD')]
  const second = await world.center({ name: '바다센터' })
  const [head] = [await desk.person('바다 원장', 'ADMIN', second), await desk.person('바다 강사', 'INSTRUCTOR', second)]
  await openAllWeek(second, head)
  await world.member(parent, second, 'PARENT')
  await world.member(child, second, 'CHILD')
  for (const center of [desk.center, second]) await world.guardian(parent, child, center)
  const { accessToken: token } = await desk.server.signIn(director, desk.center.domain)
  const body = { instructorId: instructor.actorId, bookedFor: child.actorId, startsAt: `${inDays(5)}T02:00:00.000Z` }
  const made = await desk.server.call('POST', `/api/centers/${desk.center.domain}/bookings`, { token, body })
  expect(made.status).toBe(201)

  const page = await desk.visit(parent, `/c/${desk.center.domain}/family`, { width: 360, height: 740 })
  await page.getByRole('button', { name: ko.book }).click()
  await dialog(page)
    .getByRole('radio', { name: /바다센터/ })
    .check()
  await chooseTime(page, ko, inDays(5), /오후 1:00/)
  const confirm = dialog(page).getByRole('button', { name: ko.confirmBook })
  await expect.poll(() => confirm.isEnabled()).toBe(true)
  expect(await dialog(page).getByText('같은 시간에').count()).toBe(0)
  await dialog(page)
    .getByRole('radio', { name: /오전 11:00/ })
    .check()
  await dialog(page)
    .getByText(/같은 시간에 하늘발달센터 예약/)
    .waitFor()
  expect([await violations(page, { dialog: true }), await misfits(page)]).toEqual([[], []])
  await confirm.click()
  await message(page).getByText('예약했습니다').waitFor()
  await page.getByText(/하늘발달센터 예약\(오전 11:00\)과 시간이 겹칩니다/).waitFor()
  await page.getByText(/바다센터 예약\(오전 11:00\)과 시간이 겹칩니다/).waitFor()

  // In the same center it would be refused: the button waits for another time.
  await page.getByRole('button', { name: ko.book }).click()
  await dialog(page)
    .getByRole('radio', { name: /하늘발달센터/ })
    .check()
  await desk.person('둘째 강사', 'INSTRUCTOR')
  await dialog(page).getByLabel(ko.date).fill(inDays(6))
  await dialog(page).getByLabel(ko.date).fill(inDays(5))
  await dialog(page)
    .getByRole('radio', { name: /오전 11:00/ })
    .first()
    .check()
  await dialog(page)
    .getByText(/이미 예약이 있습니다/)
    .waitFor()
  expect(await confirm.isEnabled()).toBe(false)
  await settled(page)
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
  await page.context().close()
})
