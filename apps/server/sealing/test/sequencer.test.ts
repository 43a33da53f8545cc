import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { auditInBatch } from '../../audit/audit.ts'
import { needPolicies, policiesInForce, ruleRows } from '../../governance/rules.ts'
import { useClock } from '../../lib/clock.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import { newUuid } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import type { Entry, SealItem } from '../batch.ts'
import type { SealOutcome } from '../claims.ts'
import { need, type RowKind } from '../sealed-rows.ts'
import {
  appendOne,
  claimOf,
  entryItem,
  itemOf,
  openSequencerFixture,
  type SequencerFixture,
} from './sequencer-fixture.ts'

let fixture: SequencerFixture
beforeAll(async () => {
  fixture = await openSequencerFixture()
})
afterAll(() => fixture.close())
afterEach(() => armFailpoint(null))

/** Rows of a kind whose load function never returns. */
const slowRows: RowKind<{ center_id: number; id: string }, { id: string }> = {
  name: 'slow',
  order: 15,
  load: 'load_slow',
  namesOf: ({ id }) => [id],
}
const slowFunction = `
  create function cell.load_slow(wanted json, most_bytes integer) returns json
  language plpgsql as $$ begin perform pg_sleep(60); return null; end $$`

let lastCenter = 0
const newCenter = (): number => ++lastCenter

const resultOf = (outcome: SealOutcome<Entry>): Entry => {
  if ('replay' in outcome) throw new Error('a replay')
  return outcome.result
}
const sealOne = async (center: number) => resultOf(await fixture.sequencer.seal(entryItem(center)))
const settled = (all: readonly Promise<unknown>[]) =>
  Promise.allSettled(all).then((results) =>
    results.map((each) => (each.status === 'fulfilled' ? 'sealed' : (each.reason as Error).message)),
  )

describe('concurrent items', () => {
  it('are in the chain in order of arrival', async () => {
    const center = newCenter()
    const entries = (
      await Promise.all(Array.from({ length: 600 }, () => fixture.sequencer.seal(entryItem(center))))
    ).map(resultOf)
    expect(entries.map(({ index }) => index)).toEqual(Array.from({ length: 600 }, (_, index) => index))
    expect(await fixture.chain(center)).toEqual(entries.map(({ hash }) => hash))
  })

  it('have one chain per center, which begins at 0', async () => {
    const centers = [newCenter(), newCenter(), newCenter()]
    const entries = await Promise.all(centers.map(sealOne))
    expect(entries.map(({ index, previousHash }) => [index, previousHash])).toEqual(centers.map(() => [0, null]))
    expect(new Set(entries.map(({ hash }) => hash)).size).toBe(3)
  })

  it('from two processes form one chain without a gap', async () => {
    const center = newCenter()
    const other = fixture.beside()
    const sequencers = [fixture.sequencer, other]
    const all = Array.from(
      { length: 300 },
      (_, i) => sequencers[i % 2]?.seal(entryItem(center)) as Promise<SealOutcome<Entry>>,
    )
    const entries = (await Promise.all(all)).map(resultOf).sort((a, b) => a.index - b.index)
    expect(await fixture.chain(center)).toEqual(entries.map(({ hash }) => hash))
    expect(entries).toHaveLength(300)
  })

  it('wait while it is the turn of another process, and no longer', async () => {
    const [first, second] = [fixture.beside({}, { turnMs: 1500 }), fixture.beside({}, { turnMs: 1500 })]
    const center = newCenter()
    const since = performance.now()
    await first.seal(entryItem(center))
    await second.seal(entryItem(center))
    expect(performance.now() - since).toBeGreaterThan(1450)
    const later = performance.now()
    // The range is the second one's now, and the first learns it in its batch.
    await first.seal(entryItem(center))
    expect(performance.now() - later).toBeGreaterThan(1000)
    expect(await fixture.chain(center)).toHaveLength(3)
  })

  it('do not wait for a process that has ended, whatever the clock says', async () => {
    const center = newCenter()
    await fixture.client.query(
      `update cell.chain_ranges set owner = gen_random_uuid(), taken_at = now() + interval '1 day' where range = $1 % 64`,
      [center],
    )
    await fixture.beside().seal(entryItem(center))
    expect(await fixture.chain(center)).toHaveLength(1)
  })

  it('of fifty processes that take a range at once, one gets it', async () => {
    const take = `select cell.take_ranges(gen_random_uuid(), array[63]::smallint[], interval '10 seconds') as foreign`
    const clients = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const client = new pg.Client({ connectionString: fixture.url })
        await client.connect()
        return client
      }),
    )
    const answers = await Promise.all(clients.map((client) => client.query(take)))
    expect(answers.filter(({ rows }) => rows[0]?.foreign === null)).toHaveLength(1)
    await fixture.client.query(`update cell.chain_ranges set taken_at = 'epoch'`)
    await Promise.all(clients.map((client) => client.end()))
  })

  it('see the effects of earlier items in the same batch', async () => {
    const center = newCenter()
    const policy = { sort: 'policy' as const, center_id: center, id: newUuid(), version: 1, policy: '{}', digest: 'd' }
    const holds = { chains: ['history'], rows: [needPolicies] } as const
    const added = (at: string) => ({ ...policy, created_by: 'x', created_at: at })
    const adding = itemOf(center, (batch) => batch.rows(ruleRows).insert(added(batch.at)), holds)
    const { center: profile } = entryItem(center)
    const looking = itemOf(center, (batch) => policiesInForce(batch, profile).length, holds)
    const [, outcome] = await Promise.allSettled([fixture.sequencer.seal(adding), fixture.sequencer.seal(looking)])
    // The digest is wrong, so the database refuses the policy, and no other item may act on it.
    expect(outcome).toEqual({ status: 'fulfilled', value: { result: 0 } })
  })
})

