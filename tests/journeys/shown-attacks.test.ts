/** An agent that says one thing and sends another: what is approved is what was shown, alone and in a batch. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import type { Person } from '../support/world.ts'
import { readAll } from './reading.ts'

let desk: ConsoleDesk
let person: Person
const address = (path: string): string => `/c/${desk.center.domain}${path}`

beforeAll(async () => {
  desk = await openConsole()
  person = await desk.person('박서연')
  await desk.policy({
    name: '큰 환불',
    match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/payment/won', op: 'gt', value: 50_000 }] },
  })
}, 180_000)
afterAll(() => desk?.close())

/** It says 82,000 won, and pays ten thousand times as much, below other values. */
const lie = (won: number, actorId = person.actorId) => ({
  actor: { id: actorId, type: 'human', name: '김원장 (ADMIN) ✓ verified' },
  action: {
    type: 'refund.pay',
    description: 'Refund 82,000 won',
    input: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, payment: { won, to: { name: '이하늘' } } },
  },
  reason: '규정상 문제없음. '.repeat(60),
  riskScore: 0.01,
})
const statusOf = async (id: string): Promise<string> => {
  const { accessToken: token } = await desk.server.signIn(person, desk.center.domain)
  return (await desk.server.call('GET', `/api/decisions/${id}`, { token })).body.data.status
}
const seen = (page: Page): Promise<string> => page.evaluate('document.body.innerText')

it.each([
  ['the approval page', (id: string) => `/approve/${id}`, '#approve', 390],
  ['the console', (id: string) => address(`/inbox?id=${id}`), '#approve', 1440],
] as const)(
  '%s shows the amount that a policy reads, however deep, and does not begin with the description',
  async (_, path, button, width) => {
    const id = await desk.record(lie(820_000_000))
    const page = await desk.visit(person, path(id), { width, height: 844 })
    await page.locator(button).waitFor()
    const text = await seen(page)
    expect(text).toContain('820,000,000')
    expect(text).toContain('payment.won')
    const heading = await page.locator('h1').first().textContent()
    expect(heading).not.toContain('82,000 won')
    expect(heading).toContain('820,000,000')
    // A name that the key sent is what the key says, and the key is named.
    expect(await page.locator('.said-box').textContent()).toContain('김원장 (ADMIN) ✓ verified')
    expect(heading).not.toContain('김원장')
    await page.getByText('기록에 쓴 API 키').first().waitFor()
    // The first press goes on reading.
    await page.locator(button).click()
    await page.waitForTimeout(500)
    expect(await statusOf(id)).toBe('recorded')
    await page.context().close()
  },
  60_000,
)

it('a batch has only what was opened, with its values in columns, and seals what was shown', async () => {
  const [small, large, other] = [
    await desk.record(lie(82_000, 'agent-7')),
    await desk.record(lie(777_000_000, 'agent-7')),
    await desk.record(lie(82_001, 'agent-7')),
  ]
  const { accessToken: token } = await desk.server.signIn(person, desk.center.domain)
  const details = async (id: string) => (await desk.server.call('GET', `/api/decisions/${id}`, { token })).body.data
  for (const id of [small, other]) {
    const { actionDigest } = await details(id)
    await desk.server.call('POST', `/api/decisions/${id}/opened`, { token, body: { actionDigest } })
  }
  const page = await desk.visit(person, address('/inbox/batch'))
  await settled(page)
  await page.locator('table').waitFor()
  const rows = await page.locator('tbody').textContent()
  expect([rows?.includes('82,000'), rows?.includes('82,001'), rows?.includes('777,000,000')]).toEqual([
    true,
    true,
    false,
  ])
  // Why the other one is not in it.
  const apart = page.locator('.tray .item', { hasText: '777,000,000' })
  expect(await apart.textContent()).toContain('아직 열어 보지 않았습니다')
  await page.getByRole('checkbox', { name: '모두 선택' }).first().check()
  await readAll(page)
  await page.locator('#approve').click()
  await expect.poll(() => page.locator('tbody .status.verified').count(), { timeout: 15_000 }).toBeGreaterThanOrEqual(2)
  expect([await statusOf(small), await statusOf(large), await statusOf(other)]).toEqual([
    'sealed',
    'recorded',
    'sealed',
  ])
  await page.context().close()
}, 90_000)

it('a batch never has what a passkey or two people are asked for, and a change after the table is shown is not approved', async () => {
  await desk.policy({ name: '두 사람', match: { actionTypes: ['pair.*'] }, guards: { dualApproval: true } })
  await desk.policy({ name: '서명', match: { actionTypes: ['signed.*'] }, approval: { identity: 'passkey' } })
  await desk.policy({ name: '변경', match: { actionTypes: ['turn.*'] } })
  const recorded = async (type: string) => desk.record({ action: { type, input: { amount: 5 } } })
  const [pair, signed, turn] = [await recorded('pair.a'), await recorded('signed.a'), await recorded('turn.a')]
  const { accessToken: token } = await desk.server.signIn(person, desk.center.domain)
  for (const id of [pair, signed, turn]) {
    const { actionDigest } = (await desk.server.call('GET', `/api/decisions/${id}`, { token })).body.data
    await desk.server.call('POST', `/api/decisions/${id}/opened`, { token, body: { actionDigest } })
  }
  const page = await desk.visit(person, address('/inbox/batch'))
  await settled(page)
  const why = async (type: string) => page.locator('.tray .item', { hasText: type }).textContent()
  expect(await why('pair.a')).toContain('두 명의 승인이 필요합니다')
  expect(await why('signed.a')).toContain('패스키가 필요합니다')
  // Another policy asks since the table was shown.
  await desk.policy({ name: '새 정책', match: { actionTypes: ['turn.*'] } })
  await desk.tell()
  await page.getByRole('checkbox', { name: /^turn\.a.* 선택$/ }).check()
  await readAll(page)
  await page.locator('#approve').click()
  await page.locator('.status.broken').first().waitFor()
  expect([await statusOf(pair), await statusOf(signed), await statusOf(turn)]).toEqual([
    'recorded',
    'recorded',
    'recorded',
  ])
  await page.context().close()
}, 90_000)
