/** A refund of tuition in a private academy: the rule, the sum, the request and its two approvals, from menus alone, on a phone for those who approve. */

import actionsKo from '@countersign/words/ko/actions.json' with { type: 'json' }
import ask from '@countersign/words/ko/ask.json' with { type: 'json' }
import center from '@countersign/words/ko/center.json' with { type: 'json' }
import policies from '@countersign/words/ko/policies.json' with { type: 'json' }
import workflows from '@countersign/words/ko/workflows.json' with { type: 'json' }
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { saidIn } from '../support/said.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'
import { readAll } from './reading.ts'

const actions = saidIn(actionsKo, 'ko')
const { name, fields, choices } = workflows.workflows['education.tuition-refund']
let desk: ConsoleDesk
let director: Person
let teacher: Person
let other: Person

beforeAll(async () => {
  desk = await openConsole()
  await desk.server.world.query(
    "update directory.centers set vertical = 'education' where id = $1",
    [desk.center.id],
    true,
  )
  ;[director, teacher, other] = [
    await desk.person('박서연'),
    await desk.person('김민준', 'INSTRUCTOR'),
    await desk.person('최은희', 'INSTRUCTOR'),
  ]
}, 180_000)
afterAll(() => desk?.close())

let clicks = 0
async function click(target: Locator): Promise<void> {
  clicks++
  await target.click()
}
const button = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true })
const picture = (page: Page, shot: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${shot}.png`, fullPage: true }) : null

it('the director makes the rule from its template', { timeout: 120_000 }, async () => {
  const page = await desk.visit(director, `/c/${desk.center.domain}/policies?policy=new`)
  await settled(page)
  clicks = 0
  await click(button(page, policies.starteducation))
  await picture(page, 'tuition-policy')
  await click(button(page, policies.save.replace('{version}', '1')))
  await page.waitForURL(/policy=pol_/)
  expect(clicks).toBe(2)
})

it('a teacher asks for what the draft computed, and two others approve on their phones', {
  timeout: 180_000,
}, async () => {
  const page = await desk.visit(teacher, `/c/${desk.center.domain}/workflows`)
  await settled(page)
  clicks = 0
  await click(page.getByText(name).first())
  await click(button(page, center.runNow))
  const dialog = page.getByRole('dialog')
  const values: Partial<Record<keyof typeof fields, string>> = {
    ...{ learner: '이하늘', on: '2026-11-12', paid: '900000', firstDay: '2026-11-02', lastDay: '2027-01-31' },
    ...{ months: '3', month: '1', taught: '4', total: '12' },
  }
  for (const [field, value] of Object.entries(values)) {
    await dialog.getByLabel(fields[field as keyof typeof fields], { exact: true }).fill(value)
  }
  expect(await dialog.getByLabel(fields.cause).locator('option').allTextContents()).toEqual(Object.values(choices))
  expect(await violations(page, { dialog: true })).toEqual([])
  await picture(page, 'tuition-form')
  await click(dialog.getByRole('button', { name: center.run, exact: true }))
  await page.getByText('750,000원 이상').waitFor()
  await picture(page, 'tuition-draft')
  await click(button(page, ask.ask))
  const form = page.getByRole('dialog')
  expect(await form.getByLabel(actions['/learner']).inputValue()).toBe('이하늘')
  expect(await form.getByLabel(actions['/amount'], { exact: true }).inputValue()).toBe('750000')
  await form.getByLabel(ask.reason).fill('이사')
  expect(await violations(page, { dialog: true })).toEqual([])
  await picture(page, 'tuition-ask')
  await click(form.getByRole('button', { name: ask.send, exact: true }))
  await page.waitForURL(/decisions\?id=evt_/)
  expect(clicks).toBe(5)
  await settled(page)
  await picture(page, 'tuition-asked')
  const id = new URL(page.url()).searchParams.get('id') as string

  for (const person of [other, director]) {
    const phone = await desk.visit(person, `/approve/${id}`, { width: 360, height: 780 })
    await phone.locator('.seal-line').first().waitFor({ state: 'attached' })
    await phone.getByText('이하늘 교습비 750,000원 환불').first().waitFor()
    await readAll(phone)
    if (person === director) await picture(phone, 'tuition-phone')
    await phone.locator('#approve').click()
    await phone
      .locator(person === director ? '.stamp' : '.seal-line .seal')
      .first()
      .waitFor()
    await phone.close()
  }
  const { body } = await desk.server.call('GET', `/api/decisions/${id}`, {
    token: (await desk.server.signIn(teacher, desk.center.domain)).accessToken,
  })
  expect(body.data).toMatchObject({ status: 'sealed', actor: { type: 'human' }, tags: ['tuition-refund'] })
})

it('a kind that no policy asks about is not sent, and says why', { timeout: 60_000 }, async () => {
  const page = await desk.visit(director, `/c/${desk.center.domain}/decisions`, { width: 360, height: 780 })
  await settled(page)
  await button(page, ask.ask).click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: ask.type }).selectOption('lesson.move')
  await form.getByLabel(ask.description).fill('수업을 옮김')
  await form.getByLabel(ask.reason).fill('행사')
  await form.getByRole('button', { name: ask.send, exact: true }).click()
  await form.getByText(ask.noPolicy).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  expect(await violations(page, { dialog: true })).toEqual([])
  await picture(page, 'tuition-nobody')
})
