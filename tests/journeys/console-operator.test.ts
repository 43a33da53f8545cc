/** A person who runs the platform follows the alarm of a broken chain to its entry, with the keyboard only. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { liftConstraints } from '../tamper/forger.ts'
import { violations } from './axe.ts'
import { pressAt, signInByKeyboard } from './keyboard.ts'

let desk: ConsoleDesk

beforeAll(async () => {
  desk = await openConsole()
  const approver = await desk.person('박서연')
  await desk.policy()
  for (let entries = 0; entries < 3; entries++) await desk.approveAs(approver, await desk.record())
}, 180_000)
afterAll(() => desk?.close())

it('an operator follows the alarm of a broken chain to its entry', async () => {
  const { server, center } = desk
  const operator = await server.world.person({ operator: true })
  const page = await desk.visit(null, '/login')
  await signInByKeyboard(page, operator)
  await page.waitForURL('**/operator')
  await page.getByRole('heading', { name: '지금 할 일이 없습니다' }).waitFor()
  await page.getByText('개발 환경').waitFor()

  await liftConstraints(server.world.query)
  await server.world.query(
    `begin; set local session_replication_role = replica;
     update cell.entries set template = replace(template, '"', ' "')
     where center_id = ${center.id} and domain = 'proof' and idx = 1; commit`,
  )
  server.services.jobs.wake('main', 'verify-chains', { centerId: 0 })
  const marked = () =>
    server.world.query('select from cell.chain_heads where center_id = $1 and broken_at = 1', [center.id])
  await expect.poll(async () => (await marked()).length, { timeout: 60_000, interval: 200 }).toBe(1)

  await page.reload()
  await settled(page)
  expect(await violations(page)).toEqual([])
  await pressAt(page, 'a.operator-task')
  await page.getByRole('heading', { name: '하늘발달센터의 결정 체인이 2번 기록에서 끊어졌습니다' }).waitFor()
  await settled(page)
  const [row] = await server.world.query<{ hash: string; previous: string; computed: string }>(
    `select hash, previous_hash as previous,
       encode(sha256(convert_to(content || previous_hash || sealed_at, 'UTF8')), 'hex') as computed
     from cell.chain_entries where center_id = $1 and domain = 'proof' and idx = 1`,
    [center.id],
  )
  await page.getByText('다름').waitFor()
  const shown = ((await page.locator('article').textContent()) ?? '').replaceAll(' ', '')
  for (const hash of Object.values(row as object)) expect(shown).toContain(String(hash).replace('sha256:', ''))
  // 6 pixels between the halves of the seal.
  const joint = page.getByRole('img', { name: '2번 기록의 연결이 끊어졌습니다' })
  expect(await joint.evaluate((svg) => [svg.getAttribute('class'), svg.getAttribute('height')])).toEqual([
    'joint joint-broken',
    '82',
  ])
  for (const theme of ['light', 'dark'] as const) {
    await restyle(page, { theme })
    expect([theme, await violations(page)]).toEqual([theme, []])
  }
  await pressAt(page, 'dd a[href*="/operator/centers"]')
  await page.getByRole('row', { name: /하늘발달센터.*운영 중/ }).waitFor()
  expect([desk.complaints, desk.foreign]).toEqual([[], []])
})
