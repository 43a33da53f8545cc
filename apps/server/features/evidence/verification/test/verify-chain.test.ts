import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '../../../../../../tests/support/server.ts'
import { clearBroken } from '../../../../integrity/alarm.ts'
import { verifyCenter } from '../center.ts'
import { inTurn } from '../run-limiter.ts'
import { forgeableServer, metric, type VerifiedCenter, verifiedCenter } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await forgeableServer()
})
afterAll(() => server.close())

const errors = () => server.logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)

async function filled(): Promise<VerifiedCenter & { dpu: { id: string } }> {
  const fixture = await verifiedCenter(server)
  await fixture.seal()
  await fixture.seal()
  const dpu = await fixture.demo({ content: 'Two sessions a week', tags: ['plan'] })
  await fixture.demo()
  await fixture.demo()
  await fixture.change(dpu.id, { evidenceLevel: 'DOCUMENTED', metadata: { reason: 'asked for' } })
  return { ...fixture, dpu }
}

describe('200', () => {
  it('for an empty center: three empty chains that hold', async () => {
    const fixture = await verifiedCenter(server)
    const empty = { valid: true, chainLength: 0, genesisHash: '', brokenAt: null, reason: null }
    expect(await fixture.verify('chain')).toEqual({
      ...empty,
      mode: 'chain',
      verifiedAt: expect.any(String),
      allValid: true,
      recordsVerifiedAt: null,
      domains: { proof: empty, dpu: empty, history: empty },
    })
  })

  it('states what was checked and when, for the chain dpu and for each chain', async () => {
    const fixture = await filled()
    const chain = await fixture.verify('chain')
    expect(chain).toMatchObject({ mode: 'chain', valid: true, allValid: true, chainLength: 3, recordsVerifiedAt: null })
    const genesis = await server.call('GET', `/api/dpu/${fixture.dpu.id}`, { token: fixture.token })
    expect(chain.genesisHash).toBe(genesis.body.data.chainHash)
    expect(chain.domains).toMatchObject({
      proof: { chainLength: 2 },
      dpu: { chainLength: 3 },
      history: { chainLength: 2 },
    })
    const records = await fixture.verify('records')
    expect(records).toMatchObject({ mode: 'records', allValid: true, recordsVerifiedAt: records.verifiedAt })
    expect((await fixture.verify('chain')).recordsVerifiedAt).toBe(records.verifiedAt)
  })

  it('holds during concurrent seals and changes, without a false alarm', async () => {
    const fixture = await filled()
    let busy = true
    const sealing = (async () => {
      for (let round = 0; busy; round++) {
        const { id } = await fixture.demo()
        await Promise.all([fixture.seal(), fixture.change(id, { metadata: { round } })])
        await fixture.change(id, { evidenceLevel: 'AUDIT_READY' })
      }
    })()
    try {
      for (let round = 0; round < 25; round++) expect(await fixture.verify()).toMatchObject({ allValid: true })
    } finally {
      busy = false
      await sealing
    }
    expect(await fixture.alarms()).toEqual([])
  })

  it('finds the exact entry on either side of a page boundary', { timeout: 120_000 }, async () => {
    const fixture = await verifiedCenter(server)
    await Promise.all(Array.from({ length: 1010 }, () => fixture.demo()))
    for (const index of [1009, 1000, 999, 501, 500, 499, 0]) {
      await fixture.forge(
        `update cell.dpus set content = 'forged' where center_id = ${fixture.center.id} and chain_index = ${index}`,
      )
      expect(await fixture.verify()).toMatchObject({ valid: false, chainLength: 1010, brokenAt: index })
    }
  })
})

