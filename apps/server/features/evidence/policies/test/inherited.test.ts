/** Policies that a center inherits from its partner: in force from its first decision, in every cell and process. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleDecision } from '../../../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { armFailpoint } from '../../../../lib/failpoint.ts'
import { newId, newUuid, uuidOf } from '../../../../lib/ids.ts'
import { codeOf, openPartner, type PartnerFixture } from '../../../centers/partner/test/fixture.ts'

let server: TestServer
let second: TestServer
beforeAll(async () => {
  server = await startServer({ cells: ['north', 'south'] })
  second = await startServer({ beside: server })
})
afterAll(async () => {
  armFailpoint(null)
  await second.close()
  await server.close()
})

const review = { name: 'A person reviews', match: {}, guards: { humanReview: true } }
const level = {
  name: 'Documented',
  match: { actionTypes: ['stock.*'] },
  guards: { minimumEvidenceLevel: 'DOCUMENTED' },
}

async function partnerOf(kind: 'white_label' | 'franchise', policies: readonly object[] = [review, level]) {
  const partner = await openPartner(server)
  await server.world.query('update directory.partners set kind = $2 where id = $1', [partner.id, kind])
  const { status } = await partner.call('PATCH', '/partner/settings', { newCenters: { policies } })
  expect(status).toBe(200)
  return partner
}

interface Branch {
  readonly id: number
  readonly domain: string
  readonly cell: string
  readonly key: string
  platform(method: string, path: string, body?: unknown): ReturnType<TestServer['call']>
  decide(at?: TestServer): ReturnType<TestServer['call']>
}

/** Opens a center by its id: an ADMIN, a key, and calls in it. */
async function branchOf(id: number): Promise<Branch> {
  const [row] = await server.world.query<{ domain: string; cell: string }>(
    'select domain, cell from directory.centers where id = $1',
    [id],
  )
  const center = { id, ...(row as { domain: string; cell: string }) }
  const admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  const { accessToken } = await server.signIn(admin, center.domain)
  const key = await server.world.key(center)
  return {
    ...center,
    key,
    platform: (method, path, body) =>
      server.call(method, `/api${path}`, { token: accessToken, ...(body !== undefined && { body }) }),
    decide: (at = server) => at.call('POST', '/api/v1/agents/decide', { token: key, body: sampleDecision() }),
  }
}

async function branch(partner: PartnerFixture): Promise<Branch> {
  const adminEmail = `a-${newUuid().slice(-12)}@centers.example`
  const body = { name: 'Branch', tenantType: 'CENTER', vertical: 'welfare', adminEmail }
  const { body: answer } = await partner.call('POST', '/partner/centers', body)
  return branchOf(answer.data.id)
}

async function inCell<R extends object>({ cell }: Branch, text: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ connectionString: server.services.config.cells.get(cell) as string })
  await client.connect()
  return (await client.query(text, values).finally(() => client.end())).rows
}

const versionsOf = (center: Branch) =>
  inCell<{ id: string; version: number; created_by: string }>(
    center,
    'select id, version, created_by from cell.policy_versions where center_id = $1 order by id, version',
    [center.id],
  )

const namedOf = (answer: Awaited<ReturnType<TestServer['call']>>) => answer.body.data.policies

