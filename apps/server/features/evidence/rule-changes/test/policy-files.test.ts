/** Policies as files: exported, compared, tested, and made what a file says, all or nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type Office, openOffice } from '../../decisions/test/fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const large = {
  name: 'Large refunds',
  match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 100_000 }] },
  guards: { humanReview: true },
}
const stock = { name: 'Stock', match: { actionTypes: ['stock.*'] }, guards: { humanReview: true } }
const refundType = { type: 'refund.pay', name: { en: 'Refund' }, sentence: { en: 'Refund {/amount}' } }
const file = (policies: object[], rest: object = {}) => ({ version: 1, policies, ...rest })
const refund = (amount: number) => ({
  agent: { id: 'agent-7' },
  action: { type: 'refund.pay', description: 'Refund', input: { amount } },
})

const exported = async (token: string, path = '/api/policies/export') => {
  const { status, body } = await server.call('GET', path, { token })
  expect(status).toBe(200)
  return body.data
}
const imported = (token: string, body: unknown, query = '', path = '/api/policies/import') =>
  server.call('PUT', `${path}${query}`, { token, body: body as object })
const namesOf = async ({ admin }: Office) => {
  const { body } = await server.call('GET', '/api/policies', { token: admin.token })
  return (body.data as { name: string; version: number }[]).map(({ name, version }) => `${name} ${version}`).sort()
}
const keyOf = ({ center }: Office, scopes = ['policies:write']) => server.world.key(center, { scopes })

describe('200', () => {
  it('an export is a file that changes nothing when it is imported', async () => {
    const office = await openOffice(server)
    await office.policy()
    await server.call('PUT', '/api/action-types/refund.pay', {
      token: office.admin.token,
      body: { name: { en: 'Refund' } },
    })
    const { file: whole, revision, yaml } = await exported(office.admin.token)
    expect(whole).toMatchObject({
      version: 1,
      policies: [{ name: 'Plans need a person', guards: { humanReview: true } }],
      actionTypes: [{ type: 'refund.pay', name: { en: 'Refund' } }],
    })
    expect(yaml).toContain(revision)
    const again = await imported(office.admin.token, whole, `?revision=${revision}`)
    expect([again.status, again.body.data.changes]).toEqual([200, []])
  })

  it('says what would be created, changed and ended, and does it in one transaction', async () => {
    const office = await openOffice(server)
    const { token } = office.admin
    await imported(token, file([large, stock]))
    const next = file(
      [
        { ...large, guards: { dualApproval: true } },
        { ...stock, name: 'Orders' },
      ],
      {
        actionTypes: [refundType],
      },
    )
    const planned = await imported(token, next, '?dryRun=true')
    const short = ({ kind, change, name }: Record<string, string>) => `${kind} ${change} ${name}`
    expect(planned.body.data.changes.map(short)).toEqual([
      'policy changed Large refunds',
      'policy created Orders',
      'policy ended Stock',
      'actionType created refund.pay',
    ])
    expect(planned.body.data.changes[0]).toMatchObject({
      before: { guards: { humanReview: true } },
      after: { guards: { dualApproval: true } },
    })
    expect(await namesOf(office)).toEqual(['Large refunds 1', 'Stock 1'])
    const done = await imported(token, next, `?revision=${planned.body.data.revision}`)
    expect(done.status).toBe(200)
    expect(await namesOf(office)).toEqual(['Large refunds 2', 'Orders 1'])
    expect((await exported(token)).revision).toBe(done.body.data.revision)
    const { body } = await server.call('GET', '/api/action-types/refund.pay', { token })
    expect(body.data).toMatchObject({ version: 1, sentence: { en: 'Refund {/amount}' } })
  })

  it('takes YAML, and a key with the scope policies:write', async () => {
    const office = await openOffice(server)
    const key = await keyOf(office)
    await imported(key, file([large]), '', '/api/v1/policies/import')
    const { yaml } = await exported(key, '/api/v1/policies/export')
    const sent = await fetch(`${server.url}/api/v1/policies/import?dryRun=true`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/yaml' },
      body: yaml.replace('value: 100000', 'value: 50000'),
    })
    const { data } = (await sent.json()) as { data: { changes: object[] } }
    expect(data.changes).toMatchObject([{ change: 'changed', name: 'Large refunds' }])
    const checked = await server.call('POST', '/api/v1/policies/check', { token: key, body: refund(200_000) })
    expect(checked.body.data.outcome).toBe('approval_required')
  })

  it('names groups, and takes their IDs too', async () => {
    const office = await openOffice(server)
    const { token } = office.admin
    const made = await server.call('POST', `/api/centers/${office.center.id}/groups`, {
      token,
      body: { name: 'Finance', actorIds: [office.admin.id] },
    })
    const lined = (group: string) =>
      file([{ ...large, approval: { steps: [{ title: 'Finance', groupIds: [group] }] } }])
    expect((await imported(token, lined('Finance'))).status).toBe(200)
    const { file: whole } = await exported(token)
    expect(whole.policies[0].approval.steps[0].groupIds).toEqual(['Finance'])
    expect((await imported(token, lined(made.body.data.id))).body.data.changes).toEqual([])
    const unknown = await imported(token, lined('Treasury'))
    expect([unknown.status, unknown.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('runs the tests of the file: a decision in, the expected line out', async () => {
    const office = await openOffice(server)
    const { token } = office.admin
    const tests = (count: number) => [
      { name: 'small', decision: refund(5), expect: { outcome: 'completed', policies: [] } },
      {
        name: 'large',
        decision: refund(500_000),
        expect: { outcome: 'approval_required', lines: [{ policy: 'Large refunds', steps: [{ count }] }] },
      },
    ]
    const failing = await imported(token, file([large], { tests: tests(2) }))
    expect([failing.status, failing.body.error.details.tests]).toMatchObject([
      400,
      [{ name: 'large', differences: [{ path: '/lines/0/steps/0/count', expected: 2, actual: 1 }] }],
    ])
    expect(await namesOf(office)).toEqual([])
    const dry = await imported(token, file([large], { tests: tests(2) }), '?dryRun=true')
    expect(dry.body.data.tests.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, false])
    expect((await imported(token, file([large], { tests: tests(1) }))).status).toBe(200)
  })
})

describe('202', () => {
  const loose = () => file([{ ...large, active: false }, stock], { actionTypes: [refundType] })

  /** Two policies for which decisions have waited. */
  async function relied() {
    const office = await openOffice(server)
    const key = await office.join()
    await imported(office.admin.token, file([large, stock]))
    await office.record({ action: { type: 'refund.pay', input: { amount: 500_000 } } })
    await office.record({ action: { type: 'stock.order', input: {} } })
    return { office, second: key }
  }

  it('what loosens waits as one decision and takes effect as a whole', async () => {
    const { office, second } = await relied()
    const asked = await imported(office.admin.token, loose())
    expect([asked.status, asked.body.data.loosens]).toEqual([202, ['Large refunds']])
    const { eventId } = asked.body.data.pending
    expect(await namesOf(office)).toEqual(['Large refunds 1', 'Stock 1'])
    expect((await office.decide(office.admin, eventId)).status).toBe(422)
    expect((await office.decide(second, eventId)).status).toBe(200)
    expect(await namesOf(office)).toEqual(['Large refunds 2', 'Stock 1'])
    const { body } = await server.call('GET', '/api/action-types/refund.pay', { token: office.admin.token })
    expect(body.data.version).toBe(1)
  })

  it('by a key: the person who made the key approves nothing of it', async () => {
    const { office, second } = await relied()
    const key = await keyOf(office)
    await server.world.query(
      `update directory.api_keys set created_by = $2 where center_id = $1 and scopes = '{policies:write}'`,
      [office.center.id, office.admin.id],
    )
    const asked = await imported(key, loose(), '', '/api/v1/policies/import')
    expect(asked.status).toBe(202)
    const { eventId } = asked.body.data.pending
    expect((await office.decide(office.admin, eventId)).status).toBe(422)
    expect((await office.decide(second, eventId)).status).toBe(200)
  })

  it('is refused as replaced where an action type has changed meanwhile', async () => {
    const { office, second } = await relied()
    const { eventId } = (await imported(office.admin.token, loose())).body.data.pending
    await server.call('PUT', '/api/action-types/refund.pay', {
      token: office.admin.token,
      body: { name: { en: 'Pay back' } },
    })
    expect((await office.decide(second, eventId)).status).toBe(409)
    expect(await namesOf(office)).toEqual(['Large refunds 1', 'Stock 1'])
  })
})

