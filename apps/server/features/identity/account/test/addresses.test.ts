import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { openTextProvider, type TextBox } from '../../../../../../tests/support/text-provider.ts'
import type { Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

let server: TestServer
let mailbox: Mailbox
let phones: TextBox
let count = 0

beforeAll(async () => {
  ;[mailbox, phones] = [await openMailbox(), await openTextProvider()]
  server = await startServer({
    env: {
      SMTP_URL: mailbox.url,
      TEXT_URL: phones.solapiUrl,
      TEXT_FROM: '0212345678',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    },
  })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
  await phones.close()
})

const newEmail = () => `new-${count++}@people.example`
const newPhone = () => `+8210${String(10_000_000 + count++)}`
const tokenOf = async (person: Person) => (await server.signIn(person)).accessToken
const ask = (kind: string, value: string, token?: string) =>
  server.call('POST', `/api/auth/me/${kind}`, { body: { [kind]: value }, ...(token && { token }) })
const confirm = (kind: string, code: string, token: string) =>
  server.call('POST', `/api/auth/me/${kind}/confirm`, { token, body: { code } })
const mailsTo = async (email: string) => {
  await server.services.mail.close()
  return mailbox.messages.filter(({ to }) => to.includes(email))
}
const codeIn = (text = '') => /(?<![0-9])[0-9]{6}(?![0-9])/.exec(text)?.[0] ?? ''
const mailedCode = async (email: string) => codeIn((await mailsTo(email)).at(-1)?.text)
const textedTo = async (phone: string) => {
  await server.services.mail.close()
  return phones.messages.filter(({ to }) => to === `0${phone.slice(3)}`).map(({ text }) => text)
}
const login = (body: object) => server.call('POST', '/api/auth/login', { body })
const errorOf = ({ status, body }: { status: number; body: { error?: { code?: string } } }) => [
  status,
  body.error?.code,
]

describe('an email address', () => {
  it('counts once its code is entered; the old one no longer signs in and is told', async () => {
    const person = await server.world.person()
    const center = await server.world.center()
    await server.world.member(person, center)
    const [member] = await server.world.query<{ id: string }>(
      'select id from directory.memberships where actor_id = $1',
      [person.actorId],
    )
    await server.world.query(
      `insert into directory.invitations (hash, center_id, membership_id, approved, expires_at)
       values (sha256('waits'), $1, $2, true, now() + interval '1 day')`,
      [center.id, member?.id],
    )
    const token = await tokenOf(person)
    const email = newEmail()
    await server.call('POST', '/api/auth/password/forgot', { body: { email: person.email } })
    const reset = await mailbox.token(person.email, 'csp')
    expect((await ask('email', email.toUpperCase(), token)).status).toBe(202)
    expect((await login({ email, password: person.password })).status).toBe(401)
    const done = await confirm('email', await mailedCode(email), token)
    expect([done.status, done.body.data.email]).toEqual([200, email])
    expect((await login({ email, password: person.password })).status).toBe(200)
    expect((await login({ email: person.email, password: person.password })).status).toBe(401)
    const told = (await mailsTo(person.email)).at(-1)?.text ?? ''
    expect(told).not.toContain(email)
    expect(told).toContain('email address was changed')
    const [row] = await server.world.query('select address from directory.memberships where actor_id = $1', [
      person.actorId,
    ])
    expect(row?.address).toBe(email)
    expect(
      await server.world.query('select from directory.invitations where membership_id = $1', [member?.id]),
    ).toEqual([])
    // What waits in the old mailbox opens nothing any more.
    const body = { token: reset, password: 'plum-lantern-42-harbor' }
    expect((await server.call('POST', '/api/auth/password/reset', { body })).status).toBe(401)
  })

  it('of somebody else gets the same answer, and its owner a mail without a code', async () => {
    const [person, other] = [await server.world.person(), await server.world.person()]
    const token = await tokenOf(person)
    const answers = [await ask('email', other.email, token)]
    const restore = useClock(() => Date.now() + 61_000)
    answers.push(await ask('email', newEmail(), token))
    restore()
    expect(answers.map(({ status, body }) => [status, body.data])).toEqual([
      [202, { accepted: true }],
      [202, { accepted: true }],
    ])
    const mail = (await mailsTo(other.email)).at(-1)?.text ?? ''
    expect([codeIn(mail), mail.includes('already signs in')]).toEqual(['', true])
  })

  it('of somebody else opens for no code at all', async () => {
    const [person, other] = [await server.world.person(), await server.world.person()]
    const token = await tokenOf(person)
    await ask('email', other.email, token)
    for (const code of ['000000', '999999']) expect((await confirm('email', code, token)).status).toBe(409)
  })

  it('is confirmed in a session of the one who asked, in no other', async () => {
    const [person, victim] = [await server.world.person(), await server.world.person()]
    const email = newEmail()
    await ask('email', email, await tokenOf(person))
    expect(errorOf(await confirm('email', await mailedCode(email), await tokenOf(victim)))).toEqual([409, 'CONFLICT'])
  })

  it('that two people prove at once is that of one of them', async () => {
    const people = [await server.world.person(), await server.world.person()]
    const email = newEmail()
    const tokens = await Promise.all(people.map(tokenOf))
    const codes: string[] = []
    for (const token of tokens) {
      await ask('email', email, token)
      codes.push(await mailedCode(email))
    }
    const answers = await Promise.all(tokens.map((token, n) => confirm('email', codes[n] as string, token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await server.world.query('select from directory.actors where email = $1', [email])).length).toBe(1)
  })

  it('its code works once, for ten minutes, and for five attempts', async () => {
    const person = await server.world.person()
    const email = newEmail()
    let later = 0
    const restore = useClock(() => Date.now() + later)
    // A new session each time: asking needs one that is not old.
    const asked = async () => {
      const token = await tokenOf(person)
      expect((await ask('email', email, token)).status).toBe(202)
      return { token, code: await mailedCode(email) }
    }
    const first = await asked()
    later = 601_000
    expect((await confirm('email', first.code, await tokenOf(person))).status).toBe(409)
    const second = await asked()
    const wrong = second.code === '000000' ? '111111' : '000000'
    for (let n = 0; n < 4; n++) expect((await confirm('email', wrong, second.token)).status).toBe(409)
    later += 61_000
    const third = await asked()
    const other = third.code === '000000' ? '111111' : '000000'
    for (let n = 0; n < 5; n++) expect((await confirm('email', other, third.token)).status).toBe(409)
    expect((await confirm('email', third.code, third.token)).status).toBe(409)
    later += 61_000
    const { token, code } = await asked()
    const twice = await Promise.all([confirm('email', code, token), confirm('email', code, token)])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409])
    restore()
  })

  it('is asked for once a minute, and gets five codes a day from all accounts together', async () => {
    const email = newEmail()
    const tokens = await Promise.all(Array.from({ length: 6 }, async () => tokenOf(await server.world.person())))
    const answers = []
    for (const token of tokens) answers.push(await ask('email', email, token))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429])
    expect(await mailsTo(email)).toHaveLength(5)
    const again = await ask('email', newEmail(), tokens[0])
    expect(errorOf(again)).toEqual([429, 'RATE_LIMITED'])
  })
})

