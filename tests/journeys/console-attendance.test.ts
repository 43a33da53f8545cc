/** Attendance on a phone: one tap a person, one for a whole hour, corrected by another tap, and honest when it isn't saved. */
import { newUuid, typedId } from '@countersign/server/lib/ids.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let director: Person
let instructor: Person
let colleague: Person
const clients: Person[] = []
/** Two hours of one instructor yesterday, six people each, and one hour of a colleague. */
const ids: string[] = []
const phone = { width: 360, height: 740 }
const dayMs = 86_400_000
const yesterday = new Date(Date.now() + 9 * 3_600_000 - dayMs).toISOString().slice(0, 10)

async function appointment(of: Person, client: Person, hour: number): Promise<string> {
  const id = newUuid()
  await desk.server.world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
     values ($1, $2, $3, $4, $4, $5, $5::timestamptz + interval '50 minutes', now())`,
    [desk.center.id, id, of.actorId, client.actorId, `${yesterday}T${String(hour).padStart(2, '0')}:00:00+09:00`],
  )
  return id
}

beforeAll(async () => {
  desk = await openConsole()
  director = await desk.person('박서연')
  instructor = await desk.person('김민준', 'INSTRUCTOR')
  colleague = await desk.person('한지우', 'INSTRUCTOR')
  // Six people at one time are a group that six instructors share on paper; the constraint is one for each instructor.
  const others: Person[] = []
  for (let n = 1; n <= 6; n++) {
    clients.push(await desk.person(`이용자${n}`, 'CHILD'))
    others.push(n === 1 ? instructor : await desk.person(`동료${n}`, 'INSTRUCTOR'))
  }
  for (const hour of [10, 11])
    for (const [n, client] of clients.entries()) ids.push(await appointment(others[n] as Person, client, hour))
  await appointment(colleague, clients[0] as Person, 12)
}, 180_000)
afterAll(() => desk?.close())

const row = (page: Page, hour: string, name: string) =>
  page.getByRole('region', { name: hour }).getByRole('listitem').filter({ hasText: name })
const statuses = async (part: readonly string[]) =>
  (
    await desk.server.world.query<{ status: string }>(
      'select status from cell.bookings where id = any($1) order by id',
      [part],
    )
  ).map(({ status }) => status)
const api = (id: string, kind: string, as: Person) =>
  desk.server.signIn(as, desk.center.domain).then(({ accessToken }) =>
    desk.server.call('POST', `/api/centers/${desk.center.domain}/bookings/attendance`, {
      token: accessToken,
      body: { marks: [{ bookingId: typedId('booking', id), kind }] },
    }),
  )
const picture = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true }) : null

it('one tap each, and one for a whole hour', { timeout: 240_000 }, async () => {
  const page = await desk.visit(director, `/c/${desk.center.domain}/bookings`, phone)
  await settled(page)
  let taps = 0
  const tap = async (where: ReturnType<Page['locator']>) => {
    await where.click()
    taps++
  }
  await tap(page.getByRole('link', { name: '출석 체크' }).last())
  await settled(page)
  await tap(page.getByRole('button', { name: '이전' }))
  await page.getByRole('region', { name: '오전 10:00' }).waitFor()
  await settled(page)
  expect(await violations(page)).toEqual([])
  expect(await misfits(page)).toEqual([])
  for (const each of await page.locator('.roll .btn').all()) {
    const box = await each.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }
  await picture(page, 'roll')
  const before = taps
  const started = Date.now()
  for (const [n, { actorId }] of clients.entries()) {
    expect(actorId).toBeTruthy()
    await tap(row(page, '오전 10:00', `이용자${n + 1}`).getByRole('button', { name: n === 2 ? '결석' : '출석' }))
  }
  await page.getByRole('region', { name: '오전 10:00' }).getByText('6명 중 6명 기록').waitFor()
  process.stdout.write(`six people by one tap each: ${taps - before} taps, ${Date.now() - started} ms\n`)
  expect(taps - before).toBe(6)
  expect((await statuses(ids.slice(0, 6))).toSorted()).toEqual([
    ...Array.from({ length: 5 }, () => 'attended'),
    'no_show',
  ])
  await row(page, '오전 10:00', '이용자1')
    .getByText(/박서연.*에 기록/)
    .waitFor()

  const hour = Date.now()
  await page.getByRole('button', { name: '오전 11:00 모두 출석' }).click()
  await page.getByRole('region', { name: '오전 11:00' }).getByText('6명 중 6명 기록').waitFor()
  process.stdout.write(`a whole hour of six: 1 tap, ${Date.now() - hour} ms\n`)
  expect(await statuses(ids.slice(6))).toEqual(Array.from({ length: 6 }, () => 'attended'))
  expect(await page.getByRole('button', { name: /모두 출석/ }).count()).toBe(1)

  // A wrong tap, corrected now, and on another day.
  await row(page, '오전 10:00', '이용자3').getByRole('button', { name: '출석' }).click()
  await row(page, '오전 10:00', '이용자3').getByRole('button', { name: '출석', pressed: true }).waitFor()
  expect(await violations(page)).toEqual([])
  await picture(page, 'roll-done')
  await page.context().close()
})

it('an instructor sees their own, in English too, and what somebody else has recorded in the meantime', async () => {
  const page = await desk.visit(instructor, `/c/${desk.center.domain}/attendance-today?date=${yesterday}`, {
    ...phone,
    language: 'en',
  })
  await settled(page)
  expect(
    await page
      .getByRole('listitem')
      .filter({ hasText: /이용자/ })
      .count(),
  ).toBe(2)
  expect(await page.getByRole('region', { name: '12:00 PM' }).count()).toBe(0)
  const own = row(page, '11:00 AM', '이용자1')
  await own.getByRole('button', { name: 'attended', pressed: true }).waitFor()
  // The director corrects it while the page is open; the instructor means the mark that they see.
  await api(ids[6] as string, 'no_show', director)
  await api(ids[6] as string, 'attended', director)
  await api(ids[6] as string, 'no_show', director)
  await own.getByRole('button', { name: 'No-show' }).click()
  await own.getByRole('button', { name: 'No-show', pressed: true }).waitFor()
  await api(ids[0] as string, 'no_show', director)
  const other = row(page, '10:00 AM', '이용자1')
  await other.getByRole('button', { name: 'No-show' }).click()
  await other.getByText(/Recorded by 박서연/).waitFor()
  expect(await misfits(page)).toEqual([])
  await picture(page, 'roll-en')
  await page.context().close()
})

it('two at once: one mark stands, and the other person is told', async () => {
  const late = await appointment(instructor, clients[1] as Person, 15)
  const [first, second] = await Promise.all(
    [instructor, director].map((who) =>
      desk.visit(who, `/c/${desk.center.domain}/attendance-today?date=${yesterday}`, phone),
    ),
  )
  if (!first || !second) throw new Error('no page')
  await Promise.all([first, second].map(settled))
  await row(first, '오후 3:00', '이용자2').getByRole('button', { name: '출석' }).click()
  await row(first, '오후 3:00', '이용자2')
    .getByText(/김민준.*에 기록/)
    .waitFor()
  await row(second, '오후 3:00', '이용자2').getByRole('button', { name: '결석' }).click()
  await row(second, '오후 3:00', '이용자2')
    .getByText(/다른 사람이 먼저 기록했습니다/)
    .waitFor()
  await row(second, '오후 3:00', '이용자2').getByRole('button', { name: '출석', pressed: true }).waitFor()
  expect(await statuses([late])).toEqual(['attended'])
  await picture(second, 'roll-changed')
  await Promise.all([first, second].map((page) => page.context().close()))
})

it('without a connection the tap says that it was not saved, and the next one saves it', async () => {
  const late = await appointment(instructor, clients[2] as Person, 16)
  const page = await desk.visit(instructor, `/c/${desk.center.domain}/attendance-today?date=${yesterday}`, phone)
  await settled(page)
  const own = row(page, '오후 4:00', '이용자3')
  await page.context().setOffline(true)
  await own.getByRole('button', { name: '출석' }).click()
  await own.getByText(/저장되지 않았습니다/).waitFor()
  expect(await own.getByRole('button', { pressed: true }).count()).toBe(0)
  expect(await statuses([late])).toEqual(['booked'])
  await picture(page, 'roll-offline')
  await page.context().setOffline(false)
  await own.getByRole('button', { name: '출석' }).click()
  await own.getByText(/김민준.*에 기록/).waitFor()
  expect(await statuses([late])).toEqual(['attended'])
  expect(desk.complaints).toEqual([])
  await page.context().close()
})
