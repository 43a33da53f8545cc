/** In whose name mails and text messages are sent: real mail, as the mail server receives it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, proveDomain, startDns } from '../../../../tests/support/dns.ts'
import { type Mailbox, openMailbox } from '../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { openTextProvider, type TextBox } from '../../../../tests/support/text-provider.ts'
import type { Center, Partner, Person } from '../../../../tests/support/world.ts'
import { mailNames, sampleOf } from '../templates.ts'

let dns: DnsServer
let mailbox: Mailbox
let texts: TextBox
let server: TestServer
let count = 0

const ours = /countersign/i

beforeAll(async () => {
  ;[dns, mailbox, texts] = [await startDns(), await openMailbox(), await openTextProvider()]
  server = await startServer({
    env: {
      ...{ WEBHOOK_DNS_SERVERS: dns.address, TRUSTED_PROXIES: '127.0.0.0/8', MAIL_SPF: 'spf.mail.example' },
      ...{ SMTP_URL: mailbox.url, TEXT_URL: texts.sensUrl, TEXT_FROM: '0212345678' },
      ...{ MAIL_FROM: 'Countersign <no-reply@mail.service.example>', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    },
  })
})
afterAll(async () => {
  await server?.close()
  await Promise.all([mailbox?.close(), texts?.close(), dns?.close()])
})

type Kind = 'direct' | 'franchise' | 'white_label'
interface Place {
  readonly center: Center
  readonly partner: Partner | null
  readonly admin: Person
  readonly token: string
  readonly path: string
}

async function place(kind: Kind): Promise<Place> {
  const partner = kind === 'direct' ? null : await server.world.partner(kind)
  const center = await server.world.center({ name: `바다센터 ${++count}`, ...(partner && { partner }) })
  const admin = await server.world.person()
  await server.world.member(admin, center)
  const { accessToken: token } = await server.signIn(admin, center.domain)
  return { center, partner, admin, token, path: `/api/centers/${center.id}` }
}
const set = async ({ path, token }: Place, body: object) => {
  const answer = await server.call('PATCH', `${path}/settings`, { token, body })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
}
/** An invitation is a mail in the name of the center. */
async function invited({ path, token }: Place) {
  const email = `guest-${++count}@people.example`
  const answer = await server.call('POST', `${path}/members`, {
    token,
    body: { email, name: '손님', role: 'INSTRUCTOR' },
  })
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  return arrived(email)
}
async function arrived(to: string, subject = /./) {
  await expect
    .poll(() => mailbox.messages.some((each) => each.to.includes(to) && subject.test(each.subject)), {
      timeout: 10_000,
    })
    .toBe(true)
  return mailbox.messages.findLast(
    (each) => each.to.includes(to) && subject.test(each.subject),
  ) as (typeof mailbox.messages)[number]
}
const emailDomain = async (at: Place, domain: string, sends: boolean) => {
  if (sends) dns.records.set(domain, ['v=spf1 include:spf.mail.example -all'])
  await proveDomain(server, dns, { token: at.token, path: `${at.path}/domains`, domain, purpose: 'email' })
}
describe('a direct center and one of a franchise', () => {
  it.each<[Kind]>([['direct'], ['franchise']])(
    'of kind %s writes beside our name, also with a sender of its own choice',
    async (kind) => {
      const at = await place(kind)
      await set(at, { sender: { name: '큰 은행', address: 'hello@unproven.example', replyTo: 'x@unproven.example' } })
      const mail = await invited(at)
      expect(mail.from).toMatch(/^"?바다센터 \d+ \(Countersign\)"? <no-reply@mail\.service\.example>$/)
      expect([mail.sender, mail.replyTo]).toEqual(['no-reply@mail.service.example', ''])
      expect(mail.html).toContain('Countersign')
    },
  )

  it('is no longer named beside us once it writes from an address of its own', async () => {
    const at = await place('direct')
    await emailDomain(at, 'bada.example', false)
    await set(at, { sender: { name: '바다 안내', address: 'hello@Bada.example', replyTo: 'desk@bada.example' } })
    const before = await invited(at)
    // Proven, but its SPF record would make mail servers refuse what we send in its name.
    expect([before.sender, before.replyTo]).toEqual(['no-reply@mail.service.example', 'desk@bada.example'])
    dns.records.set('bada.example', ['v=spf1 mx include:spf.mail.example -all'])
    const [domain] = (await server.call('GET', `${at.path}/domains`, { token: at.token })).body.data
    await server.call('POST', `${at.path}/domains/${domain.id}/check`, { token: at.token })
    const mail = await invited(at)
    expect(mail.from).toBe('바다 안내 <hello@bada.example>')
    expect(mail.sender.toLowerCase()).toBe('hello@bada.example')
    expect(mail.messageId.toLowerCase()).toMatch(/@bada\.example>$/)
    expect(mail.html).not.toMatch(/Countersign/)
  })

  it('uses no address of a domain that another center has proven', async () => {
    const [theirs, at] = [await place('direct'), await place('direct')]
    await emailDomain(theirs, 'theirs.example', true)
    await set(at, { sender: { address: 'boss@theirs.example', replyTo: 'boss@theirs.example' } })
    const mail = await invited(at)
    expect([mail.sender, mail.replyTo]).toEqual(['no-reply@mail.service.example', ''])
  })

  it('gets replies at the address of an administrator, without a domain', async () => {
    const at = await place('direct')
    await set(at, { sender: { replyTo: at.admin.email.toUpperCase() } })
    expect((await invited(at)).replyTo.toLowerCase()).toBe(at.admin.email)
  })
})

