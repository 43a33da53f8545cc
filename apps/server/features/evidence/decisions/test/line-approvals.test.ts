/** Approvals under lines of steps: in order, one person in one place, side by side with another line. */
import { verifyProof } from '@countersign/proof'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type Colleague, type Office, openOffice } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const outcome = async (given: ReturnType<TestServer['call']>) => {
  const { status, body } = await given
  return body.error ? [status, body.error.code] : [status, body.data.sealedHash === null ? 'waits' : 'sealed']
}
/** Nothing contradicts the line; without a trust policy nobody vouches for the file. */
const fits = { status: 'unknown', why: 'unvouched' }
const steps = (...list: object[]) => ({ approval: { steps: list } })
const placesOf = ({ admitted }: { admitted: { version: number; step: number; by: string }[] }) =>
  admitted.map(({ version, step, by }) => [version, step, by])

async function staffed(...policies: object[]): Promise<Office & { teachers: Colleague[]; director: Colleague }> {
  const own = await openOffice(server)
  const teachers = [await own.join('INSTRUCTOR'), await own.join('INSTRUCTOR'), await own.join('INSTRUCTOR')]
  for (const policy of policies) await own.policy(policy)
  return { ...own, teachers, director: own.admin }
}

const exported = async (own: Office, id: string, query = '') => {
  const { evidence } = await own.read(id)
  const path = query
    ? `/api/dpu/${evidence.id.replace('evd_', 'dpu_')}/export${query}`
    : `/api/v1/evidence/${evidence.id}/export`
  return (await server.call('GET', path, { token: query ? own.admin.token : own.key })).body
}