describe('a new center', () => {
  it('has the policies in force before its first decision, in either cell', async () => {
    const partner = await partnerOf('white_label')
    const branches = [await branch(partner), await branch(partner)]
    expect(new Set(branches.map(({ cell }) => cell)).size).toBe(2)
    for (const center of branches) {
      const { body } = await center.platform('GET', '/policies')
      expect(body.data).toHaveLength(2)
      expect(body.data).toEqual(
        expect.arrayContaining(
          [review, level].map((given) =>
            expect.objectContaining({ ...given, version: 1, scope: 'center', inherited: true }),
          ),
        ),
      )
      const own = await center.platform('POST', '/policies', { ...review, name: 'Own' })
      expect(own.body.data.inherited).toBe(false)
      const history = await center.platform('GET', `/policies/${body.data[0].id}/versions`)
      expect(history.body.data).toEqual([body.data[0]])
      const entries = await center.platform('GET', '/audit?type=policy.changed')
      const actors: string[] = entries.body.data.map(({ actorId }: { actorId: string }) => actorId)
      expect(actors.map((actorId) => actorId.startsWith('ptn_')).toSorted()).toEqual([false, true, true])
    }
  })

  it('names them in the seal of its first decision, as an entry of the history', async () => {
    const center = await branch(await partnerOf('white_label', [level]))
    const answer = await center.decide()
    const [policy] = (await center.platform('GET', '/policies')).body.data
    const { id, version, digest } = policy
    expect(namedOf(answer)).toEqual([{ id, version, digest }])
    const entries = await inCell<{ disclosed: { digest: string; by: { id: string } } }>(
      center,
      'select disclosed from cell.history where center_id = $1',
      [center.id],
    )
    expect(entries.map(({ disclosed }) => disclosed.digest)).toEqual([digest])
    expect(entries[0]?.disclosed.by.id).toMatch(/^ptn_/)
  })

  it.each([{}, { 'idempotency-key': 'first' }])('waits with its first recorded decision (%j)', async (headers) => {
    const center = await branch(await partnerOf('franchise'))
    const recorded = await server.call('POST', '/api/v1/decision-events', {
      token: center.key,
      headers,
      body: sampleEvent(),
    })
    expect(recorded.status).toBe(201)
    const { body } = await server.call('GET', `/api/v1/decision-events/${recorded.body.data.id}`, { token: center.key })
    expect(body.data.waiting.reasons).toEqual(['humanReview'])
  })

  it('gets one set of policies from fifty concurrent first decisions at two servers', async () => {
    const center = await branch(await partnerOf('white_label', [level]))
    // A busy machine answers some of them with 503 first.
    async function decided(at: TestServer): ReturnType<TestServer['call']> {
      const answer = await center.decide(at)
      return answer.status === 503 ? decided(at) : answer
    }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => decided(n % 2 === 0 ? server : second)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map((answer) => JSON.stringify(namedOf(answer)))).size).toBe(1)
    expect((await versionsOf(center)).map(({ version }) => version)).toEqual([1])
  })

  it('that an account of the partner orders inherits them too', async () => {
    const partner = await partnerOf('franchise', [level])
    const { body } = await partner.call('POST', '/provisioning/center-tenant', {
      ...{ centerName: 'Ordered', subdomain: `o-${newUuid().slice(-12)}`, planId: 'center-starter' },
      ...{ orderId: newUuid(), adminActorId: partner.admin.actorId },
    })
    const answer = await (await branchOf(body.data.tenantMapping.centerId)).decide()
    expect(namedOf(answer)).toHaveLength(1)
  })

  it('keeps what it inherited when the partner changes its settings', async () => {
    const partner = await partnerOf('white_label', [level])
    const center = await branch(partner)
    await partner.call('PATCH', '/partner/settings', { newCenters: { policies: [] } })
    expect(namedOf(await center.decide())).toHaveLength(1)
    expect(namedOf(await (await branch(partner)).decide())).toEqual([])
  })
})

describe('no decision is sealed without them', () => {
  it('when the commit that writes them fails: the next decision writes them', async () => {
    const center = await branch(await partnerOf('white_label', [level]))
    armFailpoint('fail:seal.written')
    const failed = await center.decide()
    armFailpoint(null)
    expect(failed.body.data.status).not.toBe('sealed')
    const sealed = 'select from cell.chain_entries where center_id = $1'
    expect([await versionsOf(center), await inCell(center, sealed, [center.id])]).toEqual([[], []])
    expect(namedOf(await center.decide())).toHaveLength(1)
  })

  it('when the cell lost them: the first decision is refused, the next one writes them again', async () => {
    const center = await branch(await partnerOf('white_label', [level]))
    await center.decide()
    await inCell(center, 'alter table cell.policy_versions disable trigger append_only')
    await inCell(center, 'delete from cell.policy_versions where center_id = $1', [center.id])
    await inCell(center, 'alter table cell.policy_versions enable trigger append_only')
    await inCell(center, 'alter table cell.center_rules disable trigger kept')
    await inCell(center, 'delete from cell.center_rules where center_id = $1', [center.id])
    await inCell(center, 'alter table cell.center_rules enable trigger kept')
    expect((await center.decide()).status).toBe(503)
    expect(namedOf(await center.decide())).toHaveLength(1)
  })
})

