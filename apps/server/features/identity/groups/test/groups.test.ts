import { mostGroups, mostInGroup } from '@countersign/contract/groups.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { newId, newUuid, uuidOf } from '../../../../lib/ids.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

const pathOf = (id?: string) => `/api/centers/${fixture.center.id}/groups${id === undefined ? '' : `/${id}`}`
const people = () => [fixture.admin.actorId, fixture.instructor.actorId].sort()
const create = (overrides: object = {}, headers = {}) =>
  fixture.platform('POST', pathOf(), { name: 'Finance', actorIds: people(), ...overrides }, headers)
const made = async (overrides: object = {}) => (await create(overrides)).body.data as { id: string; name: string }
const update = (id: string, body: object) => fixture.platform('PATCH', pathOf(id), body)
const end = (id: string, headers = {}) => fixture.platform('DELETE', pathOf(id), undefined, headers)
const list = async () => (await fixture.platform('GET', pathOf())).body.data
const code = ({ status, body }: Awaited<ReturnType<TestServer['call']>>) => [status, body?.error?.code]
const policyWith = (approval: object) => ({
  name: 'Contracts need two steps',
  match: { actionTypes: ['contract.*'] },
  guards: { humanReview: true },
  approval,
})
const naming = (id: string) => policyWith({ steps: [{ groupIds: [id] }, { roles: ['ADMIN'] }] })
const entriesAbout = (id: string) =>
  server.world.query<{ idx: number; disclosed: Record<string, unknown> }>(
    `select c.idx::int as idx, h.disclosed from cell.chain_entries c join cell.history h using (center_id, idx)
     where c.center_id = $1 and c.domain = 'history' and c.target = $2 order by c.idx`,
    [fixture.center.id, id],
    true,
  )
