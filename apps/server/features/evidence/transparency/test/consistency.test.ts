import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { openReader } from './log-reader.ts'

let server: TestServer
let fixture: ProofFixture
const notes: string[] = []
const grown = 6

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  for (let i = 0; i < grown; i++) {
    await fixture.decide()
    notes.push((await fixture.v1('GET', '/api/v1/chains/proof/checkpoint')).body.data.checkpoint)
  }
})
afterAll(() => server.close())

const consistency = (query: string, asked = fixture) => asked.v1('GET', `/api/v1/chains/proof/consistency${query}`)

describe('200', () => {
  it('leads from every checkpoint to every later one, and not to another history', async () => {
    const reader = await openReader(fixture)
    const said = notes.map(reader.said)
    expect(said.map(({ size }) => size)).toEqual([1, 2, 3, 4, 5, 6])
    for (const [at, older] of said.entries()) {
      for (const newer of said.slice(at)) expect(await reader.continues(older, newer)).toBe(true)
    }
    const forged = { ...(said[2] as (typeof said)[0]), root: new Uint8Array(32) }
    expect(await reader.continues(forged, said[5] as (typeof said)[0])).toBe(false)
  })

  it('leads to the newest by default, and is empty from size 0 and from the same size', async () => {
    const { data } = (await consistency('?from=3')).body
    expect(data).toEqual({
      log: `countersign.test/c/${fixture.center.id}/proof`,
      from: 3,
      to: grown,
      consistencyProof: expect.arrayContaining([expect.stringMatching(/^[\w+/]{43}=$/)]),
    })
    for (const from of [0, grown]) {
      expect((await consistency(`?from=${from}`)).body.data).toMatchObject({ from, to: grown, consistencyProof: [] })
    }
  })

  it("covers the caller's own chain", async () => {
    const other = await openProofFixture(server)
    await other.decide()
    expect((await consistency('?from=1', other)).body.data).toMatchObject({
      log: `countersign.test/c/${other.center.id}/proof`,
      to: 1,
    })
    expect((await consistency('?from=3', other)).status).toBe(404)
  })
})

describe('404 NOT_FOUND', () => {
  it.each(['?from=7', '?from=5&to=4', '?from=1&to=7', '?from=1&to=0', `?from=${Number.MAX_SAFE_INTEGER}`])(
    'for sizes that the chain never had, or that decrease: %s',
    async (query) => {
      const { status, body } = await consistency(query)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    },
  )

  it('for an empty chain', async () => {
    expect((await consistency('?from=0', await openProofFixture(server))).status).toBe(404)
  })
})

it.each(['', '?from=-1', '?from=1.5', '?from=x', '?from=1&to=x'])('422 VALIDATION_ERROR for "%s"', async (query) => {
  const { status, body } = await consistency(query)
  expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
})
