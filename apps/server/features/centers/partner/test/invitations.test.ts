import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { codeOf, openPartner, type PartnerFixture } from './fixture.ts'

const path = '/partner/invitations'
let mailbox: Mailbox
let server: TestServer
let partner: PartnerFixture

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
  partner = await openPartner(server)
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const password = 'a password of my own'
const newAddress = () => `colleague-${newUuid().slice(-12)}@partners.example`
const invite = (email: string, role = 'PARTNER_OPERATOR') => partner.call('POST', path, { email, role })
const accept = (token: string) => server.call('POST', '/api/auth/invitations/accept', { body: { token, password } })
const accountsOf = (email: string) =>
  server.world.query<{ partner_id: string; role: string }>(
    `select partner_id, a.role from directory.partner_accounts a join directory.actors p on p.id = a.actor_id
     where p.email = $1`,
    [email],
  )

describe('an invitation', () => {
  it('makes a new person act for the partner with its role, once', async () => {
    const email = newAddress()
    const made = await invite(` ${email.toUpperCase()} `.trim())
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ email, role: 'PARTNER_OPERATOR', invitedBy: partner.admin.actorId })
    const listed = await partner.call('GET', path)
    expect(listed.body.data).toContainEqual(made.body.data)

    const token = await mailbox.token(email, 'csi')
    const accepted = await accept(token)
    expect([accepted.status, accepted.body.data]).toEqual([
      200,
      { status: 'ACTIVE', centerDomain: null, centerName: null, partnerName: partner.name },
    ])
    expect((await accept(token)).status).toBe(401)
    const { accessToken } = await server.signIn({ actorId: '', email, password })
    expect((await server.call('GET', '/api/partner/centers', { token: accessToken })).status).toBe(200)
    const patch = await server.call('PATCH', '/api/partner/settings', { token: accessToken, body: { a: 1 } })
    expect(codeOf(patch)).toEqual([403, 'INSUFFICIENT_ROLE'])
    const left = await partner.call('GET', path)
    expect(left.body.data.map((each: { email: string }) => each.email)).not.toContain(email)
    const { body } = await partner.call('GET', '/partner/audit')
    const actions = body.data.map(({ details }: { details: { action: string } }) => details.action)
    expect(actions).toEqual(expect.arrayContaining(['invited', 'invitation accepted']))
  })

  it('is the same for a person with an account, whose password stays', async () => {
    const person = await server.world.person()
    const { body } = await invite(person.email, 'PARTNER_ADMIN')
    expect(Object.keys(body.data)).toEqual(['id', 'email', 'role', 'invitedBy', 'invitedAt', 'expiresAt'])
    expect((await accept(await mailbox.token(person.email, 'csi'))).status).toBe(200)
    expect(await accountsOf(person.email)).toEqual([{ partner_id: partner.id, role: 'PARTNER_ADMIN' }])
    const { accessToken } = await server.signIn(person)
    const patch = await server.call('PATCH', '/api/partner/settings', { token: accessToken, body: { a: 1 } })
    expect(patch.status).toBe(200)
  })

  it('is replaced by another one to the same address', async () => {
    const email = newAddress()
    await invite(email, 'PARTNER_ADMIN')
    const first = await mailbox.token(email, 'csi')
    await invite(email)
    await expect.poll(async () => (await mailbox.token(email, 'csi')) !== first).toBe(true)
    expect((await accept(first)).status).toBe(401)
    expect((await accept(await mailbox.token(email, 'csi'))).status).toBe(200)
    expect(await accountsOf(email)).toMatchObject([{ role: 'PARTNER_OPERATOR' }])
  })

  it('is refused to a person who acts for a partner, and stays open', async () => {
    const other = await openPartner(server)
    await invite(other.operator.email)
    const token = await mailbox.token(other.operator.email, 'csi')
    for (let tries = 0; tries < 2; tries++) expect(codeOf(await accept(token))).toEqual([409, 'CONFLICT'])
    expect(await accountsOf(other.operator.email)).toEqual([{ partner_id: other.id, role: 'PARTNER_OPERATOR' }])
  })

  it('has one winner among ten who use its link', async () => {
    const email = newAddress()
    await invite(email)
    const token = await mailbox.token(email, 'csi')
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await accountsOf(email)).toHaveLength(1)
  })

  it('ends when it is revoked, and after seven days', async () => {
    const email = newAddress()
    const { body } = await invite(email)
    const token = await mailbox.token(email, 'csi')
    const other = await openPartner(server)
    expect(codeOf(await other.call('DELETE', `${path}/${body.data.id}`))).toEqual([404, 'NOT_FOUND'])
    expect((await partner.call('DELETE', `${path}/${body.data.id}`)).status).toBe(204)
    expect(codeOf(await partner.call('DELETE', `${path}/${body.data.id}`))).toEqual([404, 'NOT_FOUND'])
    expect((await accept(token)).status).toBe(401)

    const late = newAddress()
    await invite(late)
    const restore = useClock(() => Date.now() + 7 * 86_400_000 + 1000)
    const answer = await accept(await mailbox.token(late, 'csi')).finally(restore)
    expect(answer.status).toBe(401)
  })
})

describe('refused', () => {
  it('for a PARTNER_OPERATOR', async () => {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { email: newAddress(), role: 'PARTNER_ADMIN' } : undefined
      expect(codeOf(await partner.asOperator(method, path, body))).toEqual([403, 'INSUFFICIENT_ROLE'])
    }
  })

  it.each([
    [{ email: 'nobody', role: 'PARTNER_ADMIN' }, 'INVALID_EMAIL'],
    [{ email: 'a@b.example' }, 'MISSING_REQUIRED_FIELD'],
    [{ email: 'a@b.example', role: 'ADMIN' }, 'VALIDATION_ERROR'],
  ])('%j', async (body, code) => {
    expect(codeOf(await partner.call('POST', path, body))).toEqual([400, code])
  })

  it('beyond a hundred open ones', async () => {
    const other = await openPartner(server)
    await server.world.query(
      `insert into directory.partner_invitations (id, partner_id, email, role, hash, invited_by, created_at, expires_at)
       select gen_random_uuid(), $1, n || '@partners.example', 'PARTNER_ADMIN', sha256(n::text::bytea), $2, now(),
         now() + interval '1 day' from generate_series(1, 100) n`,
      [other.id, other.admin.actorId],
    )
    const answer = await other.call('POST', path, { email: newAddress(), role: 'PARTNER_ADMIN' })
    expect(codeOf(answer)).toEqual([403, 'FORBIDDEN'])
  })

  it('POST /partner/members/invite stays unavailable', async () => {
    const answer = await partner.call('POST', '/partner/members/invite', { email: 'a@b.example' })
    expect(codeOf(answer)).toEqual([404, 'NOT_FOUND'])
  })
})