describe('a failing item fails alone', () => {
  const failing = {
    'before it wrote anything': (center: number) =>
      itemOf(center, () => {
        throw new Error('of no use')
      }),
    'after its first write': (center: number) =>
      itemOf(center, (batch) => {
        appendOne(batch)
        throw new Error('of no use')
      }),
    'after a refusal that follows a write': (center: number) =>
      itemOf(center, (batch) => {
        auditInBatch(
          batch,
          { requestId: 'r', actorId: null, centerId: center },
          { type: 'dpu.changed', action: 'created', target: { type: 'dpu', id: 'x' } },
        )
        throw new Problem('CONFLICT', 'of no use')
      }),
  }

  it.each(Object.entries(failing))('%s', async (_, make) => {
    const center = newCenter()
    const items = [entryItem(center), make(center), entryItem(center), make(center), entryItem(center)]
    const outcomes = await settled(items.map((item) => fixture.sequencer.seal<unknown>(item)))
    expect(outcomes).toEqual(['sealed', 'of no use', 'sealed', 'of no use', 'sealed'])
    expect(await fixture.chain(center)).toHaveLength(3)
    const { rows } = await fixture.client.query(
      'select from cell.audit_entries where center_id = $1 union all select from cell.seal_entries where center_id = $1',
      [center],
    )
    expect(rows).toHaveLength(0)
  })

  it('when only the database refuses it', async () => {
    const center = newCenter()
    const impossible = itemOf(center, (batch) => {
      const entry = appendOne(batch)
      // A digest of another text.
      const written = { created_by: 'x', created_at: batch.at }
      const policy = {
        ...{ sort: 'policy' as const, center_id: center, id: newUuid(), version: 1 },
        ...{ policy: '{}', digest: 'sha256:0', ...written },
      }
      batch.rows(ruleRows).insert(policy)
      return entry
    })
    const items = [entryItem(center), impossible, entryItem(center)]
    const outcomes = await settled(items.map((item) => fixture.sequencer.seal(item)))
    expect(outcomes).toEqual(['sealed', expect.stringContaining('nothing was changed'), 'sealed'])
    expect(await fixture.chain(center)).toHaveLength(2)
  })

  it('when its answer cannot be rendered', async () => {
    const center = newCenter()
    const render = () => {
      throw new Error('cannot be said')
    }
    const outcomes = await settled([
      fixture.sequencer.seal(entryItem(center)),
      fixture.sequencer.seal(entryItem(center), { ...claimOf<Entry>('unsayable'), render }),
    ])
    expect(outcomes).toEqual(['sealed', 'cannot be said'])
    expect(await fixture.chain(center)).toHaveLength(1)
  })

  it('and a failing batch leaves no rows, and the next batch succeeds', async () => {
    const center = newCenter()
    armFailpoint('fail:seal.written')
    expect(await settled([sealOne(center), sealOne(center)])).toEqual(Array(2).fill('failpoint seal.written'))
    armFailpoint(null)
    expect((await sealOne(center)).index).toBe(0)
    expect(await fixture.chain(center)).toHaveLength(1)
  })
})

