/** Rules guard themselves: whoever would loosen them needs those whom they name. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countingPasskey } from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { type Colleague, type Office, openOffice } from '../../decisions/test/fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { RULES_WAIT_SECONDS: '259200' } })
})
afterAll(() => server.close())

const two = { guards: { dualApproval: true }, approval: { roles: ['ADMIN'] } }
const outcome = async (given: ReturnType<TestServer['call']>) => {
  const { status, body } = await given
  return [status, ...(body?.error ? [body.error.code] : [])]
}
const change = (who: Colleague, method: string, id: string, body?: object) =>
  server.call(method, `/api/policies/${id}`, { token: who.token, ...(body && { body }) })
const later = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
  const restore = useClock(() => Date.now() + ms)
  return work().finally(restore)
}
const policyNow = async ({ admin }: Office, id: string) => {
  const { body } = await server.call('GET', '/api/policies', { token: admin.token })
  return (body.data as { id: string; version: number; active: boolean }[]).find((each) => each.id === id)
}

/** A policy for which a decision has waited. */
async function guarded(policy: object = two) {
  const office = await openOffice(server)
  const { id } = await office.policy(policy)
  const waiting = await office.record()
  return { office, id, waiting }
}

describe('a change that loosens', () => {
  it.each<[string, object]>([
    ['switching it off', { active: false }],
    ['asking one person instead of two', { guards: { humanReview: true } }],
    ['matching less', { match: { actionTypes: ['other.*'] } }],
    ['naming more people', { approval: { roles: ['ADMIN', 'INSTRUCTOR'] } }],
  ])('%s waits for the people whom the policy names, and not for the one who asks', async (_, body) => {
    const { office, id } = await guarded()
    const [second, third] = [await office.join(), await office.join()]
    const asked = await change(office.admin, 'PATCH', id, body)
    expect(asked.status).toBe(202)
    const { eventId } = asked.body.data.pending
    expect(asked.body.data.policy).toMatchObject({ id, version: 1 })
    expect(await policyNow(office, id)).toMatchObject({ version: 1, active: true })
    expect(await outcome(office.decide(office.admin, eventId))).toEqual([422, 'POLICY_VIOLATION'])
    expect(await outcome(office.decide(second, eventId))).toEqual([200])
    expect(await policyNow(office, id)).toMatchObject({ version: 1 })
    expect(await outcome(office.decide(third, eventId))).toEqual([200])
    const [newest] = (await server.call('GET', `/api/policies/${id}/versions`, { token: office.admin.token })).body.data
    expect(newest).toMatchObject({ version: 2, ...body })
  })

  it('is shown with what differs, before and after, and its proof holds', async () => {
    const { office, id } = await guarded({ guards: { humanReview: true } })
    const second = await office.join()
    const { eventId } = (await change(office.admin, 'PATCH', id, { active: false })).body.data.pending
    const { action, waiting } = await office.read(eventId)
    expect(action).toMatchObject({
      type: 'countersign.policy',
      input: { policy: 'Plans need a person', base: 1, change: 'updated', after: { active: false } },
    })
    expect(waiting.policies).toMatchObject([{ id, version: 1 }])
    expect(await outcome(office.decide(second, eventId))).toEqual([200])
    const { evidence } = await office.read(eventId)
    const proof = await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: office.key })
    expect(verifyExport(proof.body).problems).toEqual([])
    expect(
      (await server.call('GET', '/api/dpu/verify-chain?mode=records', { token: office.admin.token })).body.data,
    ).toMatchObject({
      allValid: true,
    })
  })

  it('by withdrawing it waits too, and needs another administrator where the policy asks nobody', async () => {
    const { office, id } = await guarded({ guards: { minimumEvidenceLevel: 'DOCUMENTED' } })
    const [second, instructor] = [await office.join(), await office.join('INSTRUCTOR')]
    const restore = useClock(() => Date.now() + 90_000_000)
    try {
      const fresh = (await server.signIn(office.admin.person, office.center.domain)).accessToken
      const asked = await server.call('DELETE', `/api/policies/${id}`, { token: fresh })
      expect(asked.status).toBe(202)
      const { eventId } = asked.body.data.pending
      const again = async (who: Colleague) => ({
        ...who,
        token: (await server.signIn(who.person, office.center.domain)).accessToken,
      })
      expect(await outcome(office.decide(await again(instructor), eventId))).toEqual([422, 'POLICY_VIOLATION'])
      expect(await outcome(office.decide(await again(second), eventId))).toEqual([200])
      // The line of the service itself has a text too, although it is in no table.
      const dpuId = eventId.replace('evt_', 'dpu_')
      const { body } = await server.call('GET', `/api/dpu/${dpuId}/export?policies=text`, { token: fresh })
      expect(body.evidence.policies).toMatchObject([{ id: 'countersign', version: 1 }])
      expect([body.policyTexts.length, verifyExport(body).problems]).toEqual([1, []])
    } finally {
      restore()
    }
    expect(await policyNow(office, id)).toBeUndefined()
  })

  it('leaves a decision that waits under the version that asked, and names no version that does not', async () => {
    const { office, id } = await guarded({ guards: { humanReview: true } })
    const [second, waiting] = [await office.join(), await office.record({ riskScore: 0.1 })]
    const asked = await change(office.admin, 'PATCH', id, { guards: { riskThreshold: 0.9 } })
    expect(await outcome(office.decide(second, asked.body.data.pending.eventId))).toEqual([200])
    await office.runJob()
    expect((await office.read(waiting.id)).waiting.policies).toMatchObject([{ id, version: 1 }])
    const seen = await office.shown(second, waiting.id)
    expect(seen.policies).toEqual([{ id, version: 1 }])
    expect(await outcome(office.decide(second, waiting.id))).toEqual([200])
  })

  it('is refused as replaced where the policy has changed meanwhile', async () => {
    const { office, id } = await guarded({ guards: { humanReview: true } })
    const second = await office.join()
    const { eventId } = (await change(office.admin, 'PATCH', id, { active: false })).body.data.pending
    // A change that tightens does not wait.
    expect(await outcome(change(office.admin, 'PATCH', id, { name: 'Still careful' }))).toEqual([409, 'CONFLICT'])
    await server.world.query('update cell.rule_changes set base = 7 where center_id = $1', [office.center.id])
    expect(await outcome(office.decide(second, eventId))).toEqual([409, 'CONFLICT'])
    expect(await office.read(eventId)).toMatchObject({ status: 'rejected', approvals: [{ reason: 'replaced' }] })
    expect(await policyNow(office, id)).toMatchObject({ version: 1, active: true })
  })

  it('one at a time: of fifty that ask at once one waits', async () => {
    const { office, id } = await guarded({ guards: { humanReview: true } })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => change(office.admin, 'PATCH', id, { active: false })),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([202, ...Array(49).fill(409)])
  })

  it('can be refused, and the policy stays', async () => {
    const { office, id } = await guarded()
    const second = await office.join()
    const { eventId } = (await change(office.admin, 'PATCH', id, { active: false })).body.data.pending
    expect(await outcome(office.decide(second, eventId, { result: 'rejected', reason: 'No.' }))).toEqual([200])
    expect(await policyNow(office, id)).toMatchObject({ version: 1, active: true })
    expect((await change(office.admin, 'PATCH', id, { active: false })).status).toBe(202)
  })
})

