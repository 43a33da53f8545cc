/** Approvals that were given before the one that seals are judged again, and can be taken back. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countingPasskey, type Registered } from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type Colleague, type Office, openOffice } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const two = { guards: { dualApproval: true } }
const answer = async (given: ReturnType<TestServer['call']>) => {
  const { status, body } = await given
  return [status, ...(body.error ? [body.error.code] : [])]
}

async function office(policy: object = two): Promise<Office & { first: Colleague; second: Colleague; id: string }> {
  const own = await openOffice(server)
  await own.policy(policy)
  const [first, second] = [await own.join('INSTRUCTOR'), await own.join('INSTRUCTOR')]
  const { id } = await own.record()
  expect(await answer(own.decide(first, id))).toEqual([200])
  return { ...own, first, second, id }
}

const membershipOf = async ({ center }: Office, { id }: Colleague): Promise<string> => {
  const rows = await server.world.query<{ id: string }>(
    'select id from directory.memberships where center_id = $1 and actor_id = $2',
    [center.id, id],
  )
  return rows[0]?.id as string
}
const exported = async (own: Office, id: string) => {
  const { evidence } = await own.read(id)
  return (await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: own.key })).body
}

describe('the first of two approvals no longer counts', () => {
  it.each([
    ['when its person is suspended', "update directory.memberships set status = 'SUSPENDED' where id = $1", 'member'],
    [
      'when its person has left',
      "update directory.memberships set status = 'ENDED', ended_at = now() where id = $1",
      'member',
    ],
    ['when its person lost the role', "update directory.memberships set role = 'PARENT' where id = $1", 'member'],
  ])('%s', async (_, change, reason) => {
    const own = await office()
    await server.world.query(change, [await membershipOf(own, own.first)])
    expect(await answer(own.decide(own.second, own.id))).toEqual([200])
    expect((await own.read(own.id)).status).toBe('approved')
    expect(await answer(own.decide(own.admin, own.id))).toEqual([200])
    const proof = await exported(own, own.id)
    expect(proof.evidence.prior0.control).toEqual({
      via: 'password',
      admitted: [{ since: expect.any(Number) }],
      void: reason,
    })
    const place = { policyId: expect.any(String), version: 1, step: 0, by: 'role', since: expect.any(Number) }
    expect(proof.evidence.prior1.control).toEqual({ via: 'password', admitted: [place] })
    expect(verifyExport(proof).problems).toEqual([])
  })

  it('when the policy names people of another role by now', async () => {
    const own = await office({ ...two, approval: { roles: ['ADMIN', 'INSTRUCTOR'] } })
    await server.world.query("update directory.memberships set role = 'ADMIN' where id = $1", [
      await membershipOf(own, own.second),
    ])
    const [policy] = (await server.call('GET', '/api/policies', { token: own.admin.token })).body.data
    await server.call('PATCH', `/api/policies/${policy.id}`, {
      token: own.admin.token,
      body: { approval: { roles: ['ADMIN'] } },
    })
    await own.runJob()
    expect(await answer(own.decide(own.second, own.id))).toEqual([200])
    expect((await own.read(own.id)).status).toBe('approved')
    expect(await answer(own.decide(own.admin, own.id))).toEqual([200])
    const { prior0, prior1, control } = (await exported(own, own.id)).evidence
    const versions = (admitted: readonly { version: number }[]) => admitted.map(({ version }) => version)
    expect(prior0.control.void).toBeUndefined()
    // The first one still fills its place of the line that it was given for, and none of the new one.
    expect([prior0.control, prior1.control, control].map(({ admitted }) => versions(admitted))).toEqual([
      [1],
      [1, 2],
      [2],
    ])
  })

  it('when its passkey was removed', async () => {
    const own = await openOffice(server)
    await own.policy({ ...two, approval: { identity: 'passkey' } })
    type Signer = Colleague & { device: Registered['device']; passkeyId: string }
    const signers: Signer[] = []
    for (let count = 0; count < 3; count++) {
      const colleague = await own.join('INSTRUCTOR')
      const { id: passkeyId, device } = await countingPasskey(server, colleague.person, own.center, own.admin.person)
      signers.push({ ...colleague, passkeyId, device })
    }
    const { id } = await own.record()
    const sign = async (who: Signer) => {
      const shown = await own.shown(who, id)
      const body = { result: 'approved', ...shown }
      const asked = await server.call('POST', `/api/decisions/${id}/approvals/challenge`, { token: who.token, body })
      const assertion = who.device.answer(asked.body.data.publicKey.challenge)
      return server.call('POST', `/api/decisions/${id}/approvals`, { token: who.token, body: { ...body, assertion } })
    }
    const [one, another, third] = signers as [Signer, Signer, Signer]
    expect((await sign(one)).status).toBe(200)
    expect((await server.call('DELETE', `/api/auth/passkeys/${one.passkeyId}`, { token: one.token })).status).toBe(204)
    const boxOf = async () => {
      const { body } = await server.call('GET', `/api/decisions/${id}`, { token: another.token })
      const [{ struck, places }] = body.data.lines[0].steps
      return [struck, places.map(({ approval }: { approval: number | null }) => approval)]
    }
    expect(await boxOf()).toEqual([[], [0, null]])
    await server.services.passkeyOutbox.deliver()
    // The box says before the next seal what that will say.
    expect(await boxOf()).toEqual([[0], [null, null]])
    expect((await sign(another)).body.data.sealedHash).toBeNull()
    expect((await sign(third)).body.data.sealedHash).toMatch(/^sha256:/)
    const proof = await exported(own, id)
    expect(proof.evidence.prior0.control).toEqual({
      via: 'password',
      admitted: [{ since: expect.any(Number) }],
      void: 'key',
    })
    expect(verifyExport(proof).problems).toEqual([])
  })
})

describe('taking an approval back', () => {
  const takeBack = (who: Colleague, id: string) =>
    server.call('POST', `/api/decisions/${id}/approvals/take-back`, { token: who.token })

  it('opens its place again: the record keeps it, and the same person may approve again', async () => {
    const own = await office()
    expect(await answer(takeBack(own.first, own.id))).toEqual([200])
    const read = await own.read(own.id)
    expect(read).toMatchObject({ status: 'recorded', approvals: [{ takenBackAt: expect.any(String) }] })
    expect(await answer(takeBack(own.first, own.id))).toEqual([409, 'CONFLICT'])
    expect(await answer(own.decide(own.second, own.id))).toEqual([200])
    expect((await own.read(own.id)).status).toBe('approved')
    expect(await answer(own.decide(own.first, own.id))).toEqual([200])
    const proof = await exported(own, own.id)
    expect(proof.evidence.prior0.control).toEqual({
      via: 'password',
      admitted: [{ since: expect.any(Number) }],
      void: 'takenBack',
    })
    expect(verifyExport(proof).problems).toEqual([])
  })

  it('is refused for another person, for a sealed decision and for one of another center', async () => {
    const own = await office()
    const stranger = await openOffice(server)
    expect(await answer(takeBack(own.second, own.id))).toEqual([409, 'CONFLICT'])
    expect(await answer(takeBack(stranger.admin, own.id))).toEqual([404, 'NOT_FOUND'])
    expect(await answer(own.decide(own.second, own.id))).toEqual([200])
    expect(await answer(takeBack(own.first, own.id))).toEqual([409, 'CONFLICT'])
    expect((await server.call('POST', `/api/decisions/${own.id}/approvals/take-back`)).status).toBe(401)
  })

  it('has one winner against the approval that seals, with fifty contenders', async () => {
    const own = await office()
    const shown = await own.shown(own.second, own.id)
    const body = { result: 'approved', ...shown }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        at % 2 === 0
          ? takeBack(own.first, own.id)
          : server.call('POST', `/api/decisions/${own.id}/approvals`, { token: own.second.token, body }),
      ),
    )
    const [backs, approvals] = [0, 1].map((odd) =>
      answers.filter(({ status }, at) => status === 200 && at % 2 === odd),
    ) as [typeof answers, typeof answers]
    expect(approvals).toHaveLength(1)
    expect(backs.length).toBeLessThanOrEqual(1)
    const { status, approvals: given } = await own.read(own.id)
    expect(status).toBe(backs.length === 1 ? 'approved' : 'sealed')
    expect(given[0].takenBackAt !== undefined).toBe(backs.length === 1)
  })
})

describe('an approval that a policy asks for', () => {
  it.each(['actionDigest', 'policies', 'prior'])(
    'is 409 without "%s", and a refusal needs none of them',
    async (name) => {
      const own = await openOffice(server)
      await own.policy()
      const { id } = await own.record()
      const { [name as 'prior']: _, ...shown } = await own.shown(own.admin, id)
      const send = (body: object) =>
        server.call('POST', `/api/decisions/${id}/approvals`, { token: own.admin.token, body })
      expect(await answer(send({ result: 'approved', ...shown }))).toEqual([409, 'CONFLICT'])
      expect(await answer(send({ result: 'rejected' }))).toEqual([200])
    },
  )

  it('is 409 for a member who has not opened the decision, and for one who opened it without its digest', async () => {
    const own = await openOffice(server)
    await own.policy()
    const { id } = await own.record()
    const shown = await own.shown(own.admin, id)
    const other = await own.join()
    const send = () =>
      server.call('POST', `/api/decisions/${id}/approvals`, {
        token: other.token,
        body: { result: 'approved', ...shown },
      })
    expect(await answer(send())).toEqual([409, 'CONFLICT'])
    await server.call('POST', `/api/decisions/${id}/opened`, { token: other.token })
    expect(await answer(send())).toEqual([409, 'CONFLICT'])
    const digest = { actionDigest: `sha256:${'0'.repeat(64)}` }
    expect(
      (await server.call('POST', `/api/decisions/${id}/opened`, { token: other.token, body: digest })).status,
    ).toBe(409)
    await own.shown(other, id)
    expect(await answer(send())).toEqual([200])
  })

  it('is 409 with the digest of approvals that are not there', async () => {
    const own = await office()
    const body = { result: 'approved', ...(await own.shown(own.second, own.id)), prior: `sha256:${'0'.repeat(64)}` }
    const given = server.call('POST', `/api/decisions/${own.id}/approvals`, { token: own.second.token, body })
    expect(await answer(given)).toEqual([409, 'CONFLICT'])
  })

  it('of more than a person reads is refused: 422 where an agent asks, and 409 where it was recorded', async () => {
    const own = await openOffice(server)
    await own.policy()
    const input = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`value${at}`, at]))
    const action = { type: 'plan.adjust', input }
    const body = { agent: { id: 'agent-7' }, action, reason: 'All at once.' }
    expect(await answer(server.call('POST', '/api/v1/agents/decide', { token: own.key, body }))).toEqual([
      422,
      'VALIDATION_ERROR',
    ])
    const { id } = await own.record({ action })
    expect(await answer(own.decide(own.admin, id))).toEqual([409, 'CONFLICT'])
    expect(await answer(own.decide(own.admin, id, { result: 'rejected' }))).toEqual([200])
  })

  it('seals what the page stated to have shown', async () => {
    const own = await openOffice(server)
    await own.policy()
    const { id } = await own.record()
    const shown = { view: 'v1', language: 'ko', template: null }
    expect(await answer(own.decide(own.admin, id, { shown, channel: 'page' }))).toEqual([200])
    expect((await exported(own, id)).evidence.control).toMatchObject({ shown, needs: ['shown'] })
  })
})