describe('an Idempotency-Key', () => {
  const replayed = (outcome: SealOutcome<unknown>) => ('replay' in outcome ? outcome.replay : null)

  it('has one effect, and every replay gets the first answer', async () => {
    const center = newCenter()
    const all = Array.from({ length: 20 }, () => fixture.sequencer.seal(entryItem(center), claimOf<Entry>('one')))
    const [first, ...others] = await Promise.all(all)
    const { result } = first as { result: Entry }
    const answer = { status: 200, body: JSON.stringify(result) }
    expect(others.map(replayed)).toEqual(others.map(() => answer))
    expect(await fixture.chain(center)).toHaveLength(1)
    expect(replayed(await fixture.beside().seal(entryItem(center), claimOf<Entry>('one')))).toEqual(answer)
  })

  it('is scoped to its center', async () => {
    const centers = [newCenter(), newCenter()]
    const seals = centers.flatMap((center) =>
      ['a', 'b'].map((key) => fixture.sequencer.seal(entryItem(center), claimOf<Entry>(key))),
    )
    expect((await Promise.all(seals)).map(replayed)).toEqual([null, null, null, null])
  })

  it('answers 409 when it is reused for another request', async () => {
    const center = newCenter()
    await fixture.sequencer.seal(entryItem(center), claimOf<Entry>('k', 'one thing'))
    const other = fixture.sequencer.seal(entryItem(center), claimOf<Entry>('k', 'another'))
    await expect(other).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await fixture.chain(center)).toHaveLength(1)
  })

  const refusing = (center: number, problem: Error) =>
    fixture.sequencer.seal(
      itemOf<Entry>(center, () => {
        throw problem
      }),
      claimOf<Entry>('no'),
    )

  it('stores a refusal', async () => {
    const center = newCenter()
    await expect(refusing(center, new Problem('CONFLICT', 'no'))).rejects.toThrow('no')
    const again = await fixture.sequencer.seal(entryItem(center), claimOf<Entry>('no'))
    expect(replayed(again)).toEqual({ status: 409, body: '{"code":"CONFLICT","message":"no"}' })
  })

  it.each([
    ['a temporary conflict', new Problem('CONFLICT', 'not yet', { passing: true })],
    ['a missing permission', new Problem('FORBIDDEN', 'not you')],
    ['an internal error', new Error('oh')],
  ])('can be used again after %s', async (_, problem) => {
    const center = newCenter()
    await expect(refusing(center, problem)).rejects.toThrow(problem.message)
    // Also in a process whose clock is behind.
    const restore = useClock(() => Date.now() - 5000)
    const again = fixture.sequencer
      .seal(entryItem(center), claimOf<Entry>('no', 'even with another body'))
      .finally(restore)
    expect(replayed(await again)).toBeNull()
    expect(await fixture.chain(center)).toHaveLength(1)
  })
})

describe('time', () => {
  const base = Date.parse('2030-01-01T00:00:00.000Z')
  const sealAt = async (center: number, ms: number) => {
    const restore = useClock(() => base + ms)
    return (await sealOne(center).finally(restore)).sealedAt
  }

  it('of a chain never decreases when the clock steps back', async () => {
    const center = newCenter()
    const times: string[] = []
    for (const ms of [0, 5, -3_600_000, 4, 6, 6, -1]) times.push(await sealAt(center, ms))
    const iso = (ms: number) => new Date(base + ms).toISOString()
    expect(times).toEqual([iso(0), iso(5), iso(5), iso(5), iso(6), iso(6), iso(6)])
    expect(await fixture.chain(center)).toHaveLength(7)
  })

  it('of one chain does not delay another', async () => {
    const [ahead, other] = [newCenter(), newCenter()]
    await sealAt(ahead, 3_600_000)
    expect(await sealAt(other, 0)).toBe(new Date(base).toISOString())
  })
})

describe('a chain that is marked as broken', () => {
  it("refuses seals, while the center's other chains and other centers continue", async () => {
    const [center, other] = [newCenter(), newCenter()]
    await sealOne(center)
    await fixture.client.query(
      `update cell.chain_heads set broken_at = 0 where center_id = $1 and domain = 'history'`,
      [center],
    )
    const refused = sealOne(center)
    const [outcome, fine] = await Promise.allSettled([refused, sealOne(other)])
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { code: 'CHAIN_BROKEN', details: { domain: 'history', brokenAt: 0 } },
    })
    expect(fine.status).toBe('fulfilled')
    expect(await fixture.chain(center)).toHaveLength(1)
  })
})

