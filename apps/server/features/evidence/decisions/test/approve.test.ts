import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreed } from '../../../../../../tests/support/approving.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { openOffice } from './fixture.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  [status, body.error?.code].filter((part) => part !== undefined)

const later = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
  const restore = useClock(() => Date.now() + ms)
  try {
    return await work()
  } finally {
    restore()
  }
}

describe('an approval by a member', () => {
  it('is sealed with the session, the first opening and the time of the decision', async () => {
    const office = await openOffice(server)
    await office.policy()
    const { id, actionDigest } = await office.record()
    const opened = await server.call('POST', `/api/decisions/${id}/opened`, { token: office.admin.token })
    const { waiting } = await office.read(id)
    const given = await office.decide(office.admin, id, {
      reason: 'Agreed.',
      actionDigest,
      policies: waiting.policies.map(({ id: policy, version }: { id: string; version: number }) => ({
        id: policy,
        version,
      })),
    })
    expect(outcome(given)).toEqual([200])
    const { evidence } = await office.read(id)
    const { body } = await server.call('GET', `/api/v1/evidence/${evidence.id}`, { token: office.key })
    const { person } = office.admin
    expect(body.data.approval).toMatchObject({
      approver: { id: person.actorId, type: 'human' },
      reason: 'Agreed.',
      identity: { level: 'session', by: person.actorId },
      channel: 'console',
      openedAt: opened.body.data.openedAt,
      decidedAt: expect.stringMatching(/Z$/),
    })
    const exported = await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: office.key })
    expect(exported.body.evidence).toMatchObject({ actionDigest, approval: { identity: { level: 'session' } } })
  })

  it.each([
    ['INSTRUCTOR', [422, 'POLICY_VIOLATION']],
    ['PARENT', [403, 'INSUFFICIENT_ROLE']],
  ])('is refused if the role was lowered to %s after the decision was opened', async (role, refusal) => {
    const office = await openOffice(server)
    await office.policy({ approval: { roles: ['ADMIN'] } })
    const { id } = await office.record()
    const lowered = await office.join('ADMIN')
    await server.call('POST', `/api/decisions/${id}/opened`, { token: lowered.token })
    await server.world.setMembership(lowered.person, office.center, { role })
    const standing = async () =>
      (await server.call('GET', '/api/auth/me', { token: lowered.token })).body.data.role as string
    await expect.poll(standing, { timeout: 5000 }).toBe(role)
    expect(outcome(await office.decide(lowered, id))).toEqual(refusal)
    expect((await office.read(id)).status).toBe('recorded')
    expect(outcome(await office.decide(office.admin, id))).toEqual([200])
  })

  it('is refused if the action or a policy is not the one that was shown', async () => {
    const office = await openOffice(server)
    const policy = await office.policy()
    const { id, actionDigest } = await office.record()
    const shown = [{ id: policy.id, version: policy.version }]
    const other = `sha256:${'0'.repeat(64)}`
    expect(outcome(await office.decide(office.admin, id, { actionDigest: other }))).toEqual([409, 'CONFLICT'])
    expect(outcome(await office.decide(office.admin, id, { policies: [] }))).toEqual([409, 'CONFLICT'])
    await server.call('PATCH', `/api/policies/${policy.id}`, {
      token: office.admin.token,
      body: { approval: { expiresAfterSeconds: 600 } },
    })
    expect(outcome(await office.decide(office.admin, id, { policies: shown }))).toEqual([409, 'CONFLICT'])
    // The version that asked when it began to wait goes on asking.
    const anew = [...shown, { id: policy.id, version: 2 }]
    expect(outcome(await office.decide(office.admin, id, { policies: anew, actionDigest }))).toEqual([200])
  })

  it('of a decision that no policy asks about is accepted, and sealed as what it is', async () => {
    const office = await openOffice(server)
    const { id } = await office.record()
    expect(outcome(await office.decide(office.admin, id, { policies: [] }))).toEqual([200])
    expect((await office.read(id)).approvals).toMatchObject([{ identity: { level: 'session', by: office.admin.id } }])
  })
})