it('the sandbox of a center has the same policies under the same ids', async () => {
  const center = await branch(await partnerOf('franchise', [level]))
  const { body } = await center.platform('POST', `/centers/${center.id}/sandbox`)
  const sandbox = await branchOf(body.data.center.id)
  const [own] = namedOf(await center.decide())
  const [other] = namedOf(await sandbox.decide())
  expect([other.version, other.digest]).toEqual([own.version, own.digest])
  expect(other.id).toBe(own.id)
})

describe.each(['white_label', 'franchise'] as const)('a center of a %s partner', (kind) => {
  it(`${kind === 'franchise' ? 'can neither change nor' : 'can change and'} withdraw an inherited policy`, async () => {
    const center = await branch(await partnerOf(kind, [level]))
    const [{ id }] = (await center.platform('GET', '/policies')).body.data
    const changed = await center.platform('PATCH', `/policies/${id}`, { active: false })
    const deleted = await center.platform('DELETE', `/policies/${id}`)
    const [standing] = (await versionsOf(center)).filter((row) => row.id === uuidOf('policy', id)).slice(-1)
    if (kind === 'franchise') {
      expect([changed.body.error.code, deleted.body.error.code]).toEqual(['FORBIDDEN', 'FORBIDDEN'])
      expect([changed.status, deleted.status, standing?.version]).toEqual([403, 403, 1])
    } else {
      expect([changed.status, changed.body.data.inherited]).toEqual([200, true])
      expect([deleted.status, standing?.version]).toEqual([204, 3])
    }
    expect(namedOf(await center.decide())).toHaveLength(kind === 'franchise' ? 1 : 0)
  })
})

