/**
 * Nothing of ours is in what people of a white-label center see on its own domain: every address that an area lists, in both
 * languages, with titles, labels and links, and what is downloaded. What has to stay is in one table, with the reason. Its mails and
 * text messages: apps/server/mail/test/voice.test.ts.
 */
import { globSync } from 'node:fs'
import domainsEn from '@countersign/words/en/domains.json' with { type: 'json' }
import entryEn from '@countersign/words/en/entry.json' with { type: 'json' }
import domainsKo from '@countersign/words/ko/domains.json' with { type: 'json' }
import entryKo from '@countersign/words/ko/entry.json' with { type: 'json' }
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleDesk, openConsole, restyle, settled } from '../support/console.ts'
import { type DnsServer, proveDomain, startDns } from '../support/dns.ts'
import { type Planted, plant } from '../support/hostile-center.ts'
import { misfits } from '../support/layout.ts'
import { startTlsFront, type TlsFront } from '../support/tls-front.ts'
import type { Center, Person } from '../support/world.ts'
import { violations } from './axe.ts'

const site = 'my.white.example'
const languages = ['ko', 'en'] as const

/** Where a word of ours has to stay, by the beginning of the path, and why. */
const stays: readonly (readonly [path: string, words: RegExp, reason: string])[] = [
  [
    '/c/{center}/developers',
    /@countersign\/\S+|Countersign\b[^\n]{0,60}|countersign[\w.-]*|localhost:\d+\S*/gi,
    'programs, headers and addresses that a developer installs or calls have this name',
  ],
  ['/c/{center}/chain', /localhost:\d+\/c\/\S+/g, 'the name of a log is hashed into each of its entries'],
  ['/c/{center}/domain', /_?countersign[.=-]\S*|\blocalhost\b/g, 'the TXT record, and where the domain leads'],
]

let dns: DnsServer
let front: TlsFront
let desk: ConsoleDesk
let center: Center
let planted: Planted
const contexts: BrowserContext[] = []
const pages = new Map<string | null, Page>()
const people = new Map<string, Person>()

