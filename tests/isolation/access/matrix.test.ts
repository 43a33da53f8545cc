import type { ActorRole, PartnerRole, Scope } from '@countersign/contract/enums.ts'
import { type Access, fullPath, type Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../support/contract-check.ts'
import { offenders } from '../../support/offenders.ts'
import { sampleEvent } from '../../support/samples.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { hasTurn } from '../../support/turn.ts'
import { type Caller, type Cast, callers, gather, kindFor } from './cast.ts'
import { type SampleCall, sampleEnv } from './sample.ts'
import { samples } from './samples.ts'
import { sendSample } from './send-sample.ts'

let server: TestServer
let cast: Cast

beforeAll(async () => {
  // A sample of most operations makes a key of its own, and some call a sign-in provider on this machine.
  server = await startServer({ env: sampleEnv })
  cast = await gather(server)
})
afterAll(() => server.close())

const idOf = ({ id }: Operation): string => id

interface Expected {
  readonly status: number
  readonly code?: string
}

/** The rights of a credential, in the terms of the contract. */
const roleOf: Partial<Record<Caller, ActorRole>> = {
  'read-only': 'CHILD',
  'other role': 'INSTRUCTOR',
  'other tenant': 'ADMIN',
  right: 'ADMIN',
}
const partnerRoleOf: Partial<Record<Caller, PartnerRole>> = {
  'other role': 'PARTNER_OPERATOR',
  'other tenant': 'PARTNER_ADMIN',
  right: 'PARTNER_ADMIN',
}
const scopesOf: Partial<Record<Caller, readonly Scope[]>> = {
  'read-only': ['proof:read'],
  'other role': ['events:write'],
  'other tenant': ['proof:read', 'proof:write', 'events:write', 'policies:write', 'sandboxes:write'],
  right: ['proof:read', 'proof:write', 'proof:approve', 'events:write', 'policies:write', 'sandboxes:write'],
}

function refusal(access: Access, caller: Caller): Expected | null {
  if (access.kind === 'public') return null
  if (caller === 'expired' && access.kind !== 'key') return { status: 401, code: 'TOKEN_EXPIRED' }
  if (['none', 'wrong kind', 'expired', 'revoked'].includes(caller)) return { status: 401, code: 'UNAUTHORIZED' }
  if (access.kind === 'key') {
    return scopesOf[caller]?.includes(access.scope) ? null : { status: 403, code: 'FORBIDDEN' }
  }
  if (access.kind === 'operator') return caller === 'right' ? null : { status: 403, code: 'FORBIDDEN' }
  if (access.kind === 'partner') {
    const role = partnerRoleOf[caller]
    if (!role) return { status: 403, code: 'FORBIDDEN' }
    return access.roles.includes(role) ? null : { status: 403, code: 'INSUFFICIENT_ROLE' }
  }
  // The path names the center: its existence is public, and only its members get further.
  if (access.center === 'addressed' && caller === 'other tenant') return { status: 403, code: 'NO_MEMBERSHIP' }
  const admitted = !access.roles || access.roles.includes(roleOf[caller] as ActorRole)
  return admitted ? null : { status: 403, code: 'INSUFFICIENT_ROLE' }
}

function expected({ id, spec }: Operation, caller: Caller): Expected {
  const sample = samples[id]
  if (!sample) throw new Error(`the operation ${id} has no sample: add one to tests/isolation/access/samples.ts`)
  const refused = refusal(spec.access, caller)
  if (refused) return refused
  if (caller === 'other tenant') {
    if (sample.foreign) return sample.foreign
    if (spec.params && spec.access.kind !== 'public' && !sample.namesNothing) return { status: 404, code: 'NOT_FOUND' }
  }
  if (sample.others && caller !== 'right') return sample.others
  return { status: sample.status }
}

const send = (operation: Operation, call: SampleCall, token: string | undefined): Promise<Answer> =>
  sendSample(server, operation, call, token)

const credentialFor = ({ spec: { access } }: Operation, caller: Caller) => cast.credential(caller, kindFor(access))

it('has a sample for every operation and no others', () => {
  expect(Object.keys(samples).sort()).toEqual(operations.map(({ id }) => id).sort())
})

/** The callers that an operation answers otherwise than it declares. */
async function answeredOtherwise(operation: Operation, declared: typeof expected): Promise<string[]> {
  const sample = () => (samples[operation.id] as (typeof samples)[string]).call(server, cast)
  const isRefused = (caller: Caller) => refusal(operation.spec.access, caller) !== null
  // A refused call leaves its sample as it was: all refused callers share one.
  const unused = callers.some(isRefused) ? await sample() : undefined
  return offenders(callers, String, async (caller) => {
    const call = isRefused(caller) && unused ? unused : await sample()
    const begun = caller === 'right' ? call.token : undefined
    const answer = await send(operation, call, begun ?? (await credentialFor(operation, caller)))
    const got = { status: answer.status, code: answer.body?.error?.code }
    expect(got, JSON.stringify(got)).toEqual({ code: undefined, ...declared(operation, caller) })
  })
}

describe('every caller is answered as declared', () => {
  // The longest file of all: half of the operations have their turn in a run of CI.
  const inTurn = operations.filter((_, at) => hasTurn(at, 2))
  it.each(inTurn.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
    expect(await answeredOtherwise(operation, expected)).toEqual([])
  })

  it('and one that is not is listed', async () => {
    const operation = operations.find(({ id }) => id === 'members.invite') as Operation
    const declared = (each: Operation, caller: Caller) =>
      caller === 'expired' ? { status: 200 } : expected(each, caller)
    expect(await answeredOtherwise(operation, declared)).toEqual([expect.stringContaining('"TOKEN_EXPIRED"')])
  })
})

