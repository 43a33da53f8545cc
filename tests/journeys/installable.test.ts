/** The console on a home screen: what Chromium asks of an installable page, in the reader's language and with a center's own name. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, settled } from '../support/console.ts'

let desk: ConsoleDesk

beforeAll(async () => {
  // Only the whole browser looks at manifests.
  desk = await openConsole({}, 'whole')
}, 180_000)
afterAll(() => desk?.close())

/** With a host of its own, which fetch does not send. */
async function manifest(language: string, host = new URL(desk.origin).host) {
  const sent = get(`${desk.origin}/assets/app.webmanifest`, { headers: { 'accept-language': language, host } })
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { type: answer.headers['content-type'], ...JSON.parse(await text(answer)) }
}

it('Chromium finds nothing that is missing, and opens what the person has to do today', async () => {
  const director = await desk.person('박서연')
  const page = await desk.visit(director, `/c/${desk.center.domain}/today`)
  await settled(page)
  const tools = await page.context().newCDPSession(page)
  const { installabilityErrors } = await tools.send('Page.getInstallabilityErrors')
  // A context of a test is a private window, where nothing is installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((each) => each !== 'in-incognito')).toEqual([])
  const { data = '', errors } = await tools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { start_url, display } = JSON.parse(data)
  expect(display).toBe('standalone')
  await page.goto(desk.origin + start_url)
  await page.waitForURL(`**/c/${desk.center.domain}/today`)
  await page.context().close()
})

it('speaks the language of the reader', async () => {
  expect(await manifest('ko-KR')).toMatchObject({ type: 'application/manifest+json; charset=utf-8', lang: 'ko' })
  const english = await manifest('en-US,en;q=0.9')
  expect(english).toMatchObject({ name: 'Countersign', lang: 'en', theme_color: '#fbfaf6' })
  expect(english.description).toMatch(/approve/)
})

it('has the name and the color of the center on its own domain, and of no other', async () => {
  const { world } = desk.server
  const own = await world.center({ name: '하늘 화이트라벨' })
  await world.query(
    `update directory.centers set tenant_type = 'WHITE_LABEL', settings = settings
      || '{"branding": {"customDomain": "app.haneul.example", "primaryColor": "#0b6b4a"}}' where id = $1`,
    [own.id],
  )
  // Nobody gets it before the center has proved that the domain is its own.
  expect((await manifest('ko', 'app.haneul.example')).name).toBe('Countersign')
  await world.query(
    `insert into directory.domains (id, center_id, purpose, domain, token, created_at, proven_at, next_check_at)
     values (gen_random_uuid(), $1, 'site', 'app.haneul.example', 'token', now(), now(), now() + interval '1 day')`,
    [own.id],
    true,
  )
  expect(await manifest('ko', 'app.haneul.example')).toMatchObject({ name: '하늘 화이트라벨', theme_color: '#0b6b4a' })
  // Nothing of ours is on its icon.
  const sent = get(`${desk.origin}/assets/icons/mark.svg`, { headers: { host: 'app.haneul.example' } })
  const [icon] = (await once(sent, 'response')) as [IncomingMessage]
  expect(await text(icon)).toMatch(/fill="#0b6b4a"/)
  for (const other of ['app.haneul.example.evil.example', own.domain, '"><script>.example']) {
    expect((await manifest('ko', other)).name).toBe('Countersign')
  }
})

it('every icon is a picture of its size, and no other file is there', async () => {
  const { icons } = await manifest('ko')
  const files = [...icons.map(({ src }: { src: string }) => src), '/assets/icons/touch-180.png']
  for (const file of files) {
    const answer = await fetch(desk.origin + file)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const size = Number(/-(\d+)\.png/.exec(file)?.[1])
    expect([file, answer.headers.get('content-type'), bytes.readUInt32BE(16)]).toEqual([file, 'image/png', size])
    const length = bytes.readUInt32BE(33)
    const rows = inflateSync(bytes.subarray(41, 41 + length))
    // The edge is paper, and the mark has ink.
    expect([rows[1], rows.includes(0x1b)]).toEqual([0xfb, true])
    expect(bytes.length).toBeLessThan(16_384)
  }
  expect((await fetch(`${desk.origin}/assets/icons/mark.svg`)).headers.get('content-type')).toBe('image/svg+xml')
  for (const file of ['nothing.png', '__proto__', 'constructor', '..%2fconsole.ts']) {
    expect((await fetch(`${desk.origin}/assets/icons/${file}`)).status).toBe(404)
  }
})
