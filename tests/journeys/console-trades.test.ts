/**
 * What the people of a center of each trade see: no page and no mail of theirs has a word of another trade. The words that
 * an ADMIN chooses are on every page at once, and in the mail after it. TEST_PICTURES=1 keeps pictures in `.dev/trades`.
 */
import { mkdirSync } from 'node:fs'
import { type Vertical, verticals } from '@countersign/contract/enums.ts'
import { tradeTerms } from '@countersign/words/trades.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import { strangers } from '../support/strangers.ts'
import { hasTurn } from '../support/turn.ts'
import type { Center, Person } from '../support/world.ts'
import { violations } from './axe.ts'

/** Sentences of all trades are read by packages/words/test/trades.test.ts; here three of seven have their turn. */
const tried = verticals.filter((_, at) => hasTurn(at, 3) || verticals[at] === 'rehabilitation')
const folder = new URL('../../.dev/trades', import.meta.url).pathname
const forAdmin = [
  '',
  '/bookings',
  '/attendance',
  '/members',
  '/families',
  '/policies',
  '/workflows',
  '/settings',
  '/subscription',
]

interface Place {
  readonly center: Center
  readonly admin: Person
  readonly guardian: Person
}

let desk: ConsoleDesk
const places = new Map<Vertical, Place>()

beforeAll(async () => {
  desk = await openConsole()
  if (process.env.TEST_PICTURES) mkdirSync(folder, { recursive: true })
  for (const vertical of tried) places.set(vertical, await place(vertical))
}, 180_000)
afterAll(() => desk?.close())

const placeOf = (vertical: Vertical): Place => places.get(vertical) as Place

/** With a provider, two clients, a guardian and an appointment that was missed. */
async function place(vertical: Vertical): Promise<Place> {
  const { world } = desk.server
  const center = await world.center({ name: '하늘' })
  const features = '{"features": {"booking": true, "attendance": true, "families": true}}'
  await world.query('update directory.centers set vertical = $2, settings = $3 where id = $1', [
    center.id,
    vertical,
    features,
  ])
  const admin = await desk.person('박서연', 'ADMIN', center)
  const provider = await desk.person('김민준', 'INSTRUCTOR', center)
  const client = await desk.person('정도윤', 'CHILD', center)
  const guardian = await desk.person('이지은', 'PARENT', center)
  await world.guardian(guardian, client, center)
  await world.query(
    `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
     select $1, gen_random_uuid(), $2, $3, $3, at, at + interval '50 minutes', now()
     from unnest(array[now() - interval '1 day', now() + interval '1 day']) at`,
    [center.id, provider.actorId, client.actorId],
  )
  return { center, admin, guardian }
}

async function read(page: Page, vertical: Vertical, path: string, name: string): Promise<void> {
  await page.goto(desk.origin + path)
  for (const language of ['ko', 'en'] as const) {
    await restyle(page, { language })
    const lines = (await page.locator('body').allInnerTexts()).flatMap((text) => text.split('\n'))
    expect([path, language, strangers(vertical, language, lines)]).toEqual([path, language, []])
    if (process.env.TEST_PICTURES)
      await page.screenshot({ path: `${folder}/${vertical}-${name}-${language}.png`, fullPage: true })
  }
}

describe.each(tried)('%s', (vertical) => {
  it('pages of an administrator have no word of another trade', { timeout: 180_000 }, async () => {
    const { center, admin } = placeOf(vertical)
    const page = await desk.visit(admin, `/c/${center.domain}/members`)
    for (const path of forAdmin) await read(page, vertical, `/c/${center.domain}${path}`, path.slice(1) || 'home')
    const { ko } = tradeTerms(vertical).instructor
    await restyle(page, { language: 'ko' })
    await page.goto(`${desk.origin}/c/${center.domain}/members`)
    await page.getByRole('link', { name: new RegExp(`김민준.*${ko}`) }).waitFor()
    await page.context().close()
  })

  it('pages of a guardian have no word of another trade', { timeout: 120_000 }, async () => {
    const { center, guardian } = placeOf(vertical)
    const page = await desk.visit(guardian, `/c/${center.domain}/family`, { width: 360, height: 780 })
    await read(page, vertical, `/c/${center.domain}/family`, 'family-360')
    await page.context().close()
  })
})

it('an administrator chooses other words, sees them everywhere at once, and restores those of the trade', async () => {
  const { center, admin } = placeOf('rehabilitation')
  const page = await desk.visit(admin, `/c/${center.domain}/settings`, { width: 360, height: 780 })
  const field = page.getByRole('group', { name: '예약을 받는 사람' }).getByLabel('한국어')
  await field.fill('운동 코치')
  await page.getByText('운동 코치가 기다리고 있습니다').waitFor()
  expect([await violations(page), await misfits(page)]).toEqual([[], []])
  const save = page.locator('form', { has: field }).getByRole('button', { name: '저장' })
  await save.click()
  await page.getByRole('status').getByText('설정을 저장했습니다').waitFor()
  await page.goto(`${desk.origin}/c/${center.domain}/members`)
  await page.getByRole('link', { name: /김민준.*운동 코치/ }).waitFor()

  const invited = `new-${Date.now()}@people.example`
  const { accessToken: token } = await desk.server.signIn(admin, center.domain)
  const body = { email: invited, role: 'INSTRUCTOR', approved: true }
  expect((await desk.server.call('POST', `/api/centers/${center.domain}/members`, { token, body })).status).toBe(201)
  await desk.server.services.mail.close()
  const letter = desk.mailbox.messages.findLast(({ to }) => to.includes(invited))
  expect(letter?.text).toContain('운동 코치로 초대했습니다')

  await page.goto(`${desk.origin}/c/${center.domain}/settings`)
  await field.fill('센터 관리자')
  await save.click()
  await page.locator('form', { has: field }).getByRole('alert').waitFor()
  await page.getByRole('button', { name: '업종의 말로 되돌리기' }).click()
  await save.click()
  await page.getByRole('status').getByText('설정을 저장했습니다').waitFor()
  await page.goto(`${desk.origin}/c/${center.domain}/members`)
  await settled(page)
  await page.getByRole('link', { name: /김민준.*치료사/ }).waitFor()
  await page.context().close()
}, 120_000)