interface Address {
  readonly path: string
  readonly as: string | null
}
const root = new URL('../../', import.meta.url).pathname
const addresses: Address[] = []
for (const file of globSync('apps/console/areas/*/addresses.ts', { cwd: root }).sort()) {
  addresses.push(...((await import(root + file)) as { addresses: readonly Address[] }).addresses)
}
/** Whoever works for a partner or runs the service does so at its own address. */
const own = addresses.filter(({ as }) => as === null || ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'].includes(as))

beforeAll(async () => {
  dns = await startDns()
  front = await startTlsFront(() => Number(new URL(desk.origin).port))
  desk = await openConsole({ WEBHOOK_DNS_SERVERS: dns.address, TRUSTED_PROXIES: '127.0.0.0/8' }, [
    `--host-resolver-rules=MAP ${site}:443 127.0.0.1:${front.port}`,
  ])
  const { world } = desk.server
  center = await world.center({
    name: '하얀센터',
    tenantType: 'WHITE_LABEL',
    partner: await world.partner('white_label'),
  })
  for (const role of ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD']) people.set(role, await desk.person(role, role, center))
  const { accessToken: token } = await desk.server.signIn(people.get('ADMIN') as Person, center.domain)
  const body = { branding: { customDomain: site } }
  expect((await desk.server.call('PATCH', `/api/centers/${center.id}/settings`, { token, body })).status).toBe(200)
  const path = `/api/centers/${center.id}/domains`
  await proveDomain(desk.server, dns, { token, path, domain: site, purpose: 'site' })
  // The center has records of every kind, so that pages show what they show in use.
  const [admin, teacher] = [people.get('ADMIN') as Person, people.get('INSTRUCTOR') as Person]
  planted = await plant(desk, center, { admin, teacher }, ['하얀 글', 'A white text'])
  // A browser reaches it by a rule of its own; for the server it is as if the DNS and the certificate were right too.
  await world.query('update directory.domains set works_since = now() where domain = $1', [site], true)
}, 180_000)
afterAll(async () => {
  for (const each of contexts) await each.close()
  await desk?.close()
  await front?.close()
  await dns?.close()
})

async function pageOf(role: string | null, width = 1280): Promise<Page> {
  const found = pages.get(role)
  if (found) return found
  const options = { ignoreHTTPSErrors: true, locale: 'ko-KR', viewport: { width, height: 900 } }
  const context = await desk.browser.newContext(options)
  contexts.push(context)
  const page = await context.newPage()
  if (role !== null) {
    await page.goto(`https://${site}/login`)
    await desk.signIn(page, people.get(role) as Person)
    await page.waitForURL((url) => url.pathname !== '/login')
  }
  pages.set(role, page)
  return page
}

/** Text, title, labels, alternatives, placeholders, values and links: what is seen, read aloud or followed. */
const shown = `(() => {
  const names = ['aria-label', 'aria-description', 'title', 'alt', 'placeholder', 'content', 'href', 'value']
  const found = [document.title, document.body.innerText, document.body.textContent]
  for (const each of document.querySelectorAll('*')) {
    for (const name of names) if (each.hasAttribute(name)) found.push(each.getAttribute(name))
    if (typeof each.value === 'string') found.push(each.value)
  }
  return [...new Set(found)].join('\\n')
})()`

/** Lines of a text that name us or our host, without what may stay there. */
function oursIn(text: string, path = ''): string[] {
  const { host } = new URL(desk.origin)
  const [, allowed] = stays.find(([beginning]) => path.startsWith(beginning)) ?? []
  const rest = allowed ? text.replaceAll(allowed, '') : text
  return rest.split('\n').filter((line) => /countersign/i.test(line) || line.includes(host))
}

describe('every address on the domain of the center', { timeout: 60_000 }, () => {
  it.each(own)('$path as $as', async ({ path, as }) => {
    const page = await pageOf(as)
    await page.goto(`https://${site}${path.replace('{center}', center.domain)}`)
    for (const language of languages) {
      await restyle(page, { language })
      expect([language, oursIn((await page.evaluate(shown)) as string, path)]).toEqual([language, []])
      expect(new URL(page.url()).host).toBe(site)
    }
  })

  it.each([
    ['/no-such-page'],
    ['/approve/evt_01kz9x4q8hfx5r3v7t2b6n0m1c'],
    ['/approve'],
    ['/password/csp_x'],
    ['/invitations/csi_x'],
  ])('%s, which has nothing', async (path) => {
    for (const role of [null, 'ADMIN']) {
      const page = await pageOf(role)
      await page.goto(`https://${site}${path}`)
      await page.locator('h1').first().waitFor()
      expect(oursIn((await page.evaluate(shown)) as string)).toEqual([])
    }
  })
})

it('what a record, a person or a policy opens on the domain of the center', async () => {
  const page = await pageOf('ADMIN')
  expect(planted.addresses.length).toBeGreaterThan(5)
  for (const path of planted.addresses) {
    await page.goto(`https://${site}/c/${center.domain}${path}`)
    await settled(page)
    for (const language of languages) {
      await restyle(page, { language })
      expect([path, oursIn((await page.evaluate(shown)) as string, `/c/{center}${path}`)]).toEqual([path, []])
    }
  }
  // As the mail links to it: the approval page, with the name of the center.
  const waiting = planted.addresses.map((path) => /^\/inbox\?id=(.*)$/.exec(path)?.[1]).find(Boolean)
  await page.goto(`https://${site}/approve/${waiting}`)
  await page.locator('header .brand').getByText('하얀센터').waitFor()
  expect([await page.title(), oursIn((await page.evaluate(shown)) as string)]).toEqual([
    ...[expect.stringMatching(/ · 하얀센터$/), []],
  ])
}, 180_000)

it('finds a word that is planted in a text, a title, a label and a link, and our host', async () => {
  const page = await pageOf('ADMIN')
  await page.goto(`https://${site}/c/${center.domain}/settings`)
  await settled(page)
  const plants = [
    `document.body.append('by CounterSign')`,
    `document.title += ' · Countersign'`,
    `document.querySelector('button').setAttribute('aria-label', 'Countersign')`,
    `document.querySelector('a').setAttribute('href', '${desk.origin}/me')`,
  ]
  for (const plant of plants) {
    await page.reload()
    await settled(page)
    expect(oursIn((await page.evaluate(shown)) as string)).toEqual([])
    await page.evaluate(plant)
    expect([plant, oursIn((await page.evaluate(shown)) as string).length > 0]).toEqual([plant, true])
  }
})

it('what may stay is needed: without its row, each of these pages is found', async () => {
  const page = await pageOf('ADMIN')
  const needless: string[] = []
  for (const [beginning] of stays) {
    const of = own.filter(({ path, as }) => as === 'ADMIN' && path.startsWith(beginning))
    let found = 0
    for (const { path } of of) {
      await page.goto(`https://${site}${path.replace('{center}', center.domain)}`)
      await settled(page)
      found += oursIn((await page.evaluate(shown)) as string).length
    }
    if (found === 0) needless.push(beginning)
  }
  expect(needless).toEqual([])
}, 120_000)

it('lists and files that are downloaded name nobody else', async () => {
  const person = people.get('ADMIN') as Person
  const { accessToken: token } = await desk.server.signIn(person, center.domain)
  const files = ['members.csv', 'attendance.csv', 'audit.csv']
  let read = 0
  for (const file of files) {
    const answer = await desk.server.call('GET', `/api/centers/${center.id}/${file}`, {
      ...{ token, headers: { 'x-forwarded-host': site } },
    })
    if (answer.status === 404) continue
    read++
    expect([file, answer.status, oursIn(answer.text)]).toEqual([file, 200, []])
  }
  expect(read).toBeGreaterThan(0)
})

describe.each([
  ['ko', entryKo, domainsKo],
  ['en', entryEn, domainsEn],
] as const)('in %s, on a phone', (language, entry, words) => {
  const phone = async () => {
    const options = { ignoreHTTPSErrors: true, locale: language === 'ko' ? 'ko-KR' : 'en-US' }
    const context = await desk.browser.newContext({ ...options, viewport: { width: 360, height: 780 } })
    contexts.push(context)
    return context.newPage()
  }

  it('a person who forgot the password gets a mail of the center, sets a new one and is in, without leaving the domain', async () => {
    const person = await desk.person(`잊은이 ${language}`, 'INSTRUCTOR', center)
    const page = await phone()
    const hosts = new Set<string>()
    page.on('framenavigated', (frame) => hosts.add(new URL(frame.url()).host))
    await page.goto(`https://${site}/c/${center.domain}/inbox`)
    await page.getByRole('heading', { name: '하얀센터' }).waitFor()
    expect([await violations(page), await misfits(page)]).toEqual([[], []])
    await page.getByRole('link', { name: entry.forgot }).click()
    await page.getByLabel(entry.email).fill(person.email)
    await page.locator('form button[type=submit]').click()
    const token = await desk.mailbox.token(person.email, 'csp')
    const mail = desk.mailbox.messages.findLast(({ to }) => to.includes(person.email))
    expect(mail?.text).toContain(`https://${site}/password/${token}`)
    expect([mail?.from.startsWith('하얀센터 <'), oursIn(`${mail?.subject}\n${mail?.text}\n${mail?.html}`)]).toEqual([
      true,
      [],
    ])
    await page.goto(`https://${site}/password/${token}`)
    const password = 'correct horse battery staple 7'
    for (const field of await page.locator('input[type=password]').all()) await field.fill(password)
    await page.locator('form button[type=submit]').click()
    await page.getByRole('link', { name: entry.enter }).click()
    await page.getByLabel(entry.email).fill(person.email)
    await page.getByLabel(entry.password, { exact: true }).fill(password)
    await page.getByRole('button', { name: entry.enter, exact: true }).click()
    await page.waitForURL(`https://${site}/c/${center.domain}**`)
    await settled(page)
    expect([...hosts]).toEqual([site])
  }, 60_000)

  it('an administrator sets up a domain step by step, and sees what is missing', async () => {
    const admin = await desk.person(`원장 ${language}`, 'ADMIN', center)
    const page = await phone()
    await page.goto(`https://${site}/login`)
    await desk.signIn(page, admin)
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.goto(`https://${site}/c/${center.domain}/domain`)
    await settled(page)
    await page.getByLabel(words.newSite, { exact: true }).fill(`Second-${language}.White.example`)
    await page.getByRole('button', { name: words.addSite }).click()
    const own = page.getByRole('region', { name: `second-${language}.white.example`, exact: true })
    await own.getByText(words.certificateunchecked).waitFor()
    dns.hosts.set(`second-${language}.white.example`, { alias: 'parked.example' })
    dns.hosts.set('parked.example', ['203.0.113.9'])
    await own.getByRole('button', { name: words.checkAgain }).click()
    await own.getByText(words.checkabsent).waitFor({ timeout: 20_000 })
    await own
      .getByText(/parked\.example|: 127/)
      .first()
      .waitFor()
    await restyle(page, { language })
    expect([await violations(page), await misfits(page)]).toEqual([[], []])
    await own.getByRole('button', { name: words.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.remove }).click()
    await own.waitFor({ state: 'detached' })
  }, 90_000)
})
