import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'

let server: TestServer
let mailbox: Mailbox
let count = 0

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const password = 'a long new password'
const newAddress = () => `new-${count++}@people.example`
const signUp = (email: string, name = 'Kim') => server.call('POST', '/api/auth/signup', { body: { email, name } })
const confirm = (token: string, chosen = password) =>
  server.call('POST', '/api/auth/signup/confirm', { body: { token, password: chosen } })
const login = (email: string, chosen = password) =>
  server.call('POST', '/api/auth/login', { body: { email, password: chosen } })
const mailsTo = (email: string) => mailbox.messages.filter(({ to }) => to.includes(email))
const mailedToken = (email: string) => mailbox.token(email, 'csu')

describe('a new address', () => {
  it('gets a link whose owner chooses the password, signs in, and creates a center', async () => {
    const email = newAddress()
    const asked = await signUp(email.toUpperCase(), ' 김하늘 ')
    expect([asked.status, asked.body.data]).toEqual([202, { accepted: true }])
    expect((await login(email)).status).toBe(401)
    const opened = await confirm(await mailedToken(email))
    expect([opened.status, opened.body.data]).toEqual([201, { actorId: expect.any(String), email }])
    const { actorId } = opened.body.data
    const signedIn = (await login(email)).body.data
    expect(signedIn).toMatchObject({ actor: { id: actorId, name: '김하늘', role: 'PARENT' }, center: null })
    const created = await server.call('POST', '/api/provisioning/center-tenant', {
      token: signedIn.accessToken,
      body: {
        ...{ centerName: '하늘재활센터', subdomain: `haneul-${count}`, planId: 'center-starter' },
        ...{ orderId: `order-${count}`, adminActorId: actorId },
      },
    })
    expect([created.status, created.body.data.membership.role]).toEqual([201, 'ADMIN'])
  })

  it.each([
    [{ email: 'no address', name: 'Kim' }],
    [{ email: 'a@b.example', name: '' }],
    [{ email: 'a@b.example', name: '   ' }],
    [{ email: 'a@b.example', name: 'Kim\nBcc: all@b.example' }],
    [{ email: 'a@b.example', name: 'Kim', password }],
  ])('400 for %o', async (body) => {
    expect((await server.call('POST', '/api/auth/signup', { body })).status).toBe(400)
  })

  it('chooses a password that a stranger would have to guess; the link stays valid until then', async () => {
    const email = `kim.areum.${count}@people.example`
    await signUp(email, 'Kim')
    const token = await mailedToken(email)
    for (const weak of ['password1234', ' '.repeat(12), 'k7#vQ2!xZ   ', email, email.split('@')[0] as string]) {
      const { status, body } = await confirm(token, weak)
      expect([weak, status, body.error?.code]).toEqual([weak, 400, 'VALIDATION_ERROR'])
    }
    expect((await confirm(token)).status).toBe(201)
  })

  it('gets one mail a minute, and only its newest link is valid', async () => {
    const email = newAddress()
    await signUp(email)
    const first = await mailedToken(email)
    await signUp(email)
    expect(mailsTo(email)).toHaveLength(1)
    const restore = useClock(() => Date.now() + 61_000)
    await signUp(email)
    await expect.poll(() => mailsTo(email).length).toBe(2)
    restore()
    expect((await confirm(first)).status).toBe(401)
    expect((await confirm(await mailedToken(email))).status).toBe(201)
  })

  it('opens one account for fifty concurrent uses of its link', async () => {
    const email = newAddress()
    await signUp(email)
    const token = await mailedToken(email)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => confirm(token, `${password} ${at}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(401)])
  })
})

it('an address with an account gets the same answer and a mail without a link that opens one', async () => {
  const person = await server.world.person()
  const [known, unknown] = [await signUp(person.email, 'Other'), await signUp(newAddress())]
  expect([known.status, known.body.data]).toEqual([unknown.status, unknown.body.data])
  await expect.poll(() => mailsTo(person.email).length).toBe(1)
  expect(mailsTo(person.email)[0]?.text).not.toContain('csu_')
  expect((await login(person.email, person.password)).body.data.actor.name).not.toBe('Other')
})

it('409 when the address got an account after the link was mailed', async () => {
  const email = newAddress()
  await signUp(email)
  const token = await mailedToken(email)
  await server.world.person({ email })
  const late = await confirm(token)
  expect([late.status, late.body.error.code]).toEqual([409, 'CONFLICT'])
  // The refusal rolls back, so that it can be repeated, and opens nothing.
  expect((await confirm(token)).status).toBe(409)
})

it('401 for an unknown or expired link', async () => {
  const email = newAddress()
  await signUp(email)
  const token = await mailedToken(email)
  expect((await confirm('csu_unknown')).status).toBe(401)
  const restore = useClock(() => Date.now() + 3_601_000)
  expect((await confirm(token)).status).toBe(401)
  restore()
})
