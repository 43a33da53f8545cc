/** Thirty people from a spreadsheet, invited in a few clicks; many addresses in the dialog; and files that are wrong or hostile. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { violations } from './axe.ts'

let desk: ConsoleDesk
let director: Person
beforeAll(async () => {
  desk = await openConsole()
  director = await desk.person('박서연')
}, 180_000)
afterAll(() => desk?.close())

const visit = (path: string, view: object = {}) => desk.visit(director, `/c/${desk.center.domain}${path}`, view)
const members = async () =>
  (
    await desk.server.world.query<{ count: number }>(
      'select count(*)::int as count from directory.memberships where center_id = $1',
      [desk.center.id],
    )
  )[0]?.count ?? 0
const picture = (page: Page, name: string) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null
const mailsTo = (email: string) => desk.mailbox.messages.filter(({ to }) => to.includes(email)).length

/** As Excel in Korea saves a CSV file. */
function cp949(text: string): Buffer {
  const decoder = new TextDecoder('euc-kr')
  const codes = new Map<string, readonly [number, number]>()
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x41; trail <= 0xfe; trail++) {
      const letter = decoder.decode(Uint8Array.of(lead, trail))
      if (letter.length === 1 && letter !== '\ufffd' && !codes.has(letter)) codes.set(letter, [lead, trail])
    }
  return Buffer.from([...text].flatMap((letter) => codes.get(letter) ?? [letter.charCodeAt(0)]))
}

const rows = Array.from({ length: 30 }, (_, n) =>
  n % 3 === 2
    ? ['펭귄', '', '아동', `guardian${n}@people.example`]
    : [`사람${n}`, `person${n}@people.example`, n % 3 ? '강사' : '보호자', ''],
)
const file = [
  '이름,이메일,역할,보호자 이메일,전화번호',
  ...rows.map((row) => [...row, '010-0000-0000'].join(',')),
].join('\r\n')
const invited = rows.map(([, email, , guardian]) => email || (guardian as string))