describe('a change that takes effect at once', () => {
  it('asks for more', async () => {
    const { office, id } = await guarded({ guards: { humanReview: true } })
    const stricter = { guards: { humanReview: true, dualApproval: true } }
    expect(await outcome(change(office.admin, 'PATCH', id, stricter))).toEqual([200])
  })

  it('corrects a policy of today for which nothing has waited', async () => {
    const office = await openOffice(server)
    const { id } = await office.policy({ match: { actionTypes: ['plann.*'] } })
    expect(await outcome(change(office.admin, 'PATCH', id, { match: { actionTypes: ['plan.*'] } }))).toEqual([200])
    expect(await outcome(change(office.admin, 'DELETE', id))).toEqual([204])
  })
})

describe('the way around it', () => {
  it('one session switches a policy of two off, an agent approves itself, and switches it on again: nothing passes', async () => {
    const { office, id, waiting } = await guarded()
    const { eventId } = (await change(office.admin, 'PATCH', id, { active: false })).body.data.pending
    const key = await server.world.key(office.center, { scopes: ['proof:write', 'proof:approve'] })
    const claim = (event: string) =>
      server.call('POST', `/api/v1/decision-events/${event}/approvals`, {
        token: key,
        body: { approver: { id: 'agent-7', type: 'system' }, result: 'approved' },
      })
    expect(await outcome(claim(eventId))).toEqual([403, 'FORBIDDEN'])
    expect(await outcome(claim(waiting.id))).toEqual([422, 'POLICY_VIOLATION'])
    expect((await office.read(waiting.id)).status).toBe('recorded')
  })

  it.each(['countersign.policy', 'Countersign.Policy', ' counter\u200bsign.mandate', 'ｃountersign.x'])(
    'a key records or decides nothing under "%s"',
    async (type) => {
      const office = await openOffice(server)
      const recorded = server.call('POST', '/api/v1/decision-events', {
        token: office.key,
        body: { type: 'policy_decision', actor: { id: 'agent', type: 'ai_agent' }, action: { type } },
      })
      const decided = server.call('POST', '/api/v1/agents/decide', {
        token: office.key,
        body: { agent: { id: 'agent' }, action: { type } },
      })
      expect([await outcome(recorded), await outcome(decided)]).toEqual([
        [422, 'VALIDATION_ERROR'],
        [422, 'VALIDATION_ERROR'],
      ])
    },
  )

  it.each([
    ['removing the only other administrator', ["status = 'SUSPENDED'"]],
    ['making them an instructor and then removing them', ["role = 'INSTRUCTOR'", "status = 'SUSPENDED'"]],
  ])('%s first makes nobody alone: they count for a month', async (_, changes) => {
    const { office, id } = await guarded({ guards: { humanReview: true }, approval: { roles: ['ADMIN'] } })
    const second = await office.join()
    for (const each of changes) {
      await server.world.query(`update directory.memberships set ${each} where center_id = $1 and actor_id = $2`, [
        office.center.id,
        second.id,
      ])
    }
    const { eventId } = (await change(office.admin, 'PATCH', id, { active: false })).body.data.pending
    await later(260_000_000, async () => {
      const token = (await server.signIn(office.admin.person, office.center.domain)).accessToken
      expect(await outcome(office.decide({ ...office.admin, token }, eventId))).toEqual([422, 'POLICY_VIOLATION'])
    })
  })
})