it('the session cookie is refused where an API key is expected', { timeout: 180_000 }, async () => {
  const byKey = operations.filter(({ spec }) => spec.access.kind === 'key')
  expect(byKey.length).toBeGreaterThan(20)
  const cookie = `auth_token=${await cast.credential('right', 'actor')}`
  const admitted = await offenders(byKey, idOf, async ({ id, spec }) => {
    const { body } = await (samples[id] as (typeof samples)[string]).call(server, cast)
    const headers = { cookie, origin: 'http://countersign.test' }
    const answer = await server.call(spec.method, fullPath(spec), { headers, ...(body !== undefined && { body }) })
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })
  expect(admitted).toEqual([])
})

const withoutRequestId = ({ text, body }: Answer): string => text.replaceAll(body?.error?.requestId ?? '\0', '')

const isAddressed = ({ spec: { access } }: Operation): boolean =>
  access.kind === 'actor' && access.center === 'addressed'
const inPath = ({ spec }: Operation): number => [...spec.path.matchAll(/\{\w+\}/g)].length

const withCenter = (call: SampleCall, center: string): SampleCall => ({ ...call, params: { ...call.params, center } })

describe('a center named by the path', () => {
  const addressed = operations.filter(isAddressed)

  it('is addressed by id or by slug, and answers 404 when it does not exist', { timeout: 180_000 }, async () => {
    expect(addressed.length).toBeGreaterThan(5)
    const otherwise = await offenders(addressed, idOf, async (operation) => {
      const { id } = operation
      const call = await (samples[id] as (typeof samples)[string]).call(server, cast)
      const otherTenant = await credentialFor(operation, 'other tenant')
      const { id: centerId, domain } = cast.center
      const tries: [string, number, string][] = [
        [String(centerId), 403, 'NO_MEMBERSHIP'],
        [domain, 403, 'NO_MEMBERSHIP'],
        ['2000000000', 404, 'CENTER_NOT_FOUND'],
        ['no-such-center', 404, 'CENTER_NOT_FOUND'],
      ]
      for (const [center, status, code] of tries) {
        const answer = await send(operation, withCenter(call, center), otherTenant)
        expect([center, answer.status, answer.body.error.code]).toEqual([center, status, code])
      }
      // A sample may need a center of its own, which it names by its slug.
      const named = call.params?.center === domain ? withCenter(call, String(centerId)) : call
      const member = await send(operation, named, await credentialFor(operation, 'right'))
      expect(member.status).toBe(samples[id]?.status)
    })
    expect(otherwise).toEqual([])
  })
})