describe('200 with valid: false', () => {
  it('when another chain than dpu is broken', async () => {
    const fixture = await filled()
    await fixture.forge(
      `update cell.dpus set evidence_level = 'DRAFT' where center_id = ${fixture.center.id} and domain = 'proof'`,
    )
    expect(await fixture.verify()).toMatchObject({
      ...{ valid: false, allValid: false, brokenAt: null },
      domains: { dpu: { valid: true }, proof: { valid: false }, history: { valid: true } },
    })
  })

  it('marks the chain, audits once, counts it, and logs what the operator has to do', async () => {
    const fixture = await filled()
    const broken = () => metric(server, /^countersign_chains_broken\{cell="main"\} (\d+)/m)
    const [before, said] = [await broken(), errors().length]
    await fixture.forge(
      `update cell.dpus set content = 'forged' where center_id = ${fixture.center.id} and domain = 'dpu' and chain_index = 1`,
    )
    const verdict = { valid: false, brokenAt: 1, reason: "content doesn't match its commitment" }
    for (let round = 0; round < 3; round++) {
      expect(await fixture.verify()).toMatchObject({ ...verdict, allValid: false, domains: { proof: { valid: true } } })
    }
    expect(await fixture.alarms()).toMatchObject([
      { action: 'found', target_id: 'dpu', details: { brokenAt: 1, reason: verdict.reason, mode: 'records' } },
    ])
    expect(await broken()).toBe(before + 1)
    const alarms = errors().slice(said)
    expect(alarms).toHaveLength(1)
    expect(alarms[0].msg).toContain(`The chain "dpu" of center ${fixture.center.id} is broken at entry 2 (index 1)`)
    expect(alarms[0].msg).toContain('docs/runbook.md')
    const [check] = await server.world.query(
      `select scanned_to, broken_at, reason from cell.chain_checks where center_id = $1 and domain = 'dpu' and mode = 'records'`,
      [fixture.center.id],
    )
    expect(check).toEqual({ scanned_to: 3, broken_at: 1, reason: verdict.reason })
  })

  it('raises another alarm for a lower index, and none for a higher one', async () => {
    const fixture = await filled()
    const forge = (index: number) =>
      fixture.forge(
        `update cell.dpus set tags = '{x}' where center_id = ${fixture.center.id} and domain = 'dpu' and chain_index = ${index}`,
      )
    const places: unknown[] = []
    for (const index of [1, 2, 0]) {
      await forge(index)
      places.push((await fixture.verify()).brokenAt)
    }
    expect(places).toEqual([1, 1, 0])
    expect((await fixture.alarms()).map(({ details }) => details)).toMatchObject([{ brokenAt: 1 }, { brokenAt: 0 }])
  })

  it('refuses to seal onto it, and continues to seal onto the others', async () => {
    const fixture = await filled()
    await fixture.forge(`update cell.entries set hash = decode(repeat('00', 32), 'hex')
      where center_id = ${fixture.center.id} and domain = 'dpu' and idx = 2`)
    expect(await fixture.verify('chain')).toMatchObject({ valid: false, brokenAt: 2 })
    const refused = await server.call('POST', '/api/dpu/demo', { token: fixture.token, body: {} })
    expect([refused.status, refused.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
    expect(refused.body.error.message).toContain('was found to be broken at entry 3')
    await fixture.seal()
  })

  it('even when the rows are consistent again, until an operator has cleared it', async () => {
    const fixture = await filled()
    const set = (tags: string) =>
      fixture.forge(
        `update cell.dpus set tags = '${tags}' where center_id = ${fixture.center.id} and domain = 'dpu' and chain_index = 0`,
      )
    await set('{forged}')
    await fixture.verify()
    await set('{plan}')
    expect(await fixture.verify()).toMatchObject({
      valid: false,
      brokenAt: 0,
      reason: expect.stringContaining('cleared'),
    })
    expect((await server.call('POST', '/api/dpu/demo', { token: fixture.token, body: {} })).status).toBe(422)

    const cell = server.services.cells.of('main')
    const clear = () => cell.inTenantJob(fixture.center.id, 'operator', (tx) => clearBroken(tx, 'dpu'))
    expect([await clear(), await clear()]).toEqual([true, false])
    expect(await fixture.verify()).toMatchObject({ valid: true })
    await fixture.demo()
    expect((await fixture.alarms()).map(({ action }) => action)).toEqual(['found', 'cleared'])
  })

  it('cannot be cleared with the rights of a request', async () => {
    const fixture = await filled()
    await fixture.forge(
      `delete from cell.dpus where center_id = ${fixture.center.id} and domain = 'dpu' and chain_index = 0`,
    )
    await fixture.verify()
    const caller = { requestId: 'req', actorId: 'somebody', centerId: fixture.center.id }
    const clear = server.services.cells.of('main').inTenant(caller, (tx) => clearBroken(tx, 'dpu'))
    await expect(clear).rejects.toMatchObject({ code: 'DATABASE_ERROR' })
    expect(await fixture.verify()).toMatchObject({ valid: false })
  })

  it('when the head of a chain is deleted, and seals nothing onto the rest', async () => {
    const fixture = await filled()
    await fixture.forge(`delete from cell.chain_heads where center_id = ${fixture.center.id} and domain = 'dpu'`)
    expect(await fixture.verify('chain')).toMatchObject({ brokenAt: 0, reason: 'the head of the chain is missing' })
    const refused = await server.call('POST', '/api/dpu/demo', { token: fixture.token, body: {} })
    expect([refused.status, refused.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
  })

  it('when the head has an arbitrary number', async () => {
    const fixture = await filled()
    const say = (length: string) =>
      fixture.forge(`update cell.chain_heads set next_index = ${length}, broken_at = null
        where center_id = ${fixture.center.id} and domain = 'dpu'`)
    for (const [length, brokenAt] of Object.entries({ '9223372036854775807': 3, '-5': 0, '2': 2 })) {
      for (const mode of ['chain', 'records'] as const) {
        await say(length)
        expect(await fixture.verify(mode)).toMatchObject({ valid: false, brokenAt })
      }
    }
  })

  it('when a text is not JSON', async () => {
    const fixture = await filled()
    await fixture.forge(`update cell.entries set template = 'nonsense "target":"${fixture.dpu.id}"', hashes = null
      where center_id = ${fixture.center.id} and domain = 'history' and idx = 0`)
    expect((await fixture.verify()).domains.history).toMatchObject({ valid: false, brokenAt: 0 })
  })
})

describe('concurrent verifications', () => {
  it('share one scan', async () => {
    const fixture = await filled()
    const { id: centerId } = fixture.center
    const counted = () => metric(server, /^countersign_entries_verified_total\{mode="chain"\} (\d+)/m)
    const caller = { requestId: 'req', actorId: null, centerId }
    const cell = server.services.cells.of('main')
    const shared = inTurn()
    const before = (await counted()) || 0
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, () =>
        shared(centerId, 'chain', () =>
          verifyCenter({ needs: server.services, centerId, inCenter: (work) => cell.inTenant(caller, work) }, 'chain'),
        ),
      ),
    )
    expect(new Set(verdicts).size).toBe(1)
    expect(await counted()).toBe(before + 7)
  })

  it('get the same answer over HTTP', async () => {
    const fixture = await filled()
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => fixture.verify('records')))
    for (const { verifiedAt: _, recordsVerifiedAt: __, ...verdict } of verdicts) {
      const { verifiedAt: ___, recordsVerifiedAt: ____, ...first } = verdicts[0] as (typeof verdicts)[0]
      expect(verdict).toEqual(first)
    }
    expect(new Set(verdicts.map(({ verifiedAt }) => verifiedAt)).size).toBeLessThan(50)
  })

  it('run two at a time, one of each center, and a failure does not stop the next one', async () => {
    const shared = inTurn()
    const started: string[] = []
    const running = new Map<number, number>()
    let [most, mostOfOne] = [0, 0]
    const add = (center: number, by: number) => {
      running.set(center, (running.get(center) ?? 0) + by)
      most = Math.max(
        most,
        [...running.values()].reduce((sum, each) => sum + each),
      )
      mostOfOne = Math.max(mostOfOne, ...running.values())
    }
    const run = (center: number, name: string) =>
      shared(center, name, async () => {
        started.push(`${center}${name}`)
        add(center, 1)
        await new Promise((resolve) => setTimeout(resolve, 5))
        add(center, -1)
        if (name === 'b') throw new Error('this one fails')
        return name
      })
    const asked = [...'abcdef'].map((name) => run(1, name))
    const settled = await Promise.allSettled([...asked, run(2, 'a'), run(3, 'a')])
    expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([true, false, ...Array(6).fill(true)])
    // Centers 2 and 3 do not wait for the six verifications of center 1.
    expect(started.slice(0, 4).toSorted()).toEqual(['1a', '1b', '2a', '3a'])
    expect([most, mostOfOne]).toEqual([2, 1])
    await expect(run(1, 'b')).rejects.toThrow('this one fails')
  })

  it('beyond 16 that wait are refused with Retry-After, in that center only', async () => {
    const shared = inTurn()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const asked = Array.from({ length: 17 }, (_, index) => shared(1, String(index), () => ended))
    await expect(shared(1, 'one more', () => ended)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 5 })
    const other = shared(2, 'chain', async () => 'done')
    expect(await other).toBe('done')
    end()
    await Promise.all(asked)
    await shared(1, 'one more', () => ended)
  })
})