describe('nobody else there', () => {
  it.each([
    ['one person', { humanReview: true }],
    ['two people', { dualApproval: true }],
  ])(
    'where %s would be asked, the one who asks approves alone after three days, and the seal says so',
    async (_, guards) => {
      const { office, id } = await guarded({ guards, approval: { roles: ['ADMIN'] } })
      const { eventId } = (await change(office.admin, 'PATCH', id, { active: false })).body.data.pending
      expect(await outcome(office.decide(office.admin, eventId))).toEqual([422, 'POLICY_VIOLATION'])
      const { token: asking } = office.admin
      const shown = await server.call('GET', `/api/decisions/${eventId}`, { token: asking })
      // Nothing keeps their button from them: it works once the time is over.
      expect(shown.body.data.waiting.turn).toBeUndefined()
      await later(260_000_000, async () => {
        const token = (await server.signIn(office.admin.person, office.center.domain)).accessToken
        expect(await outcome(office.decide({ ...office.admin, token }, eventId))).toEqual([200])
      })
      const { evidence } = await office.read(eventId)
      const { body } = await server.call('GET', `/api/v1/evidence/${evidence.id}`, { token: office.key })
      expect(body.data.control).toMatchObject({ fallback: 'alone' })
      expect(await policyNow(office, id)).toMatchObject({ version: 2, active: false })
    },
  )

  it('of two places the other one fills theirs, and the one who asks the rest', async () => {
    const { office, id } = await guarded()
    const second = await office.join()
    const { eventId } = (await change(office.admin, 'PATCH', id, { active: false })).body.data.pending
    expect(await outcome(office.decide(second, eventId))).toEqual([200])
    expect(await policyNow(office, id)).toMatchObject({ version: 1 })
    await later(260_000_000, async () => {
      const token = (await server.signIn(office.admin.person, office.center.domain)).accessToken
      expect(await outcome(office.decide({ ...office.admin, token }, eventId))).toEqual([200])
    })
    expect(await policyNow(office, id)).toMatchObject({ version: 2, active: false })
  })

  it('of two places for which passkeys are asked too, each signs their own', async () => {
    const { office, id } = await guarded({ ...two, approval: { roles: ['ADMIN'], identity: 'passkey' } })
    const { admin, center } = office
    const second = await office.join()
    const sign = async (who: Colleague, device: Awaited<ReturnType<typeof countingPasskey>>['device'], of: string) => {
      const path = `/api/decisions/${of}/approvals/challenge`
      const asked = await server.call('POST', path, { token: who.token, body: { result: 'approved' } })
      if (asked.status !== 200) return asked
      return office.decide(who, of, { assertion: device.answer(asked.body.data.publicKey.challenge) })
    }
    const [own, others] = [
      await countingPasskey(server, admin.person, center, second.person),
      await countingPasskey(server, second.person, center, admin.person),
    ]
    const { eventId } = (await change(admin, 'PATCH', id, { active: false })).body.data.pending
    expect(await outcome(sign(second, others.device, eventId))).toEqual([200])
    expect(await outcome(sign(admin, own.device, eventId))).toEqual([422, 'POLICY_VIOLATION'])
    await later(260_000_000, async () => {
      const token = (await server.signIn(admin.person, center.domain)).accessToken
      expect(await outcome(office.decide({ ...admin, token }, eventId))).toEqual([422, 'POLICY_VIOLATION'])
      expect(await outcome(sign({ ...admin, token }, own.device, eventId))).toEqual([200])
    })
    expect(await policyNow(office, id)).toMatchObject({ version: 2, active: false })
  })
})