const records = async () => (await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')).body.data.domains

describe('POST /centers/{center}/groups', () => {
  it('201: makes a group whose people count at once in a new center', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    const { changedAt } = body.data
    expect(body.data).toEqual({
      id: expect.stringMatching(/^grp_/),
      name: 'Finance',
      people: people().map((actorId) => ({ actorId, countsFrom: expect.stringMatching(/Z$/) })),
      changedAt: expect.stringMatching(/Z$/),
    })
    expect(body.data.people.every((each: { countsFrom: string }) => each.countsFrom <= changedAt)).toBe(true)
    const named = body.data.people.map((each: object) => ({ ...each, name: expect.any(String), mayApprove: true }))
    expect(await list()).toEqual([{ ...body.data, people: named, mayConfirm: false }])
  })

  it('201: seals its name and people, and what the rows say is what was sealed', async () => {
    const { id } = await made()
    const [entry] = await entriesAbout(id)
    expect(entry?.disclosed).toEqual({
      group: {
        name: 'Finance',
        people: people().map((actorId) => ({ actorId, countsFrom: expect.any(String) })),
        makers: [],
      },
      action: 'created',
      by: { id: fixture.admin.actorId },
    })
    expect((await records()).history).toMatchObject({ valid: true })
  })

  it('201: one person twice, in another case, is one person', async () => {
    const [first = ''] = people()
    const answer = await create({ actorIds: [first, first.toUpperCase()] })
    expect(answer.body.data.people).toMatchObject([{ actorId: first }])
  })

  it('201: makes one group per Idempotency-Key', async () => {
    const once = { 'idempotency-key': 'group-1' }
    const [first, again] = [await create({}, once), await create({}, once)]
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(await list()).toHaveLength(1)
  })

  it.each([
    ['without a name', { name: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['with a blank name', { name: '  ' }, 'VALIDATION_ERROR'],
    ['with a long name', { name: 'n'.repeat(61) }, 'VALIDATION_ERROR'],
    ['with a link in the name', { name: 'See https://evil.example' }, 'VALIDATION_ERROR'],
    ['with a direction character in the name', { name: 'a\u202eb' }, 'VALIDATION_ERROR'],
    ['without people', { actorIds: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['with nobody', { actorIds: [] }, 'VALIDATION_ERROR'],
    ['with somebody who is no actor', { actorIds: ['kim'] }, 'VALIDATION_ERROR'],
    ['with somebody who is no member', { actorIds: [newUuid()] }, 'VALIDATION_ERROR'],
    ['with too many people', { actorIds: Array.from({ length: mostInGroup + 1 }, newUuid) }, 'VALIDATION_ERROR'],
    ['with another member', { roles: ['ADMIN'] }, 'VALIDATION_ERROR'],
  ])('400: %s', async (_, overrides, expected) => {
    expect(code(await create(overrides))).toEqual([400, expected])
    expect(await list()).toEqual([])
  })

  it.each([
    ['a parent', 'PARENT', 'ACTIVE'],
    ['a suspended instructor', 'INSTRUCTOR', 'SUSPENDED'],
  ])('400: with %s', async (_, role, status) => {
    const person = await server.world.person({ login: false })
    await server.world.member(person, fixture.center, role)
    await server.world.setMembership(person, fixture.center, { status })
    expect(code(await create({ actorIds: [person.actorId] }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('takes as many people as a group has at most', async () => {
    const ids = await crowd(mostInGroup)
    const { id } = await made({ actorIds: ids })
    expect((await list())[0].people).toHaveLength(mostInGroup)
    expect((await update(id, { actorIds: ids.slice(1) })).body.data.people).toHaveLength(mostInGroup - 1)
  })

  it('409 beyond the most groups, of which one that was ended is none; of fifty at once as many as there is room for', async () => {
    const first = await made()
    for (let at = 1; at < mostGroups - 1; at++) await made({ name: `Group ${at}` })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => create({ name: `Last ${n}` })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(49).fill(409)])
    expect(await list()).toHaveLength(mostGroups)
    expect((await end(first.id)).status).toBe(204)
    expect((await create()).status).toBe(201)
    expect(code(await create())).toEqual([409, 'CONFLICT'])
  })
})

/** ACTIVE instructors of the center. */
async function crowd(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newUuid)
  await server.world.query(
    `insert into directory.actors (id, email, name) select id, id || '@people.example', 'Kim' from unnest($1::uuid[]) as p (id)`,
    [ids],
    true,
  )
  await server.world.query(
    `insert into directory.memberships (id, center_id, actor_id, role, status, name)
     select gen_random_uuid(), $2, id, 'INSTRUCTOR', 'ACTIVE', 'Kim' from unnest($1::uuid[]) as p (id)`,
    [ids, fixture.center.id],
    true,
  )
  // Nobody of them approves anything.
  await server.world.query('delete from directory.member_changes where center_id = $1', [fixture.center.id], true)
  return ids.sort()
}

describe('PATCH /centers/{center}/groups/{id}', () => {
  it('200: renames, and seals the name before and after', async () => {
    const { id } = await made()
    const answer = await update(id, { name: 'Accounting' })
    expect(answer.body.data).toMatchObject({ id, name: 'Accounting' })
    const names = (await entriesAbout(id)).map(({ disclosed }) => (disclosed.group as { name: string }).name)
    expect(names).toEqual(['Finance', 'Accounting'])
  })

  it('200: replaces the people; those who stay keep the entry by which they count', async () => {
    const [first = '', second = ''] = people()
    const { id } = await made({ actorIds: [first] })
    const [created] = await entriesAbout(id)
    const answer = await update(id, { actorIds: [second, first] })
    expect(answer.body.data.people.map(({ actorId }: { actorId: string }) => actorId)).toEqual([first, second])
    const [row] = await server.world.query<{ people: { actorId: string; since: number }[] }>(
      'select people from cell.groups where id = $1',
      [uuidOf('group', id)],
    )
    const [, updated] = await entriesAbout(id)
    expect(row?.people.map(({ since }) => since)).toEqual([created?.idx, updated?.idx])
    expect((await records()).history).toMatchObject({ valid: true })
  })

  it('200: seals nothing where nothing changes', async () => {
    const { id } = await made()
    expect((await update(id, { name: 'Finance', actorIds: people() })).status).toBe(200)
    expect(await entriesAbout(id)).toHaveLength(1)
  })

  it('200: keeps somebody who is suspended meanwhile', async () => {
    const { id } = await made()
    await server.world.setMembership(fixture.instructor, fixture.center, { status: 'SUSPENDED' })
    expect((await update(id, { name: 'Accounting', actorIds: people() })).status).toBe(200)
    const [{ people: listed }] = await list()
    const found = listed.find(({ actorId }: { actorId: string }) => actorId === fixture.instructor.actorId)
    expect([found.mayApprove, found.name]).toEqual([false, expect.stringMatching(/./)])
  })

  it.each([{}, { name: '' }, { actorIds: [] }, { people: [] }])('400: %j', async (body) => {
    const { id } = await made()
    expect(code(await update(id, body))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await entriesAbout(id)).toHaveLength(1)
  })

  it.each(['grp_unknown', newId('group'), newId('policy')])('404: %s', async (id) => {
    expect(code(await update(id, { name: 'x' }))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('DELETE /centers/{center}/groups/{id}', () => {
  it('204: ends the group; it is not listed, changed or ended again', async () => {
    const { id } = await made()
    expect((await end(id)).status).toBe(204)
    expect(await list()).toEqual([])
    expect([code(await end(id)), code(await update(id, { name: 'x' }))]).toEqual([
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
    ])
    expect((await entriesAbout(id)).map(({ disclosed }) => disclosed.action)).toEqual(['created', 'ended'])
    expect((await records()).history).toMatchObject({ valid: true })
  })

  it('409 while a policy names it, in a step or to be informed, and 204 once none does', async () => {
    for (const approval of [(id: string) => naming(id).approval, (id: string) => ({ inform: { groupIds: [id] } })]) {
      const { id } = await made()
      const policy = await fixture.platform('POST', '/api/policies', policyWith(approval(id)))
      expect(policy.status).toBe(201)
      const refused = await end(id)
      expect([...code(refused), refused.body.error.details]).toEqual([
        409,
        'CONFLICT',
        { reason: 'inPolicy', policyId: policy.body.data.id },
      ])
      expect((await fixture.platform('DELETE', `/api/policies/${policy.body.data.id}`)).status).toBeLessThan(300)
      expect((await end(id)).status).toBe(204)
    }
  })

  it('has one winner among fifty that end it', async () => {
    const { id } = await made()
    const answers = await Promise.all(Array.from({ length: 50 }, () => end(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(49).fill(404)])
    expect(await entriesAbout(id)).toHaveLength(2)
  })

  it('is never ended and named at once, among fifty that end it or name it in a policy', async () => {
    const { id } = await made()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0 ? end(id) : fixture.platform('POST', '/api/policies', naming(id)),
      ),
    )
    const named = answers.filter(({ status }) => status === 201).length
    const ended = answers.filter(({ status }) => status === 204).length
    expect([named > 0, ended]).toEqual(named > 0 ? [true, 0] : [false, 1])
    const losers = answers.filter(({ status }) => status >= 300).map(({ status }) => status)
    expect(new Set(losers)).toEqual(named > 0 ? new Set([409]) : new Set([400, 404]))
    expect((await list()).length).toBe(named > 0 ? 1 : 0)
  })
})

describe('a policy', () => {
  it.each(['POST', 'PATCH'])('400: names a group that the center does not have, with %s', async (method) => {
    const policy = await fixture.policy({ humanReview: true })
    const path = method === 'POST' ? '/api/policies' : `/api/policies/${policy.id}`
    const { id: ended } = await made()
    await end(ended)
    const other = await openProofFixture(server)
    const foreign = await other.platform('POST', `/api/centers/${other.center.id}/groups`, {
      name: 'Theirs',
      actorIds: [other.admin.actorId],
    })
    for (const id of [newId('group'), ended, foreign.body.data.id]) {
      const body = method === 'POST' ? naming(id) : { approval: naming(id).approval }
      expect(code(await fixture.platform(method, path, body))).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('keeps its group while a change of it waits; the change is refused if its group has ended', async () => {
    const [old, next] = [await made(), await made({ name: 'Next' })]
    const asking = { ...naming(old.id), approval: { steps: [{ groupIds: [old.id] }] } }
    const policy = (await fixture.platform('POST', '/api/policies', asking)).body.data
    // A decision waits for it, so it is no longer one that can be corrected alone.
    await fixture.record({ action: { type: 'contract.sign' } })
    const widened = { approval: { steps: [{ groupIds: [old.id, next.id] }] } }
    const pending = await server.call('PATCH', `/api/policies/${policy.id}`, { token: fixture.token, body: widened })
    expect(pending.status).toBe(202)
    expect(code(await end(old.id))).toEqual([409, 'CONFLICT'])
    expect((await end(next.id)).status).toBe(204)
    const { eventId } = pending.body.data.pending
    const last = await fixture.approveAsMember(eventId, {}, fixture.instructorToken)
    expect(code(last)).toEqual([409, 'CONFLICT'])
    const [event] = await server.world.query<{ status: string }>(
      'select status from cell.decision_events where id = $1',
      [uuidOf('decisionEvent', eventId)],
    )
    expect(event?.status).toBe('rejected')
    expect((await fixture.platform('GET', '/api/policies')).body.data[0].approval.steps[0].groupIds).toEqual([old.id])
  })
})

describe('who may', () => {
  const calls = (id: string) =>
    [
      ['GET', pathOf()],
      ['POST', pathOf(), { name: 'x', actorIds: people() }],
      ['PATCH', pathOf(id), { name: 'x' }],
      ['POST', `${pathOf(id)}/confirm`, { actorIds: people() }],
      ['DELETE', pathOf(id)],
    ] as const

  it('401 without a credential or with an API key, 403 for an INSTRUCTOR, 404 or 403 for an ADMIN of another center', async () => {
    const { id } = await made()
    const other = await openProofFixture(server)
    for (const [method, path, body] of calls(id)) {
      const status = async (token?: string) =>
        (await server.call(method, path, { ...(token && { token }), ...(body && { body }) })).status
      expect([method, await status(), await status(fixture.key)]).toEqual([method, 401, 401])
      expect([method, await status(fixture.instructorToken)]).toEqual([method, 403])
      expect([403, 404]).toContain(await status(other.token))
    }
    expect(await list()).toMatchObject([{ id, name: 'Finance' }])
  })

  it('404: a group of another center, in the own center', async () => {
    const other = await openProofFixture(server)
    const foreign = await other.platform('POST', `/api/centers/${other.center.id}/groups`, {
      name: 'Theirs',
      actorIds: [other.admin.actorId],
    })
    for (const [method, path, body] of calls(foreign.body.data.id).slice(2)) {
      const answer = await fixture.platform(method, path, body)
      expect([method, ...code(answer)]).toEqual([method, 404, 'NOT_FOUND'])
    }
  })
})

it('leaves a history that a third party verifies', async () => {
  const { id } = await made()
  await update(id, { name: 'Accounting' })
  await end(id)
  const { body: lines } = await fixture.v1('GET', '/api/v1/chains/history/entries')
  const verifier = chainVerifier({ log: `countersign.test/c/${fixture.center.id}/history` })
  for (const line of lines) verifier.add(line)
  expect(verifier.result()).toMatchObject({ valid: true, chainLength: lines.length })
  let previous: string | null = null
  const own = lines.filter(({ content }: { content: { target: string } }) => content.target === id)
  for (const { content, hash } of own) {
    expect(content).toMatchObject({ type: 'group', previous })
    expect(Object.keys(content.commitments)).toEqual(['action', 'by', 'group'])
    previous = hash
  }
  expect(own).toHaveLength(3)
})
