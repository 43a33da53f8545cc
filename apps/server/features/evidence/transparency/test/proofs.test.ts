import { parseTlogProof } from '@countersign/proof/tlog-proof.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { decideMany, openReader } from './log-reader.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const proof = (fixture: ProofFixture, index: number | string, query = '', domain = 'proof') =>
  fixture.v1('GET', `/api/v1/chains/${domain}/proofs/${index}${query}`)

describe('200', () => {
  it('leads from an entry to the newest checkpoint, also as one portable text', async () => {
    const fixture = await openProofFixture(server)
    const reader = await openReader(fixture)
    for (let i = 0; i < 3; i++) await fixture.decide()
    const hashes = await reader.hashes()
    for (const [index, hash] of hashes.entries()) expect(await reader.proves(hash, index)).toBe(true)
    expect(await reader.proves(hashes[1] as string, 0)).toBe(false)

    const { data } = (await proof(fixture, 1)).body
    expect(Object.keys(data).sort()).toEqual(['checkpoint', 'inclusionProof', 'index', 'log', 'size', 'tlogProof'])
    const carried = parseTlogProof(data.tlogProof)
    expect(carried.index).toBe(1)
    expect(carried.note).toBe(data.checkpoint)
    expect(carried.hashes.map((hash) => Buffer.from(hash).toString('base64'))).toEqual(data.inclusionProof)
  })

  it('has no hashes for a single entry', async () => {
    const fixture = await openProofFixture(server)
    await fixture.decide()
    const { data } = (await proof(fixture, 0)).body
    expect([data.size, data.inclusionProof]).toEqual([1, []])
  })

  it('covers changes in the chain history', async () => {
    const fixture = await openProofFixture(server)
    await fixture.raise((await fixture.unit()).id, 'DOCUMENTED')
    const { data } = (await proof(fixture, 0, '', 'history')).body
    expect(data.log).toBe(`countersign.test/c/${fixture.center.id}/history`)
  })

  it('exists under every checkpoint: 600 entries, each under old and new sizes', {
    timeout: 600_000,
  }, async () => {
    const fixture = await openProofFixture(server)
    const reader = await openReader(fixture)
    await decideMany(fixture, 600)
    const hashes = await reader.hashes()
    expect(hashes).toHaveLength(600)
    const rows = await server.world.query<{ size: number }>(
      `select size::int from cell.checkpoints where center_id = $1 and domain = 'proof' order by size`,
      [fixture.center.id],
    )
    const sizes = rows.map(({ size }) => size)
    // Sizes within the first tile, near its end, in the second tile, and the newest.
    const below = (limit: number) => sizes.findLast((size) => size <= limit) as number
    const chosen = [...new Set([sizes[0] as number, below(255), below(400), 600])]
    expect(chosen.length).toBeGreaterThan(2)
    const missed: string[] = []
    for (const size of chosen) {
      for (let from = 0; from < size; from += 8) {
        const part = hashes.slice(from, Math.min(size, from + 8))
        const proved = await Promise.all(part.map((hash, at) => reader.proves(hash, from + at, size)))
        missed.push(...proved.flatMap((holds, at) => (holds ? [] : [`${from + at} of ${size}`])))
      }
    }
    expect(missed).toEqual([])
    const tiles = await server.world.query(
      'select level, n::int from cell.tree_tiles where center_id = $1 order by 1, 2',
      [fixture.center.id],
    )
    expect(tiles).toEqual([
      { level: 0, n: 0 },
      { level: 0, n: 1 },
    ])
  })
})

describe('404 NOT_FOUND', () => {
  it('for an entry that does not exist, and for one beyond the requested size', async () => {
    const fixture = await openProofFixture(server)
    const empty = await proof(fixture, 0)
    expect([empty.status, empty.body.error.code]).toEqual([404, 'NOT_FOUND'])
    await fixture.decide()
    await fixture.decide()
    for (const [index, query] of [
      [2, ''],
      [1, '?size=1'],
      [Number.MAX_SAFE_INTEGER, ''],
    ] as const) {
      const { status, body } = await proof(fixture, index, query)
      expect([index, status, body.error.code]).toEqual([index, 404, 'NOT_FOUND'])
      expect(body.error.message).toContain(`no entry with the index ${index}`)
    }
  })

  it('for a size without a checkpoint', async () => {
    const fixture = await openProofFixture(server)
    await fixture.decide()
    for (const size of [0, 2, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await proof(fixture, 0, `?size=${size}`)
      expect([status, body.error.message]).toEqual([404, expect.stringContaining(`no checkpoint at ${size} entries`)])
    }
  })

  it('for an entry that only another tenant has', async () => {
    const [mine, theirs] = [await openProofFixture(server), await openProofFixture(server)]
    await mine.decide()
    await mine.decide()
    await theirs.decide()
    expect((await proof(theirs, 1)).status).toBe(404)
    expect((await proof(theirs, 0)).body.data.log).toContain(`/c/${theirs.center.id}/`)
  })
})

describe('422 VALIDATION_ERROR', () => {
  it.each(['-1', '1.5', 'first', '9007199254740993'])('for the index %s', async (index) => {
    const fixture = await openProofFixture(server)
    const { status, body } = await proof(fixture, index)
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
  })

  it('for an invalid size or chain', async () => {
    const fixture = await openProofFixture(server)
    expect((await proof(fixture, 0, '?size=many')).status).toBe(422)
    expect((await proof(fixture, 0, '', 'votes')).status).toBe(422)
  })
})

describe('422 CHAIN_BROKEN', () => {
  /** Rewrites as a superuser, past every trigger, with a hash that fits the new content. */
  const forge = (fixture: ProofFixture, index: number, content: string) =>
    server.world.query(`
      set session_replication_role = replica;
      update cell.entries e set template = f.content, hashes = null,
        hash = sha256(convert_to(f.content || coalesce(c.previous_hash, '') || c.sealed_at, 'UTF8'))
      from cell.chain_entries c cross join lateral (select ${content} as content) f
      where c.center_id = e.center_id and c.domain = e.domain and c.idx = e.idx and e.center_id = ${fixture.center.id} and e.domain = 'proof' and e.idx = ${index};
      set session_replication_role = origin`)

  it('for an entry that differs from the signed one; earlier entries can still be proved', async () => {
    const fixture = await openProofFixture(server)
    const reader = await openReader(fixture)
    for (let i = 0; i < 3; i++) await fixture.decide()
    await forge(fixture, 2, `content || ' '`)
    const { status, body } = await proof(fixture, 2)
    expect([status, body.error.code, body.error.details]).toEqual([
      422,
      'CHAIN_BROKEN',
      { domain: 'proof', brokenAt: 2 },
    ])
    const [first] = await reader.hashes()
    expect(await reader.proves(first as string, 0, 2)).toBe(true)
  })

  it('until the entry is restored: rewritten tiles are not cached', async () => {
    const fixture = await openProofFixture(server)
    const reader = await openReader(fixture)
    await fixture.decide()
    await fixture.decide()
    const hashes = await reader.hashes()
    await forge(fixture, 0, `content || ' '`)
    expect((await proof(fixture, 1)).status).toBe(422)
    await forge(fixture, 0, 'rtrim(content)')
    expect(await reader.proves(hashes[1] as string, 1)).toBe(true)
  })
})
