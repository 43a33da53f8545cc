/** An approval ends: after its time, and when a policy of now asks for more than was given. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { consume, newExecutor, recorded, type SealedDecision } from './fixture.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
afterEach(() => void useClock(Date.now))

const fresh = async () => {
  fixture = await openProofFixture(server)
}
const later = (seconds: number) => {
  const start = Date.now()
  useClock(() => start + seconds * 1000)
}
const match = { actionTypes: ['money.*'] }
const week = 604_800

async function approvedByMember(won = 82_000): Promise<SealedDecision> {
  const event = await recorded(fixture, won)
  const { status, text } = await fixture.approveAsMember(event.id)
  if (status !== 200) throw new Error(text)
  return event
}
const exported = async (event: SealedDecision) =>
  (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body
const take = async (event: SealedDecision, executor = newExecutor()) => {
  const { status, body } = await consume(fixture, event, executor)
  return [status, body.error?.details?.reason]
}

describe('an approval that a policy asked for', () => {
  it('can be used for seven days where the policy says nothing, and says so in the seal', async () => {
    await fresh()
    await fixture.policy({ humanReview: true }, { match, approval: { identity: 'session' } })
    const [event, other] = [await approvedByMember(), await approvedByMember()]
    const { evidence } = await exported(event)
    expect(Date.parse(evidence.control.usableUntil) - Date.parse(evidence.sealedAt)).toBe(week * 1000)
    later(week - 60)
    expect(await take(event)).toEqual([200, undefined])
    later(week + 60)
    expect(await take(other)).toEqual([409, 'stale'])
    expect(verifyExport(await exported(event))).toMatchObject({ valid: true })
  })

  it('can be used for the shortest time of all policies that ask', async () => {
    await fresh()
    const approval = { identity: 'session' }
    await fixture.policy({ humanReview: true }, { match, approval: { ...approval, usableForSeconds: 7200 } })
    await fixture.policy({ humanReview: true }, { match, approval: { ...approval, usableForSeconds: 3600 } })
    await fixture.policy({ riskThreshold: 1 }, { match: { actionTypes: ['x'] }, approval: { usableForSeconds: 1 } })
    const event = await approvedByMember()
    const { evidence } = await exported(event)
    expect(Date.parse(evidence.control.usableUntil) - Date.parse(evidence.sealedAt)).toBe(3600_000)
    later(3500)
    const executor = newExecutor()
    expect(await take(event, executor)).toEqual([200, undefined])
    later(3700)
    const again = await consume(fixture, event, executor)
    expect([again.status, again.body.data.replayed]).toEqual([200, true])
  })

  it('is refused after its time with a sentence that says what to do, and nothing is sealed', async () => {
    await fresh()
    await fixture.policy({ humanReview: true }, { match, approval: { identity: 'session', usableForSeconds: 60 } })
    const event = await approvedByMember()
    later(61)
    const { status, body } = await consume(fixture, event, newExecutor())
    expect([status, body.error.code, body.error.details]).toEqual([409, 'CONFLICT', { reason: 'stale' }])
    expect(body.error.message).toMatch(/could only be used until .* record a new decision/)
    expect((await exported(event)).evidence.history).toBeUndefined()
  })
})

describe('a decision that no policy asked about', () => {
  it('has no end', async () => {
    await fresh()
    const event = await recorded(fixture)
    await fixture.approve(event.id)
    expect((await exported(event)).evidence.control).not.toHaveProperty('usableUntil')
    later(400 * 86_400)
    expect(await take(event)).toEqual([200, undefined])
  })

  it('and a refused one has none either', async () => {
    await fresh()
    await fixture.policy({ humanReview: true }, { match, approval: { identity: 'session' } })
    const event = await recorded(fixture)
    await fixture.approveAsMember(event.id, { result: 'rejected', reason: 'No.' })
    expect((await exported(event)).evidence.control).not.toHaveProperty('usableUntil')
  })
})

describe('a change of policy after the approval', () => {
  it('refuses what it would ask for now, and names the policy', async () => {
    await fresh()
    const event = await recorded(fixture)
    await fixture.approve(event.id)
    const { id } = await fixture.policy({ humanReview: true }, { match, approval: { identity: 'session' } })
    const { status, body } = await consume(fixture, event, newExecutor())
    expect([status, body.error.details]).toEqual([409, { reason: 'policy', policyId: id }])
    expect(body.error.message).toMatch(/approval isn't enough for it/)
  })

  it('lets through what was given already, and what does not match', async () => {
    await fresh()
    const approval = { identity: 'session' }
    const { id } = await fixture.policy({ humanReview: true }, { match, approval })
    const [one, two, three] = [await approvedByMember(), await approvedByMember(), await approvedByMember()]
    await fixture.policy({ humanReview: true }, { match: { actionTypes: ['other'] } })
    expect(await take(one as SealedDecision)).toEqual([200, undefined])
    const body = { name: 'Renamed', match, guards: { humanReview: true }, approval }
    expect((await fixture.platform('PATCH', `/api/policies/${id}`, body)).status).toBe(200)
    expect(await take(two as SealedDecision)).toEqual([200, undefined])
    await fixture.platform('PATCH', `/api/policies/${id}`, { ...body, guards: { dualApproval: true } })
    expect(await take(three as SealedDecision)).toEqual([409, 'policy'])
  })

  it('counts people as they were sealed: a member who has left approved all the same', async () => {
    await fresh()
    await fixture.policy(
      { humanReview: true },
      { match, approval: { identity: 'session', roles: ['INSTRUCTOR', 'ADMIN'] } },
    )
    const event = await recorded(fixture)
    expect((await fixture.approveAsMember(event.id, {}, fixture.instructorToken)).status).toBe(200)
    await server.world.setMembership(fixture.instructor, fixture.center, { status: 'ENDED', role: 'PARENT' })
    expect(await take(event)).toEqual([200, undefined])
  })

  it('holds from its commit on for 50 executors at once: none that answers later has taken one', async () => {
    await fresh()
    const events: SealedDecision[] = []
    for (let left = 50; left > 0; left--) {
      const event = await recorded(fixture)
      await fixture.approve(event.id)
      events.push(event)
    }
    let changedAt = Number.POSITIVE_INFINITY
    const answers = events.map(async (event, at) => {
      if (at === 25) {
        await fixture.policy({ humanReview: true }, { match, approval: { identity: 'session' } })
        changedAt = performance.now()
      }
      const begun = performance.now()
      const [status, reason] = await take(event)
      return { begun, status, reason }
    })
    const results = await Promise.all(answers)
    for (const { begun, status, reason } of results) {
      if (begun > changedAt) expect([status, reason]).toEqual([409, 'policy'])
      else expect([200, 409]).toContain(status)
    }
    // The log alone tells the order: no consumption follows the policy.
    const entries = await server.world.query<{ type: string }>(
      "select content::json ->> 'type' as type from cell.chain_entries where center_id = $1 and domain = 'history' order by idx",
      [fixture.center.id],
      true,
    )
    const types = entries.map(({ type }) => type)
    expect(types).toContain('policy')
    expect(types.slice(types.indexOf('policy') + 1)).not.toContain('execution')
  })
})