/** The same call for the center of the other tenant. */
function inOtherCenter({ spec }: Operation, call: SampleCall): SampleCall {
  const { id, domain } = cast.otherCenter
  if (spec.path.includes('{center}')) return withCenter(call, domain)
  return spec.path.includes('{centerId}') ? { ...call, params: { ...call.params, centerId: String(id) } } : call
}

const naming = operations.filter((operation) => {
  const { nowhere, foreign, namesNothing } = samples[operation.id] ?? {}
  if (nowhere || namesNothing) return nowhere !== undefined
  return foreign || (operation.spec.access.kind !== 'public' && inPath(operation) > (isAddressed(operation) ? 1 : 0))
})

describe('an object of another center', () => {
  it('gets the same answer as one that does not exist', { timeout: 180_000 }, async () => {
    expect(naming.length).toBeGreaterThan(10)
    const told = await offenders(naming, idOf, async (operation) => {
      const { id } = operation
      const sample = samples[id] as (typeof samples)[string]
      if (!sample.nowhere) throw new Error(`the sample of ${id} names no object that exists nowhere`)
      // Where the path names a center it is the caller's own: then the object in it is foreign.
      const asked = (call: SampleCall) => (isAddressed(operation) ? withCenter(call, cast.otherCenter.domain) : call)
      const call = asked(await sample.call(server, cast))
      const foreign = await send(operation, call, await credentialFor(operation, 'other tenant'))
      const missing = asked(sample.nowhere(cast))
      const nowhere = await send(operation, missing, await credentialFor(operation, 'other tenant'))
      if (isAddressed(operation)) expect(foreign.status).toBe(404)
      expect(foreign.status).toBeGreaterThanOrEqual(400)
      expect(nowhere.status).toBe(foreign.status)
      expect(withoutRequestId(nowhere)).toBe(withoutRequestId(foreign))
    })
    expect(told).toEqual([])
  })
})

describe('a list', () => {
  it('shows nothing of this center to another tenant', async () => {
    const right = (await cast.credential('right', 'key')) as string
    const event = await server.call('POST', '/api/v1/decision-events', { token: right, body: sampleEvent() })
    const token = (await cast.credential('right', 'actor')) as string
    const approved = await server.call('POST', `/api/v1/decision-events/${event.body.data.id}/approvals`, {
      token: right,
      body: { approver: { id: 'one-of-this-center', type: 'human' }, result: 'approved' },
    })
    const policy = await server.call('POST', '/api/policies', {
      token,
      body: { name: 'of this center', match: { actionTypes: ['never'] }, guards: { humanReview: true } },
    })
    const keys = await server.call('GET', '/api/api-keys', { token })
    const webhook = await server.call('POST', '/api/v1/webhooks', {
      token: right,
      body: { url: 'https://of-this-center.example/', events: ['*'] },
    })
    const { center, admin, instructor, child } = cast
    const people = [admin, instructor, child, cast.partnerAdmin].flatMap(({ actorId, email }) => [actorId, email])
    const marks = [
      event.body.data.id,
      event.body.data.evidence.id,
      approved.body.data.sealedHash,
      policy.body.data.id,
      webhook.body.id,
      'of-this-center.example',
      ...keys.body.data.map((each: { id: string }) => each.id),
      center.domain,
      ...people,
    ]
    // Operators read over all centers, and no other tenant is one.
    const lists = operations.filter(
      ({ spec }) => spec.method === 'GET' && !['public', 'operator'].includes(spec.access.kind),
    )
    for (const operation of lists.filter((each) => !naming.includes(each))) {
      const call = await (samples[operation.id] as (typeof samples)[string]).call(server, cast)
      const own = inOtherCenter(operation, call)
      const answer = await send(operation, own, await credentialFor(operation, 'other tenant'))
      expect([operation.id, answer.status]).toEqual([operation.id, 200])
      expect(marks.filter((mark) => answer.text.includes(mark))).toEqual([])
    }
  })
})
