import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { newUuid } from '../../../../lib/ids.ts'

let server: TestServer
let mailbox: Mailbox
let admin: Person
let center: Center

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
  admin = await server.world.person()
  center = await server.world.center({ name: '하늘 발달센터' })
  await server.world.member(admin, center)
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const password = 'plum-lantern-42-harbor'
const newEmail = () => `guest-${newUuid()}@people.example`
const tokenOf = async (person: Person) => (await server.signIn(person)).accessToken
const post = (path: string, body: object, token?: string) =>
  server.call('POST', `/api/auth/${path}`, { body, ...(token && { token }) })
const read = (token: string) => post('invitations/read', { token })

async function invited(email: string, body: object = {}): Promise<string> {
  const token = (await server.signIn(admin, center.domain)).accessToken
  const sent = { email, role: 'INSTRUCTOR', ...body }
  expect((await server.call('POST', `/api/centers/${center.domain}/members`, { token, body: sent })).status).toBe(201)
  return mailbox.token(email, 'csi')
}

describe('an invitation is read', () => {
  it('with center, inviter, role and name, and stays valid', async () => {
    const email = newEmail()
    const token = await invited(email, { name: '한이안' })
    const [known] = await server.world.query('select name from directory.actors where id = $1', [admin.actorId])
    for (const _ of [1, 2]) {
      const { status, body } = await read(token)
      expect([status, body.data]).toEqual([
        200,
        {
          ...{ centerName: '하늘 발달센터', partnerName: null, role: 'INSTRUCTOR', partnerRole: null, guardian: false },
          ...{ inviter: known?.name, email, name: '한이안', hasAccount: false },
          terms: expect.objectContaining({ instructor: { ko: '강사', en: 'teacher' } }),
          expiresAt: expect.stringContaining('T'),
        },
      ])
    }
  })

  it('without the part before the @ as a name, and says that the address has an account', async () => {
    const person = await server.world.person()
    const { body } = await read(await invited(person.email))
    expect([body.data.name, body.data.hasAccount]).toEqual([null, true])
  })

  it('of a partner', async () => {
    const [partnerAdmin, partner, email] = [await server.world.person(), await server.world.partner(), newEmail()]
    await server.world.account(partnerAdmin, partner)
    const token = await tokenOf(partnerAdmin)
    await server.call('POST', '/api/partner/invitations', { token, body: { email, role: 'PARTNER_OPERATOR' } })
    const { body } = await read(await mailbox.token(email, 'csi'))
    expect(body.data).toMatchObject({
      ...{
        centerName: null,
        terms: null,
        partnerName: partner.name,
        role: null,
        partnerRole: 'PARTNER_OPERATOR',
        email,
      },
    })
  })

  it('and accepted by nobody at the address that the person has no longer', async () => {
    const person = await server.world.person()
    const token = await invited(person.email)
    await server.world.query('update directory.actors set email = $2 where id = $1', [person.actorId, newEmail()])
    expect((await read(token)).status).toBe(401)
    expect((await post('invitations/accept', { token, password })).status).toBe(401)
  })

  it('as a guardian approves nobody who was invited without approval', async () => {
    const email = newEmail()
    const earlier = await invited(email)
    const token = (await server.signIn(admin, center.domain)).accessToken
    const child = await server.world.person({ login: false, verified: false })
    await server.world.member(child, center, 'CHILD')
    const path = `/api/centers/${center.domain}/children/${child.actorId}/guardians`
    expect((await server.call('POST', path, { token, body: { email } })).status).toBe(201)
    expect((await read(earlier)).status).toBe(401)
    // The newest link is the one that has arrived.
    await server.services.mail.close()
    const { body } = await post('invitations/accept', {
      token: await mailbox.token(email, 'csi'),
      password,
      name: 'A guardian',
    })
    expect(body.data.status).toBe('PENDING')
  })

  it('by its token only: 401', async () => {
    expect([(await read('csi_nothing')).status, (await read('csp_9fK2mQ7x')).status]).toEqual([401, 401])
  })
})

describe('somebody new', () => {
  it('has the name that they write, and the one that the center has is the same', async () => {
    const email = newEmail()
    const token = await invited(email, { name: 'Ian Hahn', approved: true })
    const { status, body } = await post('invitations/accept', { token, password, name: ' Ian Han ' })
    expect([status, body.data]).toEqual([
      200,
      { status: 'ACTIVE', centerDomain: center.domain, centerName: '하늘 발달센터', partnerName: null },
    ])
    const names = await server.world.query(
      `select a.name, m.name as known from directory.actors a join directory.memberships m on m.actor_id = a.id where a.email = $1`,
      [email],
    )
    expect(names).toEqual([{ name: 'Ian Han', known: 'Ian Han' }])
  })

  it('who has an account keeps name and password', async () => {
    const person = await server.world.person()
    const [before] = await server.world.query('select name from directory.actors where id = $1', [person.actorId])
    await post('invitations/accept', { token: await invited(person.email), password, name: 'Somebody Else' })
    const [after] = await server.world.query('select name from directory.actors where id = $1', [person.actorId])
    expect(after).toEqual(before)
    expect((await post('login', { email: person.email, password: person.password })).status).toBe(200)
  })
})

describe('somebody who is signed in', () => {
  it('accepts without a password, and the session enters the center', async () => {
    const person = await server.world.person()
    const own = await tokenOf(person)
    const token = await invited(person.email, { approved: true })
    const done = await post('me/invitations/accept', { token }, own)
    expect([done.status, done.body.data.status]).toEqual([200, 'ACTIVE'])
    expect((await post('switch-center', { centerId: center.id }, own)).status).toBe(200)
    expect((await read(token)).status).toBe(401)
  })

  it('as somebody else is told so, and the link stays valid', async () => {
    const [person, other] = [await server.world.person(), await server.world.person()]
    const token = await invited(person.email)
    const refused = await post('me/invitations/accept', { token }, await tokenOf(other))
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await post('me/invitations/accept', { token }, await tokenOf(person))).status).toBe(200)
    const rows = await server.world.query('select from directory.memberships where actor_id = $1', [other.actorId])
    expect(rows).toEqual([])
  })

  it('takes no invitation to an address without an account', async () => {
    const token = await invited(newEmail())
    expect((await post('me/invitations/accept', { token }, await tokenOf(await server.world.person()))).status).toBe(
      409,
    )
  })

  it('accepts what was sent before the account began', async () => {
    const email = newEmail()
    const [first, second] = [await invited(email), await server.world.center()]
    await server.world.member(admin, second)
    const token = (await server.signIn(admin, second.domain)).accessToken
    const path = `/api/centers/${second.domain}/members`
    await server.call('POST', path, { token, body: { email, role: 'PARENT' } })
    await server.services.mail.close()
    const later = /csi_[\w-]+/.exec(mailbox.messages.findLast(({ to }) => to.includes(email))?.text ?? '')?.[0] ?? ''
    await post('invitations/accept', { token: first, password })
    const own = (await post('login', { email, password })).body.data.accessToken
    expect((await post('me/invitations/accept', { token: later }, own)).status).toBe(200)
  })

  it('of fifty at once, one accepts', async () => {
    const person = await server.world.person()
    const [own, token] = [await tokenOf(person), await invited(person.email)]
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('me/invitations/accept', { token }, own)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    expect(answers.every(({ status }) => [200, 401, 429, 503].includes(status))).toBe(true)
  }, 60_000)

  it('without a session: 401', async () => {
    expect((await post('me/invitations/accept', { token: 'csi_nothing' })).status).toBe(401)
  })
})