it('thirty people from an Excel file of Korea in three clicks, with a mail for each', {
  timeout: 240_000,
}, async () => {
  const page = await visit('/members')
  await settled(page)
  const before = await members()
  let clicks = 0
  await page.getByRole('link', { name: '가져오기' }).click()
  clicks++
  await settled(page)
  expect(await violations(page)).toEqual([])
  expect(await misfits(page)).toEqual([])
  await picture(page, 'import-choose')
  const chosen = page.waitForEvent('filechooser')
  await page.getByText('파일 선택').click()
  clicks++
  await (await chosen).setFiles({ name: '명단.csv', mimeType: 'text/csv', buffer: cp949(file) })
  await page.getByText('30명에게 메일을 보냅니다').waitFor()
  await page.getByText('가져오지 않는 열: 전화번호').waitFor()
  expect(await members()).toBe(before)
  expect(await violations(page)).toEqual([])
  await picture(page, 'import-preview')
  const started = Date.now()
  await page.getByRole('button', { name: '30행 가져오기' }).click()
  clicks++
  await page.getByText('30행을 가져왔습니다. 30명에게 메일을 보냅니다.').waitFor()
  const imported = Date.now() - started
  expect(clicks).toBeLessThanOrEqual(6)
  for (const email of invited) await desk.mailbox.token(email, 'csi')
  expect(invited.map(mailsTo)).toEqual(invited.map(() => 1))
  process.stdout.write(
    `30 people: ${clicks} clicks, imported in ${imported} ms, all mails after ${Date.now() - started} ms\n`,
  )
  expect(await members()).toBe(before + 20 + 10 + 10)
  await picture(page, 'import-report')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: '결과 내려받기' }).click()
  const report = await (await saved).createReadStream().then((stream) => stream.toArray())
  expect(Buffer.concat(report).toString()).toMatch(
    /^\ufeff행,이름,이메일,결과,설명\r\n2,사람0,person0@people.example,초대함,/,
  )

  // The same file again, now in UTF-8: nothing is left to do.
  await page.getByRole('button', { name: '처음부터 다시' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${file}`) })
  await page.getByText('가져올 내용이 없습니다').waitFor()
  expect(await page.getByRole('button', { name: /행 가져오기/ }).count()).toBe(0)
  expect(invited.map(mailsTo)).toEqual(invited.map(() => 1))
  await page.context().close()
})

it('many addresses in the dialog, on a phone and in English', { timeout: 120_000 }, async () => {
  const page = await visit('/members', { width: 360, height: 740, language: 'en' })
  await settled(page)
  await page.getByRole('button', { name: 'Invite member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Invite several people at once' }).click()
  await dialog
    .getByLabel('Email addresses')
    .fill(
      'Ian Han <ian@people.example>\nmina@people.example, Park Jin <jin@people.example>;\nnot an address\n"Lee, Su" <su@people.example>',
    )
  expect(await violations(page, { dialog: true })).toEqual([])
  await dialog.getByRole('button', { name: 'Check 5 addresses' }).click()
  await dialog.getByText('4 people will get an email').waitFor()
  await dialog.getByText('The email address isn’t valid.').waitFor()
  await picture(page, 'invite-several')
  await dialog.getByRole('button', { name: 'Import 4 rows' }).click()
  await dialog.getByText('4 rows imported.').waitFor()
  for (const name of ['ian', 'mina', 'jin', 'su']) await desk.mailbox.token(`${name}@people.example`, 'csi')
  const { rows: named } = {
    rows: await desk.server.world.query<{ name: string }>(
      `select name from directory.memberships where center_id = $1 and address in ('ian@people.example', 'su@people.example') order by 1`,
      [desk.center.id],
    ),
  }
  expect(named).toEqual([{ name: 'Ian Han' }, { name: 'Lee Su' }])
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect(await misfits(page)).toEqual([])
  await page.context().close()
})

it('files that are wrong, too large or hostile say so, and invite nobody', { timeout: 120_000 }, async () => {
  const page = await visit('/members/import')
  await settled(page)
  const choose = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer })
  const before = await members()
  await choose('large.csv', Buffer.alloc(1024 * 1024 + 1, 'a'))
  await page.getByText('1MB가 넘습니다').waitFor()
  await choose('picture.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xff, 0xff, 0x00]))
  await page.getByText('텍스트 파일이 아닙니다').waitFor()
  await choose(
    'many.csv',
    Buffer.from(`name,email\n${Array.from({ length: 501 }, (_, n) => `a,a${n}@b.example`).join('\n')}`),
  )
  await page.getByText('500행이 넘습니다').waitFor()
  await choose('empty.csv', Buffer.from('name,email\n'))
  await page.getByText('가져올 사람이 없습니다').waitFor()
  const evil = [
    'Name,Email,Role',
    '<img src=x onerror=alert(1)>,x1@people.example,강사',
    '"=HYPERLINK(""http://evil.example"")",x2@people.example,강사',
    'nobody,x3@people.example,operator',
    'twice,x1@people.example,강사',
    `${'가'.repeat(300)},x4@people.example,강사`,
  ].join('\n')
  await choose('evil.csv', Buffer.from(evil))
  await page.getByText('사용 불가 4').waitFor()
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  await page.getByText('2행과 같은 사람입니다.').waitFor()
  await picture(page, 'import-evil')
  await page.getByRole('button', { name: '처음부터 다시' }).click()
  // A letter that EUC-KR doesn't have and Excel's encoding does.
  const wide = [Buffer.from('name,email,role\n'), Buffer.from([0x8c, 0x63]), Buffer.from(',x5@people.example,PARENT')]
  await choose('wide.csv', Buffer.concat(wide))
  await page.getByText('똠', { exact: true }).waitFor()
  expect(await members()).toBe(before)
  expect(desk.complaints).toEqual([])
  expect(desk.foreign).toEqual([])
  await page.context().close()
})
