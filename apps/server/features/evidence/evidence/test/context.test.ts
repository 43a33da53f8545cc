import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProofFixture, startProofFixture } from '../../../../../../tests/support/proof-fixture.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const path = '/schema/decision-proof/v2'

/** All member names of a document, at any depth, except inside members that may be any JSON. */
function namesIn(value: unknown, opaque: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => namesIn(each, opaque))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...(opaque.has(name) ? [] : namesIn(inner, opaque))])
}

describe('200', () => {
  it('is public, without a credential, at the URL that exports name', async () => {
    const { status, headers, body } = await fixture.server.call('GET', path)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/ld+json'])
    const event = await fixture.record()
    await fixture.approve(event.id)
    const exported = (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body
    expect(new URL(exported['@context']).pathname).toBe(path)
    expect(body['@context']['@vocab']).toBe(`${exported['@context']}#`)
  })

  it('defines every member of every export', async () => {
    const context = (await fixture.server.call('GET', path)).body['@context'] as Record<string, { '@type'?: string }>
    const opaque = new Set(Object.keys(context).filter((name) => context[name]?.['@type'] === '@json'))
    await fixture.policy({ dualApproval: true }, { match: { actionTypes: ['plan.*'] } })
    const event = await fixture.record()
    for (const id of ['kim', 'lee']) {
      await fixture.approve(event.id, { approver: { id, type: 'human', name: id }, reason: 'Agreed.' })
    }
    const dpu = await fixture.unit({ referenceId: 'r-1', tags: ['t'] })
    await fixture.platform('PUT', `/api/dpu/${dpu.id}`, { evidenceLevel: 'DOCUMENTED', metadata: { reason: 'x' } })
    for (const exported of [
      await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`),
      await fixture.platform('GET', `/api/dpu/${dpu.id}/export`),
    ]) {
      expect(exported.status).toBe(200)
      const names = namesIn(exported.body, opaque).filter((name) => !name.startsWith('@'))
      expect([...new Set(names)].filter((name) => !(name in context))).toEqual([])
    }
  })
})
