import { createHash } from 'node:crypto'
import { canonical } from '@countersign/proof/canonical.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { newId } from '../../../../lib/ids.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

const body = {
  name: 'Large orders need a person',
  description: 'Since the accident of May.',
  match: { actionTypes: ['stock.*'], actorTypes: ['ai_agent'] },
  guards: { humanReview: true, riskThreshold: 0.4 },
}
const create = (overrides: object = {}, headers = {}) =>
  fixture.platform('POST', '/api/policies', { ...body, ...overrides }, headers)
const someone = '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'
const over = (overrides: object = {}) => ({ pointer: '/action/input/amount', op: 'gt', value: 1000, ...overrides })
const when = (overrides: object) => ({ match: { actionTypes: ['refund.*'], when: [over(overrides)] } })
const list = async () => (await fixture.platform('GET', '/api/policies')).body.data
const versions = async (id: string) => (await fixture.platform('GET', `/api/policies/${id}/versions`)).body.data

describe('POST /policies', () => {
  it('201: creates an active policy of the center in its first version', async () => {
    const { status, body: answer } = await create()
    expect(status).toBe(201)
    expect(answer.data).toEqual({
      ...body,
      id: expect.stringMatching(/^pol_/),
      version: 1,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      scope: 'center',
      country: null,
      region: null,
      approval: null,
      active: true,
      inherited: false,
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await list()).toEqual([answer.data])
  })

  it('201: keeps its conditions and who may approve, and PATCH removes `approval` with null', async () => {
    const match = { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 1000 }] }
    const approval = {
      identity: 'session',
      roles: ['ADMIN'],
      expiresAfterSeconds: 3600,
      escalateTo: { actorIds: [fixture.admin.actorId], afterSeconds: 600 },
    }
    const { body: answer } = await create({ match, approval })
    expect(answer.data).toMatchObject({ match, approval })
    const { id } = answer.data
    const renamed = await fixture.platform('PATCH', `/api/policies/${id}`, { name: 'Refunds' })
    expect(renamed.body.data).toMatchObject({ name: 'Refunds', approval })
    const removed = await fixture.platform('PATCH', `/api/policies/${id}`, { approval: null })
    expect(removed.body.data).toMatchObject({ version: 3, name: 'Refunds', approval: null })
    const loose = await fixture.platform('PATCH', `/api/policies/${id}`, { match: { when: match.when } })
    expect([loose.status, loose.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('201: a line of nine places, with people who are told', async () => {
    const approval = {
      steps: [
        { title: '담당', roles: ['INSTRUCTOR'], count: 8 },
        { title: '원장', actorIds: [fixture.admin.actorId], delegated: true, identity: 'passkey' },
      ],
      inform: { roles: ['ADMIN'] },
    }
    for (const guards of [{ humanReview: true }, { riskThreshold: 0.5 }, { minimumEvidenceLevel: 'AUDIT_READY' }]) {
      const { status, body: answer } = await create({ guards, approval })
      expect([status, answer.data?.approval]).toEqual([201, approval])
    }
  })

  it('has the digest of its canonical form, which a third party can compute', async () => {
    const { data } = (await create()).body
    const { name, description, match, guards, scope, active } = data
    const text = canonical({ name, description, match, guards, scope, active })
    expect(data.digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`)
  })

  it('201: creates one policy per Idempotency-Key', async () => {
    const once = { 'idempotency-key': 'policy-1' }
    const [first, again] = [await create({}, once), await create({}, once)]
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(await list()).toHaveLength(1)
  })

  it.each(['global', 'country', 'region'])('403 FORBIDDEN: reserves the scope %s for the operator', async (scope) => {
    const { status, body: answer } = await create({ scope })
    expect([status, answer.error.code]).toEqual([403, 'FORBIDDEN'])
    expect(await list()).toEqual([])
  })

  it.each([
    ['without a name', { name: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['without guards', { guards: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['with no guard', { guards: {} }, 'VALIDATION_ERROR'],
    ['with a guard that does not exist', { guards: { humanreview: true } }, 'VALIDATION_ERROR'],
    ['with a threshold above 1', { guards: { riskThreshold: 2 } }, 'VALIDATION_ERROR'],
    ['with a level that does not exist', { guards: { minimumEvidenceLevel: 'HIGH' } }, 'VALIDATION_ERROR'],
    ['with a condition that does not exist', { match: { actions: ['x'] } }, 'VALIDATION_ERROR'],
    ['with an empty condition', { match: { eventTypes: [] } }, 'VALIDATION_ERROR'],
    ['with a country', { country: 'KR' }, 'VALIDATION_ERROR'],
    ['with conditions that no type accompanies', { match: { when: [over()] } }, 'VALIDATION_ERROR'],
    ['with a pointer to what no condition reads', when({ pointer: '/actor/id', op: 'eq' }), 'VALIDATION_ERROR'],
    ['with a pointer of a wrong form', when({ pointer: '/action/input/a~2' }), 'VALIDATION_ERROR'],
    ['with an operator that does not exist', when({ op: 'ne' }), 'VALIDATION_ERROR'],
    ['with a list for `eq`', when({ op: 'eq', value: [1] }), 'VALIDATION_ERROR'],
    ['with one value for `in`', when({ op: 'in', value: 1 }), 'VALIDATION_ERROR'],
    ['with a text for `gt`', when({ value: '1000' }), 'VALIDATION_ERROR'],
    ['with a number for `exists`', when({ op: 'exists', value: 1 }), 'VALIDATION_ERROR'],
    ['with an empty `approval`', { approval: {} }, 'VALIDATION_ERROR'],
    ['with the identity `system`', { approval: { identity: 'system' } }, 'VALIDATION_ERROR'],
    ['with the approver role PARENT', { approval: { roles: ['PARENT'] } }, 'VALIDATION_ERROR'],
    ['with an approver that is no actor id', { approval: { actorIds: ['kim'] } }, 'VALIDATION_ERROR'],
    ['with an escalation to nobody', { approval: { escalateTo: { afterSeconds: 60 } } }, 'VALIDATION_ERROR'],
    [
      'with an escalation after the expiry',
      { approval: { expiresAfterSeconds: 60, escalateTo: { roles: ['ADMIN'], afterSeconds: 60 } } },
      'VALIDATION_ERROR',
    ],
    ['with steps and roles', { approval: { steps: [{}], roles: ['ADMIN'] } }, 'VALIDATION_ERROR'],
    ['with steps and people', { approval: { steps: [{}], actorIds: [someone] } }, 'VALIDATION_ERROR'],
    [
      'with steps and an escalation beside them',
      { approval: { steps: [{}], escalateTo: { roles: ['ADMIN'], afterSeconds: 60 } } },
      'VALIDATION_ERROR',
    ],
    [
      'with steps and two people',
      { guards: { humanReview: true, dualApproval: true }, approval: { steps: [{}] } },
      'VALIDATION_ERROR',
    ],
    ['without a step', { approval: { steps: [] } }, 'VALIDATION_ERROR'],
    ['with ten places', { approval: { steps: [{ count: 9 }, {}] } }, 'VALIDATION_ERROR'],
    [
      'with steps that no guard asks for',
      { guards: { minimumEvidenceLevel: 'DOCUMENTED' }, approval: { steps: [{}] } },
      'VALIDATION_ERROR',
    ],
    [
      'with a step that escalates to nobody',
      { approval: { steps: [{ escalateTo: { afterSeconds: 60 } }] } },
      'VALIDATION_ERROR',
    ],
    [
      'with a step that escalates after the expiry',
      { approval: { expiresAfterSeconds: 60, steps: [{ escalateTo: { roles: ['ADMIN'], afterSeconds: 60 } }] } },
      'VALIDATION_ERROR',
    ],
    ['with nobody who is told', { approval: { inform: {} } }, 'VALIDATION_ERROR'],
  ])('400: %s', async (_, overrides, code) => {
    const { status, body: answer } = await create(overrides)
    expect([status, answer.error.code]).toEqual([400, code])
  })
})

describe('a limit is reached', () => {
  const fill = (count: number, deleted: boolean) =>
    server.world.query(
      `insert into cell.policy_versions (center_id, id, version, policy, digest, deleted, created_by, created_at,
         change_hash)
       select $1, gen_random_uuid(), 1, $2, 'sha256:' || encode(sha256(convert_to($2, 'UTF8')), 'hex'), $3, 'x', now(), 'x'
       from generate_series(1, $4)`,
      [fixture.center.id, JSON.stringify({ ...body, scope: 'center' }), deleted, count],
    )

  it('403 FORBIDDEN when a hundred policies are in force, until one is withdrawn', async () => {
    await fill(99, false)
    const contenders = await Promise.all(Array.from({ length: 50 }, () => create()))
    const made = contenders.filter(({ status }) => status === 201)
    const refused = contenders.filter(({ status }) => status === 403)
    expect([made.length, refused.length]).toEqual([1, 49])
    expect(refused[0]?.body.error).toEqual({
      code: 'FORBIDDEN',
      message:
        'This center already has 100 policies in force, the maximum. Change or delete one of them, or ask the operator for more.',
      details: { reason: 'maxPolicies' },
    })
    const last = made[0]?.body.data
    expect((await fixture.platform('PATCH', `/api/policies/${last.id}`, { active: false })).status).toBe(200)
    await fixture.platform('DELETE', `/api/policies/${last.id}`)
    expect((await create()).status).toBe(201)
  })

  it('409 CONFLICT when a thousand were created, in force or not', async () => {
    await fill(999, true)
    expect((await create()).status).toBe(201)
    const { status, body: answer } = await create()
    expect([status, answer.error.code]).toEqual([409, 'CONFLICT'])
  })
})

describe('PATCH /policies/{id}', () => {
  it('200: creates a new version; fields that are not named keep their values, and old versions stay readable', async () => {
    const first = (await create()).body.data
    const { status, body: answer } = await fixture.platform('PATCH', `/api/policies/${first.id}`, {
      guards: { dualApproval: true },
      active: false,
    })
    expect(status).toBe(200)
    expect(answer.data).toMatchObject({
      id: first.id,
      version: 2,
      name: body.name,
      match: body.match,
      guards: { dualApproval: true },
      active: false,
    })
    expect(await list()).toEqual([answer.data])
    expect(await versions(first.id)).toEqual([answer.data, first])
  })

  it('200: creates a version for an equal text too', async () => {
    const first = (await create()).body.data
    const { body: answer } = await fixture.platform('PATCH', `/api/policies/${first.id}`, { name: body.name })
    expect(answer.data).toMatchObject({ version: 2, digest: first.digest })
  })

  it.each([
    ['nothing', {}],
    ['another scope', { scope: 'global' }],
    ['no guard', { guards: {} }],
  ])('400 VALIDATION_ERROR: %s', async (_, change) => {
    const { id } = (await create()).body.data
    const { status, body: answer } = await fixture.platform('PATCH', `/api/policies/${id}`, change)
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('DELETE /policies/{id}', () => {
  it('204: ends the policy, and its versions stay readable', async () => {
    const { data } = (await create()).body
    expect((await fixture.platform('DELETE', `/api/policies/${data.id}`)).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await versions(data.id)).map(({ version }: { version: number }) => version)).toEqual([2, 1])
    for (const [method, change] of [
      ['PATCH', { active: true }],
      ['DELETE', undefined],
    ] as const) {
      const { status, body: answer } = await fixture.platform(method, `/api/policies/${data.id}`, change)
      expect([status, answer.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  it('204: withdraws once per Idempotency-Key', async () => {
    const { id } = (await create()).body.data
    const once = { 'idempotency-key': 'delete-1' }
    for (const replayed of [null, 'true']) {
      const { status, text, headers } = await fixture.platform('DELETE', `/api/policies/${id}`, undefined, once)
      expect([status, text, headers.get('idempotency-replayed')]).toEqual([204, '', replayed])
    }
  })
})

describe('404 NOT_FOUND', () => {
  it('for a policy that does not exist or belongs to another center', async () => {
    const elsewhere = await openProofFixture(server)
    const { id } = await elsewhere.policy({ humanReview: true })
    for (const unknown of [newId('policy'), 'x', id]) {
      for (const [method, path, change] of [
        ['PATCH', '', { active: false }],
        ['DELETE', '', undefined],
        ['GET', '/versions', undefined],
      ] as const) {
        const { status, body: answer } = await fixture.platform(method, `/api/policies/${unknown}${path}`, change)
        expect([status, answer.error.code]).toEqual([404, 'NOT_FOUND'])
      }
    }
  })
})

describe('every change', () => {
  it('is an entry of the chain history, which commits to the policy', async () => {
    const { id } = (await create()).body.data
    await fixture.platform('PATCH', `/api/policies/${id}`, { active: false })
    await fixture.platform('DELETE', `/api/policies/${id}`)
    const { body: lines } = await fixture.v1('GET', '/api/v1/chains/history/entries')
    const verifier = chainVerifier({ log: `countersign.test/c/${fixture.center.id}/history` })
    for (const line of lines) verifier.add(line)
    expect(verifier.result()).toMatchObject({ valid: true, chainLength: 3 })
    for (const { content } of lines) {
      expect(content).toMatchObject({ type: 'policy', target: id })
      expect(Object.keys(content.commitments)).toEqual(['action', 'by', 'digest', 'policy', 'version'])
    }
  })

  it('is answered with the time that lists show, also when the clock steps back', async () => {
    const { id, createdAt } = (await create()).body.data
    const restore = useClock(() => Date.now() - 3_600_000)
    // A separate session, because the fixture's session now begins in the future.
    const { accessToken } = await server.signIn(fixture.admin, fixture.center.domain)
    const changed = await server
      .call('PATCH', `/api/policies/${id}`, { token: accessToken, body: { active: false } })
      .finally(restore)
    expect(changed.body.data.createdAt).toBe(createdAt)
    expect((await versions(id))[0]).toEqual(changed.body.data)
  })

  it('422 CHAIN_BROKEN: is refused while that chain is broken', async () => {
    const { id } = (await create()).body.data
    await server.world.query('update cell.chain_heads set broken_at = 0 where center_id = $1', [fixture.center.id])
    for (const answer of [
      await create(),
      await fixture.platform('PATCH', `/api/policies/${id}`, { active: false }),
      await fixture.platform('DELETE', `/api/policies/${id}`),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
    }
    expect(await versions(id)).toHaveLength(1)
  })
})
