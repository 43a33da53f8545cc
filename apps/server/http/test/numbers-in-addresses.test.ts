import * as operations from '@countersign/contract/operations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { openPartner, type PartnerFixture } from '../../features/centers/partner/test/fixture.ts'

let server: TestServer
let fixture: ProofFixture
let partner: PartnerFixture
beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  await fixture.decide()
  partner = await openPartner(server)
})
afterAll(() => server.close())

const odd = ['Infinity', '-Infinity', 'NaN', '1e309', '9'.repeat(200), '0x1', '+1', '1e0', '%201', '1.0', '-0', '１']

describe('422: a number that is not decimal digits, on the Proof API', () => {
  it.each(odd)('%s', async (text) => {
    for (const path of [
      `decision-events?limit=${text}`,
      `decision-events?offset=${text}`,
      `chains/proof/entries?from=${text}`,
      `chains/proof/proofs/${text}`,
      `chains/proof/proofs/0?size=${text}`,
      `chains/proof/consistency?from=${text}`,
      `chains/proof/consistency?from=1&to=${text}`,
    ]) {
      const { status, body } = await fixture.v1('GET', `/api/v1/${path}`)
      expect([path, status, body.error?.code]).toEqual([path, 422, 'VALIDATION_ERROR'])
    }
  })
})

describe('400: a number that is not decimal digits, on the platform', () => {
  it.each(odd)('%s', async (text) => {
    for (const path of [
      `/partner/centers/${text}`,
      `/partner/centers?page=${text}`,
      `/partner/centers?limit=${text}`,
      `/partner/members?page=${text}`,
      `/partner/audit?limit=${text}`,
    ]) {
      const { status, body } = await partner.call('GET', path)
      expect([path, status, body.error?.code]).toEqual([path, 400, 'VALIDATION_ERROR'])
    }
  })

  it('accepts one address per center: no other spelling of its id changes it', async () => {
    const center = await partner.center({ name: 'Before' })
    for (const spelled of [`0x${center.id.toString(16)}`, `+${center.id}`, `${center.id}e0`, `%20${center.id}`]) {
      const { status } = await partner.call('PATCH', `/partner/centers/${spelled}`, { name: 'After' })
      expect([spelled, status]).toEqual([spelled, 400])
    }
    const { status, body } = await partner.call('GET', `/partner/centers/${center.id}`)
    expect([status, body.data.name]).toEqual([200, 'Before'])
  })
})

it('declares every number in a path or a query of the contract as an integer with a minimum and a maximum', () => {
  const numbers = operations.operations.flatMap(({ id, spec }) =>
    [spec.params, spec.query].flatMap((schema) => {
      const { properties = {} } = (schema ?? {}) as { properties?: Record<string, Record<string, unknown>> }
      return Object.entries(properties)
        .filter(([, { type }]) => type !== 'string')
        .map(([name, { type, minimum, maximum }]) => [`${id} ${name}`, type, typeof minimum, typeof maximum])
    }),
  )
  expect(numbers.length).toBeGreaterThan(10)
  for (const each of numbers) expect(each.slice(1)).toEqual(['integer', 'number', 'number'])
})
