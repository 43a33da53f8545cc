/** A center with people and keys, and helpers that record, approve, decide and create policies in it. */
import { agreed, open } from './approving.ts'
import type { Answer } from './contract-check.ts'
import { sampleEvent } from './samples.ts'
import { startServer, type TestServer } from './server.ts'
import type { Center, Person } from './world.ts'

type Body = Record<string, unknown>

export interface ProofFixture {
  readonly server: TestServer
  readonly center: Center
  readonly admin: Person
  readonly instructor: Person
  /** Access tokens of the two members. */
  readonly token: string
  readonly instructorToken: string
  readonly key: string
  /** Calls with the API key of the fixture. */
  v1(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Calls as the administrator. */
  platform(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** A recorded event. */
  record(overrides?: Body): Promise<{ id: string; decisionId: string; evidence: { id: string } }>
  /** Names an approver through an API key of their own, which may speak for people. */
  approve(eventId: string, overrides?: Body, headers?: Record<string, string>): Promise<Answer>
  /** Approves as a signed-in member: the administrator, or the holder of the token. */
  approveAsMember(eventId: string, overrides?: Body, token?: string): Promise<Answer>
  decide(overrides?: Body, headers?: Record<string, string>): Promise<Answer>
  /** A new DPU, as the server answered it. */
  unit(overrides?: Body): Promise<Body & { id: string }>
  raise(id: string, evidenceLevel: string, token?: string): Promise<Answer>
  /** A new policy of the center, as the server answered it. It accepts approvers whom a key names. */
  policy(guards: Body, overrides?: Body): Promise<Body & { id: string; version: number; digest: string }>
}

export const approver = (id: string, overrides: Body = {}): Body => ({ approver: { id, type: 'human', ...overrides } })

/** A complete decision: who, what, when, where, why and how. */
export const sampleDecision = (overrides: Body = {}): Body => ({
  agent: { id: 'agent-7', name: 'Stock keeper' },
  action: { type: 'stock.reorder', description: 'Order 40 boxes', output: { boxes: 40 } },
  aiContext: { model: 'keeper-2', confidence: 0.88 },
  reason: 'Nine boxes left.',
  ...overrides,
})

export async function openProofFixture(server: TestServer, options: { cell?: string } = {}): Promise<ProofFixture> {
  const { world } = server
  const center = await world.center(options)
  const [admin, instructor] = [await world.person(), await world.person()]
  await world.member(admin, center, 'ADMIN')
  await world.member(instructor, center, 'INSTRUCTOR')
  const token = (await server.signIn(admin, center.domain)).accessToken
  const instructorToken = (await server.signIn(instructor, center.domain)).accessToken
  const key = await world.key(center)

  const call =
    (credential: string) =>
    (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      server.call(method, path, { token: credential, headers, ...(body !== undefined && { body }) })
  const keys = new Map<string, Promise<string>>()
  const keyOf = (approverId: string): Promise<string> => {
    const known = keys.get(approverId) ?? world.key(center, { scopes: ['proof:approve'] })
    keys.set(approverId, known)
    return known
  }
  const v1 = call(key)
  const asAdmin = call(token)
  const platform: ProofFixture['platform'] = async (...request) =>
    agreed(asAdmin, request, await asAdmin(...request), call(instructorToken))
  async function made(answer: Answer) {
    if (answer.status !== 201) throw new Error(`could not be made: ${answer.text}`)
    return answer.body.data
  }
  return {
    ...{ server, center, admin, instructor, token, instructorToken, key, v1, platform },
    record: async (overrides) => made(await v1('POST', '/api/v1/decision-events', sampleEvent(overrides))),
    async approve(eventId, overrides, headers) {
      const body = { ...approver('therapist-4', { name: 'Kim Minji' }), result: 'approved', ...overrides }
      const own = await keyOf(String((body as { approver?: { id?: unknown } }).approver?.id))
      return call(own)('POST', `/api/v1/decision-events/${eventId}/approvals`, body, headers)
    },
    async approveAsMember(eventId, overrides, as = token) {
      const shown = await open(async (...request) => (await call(as)(...request)).body.data, eventId)
      return call(as)('POST', `/api/decisions/${eventId}/approvals`, { result: 'approved', ...shown, ...overrides })
    },
    decide: (overrides, headers) => v1('POST', '/api/v1/agents/decide', sampleDecision(overrides), headers),
    unit: async (overrides = {}) => made(await platform('POST', '/api/dpu/demo', overrides)),
    raise: (id, evidenceLevel, as = token) =>
      server.call('PUT', `/api/dpu/${id}`, { token: as, body: { evidenceLevel } }),
    policy: async (guards, overrides) =>
      made(
        await platform('POST', '/api/policies', {
          name: 'A policy',
          match: {},
          guards,
          approval: { identity: 'claim' },
          ...overrides,
        }),
      ),
  }
}

/** Starts a server with one such center. */
export async function startProofFixture(): Promise<ProofFixture & { close(): Promise<void> }> {
  const server = await startServer()
  return { ...(await openProofFixture(server)), close: () => server.close() }
}
