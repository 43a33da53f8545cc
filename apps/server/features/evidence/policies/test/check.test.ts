import { firstSandboxId } from '@countersign/proof/chain.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countingPasskey } from '../../../../../../tests/support/passkeys.ts'
import { openProofFixture, type ProofFixture, sampleDecision } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

import type { CenterProfile } from '../../../../data/center-profile.ts'
import { applied } from '../../../../governance/test/examples.ts'
import { uuidOf } from '../../../../lib/ids.ts'
import { changeOf as whoChanges } from '../check-change.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

const check = (overrides: Record<string, unknown> = {}, token = fixture.token) =>
  server.call('POST', '/api/policies/check', { token, body: sampleDecision(overrides) })
const checked = async (overrides: Record<string, unknown> = {}) => (await check(overrides)).body.data
const session = { approval: { identity: 'session' } }

describe('200', () => {
  it('says which policies match, what they ask for and who can give it, and changes nothing', async () => {
    const strict = await fixture.policy({ humanReview: true, riskThreshold: 0.2 }, { ...session, name: 'Orders' })
    const lax = await fixture.policy({ riskThreshold: 0.9 }, { approval: { expiresAfterSeconds: 60 } })
    await fixture.policy({ humanReview: true }, { match: { actionTypes: ['loan.*'] } })
    const state = () =>
      server.world.query(
        `select (select count(*) from cell.decision_events where center_id = $1) as events,
          (select count(*) from cell.chain_entries where center_id = $1) as entries`,
        [fixture.center.id],
      )
    await server.services.eligibility.deliver()
    const before = await state()
    const instructor = { actorId: fixture.instructor.actorId, name: expect.any(String) }
    expect(await checked({ riskScore: 0.5 })).toEqual({
      outcome: 'approval_required',
      refusal: null,
      policies: [
        {
          ...{ id: strict.id, version: 1, digest: strict.digest, name: 'Orders' },
          asks: ['humanReview', 'riskThreshold'],
          approval: session.approval,
          change: { by: 'line', approvals: 1, people: [instructor], peopleCount: 1, aloneAfterWait: false },
        },
        {
          ...{ id: lax.id, version: 1, digest: lax.digest, name: 'A policy' },
          asks: [],
          approval: { expiresAfterSeconds: 60 },
          change: { by: 'line', approvals: 1, people: [instructor], peopleCount: 1, aloneAfterWait: false },
        },
      ],
      approval: {
        identity: 'session',
        approvals: 1,
        roles: ['ADMIN', 'INSTRUCTOR'],
        actorIds: [fixture.admin.actorId, fixture.instructor.actorId].toSorted(),
        expiresAfterSeconds: null,
        usableForSeconds: 604_800,
        lines: [
          {
            ...{ policyId: strict.id, version: 1, name: 'Orders', emergency: null },
            steps: [{ title: null, count: 1, identity: 'session', people: expect.any(Array), peopleCount: 2 }],
          },
        ],
        problem: null,
      },
    })
    expect(await state()).toEqual(before)
  })

  it('says completed where nothing asks, and names the refusal of decide', async () => {
    expect(await checked()).toEqual({ outcome: 'completed', refusal: null, policies: [], approval: null })
    const { id } = await fixture.policy({ minimumEvidenceLevel: 'DOCUMENTED' })
    const { outcome, refusal } = await checked({ reason: undefined })
    expect(outcome).toBe('refused')
    expect(refusal).toMatchObject({ policyId: id, guard: 'minimumEvidenceLevel' })
    const decided = await fixture.decide({ reason: undefined })
    expect(decided.body.error).toMatchObject({ message: refusal.message, details: { guard: refusal.guard } })
  })

  it('names the people of each step, with the level that it asks for, and accounts of one person once', async () => {
    const { id } = await fixture.policy(
      { humanReview: true },
      {
        approval: {
          identity: 'claim',
          steps: [
            { title: '담당', roles: ['INSTRUCTOR'], escalateTo: { roles: ['ADMIN'], afterSeconds: 60 } },
            { title: '원장', actorIds: [fixture.admin.actorId], identity: 'session' },
            { count: 2 },
          ],
        },
      },
    )
    const { approval } = await checked()
    const { admin, instructor } = fixture
    expect(approval).toMatchObject({ approvals: 4, roles: ['ADMIN', 'INSTRUCTOR'] })
    const [line] = approval.lines
    expect(line).toMatchObject({ policyId: id, version: 1, name: 'A policy' })
    const shown = line.steps.map(({ people, ...step }: { people: { actorId: string }[] }) => ({
      ...step,
      people: people.map(({ actorId }) => actorId).toSorted(),
    }))
    const both = [admin.actorId, instructor.actorId].toSorted()
    expect(shown).toEqual([
      { title: '담당', count: 1, identity: 'claim', people: both, peopleCount: 2 },
      { title: '원장', count: 1, identity: 'session', people: [admin.actorId], peopleCount: 1 },
      { title: null, count: 2, identity: 'claim', people: both, peopleCount: 2 },
    ])
    const names = line.steps[1].people.map(({ name }: { name: string }) => name)
    expect(names).toEqual([expect.stringMatching(/./)])
  })

  const nobody = '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'
  const review = { humanReview: true }
  it.each<[string, () => [Record<string, unknown>, object][], RegExp | null]>([
    ['one role', () => [[review, { identity: 'session', roles: ['ADMIN'] }]], null],
    [
      'two policies that name different roles, each a line of its own',
      () => [
        [review, { roles: ['ADMIN'] }],
        [review, { roles: ['INSTRUCTOR'] }],
      ],
      null,
    ],
    ['somebody who is no member', () => [[review, { actorIds: [nobody] }]], /No ACTIVE member/],
    [
      'somebody who is no member, with an escalation',
      () => [[review, { actorIds: [nobody], escalateTo: { roles: ['ADMIN'], afterSeconds: 60 } }]],
      null,
    ],
    [
      'two people where one has the role',
      () => [[{ dualApproval: true }, { roles: ['ADMIN'] }]],
      /ask for 2 people, and 1 can/,
    ],
    [
      'a passkey, which nobody has',
      () => [[review, { identity: 'passkey' }]],
      /A passkey is needed to approve under the policy "A policy", and 0 of the 1 people/,
    ],
    [
      'a passkey at a step',
      () => [[review, { steps: [{}, { title: 'Director', roles: ['ADMIN'], identity: 'passkey' }] }]],
      /A passkey is needed to approve at step 2 \(Director\) of the policy "A policy"/,
    ],
    [
      'a claim and a role',
      () => [[review, { identity: 'claim', actorIds: [nobody] }]],
      /neither enough members nor enough API keys/,
    ],
    [
      'a teacher, then the director',
      () => [[review, { steps: [{ roles: ['INSTRUCTOR'] }, { roles: ['ADMIN'] }] }]],
      null,
    ],
    [
      'a step that nobody could fill',
      () => [[review, { steps: [{}, { title: 'Director', actorIds: [nobody] }] }]],
      /No ACTIVE member can approve at step 2 \(Director\) of the policy "A policy"/,
    ],
    [
      'a step for more people than there are',
      () => [[review, { steps: [{ count: 3 }] }]],
      /3 people must approve at step 1 of the policy "A policy", and 2 can/,
    ],
    [
      'one person for two steps',
      () => [[review, { steps: [{ roles: ['ADMIN'] }, { title: 'Owner', roles: ['ADMIN'] }] }]],
      /one place of a line, and everyone who can approve at step 2 \(Owner\)/,
    ],
    [
      'two steps whose people have to be told apart',
      () => [[review, { steps: [{}, { roles: ['INSTRUCTOR'] }] }]],
      null,
    ],
    [
      'one line of two that nobody could fill',
      () => [
        [review, { identity: 'session' }],
        [review, { steps: [{ actorIds: [nobody] }] }],
      ],
      /No ACTIVE member can approve at step 1/,
    ],
    ['claims in a line', () => [[review, { identity: 'claim', steps: [{ actorIds: [nobody] }] }]], /No ACTIVE member/],
  ])('says whether enough people can approve: %s', async (_, policies, problem) => {
    for (const [guards, approval] of policies()) await fixture.policy(guards, { approval })
    const { approval } = await checked()
    expect(approval.problem).toEqual(problem === null ? null : expect.stringMatching(problem))
  })
})

