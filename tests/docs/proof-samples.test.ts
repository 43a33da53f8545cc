/**
 * The samples of the Proof API are sent to a server, with IDs of records that it has. Its answers have the members that the
 * page shows, and where the page shows a value that the sample sends, the server answers with that value.
 */
import { fullPath, type Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answerOf, sampleBody } from '../../apps/docs/reference/answers.ts'
import { keyOf } from '../../apps/docs/reference/samples.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { localNetworks } from '../support/webhook-fixture.ts'

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a caller writes into these is theirs. */
const free = new Set(['input', 'output', 'data', 'payload', 'schema', 'example', 'labels'])

/** Members that one of two answers has and the other doesn't. What is null or empty in one of them says nothing. */
function differences(shown: unknown, real: unknown, path = ''): string[] {
  if (Array.isArray(shown) && Array.isArray(real))
    return shown.length > 0 && real.length > 0 ? differences(shown[0], real[0], `${path}[]`) : []
  if (!isFields(shown) || !isFields(real)) {
    const isUnlike = shown !== null && real !== null && typeof shown !== typeof real
    return isUnlike ? [`${path} is ${typeof shown} on the page and ${typeof real} in the answer`] : []
  }
  return [...new Set([...Object.keys(shown), ...Object.keys(real)])].flatMap((name) => {
    const at = `${path}.${name}`
    if (!(name in shown)) return [`${at} isn't on the page`]
    if (!(name in real)) return [`${at} isn't in the answer`]
    return path !== '' && free.has(name) ? [] : differences(shown[name], real[name], at)
  })
}

/** The values of the request that the page repeats, as the server answered them. */
function repeated(sent: unknown, shown: unknown, real: unknown, path = ''): string[] {
  if (!isFields(sent) || !isFields(shown)) return []
  return Object.entries(sent).flatMap(([name, value]) => {
    const [onPage, answered] = [shown[name], isFields(real) ? real[name] : undefined]
    if (isFields(value)) return repeated(value, onPage, answered, `${path}.${name}`)
    const isRepeated = onPage !== undefined && JSON.stringify(onPage) === JSON.stringify(value)
    return isRepeated && JSON.stringify(answered) !== JSON.stringify(value)
      ? [`${path}.${name}: ${JSON.stringify(value)} on the page, ${JSON.stringify(answered)} in the answer`]
      : []
  })
}

interface Sent {
  /** In the order of the path. */
  readonly ids?: readonly (string | number)[]
  readonly query?: string
  readonly token?: string
  /** In place of what the sample has. */
  readonly body?: Fields
  readonly status?: number
}

/** What only some records have: members that the page shows, and this record lacks, or the other way round. */
const apart: Readonly<Record<string, readonly string[]>> = {
  'policies.export': ['.data.file.policies[].approval'],
}

let server: TestServer
let fixture: ProofFixture
let all: string
beforeAll(async () => {
  server = await startServer({ env: localNetworks })
  fixture = await openProofFixture(server)
  const scopes = ['proof:write', 'proof:approve', 'events:write', 'webhooks:write', 'policies:write', 'sandboxes:write']
  all = await server.world.key(fixture.center, { scopes })
  const group = { name: 'Finance', actorIds: [fixture.instructor.actorId] }
  expect((await fixture.platform('POST', `/api/centers/${fixture.center.id}/groups`, group)).status).toBe(201)
  server.services.deliveryWorkers.start()
  await fixture.policy(
    { humanReview: true },
    { name: 'Reorders', match: { actionTypes: ['stock.*'] }, approval: { identity: 'session' } },
  )
}, 120_000)
afterAll(() => server.close())

const covered = new Set<string>()
const faults: string[] = []
const operationOf = (id: string): Operation => {
  const found = operations.find((each) => each.id === id)
  if (!found) throw new Error(`there is no operation ${id}`)
  covered.add(id)
  return found
}

async function send(id: string, { ids = [], query = '', token = all, body, status }: Sent = {}) {
  const operation = operationOf(id)
  const left = [...ids]
  const path = fullPath(operation.spec).replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(left.shift()))) + query
  const key = keyOf(operation)
  const sent = operation.spec.body && { ...(sampleBody(operation) as Fields), ...body }
  const answer = await server.call(operation.spec.method, path, {
    token,
    ...(sent && { body: sent }),
    headers: key === null ? {} : { 'idempotency-key': key },
  })
  expect([answer.status, answer.text.slice(0, 300)], id).toEqual([
    status ?? Number(Object.keys(operation.bodies).at(-1)),
    expect.anything(),
  ])
  const shown = answerOf(operation, answer.status)
  if (!operation.spec.contentType && answer.status !== 204) {
    const found = differences(shown, answer.body).filter(
      (each) => !(apart[id] ?? []).some((part) => each.startsWith(part)),
    )
    faults.push(
      ...[
        ...found,
        ...repeated(
          sent,
          operation.envelope === 'bare' ? shown : (shown as Fields).data,
          operation.envelope === 'bare' ? answer.body : answer.body.data,
        ),
      ].map((each) => `${id} ${each}`),
    )
  }
  return operation.envelope === 'bare' ? answer.body : answer.body?.data
}

