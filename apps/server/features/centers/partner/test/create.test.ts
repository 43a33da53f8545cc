import { newUuid } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { codeOf, openPartner, type PartnerFixture } from './fixture.ts'

const path = '/partner/centers'
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

const order = (overrides: object = {}) => ({
  name: `Branch ${newUuid().slice(-12)}`,
  tenantType: 'CENTER',
  vertical: 'rehabilitation',
  adminEmail: `boss-${newUuid().slice(-12)}@branches.example`,
  ...overrides,
})

describe('201', () => {
  it("creates a complete center of the partner, on the partner's plan", async () => {
    const body = order({ tenantType: 'WHITE_LABEL' })
    const { status, body: answer } = await partner.call('POST', path, body)
    expect(status).toBe(201)
    expect(answer.data).toMatchObject({
      name: body.name,
      centerDomain: body.name.toLowerCase().replace(' ', '-'),
      tenantType: 'WHITE_LABEL',
      status: 'ACTIVE',
      vertical: 'rehabilitation',
      memberCount: 0,
      settings: { timezone: 'Asia/Seoul' },
      adminMembership: { role: 'ADMIN', status: 'INVITED', email: body.adminEmail, endedAt: null },
    })
    expect(answer.data.adminMembership.centerId).toBe(answer.data.id)
    const [row] = await server.world.query(
      `select c.partner_id, s.plan_id, s.status, t.lms_tenant_id, (select count(*)::int from directory.center_roles r where r.center_id = c.id) as roles
       from directory.centers c join directory.subscriptions s on s.center_id = c.id join directory.tenant_mappings t on t.center_id = c.id
       where c.id = $1`,
      [answer.data.id],
    )
    expect(row).toMatchObject({ partner_id: partner.id, plan_id: 'center-starter', status: 'TRIAL', roles: 4 })
  })

  it('is allowed to operators of the partner', async () => {
    expect((await partner.asOperator('POST', path, order())).status).toBe(201)
  })

  it('lets the administrator enter as soon as they accept the invitation', async () => {
    const body = order()
    const { body: made } = await partner.call('POST', path, body)
    const token = await mailbox.token(body.adminEmail, 'csi')
    const password = 'a password of my own'
    const accepted = await server.call('POST', '/api/auth/invitations/accept', { body: { token, password } })
    expect(accepted.body.data).toMatchObject({ status: 'ACTIVE', centerDomain: made.data.centerDomain })
    const { answer } = await server.signIn({ actorId: '', email: body.adminEmail, password })
    expect(answer.body.data).toMatchObject({ destination: 'admin_dashboard', center: { id: made.data.id } })
    const mail = mailbox.messages.find(({ to }) => to.includes(body.adminEmail))
    expect(mail?.text).toContain(`${partner.name} 님이 회원님을 ${body.name}에 관리자로 초대했습니다.`)
  })

  it("uses the partner's default plan where one is set", async () => {
    const other = await openPartner(server)
    await server.world.query(`update directory.partners set default_plan_id = 'center-scale' where id = $1`, [other.id])
    const { body } = await other.call('POST', path, order())
    const rows = await server.world.query('select plan_id, status from directory.subscriptions where center_id = $1', [
      body.data.id,
    ])
    expect(rows).toEqual([{ plan_id: 'center-scale', status: 'ACTIVE' }])
  })

  it.each([
    ['하늘 재활센터', /^center-[a-z2-9]{6}$/],
    ['Über Café', /^uber-cafe$/],
    ['7', /^center-[a-z2-9]{6}$/],
    ['www', /^center-[a-z2-9]{6}$/],
    ['x'.repeat(200), /^x{30}$/],
  ])('derives a slug for %s', async (name, slug) => {
    const { status, body } = await partner.call('POST', path, order({ name }))
    expect([status, body.data.name]).toEqual([201, name])
    expect(body.data.centerDomain).toMatch(slug)
  })

  it('derives another slug where that of the name is taken', async () => {
    const name = `Twice ${newUuid().slice(-8)}`
    const [first, second] = [
      await partner.call('POST', path, order({ name })),
      await partner.call('POST', path, order({ name })),
    ]
    expect(first.body.data.centerDomain).toBe(name.toLowerCase().replace(' ', '-'))
    expect(second.body.data.centerDomain).toMatch(/^center-[a-z2-9]{6}$/)
    expect(second.body.data.name).toBe(name)
  })

  it('creates one center for repeated requests with one Idempotency-Key', async () => {
    const body = order()
    const headers = { 'idempotency-key': newUuid() }
    const first = await partner.call('POST', path, body, headers)
    const again = await partner.call('POST', path, body, headers)
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true'])
    const other = await partner.call('POST', path, order(), headers)
    expect(codeOf(other)).toEqual([409, 'CONFLICT'])
  })

  it('invites a person who has an account under that account, and does not show it', async () => {
    const person = await server.world.person()
    const { body } = await partner.call('POST', path, order({ adminEmail: person.email }))
    expect(body.data.adminMembership).toMatchObject({ actorId: null, email: person.email, status: 'INVITED' })
    const { accessToken: token } = await server.signIn(person)
    const { body: me } = await server.call('GET', '/api/auth/me', { token })
    expect(me.data.memberships).toMatchObject([{ id: body.data.adminMembership.id, status: 'INVITED' }])
  })
})

