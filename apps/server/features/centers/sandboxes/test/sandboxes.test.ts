import { parsePolicy, verifyProof } from '@countersign/proof'
import { firstSandboxId } from '@countersign/proof/chain.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { apiKeyPrefix, hashApiKey, newApiKey } from '../../../../access/api-key-format.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { waitingDecisionsJob } from '../../../evidence/decisions/waiting-decisions.job.ts'

let server: TestServer
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

interface Place {
  readonly center: Center
  readonly admin: Person
  readonly token: string
}

async function place(options: Parameters<TestServer['world']['center']>[0] = {}): Promise<Place> {
  const [center, admin] = [await server.world.center(options), await server.world.person()]
  await server.world.member(admin, center, 'ADMIN')
  return { center, admin, token: (await server.signIn(admin, center.domain)).accessToken }
}

const create = ({ center, token }: Place) => server.call('POST', `/api/centers/${center.id}/sandbox`, { token })
const reset = ({ center, token }: Place) => server.call('POST', `/api/centers/${center.id}/sandbox/reset`, { token })

/** Entered by its ADMIN, with an API key that the ADMIN has created. */
async function entered({ admin }: Place, { id, centerDomain }: { id: number; centerDomain: string }) {
  const sandbox = { id, domain: centerDomain }
  const { accessToken: token } = await server.signIn(admin, sandbox.domain)
  const body = { name: 'first', scopes: ['proof:write'] }
  const made = await server.call('POST', '/api/api-keys', { token, body })
  return { sandbox, admin, token, key: made.body.data.key as string, prefix: made.body.data.prefix as string }
}

async function placeWithSandbox() {
  const owner = await place()
  return { owner, ...(await entered(owner, (await create(owner)).body.data.center)) }
}

const record = (token: string, overrides = {}) =>
  server.call('POST', '/api/v1/decision-events', { token, body: sampleEvent(overrides) })

async function sealed(key: string): Promise<{ id: string; evidence: { id: string } }> {
  const { data } = (await record(key)).body
  const body = { approver: { id: 'therapist-4', type: 'human' }, result: 'approved' }
  const approved = await server.call('POST', `/api/v1/decision-events/${data.id}/approvals`, { token: key, body })
  expect(approved.status).toBe(200)
  return data
}

