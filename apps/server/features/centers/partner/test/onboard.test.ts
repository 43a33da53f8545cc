import { newUuid } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { codeOf } from './fixture.ts'

const path = '/api/admin/partners/onboard'
let mailbox: Mailbox
let server: TestServer
let token: string

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
  token = (await server.signIn(await server.world.person({ operator: true }))).accessToken
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const unique = () => newUuid().slice(-12)
const order = ({ partner = {}, center = {}, admin = {} } = {}) => ({
  partner: { name: 'Onnuri Partners', kind: 'white_label', ...partner },
  center: { name: `First ${unique()}`, vertical: 'welfare', tenantType: 'WHITE_LABEL', ...center },
  admin: { email: `pia-${unique()}@onnuri.example`, name: 'Pia Shin', ...admin },
})
const onboard = (body: unknown, headers = {}) => server.call('POST', path, { token, body, headers })

describe('201', () => {
  it('creates the partner, its first center and an administrator of both, who is invited by mail', async () => {
    const subdomain = `s-${unique()}`
    const body = order({ center: { subdomain } })
    const { status, body: answer } = await onboard(body)
    expect(status).toBe(201)
    expect(answer.data).toMatchObject({
      partner: { name: 'Onnuri Partners', kind: 'white_label' },
      center: { centerDomain: subdomain, tenantType: 'WHITE_LABEL', vertical: 'welfare', status: 'ACTIVE' },
      admin: {
        email: body.admin.email,
        name: 'Pia Shin',
        partnerRole: 'PARTNER_ADMIN',
        membership: { role: 'ADMIN', status: 'INVITED', centerDomain: subdomain },
      },
    })
    expect(answer.data.partner.id).toMatch(/^ptn_/)

    const password = 'a password of my own'
    const invitation = await mailbox.token(body.admin.email, 'csi')
    await server.call('POST', '/api/auth/invitations/accept', { body: { token: invitation, password } })
    const signedIn = await server.signIn({ actorId: '', email: body.admin.email, password })
    expect(signedIn.answer.body.data.center.domain).toBe(subdomain)
    const centers = await server.call('GET', '/api/partner/centers', { token: signedIn.accessToken })
    expect(centers.body.data).toMatchObject([{ centerDomain: subdomain, memberCount: 1 }])
    const settings = await server.call('PATCH', '/api/partner/settings', {
      token: signedIn.accessToken,
      body: { a: 1 },
    })
    expect(settings.status).toBe(200)
  })

  it('makes a person who has a password the administrator at once, without mail', async () => {
    const person = await server.world.person()
    const before = mailbox.messages.length
    const { body } = await onboard(order({ admin: { email: person.email } }))
    expect(body.data.admin).toMatchObject({ actorId: person.actorId, membership: { status: 'ACTIVE' } })
    expect(mailbox.messages.length).toBe(before)
    const { answer } = await server.signIn(person)
    expect(answer.body.data).toMatchObject({ destination: 'admin_dashboard', center: { id: body.data.center.id } })
  })

  it('writes audit entries of the partner, the center and the invitation', async () => {
    const { body, headers } = await onboard(order())
    const entries = await server.world.query(
      `select type, details ->> 'action' as action, target_type, center_id from directory.audit_entries where request_id = $1
       order by occurred_at, id`,
      [headers.get('x-request-id')],
    )
    const center_id = body.data.center.id
    expect(entries).toHaveLength(3)
    expect(entries).toEqual(
      expect.arrayContaining([
        { type: 'settings.updated', action: 'partner onboarded', target_type: 'partner', center_id: 0 },
        { type: 'membership.transitioned', action: 'invite', target_type: 'membership', center_id },
        { type: 'center.provisioned', action: 'created', target_type: 'center', center_id },
      ]),
    )
  })

  it('derives a slug, and answers a repeated Idempotency-Key with the first answer', async () => {
    const body = order({ center: { name: '첫 센터' } })
    const headers = { 'idempotency-key': newUuid() }
    const [first, again] = [await onboard(body, headers), await onboard(body, headers)]
    expect(first.body.data.center.centerDomain).toMatch(/^center-/)
    expect(again.text).toBe(first.text)
  })
})

/** The numbers of partners, centers and people. */
const everything = async () =>
  (
    await server.world.query(
      `select (select count(*) from directory.partners) as partners, (select count(*) from directory.centers) as centers,
         (select count(*) from directory.actors) as actors, (select count(*) from directory.invitations) as invitations`,
    )
  )[0]

describe('409', () => {
  it('SUBDOMAIN_TAKEN: taken or reserved, and nothing is created', async () => {
    const { domain } = await server.world.center()
    const before = await everything()
    for (const subdomain of [domain, 'www', '123']) {
      expect(codeOf(await onboard(order({ center: { subdomain } })))).toEqual([409, 'SUBDOMAIN_TAKEN'])
    }
    expect(await everything()).toEqual(before)
  })

  it('CONFLICT: the administrator acts for another partner, and nothing is created', async () => {
    const person = await server.world.person({ partner: true })
    const before = await everything()
    expect(codeOf(await onboard(order({ admin: { email: person.email } })))).toEqual([409, 'CONFLICT'])
    expect(await everything()).toEqual(before)
  })
})

describe('400', () => {
  it.each([
    [{ partner: { kind: 'reseller' } }, 'VALIDATION_ERROR'],
    [{ partner: { name: undefined } }, 'MISSING_REQUIRED_FIELD'],
    [{ center: { tenantType: 'PROGRAM' } }, 'VALIDATION_ERROR'],
    [{ center: { subdomain: 'No' } }, 'INVALID_SUBDOMAIN'],
    [{ admin: { email: 'not-an-address' } }, 'INVALID_EMAIL'],
  ])('for %j', async (wrong, code) => {
    expect(codeOf(await onboard(order(wrong)))).toEqual([400, code])
  })
})

describe('403 FORBIDDEN', () => {
  it.each([{ partner: true }, {}])('for a caller who is not an operator (%j), before the body is read', async (who) => {
    const { accessToken } = await server.signIn(await server.world.person(who))
    for (const body of [order(), {}, { nonsense: 1 }]) {
      expect(codeOf(await server.call('POST', path, { token: accessToken, body }))).toEqual([403, 'FORBIDDEN'])
    }
    const broken = await server.call('POST', path, { token: accessToken, body: '{', headers: {} })
    expect(codeOf(broken)).toEqual([403, 'FORBIDDEN'])
  })
})

describe('401 UNAUTHORIZED', () => {
  it('for a caller who is not signed in', async () => {
    expect(codeOf(await server.call('POST', path, { body: order() }))).toEqual([401, 'UNAUTHORIZED'])
  })
})