describe('409', () => {
  it('of another revision comes with what the file would change now', async () => {
    const office = await openOffice(server)
    const { token } = office.admin
    const { revision } = (await imported(token, file([large]), '?dryRun=true')).body.data
    await office.policy()
    const late = await imported(token, file([large]), `?revision=${revision}`)
    expect([late.status, late.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(late.body.error.details).toMatchObject({
      reason: 'revision',
      revision: (await exported(token)).revision,
      changes: [
        { change: 'created', name: 'Large refunds' },
        { change: 'ended', name: 'Plans need a person' },
      ],
    })
  })

  it('of twenty imports of one revision at once, one takes effect and nothing is mixed', async () => {
    const office = await openOffice(server)
    const { token } = office.admin
    const { revision } = await exported(token)
    const contenders = Array.from({ length: 20 }, (_, n) =>
      imported(
        token,
        file([1, 2, 3].map((each) => ({ ...stock, name: `File ${n}, policy ${each}` }))),
        `?revision=${revision}`,
      ),
    )
    const answers = await Promise.all(contenders)
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(19).fill(409)])
    for (const { status, body } of answers) if (status === 409) expect(body.error.details.reason).toBe('revision')
    const names = await namesOf(office)
    expect(names).toHaveLength(3)
    expect(new Set(names.map((name) => name.split(',')[0])).size).toBe(1)
  })
})

