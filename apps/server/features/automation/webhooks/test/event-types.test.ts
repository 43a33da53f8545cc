import { eventTypes } from '@countersign/contract/webhook-events.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyAjv } from '../../../../http/validation.ts'
import { type Fixture, startFixture } from './fixture.ts'
import { refusesOthers } from './refusals.ts'

const path = '/api/v1/webhooks/event-types'
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

interface Shown {
  readonly type: string
  readonly description: string
  readonly schema: { readonly required?: readonly string[] }
  readonly example: Readonly<Record<string, unknown>>
}
const shown = async (): Promise<Shown[]> => (await fixture.v1('GET', path)).body.data

describe('200', () => {
  it('lists the nine types of the specification and our own, each described', async () => {
    const found = await shown()
    expect(found.map(({ type }) => type)).toEqual([
      'dpu.sealed',
      'dpu.raised',
      'dpu.verified',
      'agent.decision.completed',
      'agent.approval.requested',
      'agent.approval.decided',
      'agent.approval.commented',
      'agent.approval.confirmed',
      'agent.approval.objected',
      'agent.approval.unconfirmed',
      'agent.frozen',
      'agent.resumed',
      'payment.completed',
      'payment.failed',
      'attendance.verified',
      'certificate.issued',
      'workflow.transitioned',
      'integrity.alarm',
      'integrity.loss',
    ])
    for (const { description } of found) expect(description.length).toBeGreaterThan(20)
  })

  it('describes dpu.sealed as the specification shows it', async () => {
    const [sealed] = (await shown()) as [Shown]
    expect(sealed.schema.required).toEqual(expect.arrayContaining(['dpuId', 'chainHash', 'domain', 'actorId']))
    expect(sealed.example.chainHash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('accepts a key that may only read', async () => {
    const token = await fixture.server.world.key(fixture.center, { scopes: ['proof:read'] })
    expect((await fixture.server.call('GET', path, { token })).status).toBe(200)
  })
})

describe.each(Object.keys(eventTypes))('the schema of %s, as a consumer reads it', (type) => {
  const of = async () => (await shown()).find((each) => each.type === type) as Shown

  it('accepts its example, with members that a later version adds', async () => {
    const { schema, example } = await of()
    const check = bodyAjv.compile(structuredClone(schema))
    expect([check(example), check.errors]).toEqual([true, null])
    expect(check({ ...example, addedLater: [1, 2] })).toBe(true)
  })

  it('refuses its example without any field that it requires, and any field that is a list', async () => {
    const { schema, example } = await of()
    const check = bodyAjv.compile(structuredClone(schema))
    const required = schema.required ?? []
    // Members of events of companion apps are optional, but for the unit that proves a certificate; ours are required.
    const fromApps = /^(payment|attendance)\./.test(type)
    expect(required.length > 0).toBe(!fromApps)
    for (const field of required) {
      const { [field]: _, ...rest } = example
      expect([field, check(rest)]).toEqual([field, false])
    }
    for (const field of Object.keys(example)) {
      expect([field, check({ ...example, [field]: [[]] })]).toEqual([field, false])
    }
  })
})

refusesOthers(() => fixture, 'proof:read', { method: 'GET', path })