describe('POST /centers/{center}/sandbox', () => {
  it('201 with a center of its own, the settings of its center and the caller as ADMIN', async () => {
    const owner = await place({ customDomain: 'owner.example', country: 'US' })
    const patch = { locale: 'en', branding: { primaryColor: '#102030' } }
    await server.call('PATCH', `/api/centers/${owner.center.id}/settings`, { token: owner.token, body: patch })
    const { status, body } = await create(owner)
    expect(status).toBe(201)
    const { sandboxOf, center, membership } = body.data
    expect(sandboxOf).toBe(owner.center.id)
    expect(center).toMatchObject({
      ...{ sandbox: true, status: 'ACTIVE', tenantType: 'CENTER', vertical: 'education', memberCount: 7 },
      name: `Center ${owner.center.domain} (sandbox)`,
      centerDomain: expect.stringMatching(/^sandbox-[a-z0-9]{12}$/),
      settings: { locale: 'en', country: 'US', branding: { primaryColor: '#102030', customDomain: null } },
    })
    expect(center.id).toBeGreaterThanOrEqual(firstSandboxId)
    expect(membership).toMatchObject({ centerId: center.id, role: 'ADMIN', status: 'ACTIVE' })
    const list = await server.call('GET', '/api/centers', { token: owner.token })
    expect(list.body.data.map(({ id, sandbox }: { id: number; sandbox: boolean }) => [id, sandbox])).toEqual([
      [owner.center.id, false],
      [center.id, true],
    ])
    const audited = await server.world.query(
      `select details ->> 'action' as action, details ->> 'sandboxId' as id from directory.audit_entries
       where center_id = $1 and type = 'center.updated'`,
      [owner.center.id],
    )
    expect(audited).toEqual([{ action: 'create-sandbox', id: String(center.id) }])
  })

  it('409 CONFLICT for a second sandbox, and for a sandbox of a sandbox', async () => {
    const { owner, sandbox, admin, token } = await placeWithSandbox()
    for (const answer of [
      await create(owner),
      await create({ center: sandbox, admin, token }),
      await reset({ center: sandbox, admin, token }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
    }
  })

  it('the database refuses both too, and a sandbox that looks like another center', async () => {
    const { owner, sandbox } = await placeWithSandbox()
    const insert = (id: number, domain: string, of: number | null, partner: string | null = null) =>
      server.world.query(
        `insert into directory.centers (id, domain, name, vertical, sandbox_of, sandbox_by, partner_id)
         values ($1, $2, 'Another', 'education', $3, $4, $5)`,
        [id, domain, of, of === null ? null : owner.admin.actorId, partner],
      )
    const [id, other] = [firstSandboxId + 5_000_000, (await place()).center.id]
    await expect(insert(id, 'sandbox-second', owner.center.id)).rejects.toThrow('centers_sandbox')
    await expect(insert(id, 'sandbox-nested', sandbox.id)).rejects.toThrow('sandbox_of_check')
    await expect(insert(id, 'sandbox-alone', null)).rejects.toThrow('sandbox_of_a_center')
    await expect(insert(999_999_999, 'below-them', other)).rejects.toThrow('sandbox_of_a_center')
    await expect(insert(id, 'like-a-center', other)).rejects.toThrow('sandbox_name')
    const partner = await server.world.partner()
    await expect(insert(id, 'sandbox-partner', other, partner.id)).rejects.toThrow('sandbox_apart')
  })
})

describe('POST /centers/{center}/sandbox/reset', () => {
  it('201 with a new id; the old one ends, with its keys and sessions', async () => {
    const { owner, sandbox, token, key } = await placeWithSandbox()
    const old = await sealed(key)
    const { status, body } = await reset(owner)
    expect(status).toBe(201)
    expect(body.data.sandboxOf).toBe(owner.center.id)
    expect(body.data.center.id).toBeGreaterThan(sandbox.id)
    expect(body.data.center.centerDomain).not.toBe(sandbox.domain)
    expect((await record(key)).body.error.code).toBe('FORBIDDEN')
    expect((await server.call('GET', '/api/api-keys', { token })).body.error.code).toBe('CENTER_SUSPENDED')
    const next = await entered(owner, body.data.center)
    expect((await record(next.key)).status).toBe(201)
    const verified = await server.call('GET', `/verify/${old.id}`)
    expect(verified.body).toMatchObject({ sandbox: true, log: `countersign.test/sandbox/${sandbox.id}/proof` })
  })

  it('another ADMIN of the center may reset it, and its ADMIN is then this one', async () => {
    const { owner, sandbox } = await placeWithSandbox()
    const other = await server.world.person()
    await server.world.member(other, owner.center, 'ADMIN')
    const { accessToken } = await server.signIn(other, owner.center.domain)
    const { status, body } = await reset({ ...owner, token: accessToken })
    expect([status, body.data.center.id === sandbox.id]).toEqual([201, false])
    expect((await entered({ ...owner, admin: other }, body.data.center)).key).toMatch(/^csk_test_/)
  })

  it('404 NOT_FOUND without a sandbox, 409 CONFLICT for one that the operator suspended', async () => {
    const bare = await place()
    expect((await reset(bare)).body.error.code).toBe('NOT_FOUND')
    const { owner, sandbox } = await placeWithSandbox()
    await server.world.setCenterStatus(sandbox, 'SUSPENDED')
    expect((await reset(owner)).body.error.code).toBe('CONFLICT')
  })

  it('the database keeps every sandbox: no id and no log name comes twice', async () => {
    const { owner, sandbox } = await placeWithSandbox()
    await reset(owner)
    for (const change of [
      'delete from directory.centers where id = $1',
      'update directory.centers set id = id + 1 where id = $1',
      'update directory.centers set sandbox_of = null where id = $1',
    ]) {
      await expect(server.world.query(change, [sandbox.id])).rejects.toThrow(/append-only/)
    }
    const again = `insert into directory.centers (id, domain, name, vertical, sandbox_of, sandbox_by)
      values ($1, 'sandbox-again', 'Again', 'education', $2, $3)`
    const values = [sandbox.id, (await place()).center.id, owner.admin.actorId]
    await expect(server.world.query(again, values)).rejects.toThrow('centers_pkey')
  })
})

describe('a record of a sandbox', () => {
  it('is vouched for as test data only', async () => {
    const { sandbox, key } = await placeWithSandbox()
    const { id, evidence } = await sealed(key)
    const { text } = await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: key })
    const published = await server.call('GET', '/.well-known/countersign-log.json')
    expect(published.body.sandboxOriginTemplate).toBe('countersign.test/sandbox/{centerId}/{domain}')
    const policy = parsePolicy(published.body.policy)
    const document = JSON.parse(text)
    expect(document.evidence.log).toBe(`countersign.test/sandbox/${sandbox.id}/proof`)
    expect(verifyProof(document, policy)).toMatchObject({ standing: 'sandbox', sandbox: true, ok: false })
    expect(verifyProof(document, policy, { sandbox: true })).toMatchObject({ standing: 'sandbox', ok: true })
    expect((await server.call('GET', `/verify/${id}`)).body).toMatchObject({ sandbox: true, verified: { valid: true } })
    const page = await fetch(`${server.url}/verify/${id}`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('"sandbox":true')
  })

  it('is absent from the public statistics, and present in its own', async () => {
    const { key, token } = await placeWithSandbox()
    const stats = async () => (await server.call('GET', '/api/dpu/stats', { token })).body.data
    const counted = (table: string) =>
      server.world.query<{ n: number }>(`select coalesce(sum(dpus), 0)::int as n from cell.dpu_counts where ${table}`)
    await sealed(key)
    const [all] = await counted(`center_id < ${firstSandboxId}`)
    // Statistics of the platform are cached for two seconds.
    await expect.poll(async () => (await stats()).total, { timeout: 5000 }).toBe(all?.n)
    expect((await stats()).center.total).toBe(1)
  })
})

describe('keys', () => {
  it('of a sandbox begin with csk_test_, those of a center with csk_live_, and neither reaches the other', async () => {
    const { owner, key, prefix } = await placeWithSandbox()
    const live = await server.world.key(owner.center)
    expect([key, prefix, live].map((each) => each.slice(0, 9))).toEqual(['csk_test_', 'csk_test_', 'csk_live_'])
    const { id } = (await record(key)).body.data
    expect((await server.call('GET', `/api/v1/decision-events/${id}`, { token: live })).status).toBe(404)
    const theirs = (await record(live)).body.data
    expect((await server.call('GET', `/api/v1/decision-events/${theirs.id}`, { token: key })).status).toBe(404)
  })

  it('of the other kind cannot be stored, and would not be admitted', async () => {
    const { owner, sandbox } = await placeWithSandbox()
    const store = (center: Center, key: string) =>
      server.world.query(
        `insert into directory.api_keys (center_id, id, hash, prefix, name, scopes)
         values ($1, $2, $3, $4, 'forged', '{proof:write}')`,
        [center.id, newUuid(), hashApiKey(key), apiKeyPrefix(key)],
      )
    const wrong = [
      [sandbox, newApiKey('live')],
      [owner.center, newApiKey('test')],
    ] as const
    for (const [center, key] of wrong) await expect(store(center, key)).rejects.toThrow('key_of_sandbox')
    await server.world.query('alter table directory.api_keys drop constraint key_of_sandbox')
    for (const [center, key] of wrong) {
      await store(center, key)
      expect((await record(key)).body.error.code).toBe('UNAUTHORIZED')
    }
  })
})

describe('a sandbox', () => {
  it('is found by no search and shows no public profile', async () => {
    const owner = await place({ name: 'Zephyranthes clinic' })
    const { center } = (await create(owner)).body.data
    const search = async (query: string) =>
      (await server.call('POST', '/api/centers/search', { body: { query } })).body.data as { centerDomain: string }[]
    expect((await search('zephyranthes')).map(({ centerDomain }) => centerDomain)).toEqual([owner.center.domain])
    for (const query of ['', 'sandbox', center.centerDomain]) {
      expect((await search(query)).filter(({ centerDomain }) => centerDomain === center.centerDomain)).toEqual([])
    }
    expect((await server.call('GET', `/api/centers/${center.id}/info`)).body.error.code).toBe('CENTER_NOT_FOUND')
  })

  it('counts in no figure of the partner of its center', async () => {
    const partner = await server.world.partner()
    const account = await server.world.person()
    await server.world.account(account, partner)
    const owner = await place({ partner })
    const { accessToken: token } = await server.signIn(account)
    const figures = async () => [
      (await server.call('GET', '/api/partner/dashboard', { token })).body.data,
      (await server.call('GET', '/api/partner/centers', { token })).body.pagination.total,
      (await server.call('GET', '/api/partner/members', { token })).body.pagination.total,
    ]
    const before = await figures()
    await create(owner)
    expect(await figures()).toEqual(before)
  })

  it('has no custom domain and takes no name of another center', async () => {
    const { sandbox, token } = await placeWithSandbox()
    const body = { branding: { customDomain: 'taken.example' } }
    const { body: answer } = await server.call('PATCH', `/api/centers/${sandbox.id}/settings`, { token, body })
    expect(answer.error.code).toBe('VALIDATION_ERROR')
    for (const subdomain of ['sandbox', 'sandbox-mine']) {
      const check = await server.call('POST', '/api/provisioning/check-subdomain', { token, body: { subdomain } })
      expect(check.body.available).toBe(false)
    }
  })

  it('writes to the ADMIN who made it and to no other person', async () => {
    const { owner, sandbox, admin, token, key } = await placeWithSandbox()
    const colleague = await server.world.person()
    await server.world.member(colleague, sandbox, 'INSTRUCTOR')
    const invite = (center: Center, email: string, as: string) =>
      server.call('POST', `/api/centers/${center.id}/members`, { token: as, body: { email, role: 'PARENT' } })
    expect((await invite(sandbox, 'stranger@people.example', token)).status).toBe(201)
    expect((await invite(owner.center, 'invited@people.example', owner.token)).status).toBe(201)
    const policy = { name: 'A person', match: {}, guards: { humanReview: true } }
    expect((await server.call('POST', '/api/policies', { token, body: policy })).status).toBe(201)
    expect((await record(key)).status).toBe(201)
    await waitingDecisionsJob(server.services, 'main', { centerId: sandbox.id })
    await server.services.mail.close()
    const letters = (email: string) => mailbox.messages.filter(({ to }) => to.includes(email)).length
    expect(['stranger@people.example', 'invited@people.example', colleague.email, admin.email].map(letters)).toEqual([
      0, 1, 0, 1,
    ])
    expect(await server.world.query('select address from directory.told_addresses')).toEqual([
      { address: `sandbox:${admin.email}` },
    ])
  })
})