describe('a chain that another transaction holds', () => {
  const locked = async (center: number, work: () => Promise<void>) => {
    await sealOne(center)
    await fixture.client.query('begin')
    await fixture.client.query('select from cell.chain_heads where center_id = $1 for update', [center])
    await work().finally(() => fixture.client.query('rollback'))
  }

  it('delays no other center, and its own items follow when it is free', async () => {
    const [center, ...others] = Array.from({ length: 10 }, newCenter) as [number, ...number[]]
    let own: readonly Promise<Entry>[] = []
    await locked(center, async () => {
      own = [sealOne(center), sealOne(center)]
      for (let round = 0; round < 5; round++) {
        const started = performance.now()
        // In one batch with an item of the locked chain.
        own = [...own, sealOne(center)]
        await Promise.all(others.map(sealOne))
        expect(performance.now() - started).toBeLessThan(1000)
      }
      await expect.poll(fixture.locked).toMatchObject([{ centerId: center, domain: 'history', pid: fixture.pid }])
      expect(fixture.logged('holds a chain')).toMatchObject({ centerId: center, pid: fixture.pid })
    })
    expect((await Promise.all(own)).map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(fixture.locked()).toEqual([])
  })

  it('answers 503 when it is held for too long, and no row is left', async () => {
    const center = newCenter()
    await locked(center, () =>
      expect(sealOne(center)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 }),
    )
    expect((await sealOne(center)).index).toBe(1)
  })

  it('answers 429 beyond 1,024 items of its center, and seals all that wait', async () => {
    const [center, other] = [newCenter(), newCenter()]
    let waiting: readonly Promise<Entry>[] = []
    await locked(center, async () => {
      waiting = Array.from({ length: 1024 }, () => sealOne(center))
      for (const each of await Promise.allSettled([1, 2, 3].map(() => sealOne(center)))) {
        expect(each).toMatchObject({ status: 'rejected', reason: { code: 'RATE_LIMITED', retryAfter: 1 } })
      }
      await sealOne(other)
    })
    await Promise.all(waiting)
    expect(await fixture.chain(center)).toHaveLength(1025)
  })
})

describe('rows that are too large for a batch of small items', () => {
  /** One row of 100 KB for each center that asks. */
  const largeRows: RowKind<{ center_id: number; id: string }, { id: string }> = {
    name: 'large',
    order: 16,
    load: 'load_large',
    namesOf: ({ id }) => [id],
  }
  const largeItem = (center: number): SealItem<Entry> =>
    itemOf(
      center,
      (batch) => {
        expect(batch.rows(largeRows).find('one')).toBeDefined()
        return appendOne(batch)
      },
      { chains: ['history'], rows: [need(largeRows, { id: 'one' })] },
    )
  beforeAll(() =>
    fixture.client.query(`
      create function cell.load_large(wanted json, most_bytes integer) returns json
      language plpgsql as $$
      begin
        return (select json_agg(case when most_bytes < 100000 then json_build_object('center_id', center_id, 'oversize', 100000)
            else json_build_object('center_id', center_id, 'id', id) end)
          from (select distinct center_id, id from json_to_recordset(wanted) as w (center_id integer, id text)) w);
      end $$`),
  )

  it('are read in another batch, while small items of other centers are sealed', async () => {
    const [center, other] = [newCenter(), newCenter()]
    const seals = [largeItem(center), entryItem(other), largeItem(center)].map((item) => fixture.sequencer.seal(item))
    expect((await Promise.all(seals)).map((outcome) => resultOf(outcome).index)).toEqual([0, 0, 1])
  })

  it('keep the record of an earlier request with the same Idempotency-Key', async () => {
    const center = newCenter()
    const large = () => fixture.sequencer.seal(largeItem(center), claimOf<Entry>('large'))
    expect(await large()).toHaveProperty('result')
    const [again] = await Promise.all([large(), sealOne(center)])
    expect([again, await large()]).toEqual([{ replay: expect.anything() }, { replay: expect.anything() }])
    expect(await fixture.chain(center)).toHaveLength(2)
  })
})

it('a statement timeout fails the item that causes it, and no other', async () => {
  const [center, other] = [newCenter(), newCenter()]
  const id = newUuid()
  const sleeping: SealItem<Entry> = itemOf(center, appendOne, { chains: ['history'], rows: [need(slowRows, { id })] })
  await fixture.client.query(slowFunction)
  const outcomes = await settled([
    fixture.sequencer.seal(entryItem(other)),
    fixture.sequencer.seal(sleeping),
    fixture.sequencer.seal(entryItem(center)),
  ])
  expect(outcomes).toEqual(['sealed', expect.stringContaining('took too long'), 'sealed'])
})

it('an item cannot append to a chain that it has not locked', async () => {
  const center = newCenter()
  const careless = itemOf(center, appendOne, { chains: ['dpu'] })
  await expect(fixture.sequencer.seal(careless)).rejects.toThrow('is not held by this batch')
})