describe('a teacher, then the director', () => {
  const line = steps({ title: 'Teacher', roles: ['INSTRUCTOR'] }, { title: 'Director', roles: ['ADMIN'] })

  it('approve in this order, and the seal says who filled which place', async () => {
    const own = await staffed(line)
    const [teacher] = own.teachers as [Colleague]
    const { id } = await own.record()
    const turnOf = async ({ token }: Colleague) =>
      (await server.call('GET', `/api/decisions/${id}`, { token })).body.data.waiting.turn
    const early = await own.decide(own.director, id)
    expect([early.status, early.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(early.body.error.details.turn).toMatchObject({ version: 1, step: 1, title: 'Director' })
    // The page says so before anybody presses a button.
    expect(await turnOf(own.director)).toEqual({ now: false, next: early.body.error.details.turn })
    expect(await turnOf(teacher)).toEqual({ now: true, next: null })
    expect((await own.read(id)).waiting.turn).toBeUndefined()
    expect(await outcome(own.decide(teacher, id))).toEqual([200, 'waits'])
    expect(await turnOf(own.director)).toEqual({ now: true, next: null })
    expect(await turnOf(own.teachers[1] as Colleague)).toEqual({ now: false, next: null })
    expect(await outcome(own.decide(teacher, id))).toEqual([409, 'CONFLICT'])
    expect(await outcome(own.decide(own.teachers[1] as Colleague, id))).toEqual([422, 'POLICY_VIOLATION'])
    expect(await outcome(own.decide(own.director, id))).toEqual([200, 'sealed'])
    const { control, prior0 } = (await exported(own, id)).evidence
    expect([placesOf(prior0.control), placesOf(control)]).toEqual([[[1, 0, 'role']], [[1, 1, 'role']]])
    expect(control.needs).toContain('lines')
    const whole = await exported(own, id, '?policies=text')
    expect(verifyProof(whole, null).facts.decision?.line).toMatchObject(fits)
    expect(verifyProof(await exported(own, id), null).facts.decision?.line).toMatchObject({
      status: 'unknown',
      why: 'texts',
    })
  })

  it('is asked for again at the first step when the teacher is no longer a member: nothing is skipped', async () => {
    const own = await staffed(steps({ roles: ['INSTRUCTOR'] }, { roles: ['INSTRUCTOR'] }, { roles: ['ADMIN'] }))
    const [one, another, third] = own.teachers as [Colleague, Colleague, Colleague]
    const { id } = await own.record()
    expect(await outcome(own.decide(one, id))).toEqual([200, 'waits'])
    expect(await outcome(own.decide(another, id))).toEqual([200, 'waits'])
    await server.world.query("update directory.memberships set status = 'SUSPENDED' where actor_id = $1", [one.id])
    // The second one fills the first place now, so the second is empty again.
    expect(await outcome(own.decide(own.director, id))).toEqual([409, 'CONFLICT'])
    expect(await outcome(own.decide(third, id))).toEqual([200, 'waits'])
    expect(await outcome(own.decide(own.director, id))).toEqual([200, 'sealed'])
    const { prior0, prior1, prior2 } = (await exported(own, id)).evidence
    expect(prior0.control.void).toBe('member')
    expect([prior1, prior2].map(({ control }) => placesOf(control)[0]?.[1])).toEqual([0, 1])
  })

  it('is refused by a person of the line and by an ADMIN, and by nobody else', async () => {
    const own = await staffed()
    const [one, another] = own.teachers as [Colleague, Colleague]
    await own.policy(steps({ actorIds: [one.id] }, { roles: ['ADMIN'] }))
    const refuse = (who: Colleague, id: string) => outcome(own.decide(who, id, { result: 'rejected', reason: 'No' }))
    const [first, second] = [await own.record(), await own.record()]
    expect(await refuse(another, first.id)).toEqual([422, 'POLICY_VIOLATION'])
    expect(await refuse(one, first.id)).toEqual([200, 'sealed'])
    expect(await refuse(own.director, second.id)).toEqual([200, 'sealed'])
  })

  it('is refused by the people of a group that a step names, and by the deputies of those whom one admits', async () => {
    const own = await staffed()
    const [member, deputy, stranger] = own.teachers as [Colleague, Colleague, Colleague]
    const group = await server.call('POST', `/api/centers/${own.center.id}/groups`, {
      token: own.director.token,
      body: { name: 'Board', actorIds: [member.id] },
    })
    expect(group.status).toBe(201)
    await own.policy(steps({ roles: ['ADMIN'] }, { groupIds: [group.body.data.id] }))
    const refuse = (who: Colleague, id: string) => outcome(own.decide(who, id, { result: 'rejected', reason: 'No' }))
    const [first, second] = [await own.record(), await own.record()]
    expect(await refuse(stranger, first.id)).toEqual([422, 'POLICY_VIOLATION'])
    expect(await refuse(member, first.id)).toEqual([200, 'sealed'])
    expect(await refuse(deputy, second.id)).toEqual([422, 'POLICY_VIOLATION'])
    await own.deputy(own.director, deputy)
    expect(await refuse(deputy, second.id)).toEqual([200, 'sealed'])
  })
})

describe('a line beside another', () => {
  it('takes one approval for both where both admit its person, and asks the others for the rest', async () => {
    const own = await staffed(steps({ roles: ['INSTRUCTOR'], count: 2 }, { roles: ['ADMIN'] }), {
      ...steps({ roles: ['ADMIN'] }),
      name: 'Agreement',
    })
    const [one, another] = own.teachers as [Colleague, Colleague]
    const { id } = await own.record()
    expect(await outcome(own.decide(one, id))).toEqual([200, 'waits'])
    // The director agrees beside the line before it is their turn in it.
    expect(await outcome(own.decide(own.director, id))).toEqual([200, 'waits'])
    expect(await outcome(own.decide(another, id))).toEqual([200, 'waits'])
    expect(await outcome(own.decide(own.director, id))).toEqual([200, 'sealed'])
    const { prior1, control } = (await exported(own, id)).evidence
    expect([placesOf(prior1.control), placesOf(control)].map((places) => places.map(([, step]) => step))).toEqual([
      [0],
      [1],
    ])
    expect(verifyProof(await exported(own, id, '?policies=text'), null).facts.decision?.line).toMatchObject(fits)
  })
})

describe('somebody whom a later step cannot do without', () => {
  it('is kept for it: the only director leaves the first place to another', async () => {
    const own = await staffed(steps({}, { roles: ['ADMIN'] }))
    const { id } = await own.record()
    const early = await own.decide(own.director, id)
    expect([early.status, early.body.error.details.turn?.step]).toEqual([409, 1])
    expect(await outcome(own.decide(own.teachers[0] as Colleague, id))).toEqual([200, 'waits'])
    expect(await outcome(own.decide(own.director, id))).toEqual([200, 'sealed'])
  })

  it('may take the first place where another director could fill the second', async () => {
    const own = await staffed(steps({}, { roles: ['ADMIN'] }))
    const other = await own.join('ADMIN')
    const { id } = await own.record()
    expect(await outcome(own.decide(own.director, id))).toEqual([200, 'waits'])
    expect(await outcome(own.decide(own.director, id))).toEqual([409, 'CONFLICT'])
    expect(await outcome(own.decide(other, id))).toEqual([200, 'sealed'])
  })
})

it('fifty people contest the last place: one of them seals', async () => {
  const own = await staffed(steps({ roles: ['ADMIN'] }, { roles: ['INSTRUCTOR'] }))
  const { id } = await own.record()
  expect(await outcome(own.decide(own.director, id))).toEqual([200, 'waits'])
  const shown = await Promise.all(own.teachers.map(async (who) => ({ who, seen: await own.shown(who, id) })))
  const tries = Array.from({ length: 50 }, (_, at) => shown[at % shown.length] as (typeof shown)[number])
  const answers = await Promise.all(
    tries.map(({ who, seen }) =>
      outcome(
        server.call('POST', `/api/decisions/${id}/approvals`, {
          token: who.token,
          body: { result: 'approved', ...seen },
        }),
      ),
    ),
  )
  expect(answers.filter(([status]) => status === 200)).toEqual([[200, 'sealed']])
  expect(answers.filter(([status]) => status !== 200).every(([status]) => status === 409)).toBe(true)
})