it.each([
  [{ name: 'a\nBcc: x@y.example' }],
  [{ name: ' ' }],
  [{ name: 'visit evil.example' }],
  [{ address: 'no address' }],
  [{ address: 'a@b.example\r\nBcc: x@y.example' }],
  [{ other: 'x' }],
])('a sender %j is refused', async (sender) => {
  const { path, token } = await place('direct')
  const answer = await server.call('PATCH', `${path}/settings`, { token, body: { sender } })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
})

describe('a white-label center', () => {
  const host = 'my.white.example'
  const withSite = async (at: Place) => {
    await set(at, { branding: { customDomain: host } })
    await server.world.query('delete from directory.domains where domain = $1', [host], true)
    await server.world.query(
      `insert into directory.domains (id, center_id, purpose, domain, token, created_at, proven_at, next_check_at, works_since)
       values (gen_random_uuid(), $1, 'site', $2, 'token', now(), now(), now() + interval '1 day', now())`,
      [at.center.id, host],
      true,
    )
  }

  it('writes for itself in every mail, from its own address and with links to its own domain, and we are not in a byte of it', async () => {
    const at = await place('white_label')
    await withSite(at)
    await emailDomain(at, 'white.example', true)
    await set(at, { sender: { address: 'hello@white.example', replyTo: 'desk@white.example' } })
    const person = await server.world.person()
    await server.world.member(person, at.center, 'PARENT')
    const { mail, directory } = server.services
    const facts = (name: (typeof mailNames)[number]) =>
      JSON.parse(JSON.stringify(sampleOf(name)).replaceAll('https://sample.example', 'http://countersign.test'))
    const caller = { requestId: 'test', actorId: null, centerId: 0 }
    const found: string[] = []
    const languages = ['ko', 'en'] as const
    for (const language of languages) {
      await server.world.query(
        'update directory.actors set language = $2 where id = $1',
        [person.actorId, language],
        true,
      )
      mailbox.messages.splice(0)
      for (const name of mailNames) {
        // Mails about an account are queued without a center, as theirs is the account's.
        const isAbout = 'centerName' in sampleOf(name).facts
        await directory.identity(caller, (tx) =>
          mail.queue(tx, { ...facts(name), to: person.email, centerId: isAbout ? at.center.id : 0 }),
        )
      }
      await expect.poll(() => mailbox.messages.length, { timeout: 30_000 }).toBe(mailNames.length)
      for (const { from, raw, subject, text, html, sender, replyTo } of mailbox.messages) {
        // What a provider of sign-in sends back arrives at the service.
        const back = /http:\/\/countersign\.test\/signin\/link\/[\w-]+/g
        const head = raw.slice(0, raw.search(/\r?\n\r?\n/))
        const whole = [head, subject, text, html, from].join('\n').replaceAll(back, '')
        if (ours.test(whole)) found.push(`${language} ${subject}`)
        expect([sender, replyTo]).toEqual(['hello@white.example', 'desk@white.example'])
      }
      const links = mailbox.messages.flatMap(({ text }) => text.match(/https?:\/\/[^\s)]+/g) ?? [])
      expect(new Set(links.map((link) => new URL(link).host))).toEqual(new Set([host, 'countersign.test']))
    }
    expect(found).toEqual([])
    expect(mailNames.length).toBeGreaterThan(50)
  }, 120_000)

  it('finds a planted word', () => {
    expect(ours.test('sent with CounterSign')).toBe(true)
  })

  it('a person who belongs elsewhere too, works for a partner or runs the service is written to by the service', async () => {
    const at = await place('white_label')
    await withSite(at)
    const other = await place('direct')
    const [one, both, partner, operator] = [
      await server.world.person(),
      await server.world.person(),
      await server.world.person({ partner: true }),
      await server.world.person({ operator: true }),
    ]
    for (const each of [one, both, partner, operator]) await server.world.member(each, at.center, 'INSTRUCTOR')
    await server.world.member(both, other.center, 'INSTRUCTOR')
    const asked = async ({ email }: Person) => {
      expect((await server.call('POST', '/api/auth/password/forgot', { body: { email } })).status).toBeLessThan(300)
      return arrived(email)
    }
    const own = await asked(one)
    expect(own.from).toMatch(/^"?바다센터/)
    expect(own.text).toMatch(/https:\/\/my\.white\.example\/password\/csp_/)
    expect(own.raw.replaceAll('mail.service.example', '')).not.toMatch(ours)
    for (const each of [both, partner, operator]) {
      const mail = await asked(each)
      // The token opens the whole account: it goes past no server but ours.
      expect(mail.text).toMatch(/http:\/\/countersign\.test\/password\/csp_/)
      expect(mail.from).toMatch(/Countersign/)
    }
  })

  it('a member of two centers of one partner is written to by the partner, with links to the service', async () => {
    const at = await place('white_label')
    const partner = at.partner as Partner
    const second = await server.world.center({ name: '둘째', partner })
    const person = await server.world.person()
    for (const each of [at.center, second]) await server.world.member(person, each, 'INSTRUCTOR')
    await server.call('POST', '/api/auth/password/forgot', { body: { email: person.email } })
    const mail = await arrived(person.email)
    expect(mail.from).toContain(partner.name)
    expect(mail.text).toMatch(/http:\/\/countersign\.test\/password\//)
    expect([mail.subject, mail.html.replaceAll('http://countersign.test', '')].join()).not.toMatch(ours)
  })

  it('the address of a partner is that of its centers, and one of a center comes before it', async () => {
    const at = await place('white_label')
    const owner = await server.world.person()
    await server.world.account(owner, at.partner as Partner)
    const { accessToken: token } = await server.signIn(owner)
    dns.records.set('network.example', ['v=spf1 include:spf.mail.example -all'])
    await proveDomain(server, dns, { token, path: '/api/partner/domains', domain: 'network.example' })
    const body = { sender: { name: '네트워크', address: 'care@network.example', replyTo: 'care@network.example' } }
    expect((await server.call('PATCH', '/api/partner/settings', { token, body })).status).toBe(200)
    const wrong = { sender: { address: 'no address' } }
    expect((await server.call('PATCH', '/api/partner/settings', { token, body: wrong })).status).toBe(400)
    const mail = await invited(at)
    expect([mail.sender, mail.replyTo]).toEqual(['care@network.example', 'care@network.example'])
    expect(mail.from).toContain('네트워크')
    await set(at, { sender: { name: '우리 이름' } })
    expect((await invited(at)).from).toMatch(/^"?우리 이름"? <care@network\.example>$/)
  })

  it('a text message begins with its name', async () => {
    const at = await place('white_label')
    const person = await server.world.person()
    await server.world.member(person, at.center, 'PARENT')
    const { accessToken: token } = await server.signIn(person, at.center.domain)
    const phone = '+821012345678'
    const answer = await server.call('POST', '/api/auth/me/phone', { token, body: { phone } })
    expect([answer.status, answer.text]).toEqual([answer.status < 300 ? answer.status : 200, answer.text])
    await expect.poll(() => texts.messages.length, { timeout: 3_000 }).toBe(1)
    expect(texts.messages[0]?.text).toMatch(/^\[바다센터 \d+\] 인증번호 \d{6}/)
  })
})