describe('400', () => {
  it.each([
    ['name', 'MISSING_REQUIRED_FIELD'],
    ['tenantType', 'MISSING_REQUIRED_FIELD'],
    ['vertical', 'MISSING_REQUIRED_FIELD'],
    ['adminEmail', 'MISSING_REQUIRED_FIELD'],
  ])('without %s', async (field, code) => {
    expect(codeOf(await partner.call('POST', path, order({ [field]: undefined })))).toEqual([400, code])
  })

  it.each([
    [{ adminEmail: 'not-an-address' }, 'INVALID_EMAIL'],
    [{ tenantType: 'PROGRAM' }, 'VALIDATION_ERROR'],
    [{ vertical: 'banking' }, 'VALIDATION_ERROR'],
    [{ name: '' }, 'VALIDATION_ERROR'],
    [{ color: 'red' }, 'VALIDATION_ERROR'],
    [{ subdomain: 'No' }, 'INVALID_SUBDOMAIN'],
    [{ planId: 'lms-basic' }, 'VALIDATION_ERROR'],
  ])('for %j', async (wrong, code) => {
    expect(codeOf(await partner.call('POST', path, order(wrong)))).toEqual([400, code])
  })
})

describe('POST /partner/centers/{centerId}/admins', () => {
  const email = () => `boss-${newUuid().slice(-12)}@branches.example`

  it('201 for a center without an ACTIVE ADMIN, who enters after accepting; then 409', async () => {
    const center = await partner.center()
    const former = await server.world.person()
    await server.world.member(former, center, 'ADMIN', 'SUSPENDED')
    const named = `${path}/${center.id}/admins`
    const body = { email: email() }
    const { status, body: answer } = await partner.call('POST', named, body)
    expect(status).toBe(201)
    expect(answer.data).toMatchObject({ centerId: center.id, role: 'ADMIN', status: 'INVITED', email: body.email })
    const token = await mailbox.token(body.email, 'csi')
    const accepted = await server.call('POST', '/api/auth/invitations/accept', {
      body: { token, password: 'a long new password' },
    })
    expect(accepted.body.data.status).toBe('ACTIVE')
    expect(codeOf(await partner.call('POST', named, { email: email() }))).toEqual([409, 'CONFLICT'])
  })

  it('403 INSUFFICIENT_ROLE for a PARTNER_OPERATOR, 400 for a bad address, 409 for a center that has ended', async () => {
    const [open, ended] = [await partner.center(), await partner.center({ status: 'INACTIVE' })]
    const named = (id: number) => `${path}/${id}/admins`
    expect(codeOf(await partner.asOperator('POST', named(open.id), { email: email() }))[1]).toBe('INSUFFICIENT_ROLE')
    expect(codeOf(await partner.call('POST', named(open.id), { email: 'x' }))).toEqual([400, 'INVALID_EMAIL'])
    expect(codeOf(await partner.call('POST', named(ended.id), { email: email() }))).toEqual([409, 'CONFLICT'])
  })
})

describe('403 FORBIDDEN', () => {
  it("for a member of one of the partner's own centers, even its ADMIN", async () => {
    const center = await partner.center()
    const person = await server.world.person()
    await server.world.member(person, center, 'ADMIN')
    const { accessToken: token } = await server.signIn(person, center.domain)
    expect(codeOf(await server.call('POST', `/api${path}`, { token, body: order() }))).toEqual([403, 'FORBIDDEN'])
  })
})
