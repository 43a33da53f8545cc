import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { openReader } from './log-reader.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const checkpoint = async (fixture: ProofFixture, domain = 'proof') =>
  (await fixture.v1('GET', `/api/v1/chains/${domain}/checkpoint`)).body.data

describe('200', () => {
  it('has the size and the root of a chain in a note that the log signed', async () => {
    const fixture = await openProofFixture(server)
    const reader = await openReader(fixture)
    await fixture.decide()
    const first = await checkpoint(fixture)
    expect(first).toEqual({
      log: `countersign.test/c/${fixture.center.id}/proof`,
      size: 1,
      root: expect.stringMatching(/^[\w+/]{43}=$/),
      checkpoint: expect.any(String),
      anchoring: 'logged',
    })
    const said = reader.said(first.checkpoint)
    expect([said.origin, said.size, Buffer.from(said.root).toString('base64')]).toEqual([first.log, 1, first.root])

    await fixture.decide()
    const second = await checkpoint(fixture)
    expect(second.size).toBe(2)
    expect(await reader.continues(said, reader.said(second.checkpoint))).toBe(true)
  })

  it('does not change while nothing is sealed', async () => {
    const fixture = await openProofFixture(server)
    await fixture.decide()
    const before = await checkpoint(fixture)
    await fixture.record()
    expect(await checkpoint(fixture)).toEqual(before)
  })

  it('is absent for an empty chain', async () => {
    const fixture = await openProofFixture(server)
    for (const domain of ['proof', 'dpu', 'history']) {
      expect(await checkpoint(fixture, domain)).toEqual({
        log: `countersign.test/c/${fixture.center.id}/${domain}`,
        size: 0,
        root: null,
        checkpoint: null,
        anchoring: null,
      })
    }
  })

  it('is separate for each chain', async () => {
    const fixture = await openProofFixture(server)
    await fixture.raise((await fixture.unit()).id, 'DOCUMENTED')
    const sizes = await Promise.all(
      ['proof', 'dpu', 'history'].map(async (each) => (await checkpoint(fixture, each)).size),
    )
    expect(sizes).toEqual([0, 1, 1])
  })

  it('shows each tenant its own chain', async () => {
    const [mine, theirs] = [await openProofFixture(server), await openProofFixture(server)]
    await mine.decide()
    expect((await checkpoint(theirs)).size).toBe(0)
    await theirs.decide()
    const [one, other] = [await checkpoint(mine), await checkpoint(theirs)]
    expect([one.size, other.size]).toEqual([1, 1])
    expect(one.root).not.toBe(other.root)
    expect(other.checkpoint).not.toContain(`/c/${mine.center.id}/`)
  })
})

describe('refuses', () => {
  it('a chain that does not exist, and a key without the permission', async () => {
    const fixture = await openProofFixture(server)
    const unknown = await fixture.v1('GET', '/api/v1/chains/votes/checkpoint')
    expect([unknown.status, unknown.body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    const token = await server.world.key(fixture.center, { scopes: ['events:write'] })
    const barred = await server.call('GET', '/api/v1/chains/proof/checkpoint', { token })
    expect([barred.status, barred.body.error.code]).toEqual([403, 'FORBIDDEN'])
  })
})
