import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProofFixture, startProofFixture } from '../../../../../../tests/support/proof-fixture.ts'

let fixture: ProofFixture & { close(): Promise<void> }
const ids: string[] = []

beforeAll(async () => {
  fixture = await startProofFixture()
  for (let n = 0; n < 5; n++) {
    const body = { content: `Unit ${n}`, tags: n % 2 ? ['odd', 'all'] : ['all'], referenceId: `ref-${n % 3}` }
    ids.push((await fixture.platform('POST', '/api/dpu/demo', body)).body.data.id)
  }
  await fixture.raise(ids[0] as string, 'DOCUMENTED')
})
afterAll(() => fixture.close())

const list = (query = '') => fixture.platform('GET', `/api/dpu?${query}`)
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)
const newestFirst = (...wanted: number[]) => wanted.map((n) => ids[n] as string)

describe('GET /dpu', () => {
  it('200 with the units, newest first, and the numbers by level', async () => {
    const { status, body } = await list()
    expect([status, idsOf(body)]).toEqual([200, newestFirst(4, 3, 2, 1, 0)])
    expect(body.counts.byEvidenceLevel).toEqual({ DRAFT: 4, DOCUMENTED: 1, AUDIT_READY: 0 })
    const whole = (await fixture.platform('GET', `/api/dpu/${ids[0]}`)).body.data
    const { createdBy, workflowId, ...shared } = body.data.at(-1)
    expect(whole).toMatchObject(shared)
    expect([createdBy.id, workflowId]).toEqual([whole.createdBy, null])
  })

  it.each([
    ['evidenceLevel=DRAFT', [4, 3, 2, 1]],
    ['evidenceLevel=AUDIT_READY', []],
    ['tag=odd', [3, 1]],
    ['tag=none', []],
    ['referenceId=ref-0', [3, 0]],
    ['referenceId=ref-0&tag=odd', [3]],
    ['referenceId=ref-0&evidenceLevel=DOCUMENTED', [0]],
    ['workflowId=wfl_x', []],
    ['from=2999-01-01T00:00:00Z', []],
    ['to=2999-01-01T00:00:00Z&tag=all', [4, 3, 2, 1, 0]],
  ])('200 with exactly what matches: %s', async (query, wanted) => {
    const { body } = await list(query)
    expect([idsOf(body), body.pagination.total]).toEqual([newestFirst(...wanted), wanted.length])
  })

  it('200 by cursor, and by page', async () => {
    const first = await list('limit=2&tag=all')
    const second = await list(`limit=2&tag=all&cursor=${first.body.pagination.nextCursor}`)
    expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual(newestFirst(4, 3, 2, 1))
    expect(idsOf((await list('limit=2&page=3')).body)).toEqual(newestFirst(0))
    expect((await list('limit=5')).body.pagination.nextCursor).toBeNull()
  })

  it('200 finds a sealed decision by its tag, and a redacted tag finds nothing any more', async () => {
    const made = await fixture.platform('POST', '/api/dpu/demo', { content: 'x', tags: ['secret'] })
    const path = `/api/dpu/${made.body.data.id}/redactions`
    const answer = await fixture.platform('POST', path, { paths: ['tags'], reason: 'asked for' })
    expect(answer.status).toBe(201)
    expect((await list('tag=secret')).body.pagination.total).toBe(0)
    const { id } = await fixture.record({ tags: ['care-plan'] })
    await fixture.approve(id)
    const [decision] = (await list('limit=1')).body.data
    expect(decision).toMatchObject({
      domain: 'proof',
      evidenceLevel: 'AUDIT_READY',
      status: 'sealed',
      tags: ['care-plan'],
    })
    expect(idsOf((await list('tag=care-plan')).body)).toEqual([decision.id])
    const unsaid = await fixture.platform('POST', `/api/dpu/${decision.id}/redactions`, {
      ...{ paths: ['event.tags'], reason: 'asked for' },
    })
    expect(unsaid.status).toBe(201)
    expect((await list('tag=care-plan')).body.pagination.total).toBe(0)
  })

  it.each(['evidenceLevel=HIGH', 'cursor=dpu_nonsense', 'limit=101', 'status=sealed'])('400 for %s', async (query) => {
    const { status, body } = await list(query)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})