describe('a phone number', () => {
  it('signs in once its code is entered, and no more when it is removed', async () => {
    const person = await server.world.person()
    const token = await tokenOf(person)
    const phone = newPhone()
    expect((await ask('phone', phone, token)).status).toBe(202)
    expect((await login({ phone, password: person.password })).status).toBe(401)
    const [text] = await textedTo(phone)
    const done = await confirm('phone', codeIn(text), token)
    expect([done.status, done.body.data.phone]).toEqual([200, phone])
    expect((await login({ phone, password: person.password })).body.data.actor.id).toBe(person.actorId)
    expect((await mailsTo(person.email)).at(-1)?.text).toContain('phone number')
    expect((await server.call('DELETE', '/api/auth/me/phone', { token })).status).toBe(204)
    expect((await login({ phone, password: person.password })).status).toBe(401)
    expect((await textedTo(phone)).length).toBe(2)
    expect((await server.call('DELETE', '/api/auth/me/phone', { token })).status).toBe(204)
  })

  it('of somebody else gets the same answer, and a text without a code', async () => {
    const phone = newPhone()
    await server.world.person({ phone })
    const { status } = await ask('phone', phone, await tokenOf(await server.world.person()))
    expect([status, codeIn((await textedTo(phone))[0])]).toEqual([202, ''])
  })
})

describe('400', () => {
  it.each([
    ['email', 'no address'],
    ['email', ''],
    ['phone', '010-1234-5678'],
    ['phone', '+15551234567'],
    ['phone', ''],
  ])('for %s %s', async (kind, value) => {
    expect((await ask(kind, value, await tokenOf(await server.world.person()))).status).toBe(400)
  })

  it('for a code that is none, and for unknown members', async () => {
    const token = await tokenOf(await server.world.person())
    for (const body of [{}, { code: '12345' }, { code: 'abcdef' }, { code: '123456', email: 'a@b.example' }])
      expect((await server.call('POST', '/api/auth/me/email/confirm', { token, body })).status).toBe(400)
  })
})

it('401 without a session, 403 after a session has grown old', async () => {
  expect((await ask('email', newEmail())).status).toBe(401)
  const person = await server.world.person()
  const token = await tokenOf(person)
  await server.world.query(
    `update directory.sessions set signed_in_at = now() - interval '6 minutes' where actor_id = $1`,
    [person.actorId],
    true,
  )
  server.services.authenticate.forget(`actor:${person.actorId}`)
  for (const kind of ['email', 'phone']) {
    const { status, body } = await ask(kind, kind === 'email' ? newEmail() : newPhone(), token)
    expect([status, body.error.details.reason]).toEqual([403, 'stepUp'])
  }
})

it('another tenant: nobody but the person has a changed address', async () => {
  const person = await server.world.person()
  const all = () =>
    server.world.query('select id, email, phone from directory.actors where id <> $1 order by id', [person.actorId])
  const before = await all()
  const token = await tokenOf(person)
  const email = newEmail()
  await ask('email', email, token)
  await confirm('email', await mailedCode(email), token)
  expect(await all()).toEqual(before)
})