describe('a passkey', () => {
  it('is no problem where one that counts is there, and only those who have one are named', async () => {
    const { admin, instructor, center } = fixture
    await fixture.policy(
      { humanReview: true },
      { approval: { identity: 'session', steps: [{}, { roles: ['ADMIN', 'INSTRUCTOR'], identity: 'passkey' }] } },
    )
    const shown = async () => {
      const { lines, problem } = (await checked()).approval
      return [lines[0].steps.map(({ peopleCount }: { peopleCount: number }) => peopleCount), problem === null]
    }
    expect(await shown()).toEqual([[2, 0], false])
    await countingPasskey(server, instructor, center, admin)
    expect(await shown()).toEqual([[2, 1], true])
  })
})

describe('who could make a policy less strict', () => {
  const humanReview = { humanReview: true }
  const changeOf = async (guards: Record<string, unknown>, approval: object | undefined) => {
    const draft = { policy: { name: 'Draft', match: {}, guards, ...(approval && { approval }) } }
    const { policies } = await checked({ draft })
    const { change } = policies.find(({ name }: { name: string }) => name === 'Draft')
    return { ...change, people: change.people.map(({ actorId }: { actorId: string }) => actorId) }
  }

  it('are the others of its line; nobody, if it names only who asks; and another ADMIN, if it asks nobody', async () => {
    const { admin, instructor } = fixture
    const own = await changeOf(humanReview, { steps: [{ actorIds: [admin.actorId] }] })
    expect(own).toEqual({ by: 'line', approvals: 1, people: [], peopleCount: 0, aloneAfterWait: true })
    const two = await changeOf({ dualApproval: true }, undefined)
    const people = [instructor.actorId]
    expect(two).toEqual({ by: 'line', approvals: 2, people, peopleCount: 1, aloneAfterWait: true })
    const nobody = { by: 'administrator', approvals: 1, people: [], peopleCount: 0, aloneAfterWait: true }
    expect(await changeOf({ minimumEvidenceLevel: 'DOCUMENTED' }, undefined)).toEqual(nobody)
    const third = await server.world.person()
    await server.world.member(third, fixture.center, 'ADMIN')
    expect(await changeOf({ minimumEvidenceLevel: 'DOCUMENTED' }, undefined)).toEqual({
      ...{ by: 'administrator', approvals: 1, people: [third.actorId], peopleCount: 1, aloneAfterWait: false },
    })
    // Whoever could in the last month counts, so that nobody is alone by removing the others.
    await server.world.query("update directory.memberships set status = 'SUSPENDED' where actor_id = $1", [
      third.actorId,
    ])
    expect(await changeOf({ minimumEvidenceLevel: 'DOCUMENTED' }, undefined)).toEqual({
      ...{ by: 'administrator', approvals: 1, people: [], peopleCount: 0, aloneAfterWait: false },
    })
  })

  it('is the operator, the partner, or in a sandbox the one who asks', () => {
    const policy = applied({ humanReview: true })
    const by = (center: object, of = policy) =>
      whoChanges(of, { center: center as CenterProfile, asker: new Set(), able: [], ever: [] }).by
    const center = { centerId: 7, inherited: null }
    const inherited = { ids: [uuidOf('policy', policy.id)], isFixed: true }
    expect(by(center)).toBe('line')
    expect(by(center, { ...policy, body: { ...policy.body, scope: 'country' } })).toBe('operator')
    expect(by({ ...center, inherited })).toBe('partner')
    expect(by({ ...center, inherited: { ...inherited, isFixed: false } })).toBe('line')
    expect(by({ ...center, centerId: firstSandboxId })).toBe('asker')
  })
})