describe('a decision that expires', () => {
  it('takes no approval and no refusal after that time, before the job has run and after', async () => {
    const office = await openOffice(server)
    await office.policy({ approval: { expiresAfterSeconds: 60 } })
    const { id, decisionId } = await office.record()
    await later(61_000, async () => {
      expect(outcome(await office.decide(office.admin, id))).toEqual([409, 'CONFLICT'])
      expect(outcome(await office.decide(office.admin, id, { result: 'rejected' }))).toEqual([409, 'CONFLICT'])
      expect((await office.read(id)).status).toBe('recorded')
      await office.runJob()
      expect(outcome(await office.decide(office.admin, id))).toEqual([409, 'CONFLICT'])
    })
    const read = await office.read(id)
    expect(read).toMatchObject({
      decisionId,
      status: 'rejected',
      waiting: null,
      approvals: [
        {
          approver: { id: 'countersign', type: 'system' },
          result: 'rejected',
          reason: 'expired',
          identity: { level: 'system', by: 'countersign' },
        },
      ],
    })
    const { body } = await server.call('GET', `/api/v1/evidence/${read.evidence.id}`, { token: office.key })
    expect(body.data).toMatchObject({ approval: { result: 'rejected', identity: { level: 'system' } } })
    expect(body.data.evidenceLevel).not.toBe('AUDIT_READY')
  })

  it('is not refused before that time, and a policy that became laxer gives it no more', async () => {
    const office = await openOffice(server)
    const policy = await office.policy({ approval: { expiresAfterSeconds: 60 } })
    const { id } = await office.record()
    await office.runJob()
    const ask: Parameters<typeof agreed>[0] = (method, path, body) =>
      server.call(method, path, { token: office.admin.token, ...(body !== undefined && { body }) })
    const laxer = { approval: { expiresAfterSeconds: 600 } }
    await agreed(ask, ['PATCH'], await ask('PATCH', `/api/policies/${policy.id}`, laxer))
    await later(50_000, () => office.runJob())
    expect((await office.read(id)).status).toBe('recorded')
    await later(61_000, () => office.runJob())
    expect((await office.read(id)).status).toBe('rejected')
  })
})

describe('escalation', () => {
  it('lets further members approve after the stated time, and not before', async () => {
    const office = await openOffice(server)
    const other = await office.join('INSTRUCTOR')
    const escalateTo = { roles: ['INSTRUCTOR'], afterSeconds: 60 }
    await office.policy({ approval: { actorIds: [office.admin.id], escalateTo } })
    const { id } = await office.record()
    expect(outcome(await office.decide(other, id))).toEqual([422, 'POLICY_VIOLATION'])
    expect(outcome(await later(61_000, () => office.decide(other, id)))).toEqual([200])
  })
})

describe('a deputy', () => {
  it('approves in the place of a member, and the seal names both', async () => {
    const office = await openOffice(server)
    const deputy = await office.join('INSTRUCTOR')
    await office.policy({ approval: { actorIds: [office.admin.id] } })
    const { id } = await office.record()
    expect(outcome(await office.decide(deputy, id))).toEqual([422, 'POLICY_VIOLATION'])
    await office.deputy(office.admin, deputy)
    expect(outcome(await office.decide(deputy, id))).toEqual([200])
    expect((await office.read(id)).approvals).toMatchObject([
      { approver: { id: deputy.id }, identity: { by: deputy.id }, onBehalfOf: office.admin.id },
    ])
  })

  it('does not pass the right on, and loses it when the member loses theirs', async () => {
    const office = await openOffice(server)
    const [absent, deputy, further] = [
      await office.join(),
      await office.join('INSTRUCTOR'),
      await office.join('INSTRUCTOR'),
    ]
    await office.policy({ approval: { roles: ['ADMIN'] } })
    await office.deputy(absent, deputy)
    await office.deputy(deputy, further)
    const { id } = await office.record()
    expect(outcome(await office.decide(further, id))).toEqual([422, 'POLICY_VIOLATION'])
    await server.world.setMembership(absent.person, office.center, { role: 'INSTRUCTOR' })
    expect(outcome(await office.decide(deputy, id))).toEqual([422, 'POLICY_VIOLATION'])
  })

  it('and the member count as one of two approvers, in either order and each in their own right', async () => {
    const office = await openOffice(server)
    const [member, deputy, third] = [office.admin, await office.join(), await office.join()]
    await office.policy({ guards: { dualApproval: true } })
    await office.deputy(member, deputy)
    for (const [first, second] of [
      [member, deputy],
      [deputy, member],
    ] as const) {
      const { id } = await office.record()
      const one = await office.decide(first, id)
      expect([one.status, one.body.data.sealedHash]).toEqual([200, null])
      expect(outcome(await office.decide(second, id))).toEqual([409, 'CONFLICT'])
      expect(outcome(await office.decide(third, id))).toEqual([200])
      expect((await office.read(id)).status).toBe('sealed')
    }
  })
})

describe('an approval that a guard refuses', () => {
  it('changes nothing, and the decision then waits if it did not before', async () => {
    const office = await openOffice(server)
    const { id } = await office.record()
    await office.policy()
    expect(await office.inbox()).toEqual([])
    const claim = await server.call('POST', `/api/v1/decision-events/${id}/approvals`, {
      token: office.key,
      body: { approver: { id: 'kim', type: 'human' }, result: 'approved' },
    })
    expect(outcome(claim)).toEqual([422, 'POLICY_VIOLATION'])
    expect(await office.inbox()).toEqual([id])
    expect((await office.read(id)).approvals).toEqual([])
    expect(outcome(await office.decide(office.admin, id))).toEqual([200])
  })
})
