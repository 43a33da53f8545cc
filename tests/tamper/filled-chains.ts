/** A center with dozens of entries of every kind, and a member who may verify them. */
import { registerPasskey } from '../support/passkeys.ts'
import type { TestServer } from '../support/server.ts'
import type { Center } from '../support/world.ts'

export interface FilledChains {
  readonly center: Center
  readonly token: string
  readonly key: string
  /** Ids by kind, in the order of creation. */
  readonly ids: Readonly<Record<'approved' | 'rejected' | 'dual' | 'agent' | 'dpu' | 'policy', readonly string[]>>
}

const rounds = 4

export async function fillChains(server: TestServer): Promise<FilledChains> {
  const center = await server.world.center()
  const person = await server.world.person()
  await server.world.member(person, center)
  const { accessToken: token } = await server.signIn(person, center.domain)
  const key = await server.world.key(center)
  const speaker = { scopes: ['proof:approve'] }
  const keys = { a: await server.world.key(center, speaker), b: await server.world.key(center, speaker) }

  async function call(method: string, path: string, bearer: string, body?: object) {
    const answer = await server.call(method, path, { token: bearer, ...(body && { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body?.data
  }
  const ids: Record<keyof FilledChains['ids'], string[]> = {
    approved: [],
    rejected: [],
    dual: [],
    agent: [],
    dpu: [],
    policy: [],
  }

  const record = async (type: string, round: number) =>
    (
      await call('POST', '/api/v1/decision-events', key, {
        type: 'ai_recommendation',
        actor: { id: `agent-${round}`, type: 'ai_agent', name: `Planner ${round}` },
        action: { type, description: `Zażółć ${round} "gęślą"`, input: { round, at: [1, 2.5] }, output: { ok: true } },
        aiContext: {
          ...{ model: 'planner-3', provider: 'in-house', confidence: 0.5, reasoning: 'It slowed down.' },
          ...{ modelVersion: '3.1', traceId: '0af7651916cd43dd8448eb211c80319c' },
        },
        tags: ['plan', `round-${round}`],
        ...(round % 2 === 0 && { idempotencyKey: `${type}-${round}` }),
      })
    ).id as string
  const decide = (event: string, approver: keyof typeof keys) =>
    call('POST', `/api/v1/decision-events/${event}/approvals`, keys[approver], {
      approver: { id: approver, type: 'human', name: `Doctor ${approver}` },
      result: 'approved',
      reason: `because of ${approver}`,
    })

  /** By turns: an outcome, an unknown one and a later one, none, an unknown one. */
  const execute = async (event: string, round: number) => {
    const { actionDigest } = await call('GET', `/api/v1/decision-events/${event}`, key)
    const act = (what: string, body: object) =>
      call('POST', `/api/v1/decision-events/${event}/${what}`, key, { executor: `attempt-${round}`, ...body })
    await act('consume', { actionDigest })
    if (round % 4 === 0) await act('outcome', { status: 'succeeded', output: { round } })
    if (round % 2 === 1) await act('outcome', { status: 'unknown', output: { seen: 'nothing' } })
    if (round % 4 === 1) await act('outcome', { executor: 'later', status: 'failed' })
  }

  /** Three keys: the second is confirmed by the first, the third is removed. In even rounds an ADMIN confirms the first. */
  const bindKeys = async (round: number) => {
    const member = await server.world.person()
    await server.world.member(member, center, 'INSTRUCTOR')
    const session = (await server.signIn(member, center.domain)).accessToken
    const { deliver } = server.services.passkeyOutbox
    const first = await registerPasskey(server, session)
    await deliver()
    const confirming = `/api/centers/${center.id}/members/${member.actorId}/passkeys/${first.id}/confirm`
    if (round % 2 === 0) await call('POST', confirming, token, {})
    await registerPasskey(server, session, { older: first.device })
    const third = await registerPasskey(server, session)
    await deliver()
    await call('DELETE', `/api/auth/passkeys/${third.id}`, session)
    await deliver()
    if (round === 3) await server.world.setMembership(member, center, { status: 'SUSPENDED' })
    await server.services.eligibility.deliver()
  }

  const two = await call('POST', '/api/policies', token, {
    name: 'Two look at it',
    match: { actionTypes: ['dual.*'] },
    guards: { dualApproval: true },
    approval: { identity: 'claim' },
  })
  ids.policy.push(two.id)
  for (let round = 0; round < rounds; round++) {
    const approved = await record('plan.adjust', round)
    await decide(approved, 'a')
    await execute(approved, round)
    await bindKeys(round)
    const rejected = await record('plan.stop', round)
    await call('POST', `/api/decisions/${rejected}/opened`, token)
    await call('POST', `/api/decisions/${rejected}/approvals`, token, {
      result: 'rejected',
      reason: 'It is too early.',
    })
    const dual = await record('dual.plan', round)
    await decide(dual, 'a')
    await decide(dual, 'b')
    const agent = await call('POST', '/api/v1/agents/decide', key, {
      agent: { id: `stock-${round}`, name: 'Stock' },
      action: { type: 'stock.order', output: { boxes: round } },
      riskScore: 0.25,
      reason: 'It runs out.',
      tags: ['stock'],
    })
    const dpu = await call('POST', '/api/dpu/demo', token, {
      content: `Decision ${round}`,
      referenceId: `ref-${round}`,
      tags: ['demo'],
    })
    const plain = await call('POST', '/api/dpu/demo', token, {})
    const change = (body: object) => call('PUT', `/api/dpu/${dpu.id}`, token, body)
    await change({ metadata: { reason: 'first', round } })
    await change({ metadata: { reason: 'second', round, nested: { list: [1, 'two'] } } })
    await change({ evidenceLevel: 'DOCUMENTED' })
    if (round % 2 === 0) await change({ evidenceLevel: 'AUDIT_READY', metadata: { reason: 'third' } })
    const policy = await call('POST', '/api/policies', token, {
      name: `Policy ${round}`,
      match: { actionTypes: [`never.${round}`] },
      guards: { humanReview: true },
    })
    await call('PATCH', `/api/policies/${policy.id}`, token, { description: 'changed' })
    if (round % 2 === 1) await call('DELETE', `/api/policies/${policy.id}`, token)
    const typePath = `/api/action-types/never.${round}`
    await call('PUT', typePath, token, { name: { en: `Type ${round}` } })
    await call('PUT', typePath, token, { name: { ko: `유형 ${round}` }, sentence: { en: 'Pay {/won}' } })
    if (round % 2 === 1) await call('DELETE', typePath, token)
    const groupPath = `/api/centers/${center.id}/groups`
    const group = await call('POST', groupPath, token, { name: `Group ${round}`, actorIds: [person.actorId] })
    if (round >= 2) await call('PATCH', `${groupPath}/${group.id}`, token, { name: `Group ${round} again` })
    if (round % 2 === 1) await call('DELETE', `${groupPath}/${group.id}`, token)
    ids.approved.push(approved)
    ids.rejected.push(rejected)
    ids.dual.push(dual)
    ids.agent.push(agent.eventId)
    ids.dpu.push(dpu.id, plain.id)
    ids.policy.push(policy.id)
  }
  // Not sealed yet: no proof covers these.
  await record('plan.adjust', rounds + 1)
  await decide(await record('dual.plan', rounds + 1), 'a')
  return { center, token, key, ids }
}
