/** Named sandboxes: they behave like their center, do not meet, and end. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type Office, openOffice } from '../../../evidence/decisions/test/fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface Sandbox {
  readonly id: number
  readonly name: string
  readonly domain: string
  readonly key: { readonly key: string; readonly scopes: readonly string[] }
}

const managing = ({ center }: Office) => server.world.key(center, { scopes: ['sandboxes:write'] })
const make = (token: string, name: string, rest: object = {}) =>
  server.call('POST', '/api/v1/sandboxes', { token, body: { name, ...rest } })
async function sandbox(office: Office, name = 'CI'): Promise<Sandbox> {
  const { status, body, text } = await make(await managing(office), name)
  expect([status, text]).toMatchObject([201, expect.any(String)])
  return body.data
}
const refund = (amount: number) => ({
  agent: { id: 'agent-7' },
  action: { type: 'refund.pay', description: 'Refund', input: { amount } },
})
const decide = async (key: string, amount = 500_000) =>
  (await server.call('POST', '/api/v1/agents/decide', { token: key, body: refund(amount) })).body.data
const approve = (key: string, eventId: string, body: object = {}) =>
  server.call('POST', '/api/v1/sandbox/approvals', {
    token: key,
    body: { eventId, result: 'approved', level: 'session', ...body },
  })
const read = async (key: string, id: string) =>
  (await server.call('GET', `/api/v1/decision-events/${id}`, { token: key })).body.data

const policy = (approval: object = {}, name = 'Large refunds') => ({
  name,
  match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 100_000 }] },
  guards: { humanReview: true },
  ...(Object.keys(approval).length > 0 && { approval }),
})

describe('a sandbox behaves like its center', () => {
  it('it begins with the policies, action types, groups and settings of its center', async () => {
    const office = await openOffice(server)
    const { token } = office.admin
    const second = await office.join()
    const group = await server.call('POST', `/api/centers/${office.center.id}/groups`, {
      token,
      body: { name: 'Finance', actorIds: [second.id] },
    })
    await office.policy(policy({ steps: [{ title: 'Finance', groupIds: [group.body.data.id] }] }))
    await server.call('PUT', '/api/action-types/refund.pay', { token, body: { name: { en: 'Refund' } } })
    const { id, key, domain } = await sandbox(office)
    expect(domain).toMatch(/^sandbox-/)
    const { body } = await server.call('GET', '/api/v1/policies/export', { token: key.key })
    expect(body.data.file).toMatchObject({
      policies: [{ name: 'Large refunds', approval: { steps: [{ groupIds: ['Finance'] }] } }],
      actionTypes: [{ type: 'refund.pay' }],
    })
    expect((await decide(key.key)).outcome).toBe('approval_required')
    expect((await decide(key.key, 5)).outcome).toBe('completed')
    const people = (await server.call('GET', '/api/v1/sandbox/people', { token: key.key })).body.data
    expect(people.filter(({ groups }: { groups: string[] }) => groups.includes('Finance'))).toHaveLength(1)
    // Nobody outside is a member of it, and its mails go to nobody else.
    const members = await server.world.query(
      `select a.email from directory.memberships m join directory.actors a on a.id = m.actor_id where m.center_id = $1 and a.email is not null`,
      [id],
    )
    expect(members).toHaveLength(1)
  })

  it('without its rules nothing is judged: a crash before they are written does not let anything pass', async () => {
    const office = await openOffice(server)
    await office.policy(policy())
    const { id, key } = await sandbox(office)
    // Nothing was judged yet, so the cell has no version of the policy.
    const versions = () => server.world.query('select 1 from cell.policy_versions where center_id = $1', [id])
    expect(await versions()).toHaveLength(0)
    expect((await decide(key.key)).outcome).toBe('approval_required')
    expect(await versions()).toHaveLength(1)
  })

  it('refresh copies again, ends what was added there, and does nothing twice', async () => {
    const office = await openOffice(server)
    const { id: policyId } = await office.policy(policy())
    const { id, key } = await sandbox(office)
    const own = { ...policy(), name: 'Only here' }
    const file = (policies: object[]) => ({ version: 1, policies })
    await server.call('PUT', '/api/v1/policies/import', { token: key.key, body: file([own]) })
    await server.call('PATCH', `/api/policies/${policyId}`, {
      token: office.admin.token,
      body: { guards: { dualApproval: true } },
    })
    const token = await managing(office)
    const refresh = () => server.call('POST', `/api/v1/sandboxes/${id}/refresh`, { token })
    expect((await refresh()).status).toBe(200)
    const listed = async () =>
      (await server.call('GET', '/api/v1/policies/export', { token: key.key })).body.data as {
        revision: string
        file: { policies: object[] }
      }
    const { file: after, revision } = await listed()
    expect(after.policies).toMatchObject([{ name: 'Large refunds', guards: { dualApproval: true } }])
    expect((await refresh()).status).toBe(200)
    expect((await listed()).revision).toBe(revision)
  })
})

describe('test people', () => {
  it('approve by session; the seal names one, the verdict says sandbox', async () => {
    const office = await openOffice(server)
    await office.policy(policy({ identity: 'session' }))
    const { key } = await sandbox(office)
    const { eventId } = await decide(key.key)
    const given = await approve(key.key, eventId, { reason: 'Checked in CI' })
    expect([given.status, given.body.data?.approver?.name]).toEqual([200, expect.stringMatching(/^(Test|테스트)/)])
    const { evidence, status } = await read(key.key, eventId)
    expect(status).toBe('sealed')
    const proof = await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: key.key })
    expect(verifyExport(proof.body).problems).toEqual([])
    expect(proof.body.log?.origin ?? JSON.stringify(proof.body)).toContain('/sandbox/')
  })

  it('sign with a passkey that is bound in the history of the sandbox', async () => {
    const office = await openOffice(server)
    await office.policy(policy({ identity: 'passkey' }))
    const { key } = await sandbox(office)
    const { eventId } = await decide(key.key)
    const lower = await approve(key.key, eventId)
    expect([lower.status, lower.body.error.code]).toEqual([422, 'POLICY_VIOLATION'])
    const given = await approve(key.key, eventId, { level: 'passkey', reason: 'Signed' })
    expect([given.status, given.text]).toEqual([200, expect.any(String)])
    const { evidence } = await read(key.key, eventId)
    const proof = await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: key.key })
    expect(verifyExport(proof.body).problems).toEqual([])
    expect(proof.body.evidence?.approval ?? proof.body).toMatchObject({ identity: { level: 'passkey' } })
  })

  it('fill every place of a line, one call each, in its order', async () => {
    const office = await openOffice(server)
    const [finance, director] = [await office.join(), await office.join('INSTRUCTOR')]
    const group = await server.call('POST', `/api/centers/${office.center.id}/groups`, {
      token: office.admin.token,
      body: { name: 'Finance', actorIds: [finance.id, office.admin.id] },
    })
    const steps = [
      { title: 'Finance', groupIds: [group.body.data.id], count: 2 },
      { title: 'Director', actorIds: [director.id] },
    ]
    await office.policy(policy({ steps }))
    const { key } = await sandbox(office)
    const { eventId } = await decide(key.key)
    const approvers: string[] = []
    for (let place = 0; place < 3; place++) {
      const { status, body, text } = await approve(key.key, eventId)
      expect([status, text]).toEqual([200, expect.any(String)])
      approvers.push(body.data.approver.id)
    }
    expect(new Set(approvers).size).toBe(3)
    expect((await read(key.key, eventId)).status).toBe('sealed')
  })

  it('as a named one: not their turn is 409, and refusing works', async () => {
    const office = await openOffice(server)
    await office.policy(policy({ steps: [{ roles: ['INSTRUCTOR'] }, { roles: ['ADMIN'] }] }))
    const { key } = await sandbox(office)
    const people = (await server.call('GET', '/api/v1/sandbox/people', { token: key.key })).body.data as {
      id: string
      role: string
    }[]
    const admin = people.find(({ role }) => role === 'ADMIN')?.id
    const { eventId } = await decide(key.key)
    const early = await approve(key.key, eventId, { personId: admin })
    expect([early.status, early.body.error.details.turn]).toMatchObject([409, { step: 1 }])
    const refused = await approve(key.key, eventId, { result: 'rejected', personId: admin, reason: 'No' })
    expect(refused.status).toBe(200)
    expect((await read(key.key, eventId)).status).toBe('rejected')
  })

  it('take every ID of the record, and repeat the answer to the same Idempotency-Key', async () => {
    const office = await openOffice(server)
    await office.policy(policy())
    const { key } = await sandbox(office)
    const { eventId } = await decide(key.key)
    const body = { eventId: eventId.replace('evt_', 'dpu_'), result: 'approved', level: 'session' }
    const send = () =>
      server.call('POST', '/api/v1/sandbox/approvals', {
        token: key.key,
        body,
        headers: { 'idempotency-key': `test-${eventId}` },
      })
    const first = await send()
    expect(first.status).toBe(200)
    expect((await send()).body).toEqual(first.body)
  })

  it('approve nowhere else: 403 for the key of a center, 401 without one, 403 without the scope, 404 elsewhere', async () => {
    const office = await openOffice(server)
    await office.policy(policy())
    const { key } = await sandbox(office)
    const { eventId } = await decide(key.key)
    const live = await server.world.key(office.center, { scopes: ['proof:write', 'proof:approve'] })
    const waiting = await decide(live)
    for (const [token, id] of [
      [live, waiting.eventId],
      [live, eventId],
    ]) {
      expect((await approve(token as string, id)).body.error.code).toBe('FORBIDDEN')
    }
    expect((await server.call('GET', '/api/v1/sandbox/people', { token: live })).status).toBe(403)
    expect((await server.call('POST', '/api/v1/sandbox/approvals', { body: {} })).status).toBe(401)
    const narrow = (await make(await managing(office), 'narrow', { scopes: ['proof:write'] })).body.data.key.key
    expect((await approve(narrow, eventId)).status).toBe(403)
    const other = await sandbox(office, 'other')
    expect((await approve(other.key.key, eventId)).status).toBe(404)
    expect((await approve(key.key, eventId, { personId: office.admin.id })).status).toBe(404)
    const invalid = await approve(key.key, eventId, { level: 'claim' })
    expect([invalid.status, invalid.body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
  })
})

describe('several', () => {
  it('do not meet: one decision, one key and one test person belong to one sandbox', async () => {
    const office = await openOffice(server)
    await office.policy(policy())
    const [one, two] = await Promise.all([sandbox(office, 'CI 1'), sandbox(office, 'CI 2')])
    const [first, second] = await Promise.all([decide(one.key.key), decide(two.key.key)])
    const crossed = await server.call('GET', `/api/v1/decision-events/${first.eventId}`, { token: two.key.key })
    expect([crossed.status, crossed.text]).toEqual([404, expect.any(String)])
    const given = await Promise.all([approve(one.key.key, first.eventId), approve(two.key.key, second.eventId)])
    const approvers = given.map(({ body }) => body.data.approver.id)
    expect(new Set(approvers).size).toBe(2)
    const waiting = await server.call('GET', '/api/decisions?waiting=true', { token: office.admin.token })
    expect(waiting.body.data).toEqual([])
  })

  it('of fifty contenders for the tenth place one wins; an eleventh is 409', async () => {
    const office = await openOffice(server)
    const token = await managing(office)
    for (let at = 1; at <= 9; at++) expect((await make(token, `CI ${at}`)).status).toBe(201)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => make(token, `Tenth ${n}`)))
    const won = answers.filter(({ status }) => status === 201)
    expect(won).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]))
    const listed = await server.call('GET', '/api/v1/sandboxes', { token })
    expect(listed.body.data.map(({ name, first }: { name: string; first: boolean }) => `${name} ${first}`)).toEqual([
      'CI 1 true',
      ...Array.from({ length: 8 }, (_, at) => `CI ${at + 2} false`),
      `${won[0]?.body.data.name} false`,
    ])
    await expect(
      server.world.query(
        `insert into directory.centers (id, domain, name, vertical, sandbox_of, sandbox_by, sandbox_place, sandbox_label)
         values (nextval('directory.sandbox_ids'), 'sandbox-eleventh', 'x', 'education', $1, $2, 11, 'x')`,
        [office.center.id, office.admin.id],
      ),
    ).rejects.toThrow(/sandbox_place/)
  })

  it('the end closes it, frees its place and name, and leaves its records verifiable', async () => {
    const office = await openOffice(server)
    await office.policy(policy())
    const { id, key } = await sandbox(office)
    await server.call('POST', '/api/v1/webhooks', {
      token: key.key,
      body: { url: 'https://hooks.example.org/x', events: ['*'] },
    })
    const { eventId } = await decide(key.key)
    await approve(key.key, eventId)
    const token = await managing(office)
    expect((await server.call('DELETE', `/api/v1/sandboxes/${id}`, { token })).status).toBe(204)
    const after = await server.call('GET', `/api/v1/decision-events/${eventId}`, { token: key.key })
    expect([401, 403]).toContain(after.status)
    expect((await server.call('DELETE', `/api/v1/sandboxes/${id}`, { token })).status).toBe(404)
    expect((await make(token, 'CI')).status).toBe(201)
    const held = await server.world.query(
      `select (select count(*)::int from directory.api_keys where center_id = $1 and revoked_at is null) as keys,
        (select count(*)::int from cell.webhooks where center_id = $1 and deleted_at is null) as webhooks`,
      [id],
    )
    expect(held).toEqual([{ keys: 0, webhooks: 0 }])
  })

  it('the paths for one sandbox mean the first, and name it where there is one', async () => {
    const office = await openOffice(server)
    const [one, two] = [await sandbox(office, 'CI 1'), await sandbox(office, 'CI 2')]
    const path = `/api/centers/${office.center.id}/sandbox`
    const again = await server.call('POST', path, { token: office.admin.token })
    expect([again.status, again.body.error.details.sandboxId]).toEqual([409, one.id])
    const reset = await server.call('POST', `${path}/reset`, { token: office.admin.token })
    expect(reset.status).toBe(201)
    const { body } = await server.call('GET', `${path}es`, { token: office.admin.token })
    expect(body.data).toMatchObject([
      { id: reset.body.data.center.id, name: 'CI 1', first: true },
      { id: two.id, name: 'CI 2', first: false },
    ])
  })
})

describe('who may', () => {
  it('201 for an ADMIN; 403 for an instructor and a key without the scope; 401 for the other credential', async () => {
    const office = await openOffice(server)
    const path = `/api/centers/${office.center.id}/sandboxes`
    const body = { name: 'By hand' }
    expect((await server.call('POST', path, { token: office.admin.token, body })).status).toBe(201)
    const { token } = await office.join('INSTRUCTOR')
    expect((await server.call('POST', path, { token, body })).body.error.code).toBe('INSUFFICIENT_ROLE')
    expect((await make(office.key, 'x')).body.error.code).toBe('FORBIDDEN')
    const wrong = await make(office.admin.token, 'x')
    expect([wrong.status, wrong.body.error.message]).toEqual([401, expect.stringContaining('takes an API key')])
    const key = await managing(office)
    const other = await server.call('GET', path, { token: key })
    expect([other.status, other.body.error.message]).toEqual([401, expect.stringContaining('takes an access token')])
  })

  it('404 for a sandbox of another center, in every operation', async () => {
    const [one, other] = [await openOffice(server), await openOffice(server)]
    const { id } = await sandbox(one)
    const token = await managing(other)
    expect((await server.call('POST', `/api/v1/sandboxes/${id}/refresh`, { token })).status).toBe(404)
    expect((await server.call('DELETE', `/api/v1/sandboxes/${id}`, { token })).status).toBe(404)
    expect((await server.call('GET', '/api/v1/sandboxes', { token })).body.data).toEqual([])
  })

  it.each<[string, object, number]>([
    ['no name', {}, 422],
    ['a name of two lines', { name: 'a\nb' }, 422],
    ['the scope decide', { name: 'a', scopes: ['decide'] }, 422],
  ])('is refused with %s', async (_, body, status) => {
    const office = await openOffice(server)
    const answer = await server.call('POST', '/api/v1/sandboxes', { token: await managing(office), body })
    expect([answer.status, answer.body.error.code]).toEqual([status, 'VALIDATION_ERROR'])
  })

  it('409 for a taken name, and for a sandbox of a sandbox', async () => {
    const office = await openOffice(server)
    const { id } = await sandbox(office)
    expect((await make(await managing(office), 'CI')).status).toBe(409)
    const nested = await server.world.key({ id } as never, { scopes: ['sandboxes:write'] })
    expect((await make(nested, 'x')).status).toBe(409)
  })
})
