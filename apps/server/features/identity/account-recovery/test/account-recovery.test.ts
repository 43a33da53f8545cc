import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

let server: TestServer
let mailbox: Mailbox
let center: Center
let admin: Person
let token: string
let count = 0

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
  center = await server.world.center()
  admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
})
beforeEach(async () => {
  token = (await server.signIn(admin)).accessToken
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const newAddress = () => `guest-${count++}@people.example`
const invite = (body: object, as = token) =>
  server.call('POST', `/api/centers/${center.id}/members`, { token: as, body })
const accept = (mailed: string, password = 'a long new password') =>
  server.call('POST', '/api/auth/invitations/accept', { body: { token: mailed, password } })
const login = (email: string, password: string) => server.call('POST', '/api/auth/login', { body: { email, password } })

describe('POST /centers/{center}/members', () => {
  it('201 invites by mail; accepting sets the password and waits for approval', async () => {
    const email = newAddress()
    const invited = await invite({ email, role: 'INSTRUCTOR', name: 'Ines' })
    expect(invited.status).toBe(201)
    expect(invited.body.data).toMatchObject({
      email,
      name: 'Ines',
      role: 'INSTRUCTOR',
      status: 'INVITED',
      centerId: center.id,
      endedAt: null,
    })
    expect((await login(email, 'a long new password')).status).toBe(401)
    const mailed = await mailbox.token(email, 'csi')
    const accepted = await accept(mailed)
    expect(accepted.status).toBe(200)
    expect(accepted.body.data).toMatchObject({ status: 'PENDING', centerDomain: center.domain, partnerName: null })
    const signedIn = await login(email, 'a long new password')
    expect(signedIn.body.data).toMatchObject({ destination: 'waiting', center: null })
    const approved = await server.call('POST', `/api/memberships/${invited.body.data.id}/approve`, { token })
    expect(approved.body.data.status).toBe('ACTIVE')
    expect((await login(email, 'a long new password')).body.data.center.id).toBe(center.id)
  })

  it('201 with approval in advance: accepting activates the membership, and both moves are audited', async () => {
    const email = newAddress()
    const { id } = (await invite({ email, role: 'CHILD', approved: true })).body.data
    expect((await accept(await mailbox.token(email, 'csi'))).body.data.status).toBe('ACTIVE')
    const entries = await server.world.query<{ details: { to: string } }>(
      'select details from directory.audit_entries where target_id = $1 order by occurred_at, id',
      [id],
    )
    expect(entries.map(({ details }) => details.to)).toEqual(['INVITED', 'PENDING', 'ACTIVE'])
  })

  it('201 for a person with an account: the password stays, and the person accepts while signed in', async () => {
    const person = await server.world.person()
    const { id } = (await invite({ email: person.email.toUpperCase(), role: 'PARENT' })).body.data
    const { accessToken } = await server.signIn(person)
    expect((await server.call('POST', `/api/memberships/${id}/accept`, { token: accessToken })).body.data.status).toBe(
      'PENDING',
    )
    const late = await accept(await mailbox.token(person.email, 'csi'), 'another password!')
    expect([late.status, late.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await login(person.email, person.password)).status).toBe(200)
  })

  it('409 CONFLICT for a person who is a member already', async () => {
    const { status, body } = await invite({ email: admin.email, role: 'PARENT' })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
  })

  it.each([
    [{ role: 'PARENT' }, 'MISSING_REQUIRED_FIELD'],
    [{ email: 'a@b.example' }, 'MISSING_REQUIRED_FIELD'],
    [{ email: 'not-an-address', role: 'PARENT' }, 'INVALID_EMAIL'],
    [{ email: 'a@b.example', role: 'OWNER' }, 'VALIDATION_ERROR'],
    [{ email: 'a@b.example', role: 'PARENT', status: 'ACTIVE' }, 'VALIDATION_ERROR'],
  ])('400 for %j: %s', async (body, code) => {
    const answer = await invite(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, code])
  })

  it('403 for other roles and other centers', async () => {
    const parent = await server.world.person()
    await server.world.member(parent, center, 'PARENT')
    const { accessToken } = await server.signIn(parent)
    expect((await invite({ email: newAddress(), role: 'CHILD' }, accessToken)).body.error.code).toBe(
      'INSUFFICIENT_ROLE',
    )
    const outsider = (await server.signIn(await server.world.person())).accessToken
    expect((await invite({ email: newAddress(), role: 'CHILD' }, outsider)).body.error.code).toBe('NO_MEMBERSHIP')
  })
})

describe('a password that a stranger would guess', () => {
  const refusal = async (answer: ReturnType<typeof accept>) => {
    const { status, body } = await answer
    return [status, body?.error?.code]
  }

  it('is refused with an invitation, which stays valid; so is the name of the center', async () => {
    const email = newAddress()
    await invite({ email, role: 'CHILD' })
    const mailed = await mailbox.token(email, 'csi')
    for (const weak of ['password1234', ' '.repeat(12), email, `Center ${center.domain}`]) {
      expect(await refusal(accept(mailed, weak))).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect((await accept(mailed)).status).toBe(200)
  })

  it('is not looked at where a person has a password, which stays', async () => {
    const person = await server.world.person()
    await invite({ email: person.email, role: 'CHILD' })
    expect((await accept(await mailbox.token(person.email, 'csi'), 'password1234')).status).toBe(200)
    expect((await login(person.email, person.password)).status).toBe(200)
  })

  it('is refused with a link for a new password, which stays valid', async () => {
    const person = await server.world.person()
    await server.world.member(person, center, 'PARENT')
    await server.call('POST', '/api/auth/password/forgot', { body: { email: person.email } })
    const mailed = await mailbox.token(person.email, 'csp')
    const reset = (password: string) =>
      server.call('POST', '/api/auth/password/reset', { body: { token: mailed, password } })
    for (const weak of ['Password1234', person.email, `center ${center.domain}`]) {
      expect(await refusal(reset(weak))).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect((await reset('a long new password')).status).toBe(204)
  })
})

describe('POST /auth/invitations/accept', () => {
  it('401 UNAUTHORIZED for a token that is used, invented or expired', async () => {
    const email = newAddress()
    await invite({ email, role: 'CHILD' })
    const mailed = await mailbox.token(email, 'csi')
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(mailed)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
    expect((await accept('csi_made-up')).status).toBe(401)
    const lateEmail = newAddress()
    await invite({ email: lateEmail, role: 'CHILD' })
    const late = await mailbox.token(lateEmail, 'csi')
    const restore = useClock(() => Date.now() + 8 * 86_400_000)
    try {
      expect((await accept(late)).status).toBe(401)
    } finally {
      restore()
    }
  })

  it('400 for a password that is too short', async () => {
    const { status, body } = await accept('csi_x', 'short')
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('forgotten passwords', () => {
  const forgot = (body: object) => server.call('POST', '/api/auth/password/forgot', { body })
  const reset = (mailed: string, password: string) =>
    server.call('POST', '/api/auth/password/reset', { body: { token: mailed, password } })

  it('202 with the same body with and without an account; only an account gets mail', async () => {
    const person = await server.world.person()
    const before = mailbox.messages.length
    const known = await forgot({ email: person.email })
    const unknown = await forgot({ email: newAddress() })
    expect([known.status, unknown.status]).toEqual([202, 202])
    expect(unknown.text).toBe(known.text)
    await mailbox.token(person.email, 'csp')
    expect(mailbox.messages.length - before).toBe(1)
  })

  it('204 sets the password, ends every session at once, and works once', async () => {
    const person = await server.world.person()
    await server.world.member(person, center, 'PARENT')
    const session = await server.signIn(person)
    await forgot({ email: person.email })
    const mailed = await mailbox.token(person.email, 'csp')
    expect((await reset(mailed, 'a brand new password')).status).toBe(204)
    expect((await server.call('GET', '/api/auth/me', { token: session.accessToken })).status).toBe(401)
    expect(
      (await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken: session.refreshToken } })).status,
    ).toBe(401)
    expect((await login(person.email, person.password)).status).toBe(401)
    expect((await login(person.email, 'a brand new password')).status).toBe(200)
    const again = await reset(mailed, 'yet another password')
    expect([again.status, again.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('400 MISSING_REQUIRED_FIELD with neither email nor phone', async () => {
    const { status, body } = await forgot({})
    expect([status, body.error.code]).toEqual([400, 'MISSING_REQUIRED_FIELD'])
  })
})

describe('the limit of five attempts in 15 minutes', () => {
  it('429 for the sixth attempt although the five before were accepted; another account is not affected', async () => {
    const limited = await startServer({
      beside: server,
      env: { RATE_LIMIT_LOGIN: '5/900', REDIS_PREFIX: `entry-${count++}-${Date.now()}`, SMTP_URL: mailbox.url },
    })
    try {
      const ask = (email: string) => limited.call('POST', '/api/auth/password/forgot', { body: { email } })
      const email = newAddress()
      const answers = []
      for (let i = 0; i < 6; i++) answers.push(await ask(email))
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429])
      expect(answers[5]?.body.error.code).toBe('RATE_LIMITED')
      expect(Number(answers[5]?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await ask(newAddress())).status).toBe(202)
      const guess = () =>
        limited.call('POST', '/api/auth/invitations/accept', {
          body: { token: 'csi_guess', password: 'a long new password' },
        })
      const guesses = []
      for (let i = 0; i < 6; i++) guesses.push((await guess()).status)
      expect(guesses).toEqual([401, 401, 401, 401, 401, 429])
    } finally {
      await limited.close()
    }
  })
})

describe('mail', () => {
  it('is stored encrypted while the mail server refuses it, and is sent afterwards', async () => {
    mailbox.refusing = true
    const email = newAddress()
    await invite({ email, role: 'CHILD' })
    await expect.poll(() => server.logs.join('')).toContain('mail: not delivered')
    const waiting = await server.world.query<{ sealed: Buffer }>('select sealed from directory.mails')
    expect(waiting).toHaveLength(1)
    expect(waiting[0]?.sealed.toString('latin1')).not.toContain('csi_')
    mailbox.refusing = false
    const restore = useClock(() => Date.now() + 3600_000)
    try {
      expect(await server.services.mail.sendDue()).toBe(1)
    } finally {
      restore()
    }
    expect(await server.world.query('select id from directory.mails')).toEqual([])
    await mailbox.token(email, 'csi')
  })

  it('is refused in production without SMTP_URL, and printed in development', async () => {
    const printing = await startServer({ beside: server, env: { SMTP_URL: '' } })
    const refusing = await startServer({ beside: server, env: { SMTP_URL: '', NODE_ENV: 'production' } })
    try {
      const email = newAddress()
      const body = { email, role: 'CHILD' }
      const { accessToken } = await refusing.signIn(admin)
      const refused = await refusing.call('POST', `/api/centers/${center.id}/members`, { token: accessToken, body })
      expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      const forgotten = await Promise.all(
        [admin.email, newAddress()].map((address) =>
          refusing.call('POST', '/api/auth/password/forgot', { body: { email: address } }),
        ),
      )
      expect(forgotten.map(({ status }) => status)).toEqual([202, 202])
      expect(refusing.logs.join('')).toContain('no mail was sent: this server has no SMTP_URL')
      await printing.call('POST', `/api/centers/${center.id}/members`, { token, body })
      const printed = () => printing.logs.find((line) => line.includes(email)) ?? ''
      await expect.poll(printed).toContain('/invitations/csi_')
      // The reader of the development log is the recipient, so the printed link works.
      const [mailed = ''] = /csi_[\w-]{43}/.exec(printed()) ?? []
      expect((await accept(mailed)).status).toBe(200)
    } finally {
      await Promise.all([printing.close(), refusing.close()])
    }
  })
})
