/** Where two must approve, a session that a center's own domain or provider began is not enough by itself. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DnsServer, proveDomain, startDns } from '../../../../../../tests/support/dns.ts'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

const host = 'care-of-two.example'
let dns: DnsServer
let server: TestServer
let fixture: ProofFixture
/** Of the instructor, as whoever serves the domain has it after a hand-over. */
let borrowed: string

beforeAll(async () => {
  dns = await startDns()
  server = await startServer({ env: { WEBHOOK_DNS_SERVERS: dns.address, TRUSTED_PROXIES: '127.0.0.0/8' } })
  fixture = await openProofFixture(server)
  await server.world.query(`update directory.centers set tenant_type = 'WHITE_LABEL' where id = $1`, [
    fixture.center.id,
  ])
  const base = `/api/centers/${fixture.center.id}`
  const settings = await fixture.platform('PATCH', `${base}/settings`, { branding: { customDomain: host } })
  expect(settings.status).toBe(200)
  await proveDomain(server, dns, { token: fixture.token, path: `${base}/domains`, domain: host, purpose: 'site' })
  await fixture.policy(
    { dualApproval: true },
    { match: { actionTypes: ['payout'] }, approval: { identity: 'session' } },
  )
  await fixture.policy({ humanReview: true }, { match: { actionTypes: ['refund'] }, approval: { identity: 'session' } })
  const { email, password } = fixture.instructor
  const headers = { 'x-forwarded-host': host }
  const signedIn = await server.call('POST', '/api/auth/login', { body: { email, password }, headers })
  borrowed = signedIn.body.data.accessToken
})
afterAll(async () => {
  await server.close()
  await dns.close()
})

const waiting = async (type: string) => (await fixture.record({ action: { type } })).id
const stepUp = (headers = {}) =>
  server.call('POST', '/api/auth/step-up', {
    token: borrowed,
    body: { password: fixture.instructor.password },
    headers,
  })

it('gives neither the second nor the first of two approvals', async () => {
  const second = await waiting('payout')
  expect((await fixture.approveAsMember(second)).status).toBe(200)
  for (const id of [second, await waiting('payout')]) {
    const { status, body } = await fixture.approveAsMember(id, {}, borrowed)
    expect([status, body.error.code, body.error.details]).toEqual([403, 'FORBIDDEN', { reason: 'stepUp' }])
  }
})

it('gives neither of the approvals where two lines ask for one person each', async () => {
  for (const role of ['ADMIN', 'INSTRUCTOR']) {
    await fixture.policy(
      { humanReview: true },
      { match: { actionTypes: ['transfer'] }, approval: { identity: 'session', roles: [role] } },
    )
  }
  const [first, second] = [await waiting('transfer'), await waiting('transfer')]
  expect((await fixture.approveAsMember(second)).status).toBe(200)
  for (const id of [first, second]) {
    const { status, body } = await fixture.approveAsMember(id, {}, borrowed)
    expect([status, body.error.details]).toEqual([403, { reason: 'stepUp' }])
  }
})

it('gives the approval of one person, and every refusal', async () => {
  expect((await fixture.approveAsMember(await waiting('refund'), {}, borrowed)).status).toBe(200)
  const refused = await fixture.approveAsMember(await waiting('payout'), { result: 'rejected' }, borrowed)
  expect(refused.status).toBe(200)
})

it('is not made one of the person by what is typed on the domain, and is by a step-up at the host of the service', async () => {
  const id = await waiting('payout')
  expect((await fixture.approveAsMember(id)).status).toBe(200)
  expect((await stepUp({ 'x-forwarded-host': host })).status).toBe(200)
  expect((await fixture.approveAsMember(id, {}, borrowed)).status).toBe(403)
  expect((await stepUp()).status).toBe(200)
  expect((await fixture.approveAsMember(id, {}, borrowed)).status).toBe(200)
})
