import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Json } from '@countersign/proof/canonical.ts'
import { commitment } from '@countersign/proof/commitment.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface Line {
  readonly index: number
  readonly id: string
  readonly hash: string
  readonly previousHash: string | null
  readonly sealedAt: string
  readonly content: Record<string, unknown>
}

async function lines({ v1 }: ProofFixture, domain = 'proof', query = ''): Promise<readonly Line[]> {
  const { status, headers, text, body } = await v1('GET', `/api/v1/chains/${domain}/entries${query}`)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return body ?? []
}

function verdict(fixture: ProofFixture, domain: string, entries: readonly Line[]) {
  const verifier = chainVerifier({ log: `countersign.test/c/${fixture.center.id}/${domain}` })
  for (const entry of entries) verifier.add(entry)
  return verifier.result()
}

/** Concurrent DPUs: each batch of the sequencer carries many. */
const fill = async (fixture: ProofFixture, count: number) => {
  for (let left = count; left > 0; left -= 100) {
    await Promise.all(Array.from({ length: Math.min(100, left) }, () => fixture.unit()))
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
function heldMemory(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('200', () => {
  it('lists every entry of a chain in order, each with the hashed text', async () => {
    const fixture = await openProofFixture(server)
    const seals: { evidence: string; hash: string }[] = []
    for (let i = 0; i < 3; i++) {
      const event = await fixture.record()
      seals.push({ evidence: event.evidence.id, hash: (await fixture.approve(event.id)).body.data.sealedHash })
    }
    const entries = await lines(fixture)
    expect(entries.map(({ index, id, hash }) => [index, id, hash])).toEqual(
      seals.map(({ evidence, hash }, index) => [index, evidence, hash]),
    )
    expect(verdict(fixture, 'proof', entries)).toMatchObject({ valid: true, chainLength: 3, headHash: seals[2]?.hash })
    expect(entries[1]?.content).toMatchObject({ v: 'dpu-chain-v1', domain: 'proof', index: 1, id: seals[1]?.evidence })
  })

  it('shows no personal data, only commitments', async () => {
    const fixture = await openProofFixture(server)
    const event = await fixture.record({ actor: { id: 'patient-4711', type: 'human', name: 'Hong Gildong' } })
    await fixture.approve(event.id, { reason: 'A secret reason' })
    const { text } = await fixture.v1('GET', '/api/v1/chains/proof/entries')
    for (const value of ['patient-4711', 'Hong Gildong', 'A secret reason', 'Kim Minji', 'Two sessions']) {
      expect(text).not.toContain(value)
    }
  })

  it('can be recomputed for each domain, changes of DPUs and policies included', async () => {
    const fixture = await openProofFixture(server)
    const dpu = await fixture.unit()
    await fixture.platform('PUT', `/api/dpu/${dpu.id}`, { evidenceLevel: 'DOCUMENTED', metadata: { reason: 'x' } })
    await fixture.raise(dpu.id, 'AUDIT_READY')
    const policy = await fixture.policy({ humanReview: true })
    await fixture.platform('DELETE', `/api/policies/${policy.id}`)
    const [dpus, history] = [await lines(fixture, 'dpu'), await lines(fixture, 'history')]
    expect(verdict(fixture, 'dpu', dpus)).toMatchObject({ valid: true, chainLength: 1 })
    expect(verdict(fixture, 'history', history)).toMatchObject({ valid: true, chainLength: 5 })
    expect(history.map(({ content }) => [content.type, content.target])).toEqual([
      ['metadata', dpu.id],
      ['level', dpu.id],
      ['level', dpu.id],
      ['policy', policy.id],
      ['policy', policy.id],
    ])
  })

  it('is empty for an empty chain', async () => {
    expect(await lines(await openProofFixture(server))).toEqual([])
  })

  it("shows the caller's own chain and no other center's", async () => {
    const [one, other] = [await openProofFixture(server), await openProofFixture(server)]
    await one.unit()
    const mine = await other.unit()
    expect((await lines(other, 'dpu')).map(({ id }) => id)).toEqual([mine.id])
  })

  it('continues from an index, so that an interrupted client misses nothing', { timeout: 120_000 }, async () => {
    const fixture = await openProofFixture(server)
    await fill(fixture, 1203)
    const all = await lines(fixture, 'dpu')
    expect(all.map(({ index }) => index)).toEqual(Array.from({ length: 1203 }, (_, index) => index))
    expect(verdict(fixture, 'dpu', all)).toMatchObject({ valid: true, chainLength: 1203 })
    for (const from of [0, 1, 499, 500, 501, 1000, 1202, 1203, 99_999]) {
      expect(await lines(fixture, 'dpu', `?from=${from}`)).toEqual(all.slice(from))
    }

    // Interrupted in the middle of a line, as by a lost connection.
    const response = await fetch(`${server.url}/api/v1/chains/dpu/entries`, {
      headers: { authorization: `Bearer ${fixture.key}` },
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const part = new TextDecoder().decode((await reader.read()).value).slice(0, 2000)
    await reader.cancel()
    const whole = part.split('\n').slice(0, -1)
    const seen = whole.map((line) => JSON.parse(line) as Line)
    const rest = await lines(fixture, 'dpu', `?from=${(seen.at(-1)?.index ?? -1) + 1}`)
    expect([...seen, ...rest]).toEqual(all)
  })

  it('is read page by page: a slow reader keeps neither a statement open nor the chain in memory', {
    timeout: 120_000,
  }, async () => {
    const fixture = await openProofFixture(server)
    await fill(fixture, 1)
    // A long chain; the links do not matter here.
    await server.world.query('alter table cell.entries disable trigger links')
    await server.world.query(
      `insert into cell.entries (center_id, domain, idx, id, template, previous_hash, sealed_at, hash)
       select e.center_id, e.domain, n, gen_random_uuid(), c.content, e.hash, e.sealed_at,
         sha256(convert_to(c.content || 'sha256:' || encode(e.hash, 'hex') || e.sealed_at, 'UTF8'))
       from cell.entries e, generate_series(1, 20000) n
         cross join lateral (select '{"n":' || n || ',"padding":"' || repeat('x', 4000) || '"}') c (content)
       where e.center_id = $1 and e.domain = 'dpu'`,
      [fixture.center.id],
    )
    const before = heldMemory()
    const response = await fetch(`${server.url}/api/v1/chains/dpu/entries`, {
      headers: { authorization: `Bearer ${fixture.key}` },
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    // The reader stops. The server fills the buffers of the connection, and then neither reads on nor keeps a transaction
    // open; a slow machine needs a while for those pages.
    const open = () =>
      server.world.query(
        `select state, query from pg_stat_activity where datname = current_database()
           and application_name = 'countersign cs_api' and state <> 'idle'`,
      )
    await expect.poll(open, { timeout: 20_000, interval: 250 }).toEqual([])
    expect(heldMemory() - before).toBeLessThan(30_000_000)
    let bytes = 0
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) bytes += chunk.value.length
    expect(bytes).toBeGreaterThan(70_000_000)
  })
})

describe('200 with values', () => {
  const valued = async (fixture: ProofFixture, domain: string, query = '') =>
    (await lines(fixture, domain, `?values=true${query}`)) as readonly (Line & {
      readonly values: Record<string, Json>
      readonly salts: Record<string, string>
    })[]

  it('adds what each commitment stands for, in every domain; the entries are the same', async () => {
    const fixture = await openProofFixture(server)
    const policy = await fixture.policy({ humanReview: true })
    const event = await fixture.record()
    await fixture.approve(event.id, { reason: 'A secret reason' })
    await fixture.unit()
    for (const domain of ['proof', 'dpu', 'history']) {
      const entries = await valued(fixture, domain)
      const plain = await lines(fixture, domain)
      expect(entries.map(({ values: _, salts: __, ...entry }) => entry)).toEqual(plain)
      for (const { content, values, salts } of entries) {
        const made = Object.keys(values).map((path) => [
          path,
          commitment(salts[path] as string, path, values[path] as Json),
        ])
        expect(Object.fromEntries(made)).toEqual(content.commitments)
      }
    }
    const [seal] = await valued(fixture, 'proof')
    expect(seal?.values).toMatchObject({ 'approval.reason': 'A secret reason', control: { rules: { index: 0 } } })
    const [change] = await valued(fixture, 'history')
    expect(change?.values).toMatchObject({ version: 1, digest: policy.digest, action: 'created' })
  })

  it('leaves out what is redacted, with its salt', async () => {
    const fixture = await openProofFixture(server)
    const event = await fixture.record({ reason: 'About a person' })
    await fixture.approve(event.id)
    const [before] = await valued(fixture, 'proof')
    expect(before?.values).toHaveProperty(['event.reason'], 'About a person')
    const redaction = { paths: ['event.reason'], reason: 'Asked for' }
    const { status } = await fixture.platform(
      'POST',
      `/api/dpu/${event.id.replace('evt_', 'dpu_')}/redactions`,
      redaction,
    )
    expect(status).toBeLessThan(300)
    const [after] = await valued(fixture, 'proof')
    expect([after?.values, after?.salts].map((each) => Object.keys(each ?? {}).includes('event.reason'))).toEqual([
      false,
      false,
    ])
    expect(after?.hash).toBe(before?.hash)
  })

  it('continues from an index, over several pages', { timeout: 60_000 }, async () => {
    const fixture = await openProofFixture(server)
    await fill(fixture, 403)
    const all = await valued(fixture, 'dpu')
    expect(all.map(({ index }) => index)).toEqual(Array.from({ length: 403 }, (_, index) => index))
    for (const from of [1, 199, 200, 402, 403]) {
      expect(await valued(fixture, 'dpu', `&from=${from}`)).toEqual(all.slice(from))
    }
  })

  it("shows no other center's values", async () => {
    const [one, other] = [await openProofFixture(server), await openProofFixture(server)]
    await one.unit()
    expect(await valued(other, 'dpu')).toEqual([])
  })
})

describe('who may not see values', () => {
  const path = '/api/v1/chains/proof/entries?values=true'

  it('403 for a key that is bound to one actor', async () => {
    const { center } = await openProofFixture(server)
    const token = await server.world.key(center, { boundTo: { id: 'agent-7', type: 'ai_agent' } })
    const { status, body } = await server.call('GET', path, { token })
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  })

  it('403 for a key without the scope, 401 for none', async () => {
    const { center } = await openProofFixture(server)
    const token = await server.world.key(center, { scopes: ['events:write'] })
    expect((await server.call('GET', path, { token })).status).toBe(403)
    expect((await server.call('GET', path)).status).toBe(401)
  })
})

describe('422 VALIDATION_ERROR', () => {
  it.each([
    '/api/v1/chains/other/entries',
    '/api/v1/chains/proof/entries?from=-1',
    '/api/v1/chains/proof/entries?from=x',
    '/api/v1/chains/proof/entries?values=perhaps',
  ])('%s', async (path) => {
    const fixture = await openProofFixture(server)
    const { status, body } = await fixture.v1('GET', path)
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
  })
})