/** The decision of the samples once more, recorded and approved. */
async function sealed(idempotencyKey: string): Promise<string> {
  const { id } = await fixture.record({
    ...(sampleBody(operationOf('decisionEvents.record')) as Fields),
    idempotencyKey,
  })
  const { status } = await fixture.approve(id, sampleBody(operationOf('approvals.create')) as Fields)
  expect(status).toBe(200)
  return id
}

/** The first attempt to deliver is made in the background. */
const attempted = (webhookId: string, eventId: string) =>
  vi.waitFor(
    async () => {
      const { body } = await server.call('GET', `/api/v1/webhooks/${webhookId}/deliveries/${eventId}/attempts`, {
        token: all,
      })
      expect(body.data).toHaveLength(1)
    },
    { timeout: 30_000, interval: 200 },
  )

it('keys and decisions', async () => {
  await send('apiKeys.getOwn')
  const { id } = await send('decisionEvents.record')
  await send('approvals.create', { ids: [id] })
  await send('decisionEvents.get', { ids: [id] })
  await send('decisionEvents.list')
  const { actionDigest } = (await fixture.v1('GET', `/api/v1/decision-events/${id}`)).body.data
  await send('decisionEvents.consume', { ids: [id], body: { actionDigest } })
  await send('decisionEvents.reportOutcome', { ids: [id] })
  const { id: waiting } = await fixture.record({ action: { type: 'stock.count', description: 'Count' } })
  await send('decisionEvents.withdraw', { ids: [waiting], token: fixture.key })
})

it('agents', async () => {
  const answer = await send('agents.decide')
  expect(answer.decisionId).toBe(keyOf(operationOf('agents.decide')))
  expect(answer.approvalUrl).toContain(`/approve/${answer.eventId}`)
})

it('evidence and logs', async () => {
  const id = await sealed('plan-102-again')
  await send('evidence.get', { ids: [id] })
  await send('evidence.export', { ids: [id] })
  await send('dpus.getState', { ids: [id] })
  await send('chains.listEntries', { ids: ['proof'] })
  await send('chains.getCheckpoint', { ids: ['proof'] })
  await send('chains.getInclusionProof', { ids: ['proof', 0] })
  await send('chains.getConsistencyProof', { ids: ['proof'], query: '?from=1' })
  await send('chains.listGenerations', { ids: ['proof'] })
})

it('webhooks and events', async () => {
  await send('webhooks.listEventTypes')
  const { id } = await send('webhooks.register', { body: { url: 'http://127.0.0.1:9/countersign' } })
  await send('webhooks.list')
  await send('webhooks.update', { ids: [id] })
  const { eventId } = await send('webhooks.test', { ids: [id] })
  await send('events.publish')
  await send('webhooks.listDeliveries', { ids: [id] })
  await send('webhooks.listEvents', { ids: [id] })
  await attempted(id, eventId)
  await send('webhooks.listAttempts', { ids: [id, eventId] })
  await send('webhooks.retryEvent', { ids: [eventId] })
  const { id: recovery } = await send('webhooks.recover', { ids: [id] })
  await send('webhooks.getRecovery', { ids: [id, recovery] })
  await send('webhooks.rotateSecret', { ids: [id] })
  await send('webhooks.delete', { ids: [id] })
})

it('policies', async () => {
  await send('policies.check')
  await send('policies.export')
  await send('policies.import', { query: '?dryRun=true', status: 200 })
})

it('sandboxes and their test people', async () => {
  const { id, key } = await send('sandboxes.add')
  await send('sandboxes.list')
  await send('testPeople.list', { token: key.key })
  const decided = await server.call('POST', '/api/v1/agents/decide', {
    token: key.key,
    body: { agent: { id: 'agent-7' }, action: { type: 'stock.reorder', description: 'Order', input: {} } },
  })
  await send('testPeople.approve', { token: key.key, body: { eventId: decided.body.data.eventId } })
  await send('sandboxes.refresh', { ids: [id] })
  await send('sandboxes.end', { ids: [id] })
})

describe('every operation', () => {
  // Its request names the minute in which an answer is still wanted, so it has a test of its own.
  const elsewhere = ['agents.requestApproval']
  it('of the Proof API has been sent', () => {
    const proof = operations.filter(({ spec }) => spec.surface === 'proof').map(({ id }) => id)
    expect(proof.filter((id) => !covered.has(id) && !elsewhere.includes(id))).toEqual([])
  })

  it('answers with what the page shows', () => {
    expect(faults).toEqual([])
  })

  it('a member that is missing and a value that is another one are found', () => {
    expect(differences({ data: { id: 'a', more: 1 } }, { data: { id: 'b', other: 1 } })).toHaveLength(2)
    expect(repeated({ won: 5 }, { won: 5 }, { won: 6 })).toHaveLength(1)
  })
})
