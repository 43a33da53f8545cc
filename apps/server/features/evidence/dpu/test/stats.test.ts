import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'

let server: TestServer
let north: ProofFixture
let south: ProofFixture
beforeAll(async () => {
  server = await startServer({ cells: ['north', 'south'] })
  north = await openProofFixture(server, { cell: 'north' })
  south = await openProofFixture(server, { cell: 'south' })
  await server.world.query(`update directory.centers set vertical = 'pharmacy' where id = $1`, [south.center.id])
  // The facts of a center are cached for less than a second.
  await new Promise((resolve) => setTimeout(resolve, 1000))
})
afterAll(() => server.close())

/** Platform statistics are cached for two seconds; a later clock forces a new read. */
let ahead = 0
async function stats(fixture: ProofFixture) {
  ahead += 5000
  const restore = useClock(() => Date.now() + ahead)
  return (await fixture.platform('GET', '/api/dpu/stats').finally(restore)).body.data
}

const none = {
  rehabilitation: 0,
  welfare: 0,
  education: 0,
  pharmacy: 0,
  commerce: 0,
  mentoring: 0,
  interior: 0,
}

it('200: zeros for an empty platform', async () => {
  const empty = { total: 0, byEvidenceLevel: { DRAFT: 0, DOCUMENTED: 0, AUDIT_READY: 0 }, byVertical: none }
  expect(await stats(north)).toEqual({ ...empty, center: empty })
})

it("200: the whole platform over all cells, and the caller's own center", async () => {
  const [first, second] = [await north.unit(), await north.unit()]
  await north.raise(first.id, 'DOCUMENTED')
  await north.raise(second.id, 'AUDIT_READY')
  await north.unit()
  await north.decide()
  await south.unit()
  const event = await south.record()
  await south.approve(event.id)
  // Recorded and not sealed: not a DPU yet.
  await south.record()
  await south.approve((await south.record()).id, { result: 'rejected' })

  const all = {
    total: 7,
    byEvidenceLevel: { DRAFT: 2, DOCUMENTED: 2, AUDIT_READY: 3 },
    byVertical: { ...none, education: 4, pharmacy: 3 },
  }
  expect(await stats(north)).toEqual({
    ...all,
    center: {
      total: 4,
      byEvidenceLevel: { DRAFT: 1, DOCUMENTED: 2, AUDIT_READY: 1 },
      byVertical: { ...none, education: 4 },
    },
  })
  expect(await stats(south)).toEqual({
    ...all,
    center: {
      total: 3,
      byEvidenceLevel: { DRAFT: 1, DOCUMENTED: 0, AUDIT_READY: 2 },
      byVertical: { ...none, pharmacy: 3 },
    },
  })
})

it('200: names no center', async () => {
  const { text } = await north.platform('GET', '/api/dpu/stats')
  for (const { domain } of [north.center, south.center]) expect(text).not.toContain(domain)
})

it('counts in the transaction of the change, so that a failed change is not counted', async () => {
  const before = (await stats(north)).center.total
  expect((await north.platform('POST', '/api/dpu/demo', { referenceType: 'x' })).status).toBe(400)
  const { id } = await north.unit()
  expect((await north.raise(id, 'DRAFT')).status).toBe(400)
  expect((await stats(north)).center.total).toBe(before + 1)
})