describe('the partner changes an inherited policy in a center', () => {
  const changed = { guards: { humanReview: true } }

  it('400: names no groups, which belong to one center; neither do those for new centers', async () => {
    const partner = await partnerOf('franchise', [level])
    const center = await branch(partner)
    const here = `/partner/centers/${center.id}/policies`
    const [{ id }] = (await partner.call('GET', here)).body.data
    const approval = { steps: [{ groupIds: [newId('group')] }] }
    expect(codeOf(await partner.call('PATCH', `${here}/${id}`, { approval }))).toEqual([400, 'VALIDATION_ERROR'])
    const newCenters = { policies: [{ ...review, approval }] }
    expect(codeOf(await partner.call('PATCH', '/partner/settings', { newCenters }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('of a franchise: a new version, sealed in the name of the person, in force at once', async () => {
    const partner = await partnerOf('franchise', [level])
    const center = await branch(partner)
    const here = `/partner/centers/${center.id}/policies`
    await center.platform('POST', '/policies', { ...review, match: { actionTypes: ['own'] }, name: 'Own' })
    const { body: listed } = await partner.asOperator('GET', here)
    expect(listed.data).toMatchObject([{ ...level, version: 1, inherited: true }])
    const [{ id }] = listed.data
    const answer = await partner.call('PATCH', `${here}/${id}`, changed)
    expect([answer.status, answer.body.data]).toMatchObject([200, { id, version: 2, inherited: true, ...changed }])
    expect((await partner.call('GET', here)).body.data).toEqual([answer.body.data])
    expect((await partner.call('PATCH', `${here}/${id}`, changed)).body.data).toEqual(answer.body.data)
    const decided = await center.decide(second)
    expect(decided.body.data).toMatchObject({ outcome: 'approval_required', policies: [{ id, version: 2 }] })
    expect((await center.platform('PATCH', `/policies/${id}`, { active: false })).status).toBe(403)
    const [entry] = await inCell<{ by: string }>(
      center,
      `select disclosed -> 'by' ->> 'id' as by from cell.history
       where center_id = $1 and disclosed ->> 'digest' = $2`,
      [center.id, answer.body.data.digest],
    )
    expect(entry?.by).toBe(partner.admin.actorId)
    const { body: audit } = await center.platform('GET', `/audit?type=policy.changed&actorId=${partner.admin.actorId}`)
    const details = { version: 2, partner: expect.stringMatching(/^ptn_/) }
    expect(audit.data).toMatchObject([{ action: 'updated', details }])
  })

  it('fifty at once, at two servers: one version each, without a gap', async () => {
    const partner = await partnerOf('franchise', [level])
    const center = await branch(partner)
    const [{ id }] = (await center.platform('GET', '/policies')).body.data
    const { accessToken: token } = await server.signIn(partner.admin)
    const path = `/api/partner/centers/${center.id}/policies/${id}`
    async function patch(at: TestServer, n: number): Promise<number> {
      const { status } = await at.call('PATCH', path, { token, body: { name: `Name ${n}` } })
      return status === 503 ? patch(at, n) : status
    }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => patch(n % 2 === 0 ? server : second, n)))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect((await versionsOf(center)).map(({ version }) => version)).toEqual(
      Array.from({ length: 51 }, (_, n) => n + 1),
    )
  })

  it('and is refused for whom and where it is not theirs', async () => {
    const [partner, other, white] = [
      await partnerOf('franchise', [level]),
      await partnerOf('franchise', [level]),
      await partnerOf('white_label', [level]),
    ]
    const [center, loose] = [await branch(partner), await branch(white)]
    const [{ id }] = (await center.platform('GET', '/policies')).body.data
    const [{ id: looseId }] = (await loose.platform('GET', '/policies')).body.data
    const own = await center.platform('POST', '/policies', { ...review, name: 'Own' })
    const at = (centerId: number, policy: string) => `/partner/centers/${centerId}/policies/${policy}`
    expect(codeOf(await partner.asOperator('PATCH', at(center.id, id), changed))).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect(codeOf(await other.call('PATCH', at(center.id, id), changed))).toEqual([404, 'CENTER_NOT_FOUND'])
    expect(codeOf(await other.call('GET', `/partner/centers/${center.id}/policies`))).toEqual([404, 'CENTER_NOT_FOUND'])
    expect(codeOf(await white.call('PATCH', at(loose.id, looseId), changed))).toEqual([403, 'FORBIDDEN'])
    for (const policy of [own.body.data.id, looseId, 'pol_x'])
      expect(codeOf(await partner.call('PATCH', at(center.id, policy), changed))).toEqual([404, 'NOT_FOUND'])
    for (const body of [{}, { scope: 'global' }, { guards: {} }])
      expect(codeOf(await partner.call('PATCH', at(center.id, id), body))).toEqual([400, 'VALIDATION_ERROR'])
    const { status } = await server.call('PATCH', `/api${at(center.id, id)}`, { token: center.key, body: changed })
    expect(status).toBe(401)
    await server.world.query(`update directory.centers set status = 'INACTIVE' where id = $1`, [center.id])
    expect(codeOf(await partner.call('PATCH', at(center.id, id), changed))).toEqual([409, 'CONFLICT'])
  })
})

it.each([
  ['more than twenty', Array.from({ length: 21 }, () => level), '"newCenters.policies"'],
  ['one with a scope', [{ ...level, scope: 'center' }], '"newCenters.policies.0.scope"'],
  ['one without a guard', [{ ...level, guards: {} }], '"newCenters.policies.0.guards"'],
  [
    'one with a condition on no action',
    [{ ...level, match: { when: [{ pointer: '/riskScore', op: 'gt', value: 1 }] } }],
    '"match.when"',
  ],
])('400 for %s in the settings of the partner', async (_, policies, message) => {
  const partner = await openPartner(server)
  const { status, body } = await partner.call('PATCH', '/partner/settings', { newCenters: { policies } })
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(body.error.message).toContain(message)
})

it('what a center inherited cannot be changed in the directory', async () => {
  const center = await branch(await partnerOf('franchise'))
  const emptied = 'update directory.centers set inherited_policies = null where id = $1'
  await expect(server.world.query(emptied, [center.id], true)).rejects.toThrow()
})