describe('with a draft', () => {
  const drafted = (steps: readonly object[], more: object = {}) => ({
    draft: { policy: { name: 'Draft', match: {}, guards: { humanReview: true }, approval: { steps } }, ...more },
  })
  const stepsOf = ({ approval }: { approval: { lines: { name: string; steps: { title: string }[] }[] } }) =>
    approval.lines.map(({ name, steps }) => [name, ...steps.map(({ title }) => title)])

  it('the decision is checked as if it had been saved, beside the others or in place of one', async () => {
    const { id } = await fixture.policy({ humanReview: true }, { name: 'Saved' })
    const steps = [{ title: 'Staff' }, { title: 'Director', roles: ['ADMIN'] }]
    expect(stepsOf(await checked(drafted(steps))).toSorted()).toEqual([
      ['Draft', 'Staff', 'Director'],
      ['Saved', null],
    ])
    expect(stepsOf(await checked(drafted(steps, { policyId: id })))).toEqual([['Draft', 'Staff', 'Director']])
    // Nothing was saved.
    expect(stepsOf(await checked())).toEqual([['Saved', null]])
  })

  it('400 for a policy that could not be saved, 404 for a policy of another center', async () => {
    const wrong = await check(drafted([{ count: 9 }, {}]))
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const other = await openProofFixture(server)
    const { id } = await other.policy({ humanReview: true })
    const missing = await check(drafted([{}], { policyId: id }))
    expect([missing.status, missing.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})

it('400 for a body that decide refuses, 403 for an INSTRUCTOR, 401 without a token', async () => {
  const wrong = await check({ agent: undefined })
  expect([wrong.status, wrong.body.error.code]).toEqual([400, 'MISSING_REQUIRED_FIELD'])
  const lower = await check({}, fixture.instructorToken)
  expect([lower.status, lower.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  const { status } = await server.call('POST', '/api/policies/check', { body: sampleDecision() })
  expect(status).toBe(401)
})
