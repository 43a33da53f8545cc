/** A misspelled filter must not show everything: lists refuse query parameters that they do not know. */
import { isList } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Cast, gather } from './cast.ts'
import { sampleEnv } from './sample.ts'
import { samples } from './samples.ts'
import { sendSample } from './send-sample.ts'

let server: TestServer
let cast: Cast

beforeAll(async () => {
  server = await startServer({ env: sampleEnv })
  cast = await gather(server)
})
afterAll(() => server.close())

/** Lists of the specification, which does not let them refuse a parameter; its list of decisions refuses them, too. */
const specified = [
  'centers.list',
  'instructors.list',
  'bookings.listSlots',
  'provisioning.listCenterPlans',
  'provisioning.listLmsPlans',
  'partner.listCenters',
  'partner.listAuditEntries',
  'partner.listMembers',
  'webhooks.list',
  'webhooks.listDeliveries',
  'workflows.list',
  'executions.list',
]

const lists = operations.filter(({ spec }) => isList(spec)).map((operation) => [operation.id, operation] as const)

async function answerWith(operation: (typeof operations)[number], parameter: string) {
  const call = (await samples[operation.id]?.call(server, cast)) ?? {}
  const { kind } = operation.spec.access
  const token = call.token ?? (await cast.credential('right', kind === 'public' ? 'actor' : kind))
  const query = [call.query, parameter].filter(Boolean).join('&')
  return sendSample(server, operation, { ...call, query }, token)
}

describe.each(lists)('%s', (id, operation) => {
  it(specified.includes(id) ? 'ignores an unknown parameter' : 'refuses an unknown parameter', async () => {
    const { status, body } = await answerWith(operation, 'statuss=x')
    if (specified.includes(id)) expect(status).toBe(samples[id]?.status)
    else {
      const invalid = operation.spec.surface === 'proof' ? 422 : 400
      const message = '"statuss" isn\'t a known field. Leave it out.'
      expect([status, body.error.code, body.error.message]).toEqual([invalid, 'VALIDATION_ERROR', message])
    }
  })
})

describe('every list of the platform', () => {
  const paged = lists.filter(([, { spec }]) => spec.surface === 'platform' && spec.contentType === undefined)
  it.each(paged)('%s accepts page and limit', async (id, operation) => {
    expect((await answerWith(operation, 'page=1&limit=20')).status).toBe(samples[id]?.status)
  })
})