describe('400', () => {
  it.each<[string, object]>([
    ['two policies of one name', file([stock, stock])],
    ['an unknown member', { ...file([]), rules: [] }],
    ['another version', { version: 2, policies: [] }],
    ['a policy without guards', file([{ name: 'x', match: {}, guards: {} }])],
  ])('for %s', async (_, body) => {
    const office = await openOffice(server)
    const { status, body: answer } = await imported(office.admin.token, body)
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each([
    ['text that is no YAML', 'policies: [', 'application/yaml'],
    ['aliases', 'a: &a [1]\nversion: 1\npolicies: *a', 'application/yaml'],
  ])('for %s', async (_, body, type) => {
    const office = await openOffice(server)
    const headers = { authorization: `Bearer ${await keyOf(office)}`, 'content-type': type }
    const answer = await fetch(`${server.url}/api/v1/policies/import`, { method: 'PUT', headers, body })
    expect(answer.status).toBe(400)
  })

  it('for YAML where no operation takes it', async () => {
    const office = await openOffice(server)
    const headers = { authorization: `Bearer ${office.key}`, 'content-type': 'application/yaml' }
    const answer = await fetch(`${server.url}/api/v1/decision-events`, { method: 'POST', headers, body: 'a: 1' })
    expect(await answer.text()).toContain('application/json')
  })
})

describe.each([
  ['GET', 'export', undefined],
  ['PUT', 'import', file([])],
] as const)('%s policies/%s', (method, name, body) => {
  const ask = (path: string, token?: string) =>
    server.call(method, path, { ...(token && { token }), ...(body && { body }) })

  it('401 without a credential, and for the credential of the other surface', async () => {
    const office = await openOffice(server)
    expect((await ask(`/api/policies/${name}`)).status).toBe(401)
    expect((await ask(`/api/policies/${name}`, await keyOf(office))).status).toBe(401)
    expect((await ask(`/api/v1/policies/${name}`, office.admin.token)).status).toBe(401)
  })

  it('403 without the role or the scope', async () => {
    const office = await openOffice(server)
    const { token } = await office.join('INSTRUCTOR')
    expect((await ask(`/api/policies/${name}`, token)).body.error.code).toBe('INSUFFICIENT_ROLE')
    expect((await ask(`/api/v1/policies/${name}`, await keyOf(office, ['proof:write']))).body.error.code).toBe(
      'FORBIDDEN',
    )
  })

  it('reaches no other center', async () => {
    const [one, other] = [await openOffice(server), await openOffice(server)]
    await one.policy()
    await ask(`/api/v1/policies/${name}`, await keyOf(other))
    expect(await namesOf(one)).toEqual(['Plans need a person 1'])
    expect((await exported(other.admin.token)).file.policies).toEqual([])
  })
})
