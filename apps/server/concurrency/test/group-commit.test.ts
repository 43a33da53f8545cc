import { describe, expect, it } from 'vitest'
import { classifyFailure } from '../../data/transaction.ts'
import { type BatchKind, type GroupLimits, groupCommit, type Submission } from '../group-commit.ts'

interface Batch {
  readonly kind: BatchKind
  readonly items: readonly string[]
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A group commit whose batches end when the test says so. */
function held({
  ordered = true,
  limits = {} as Partial<GroupLimits>,
  keyOf = (_: string): string | null => null,
} = {}) {
  const batches: Batch[] = []
  const waiting: { batch: readonly Submission<string, string>[]; end: () => void }[] = []
  const group = groupCommit<string, string>({
    what: 'items',
    ordered,
    keyOf,
    limits,
    classify: classifyFailure,
    commit: (batch, kind) => {
      batches.push({ kind, items: batch.map(({ input }) => input) })
      return new Promise((resolve) => {
        const end = () => {
          for (const { input, resolve: done } of batch) done(input)
          resolve({})
        }
        waiting.push({ batch, end })
      })
    },
  })
  return {
    batches,
    submit: (center: number, input: string, bytes = 1) => group.submit(center, bytes, input),
    async endAll() {
      for (let quiet = 0; quiet < 3; quiet++) {
        await turn()
        for (const { end } of waiting.splice(0)) {
          quiet = 0
          end()
        }
      }
    },
  }
}

it('what is elsewhere waits as long as it was told, in order, and delays no other center', async () => {
  const batches: string[][] = []
  let isTheirs = true
  const group = groupCommit<string, string>({
    what: 'items',
    ordered: true,
    classify: classifyFailure,
    commit: async (batch) => {
      batches.push(batch.map(({ input }) => input))
      const elsewhere = batch.filter(({ centerId }) => centerId === 1 && isTheirs)
      for (const each of batch) if (!elsewhere.includes(each)) each.resolve(each.input)
      return { elsewhere: new Map(elsewhere.map((each) => [each, 100])) }
    },
  })
  const since = performance.now()
  const [first, second] = [group.submit(1, 1, 'a'), group.submit(1, 1, 'b')]
  await group.submit(2, 1, 'other')
  expect(performance.now() - since).toBeLessThan(90)
  isTheirs = false
  await first
  expect(performance.now() - since).toBeGreaterThan(95)
  await second
  expect(batches).toEqual([
    ['a', 'other', 'b'],
    ['a', 'b'],
  ])
})

describe('turns by center', () => {
  it('a center with one item is in the next batch, whatever others have waiting', async () => {
    const group = held({ limits: { batchItems: 4 } })
    const first = group.submit(1, 'first')
    await turn()
    const many = Array.from({ length: 20 }, (_, n) => group.submit(2, `many ${n}`))
    const one = group.submit(3, 'one')
    await group.endAll()
    await Promise.all([first, one, ...many])
    expect(group.batches[1]?.items).toEqual(['many 0', 'one', 'many 1', 'many 2'])
    expect(group.batches.flatMap(({ items }) => items).filter((item) => item.startsWith('many'))).toEqual(
      Array.from({ length: 20 }, (_, n) => `many ${n}`),
    )
  })

  it('a center that did not fit into a batch is first in the next', async () => {
    const group = held({ limits: { batchBytes: 10 } })
    const all = [group.submit(1, 'a', 8), group.submit(2, 'b', 8), group.submit(3, 'c', 2), group.submit(1, 'd', 1)]
    await group.endAll()
    await Promise.all(all)
    expect(group.batches.map(({ items }) => items)).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ])
  })
})

describe('batches', () => {
  it('of large items commit beside those of small ones', async () => {
    const group = held({ limits: { largeBytes: 10 } })
    const all = [group.submit(1, 'large', 11), group.submit(2, 'small')]
    await turn()
    expect(group.batches).toEqual([
      { kind: 'large', items: ['large'] },
      { kind: 'small', items: ['small'] },
    ])
    await group.endAll()
    await Promise.all(all)
  })

  it('hold the items of an ordered center one at a time, in order', async () => {
    const group = held({ limits: { largeBytes: 10 } })
    const all = [group.submit(1, 'large', 11), group.submit(1, 'small'), group.submit(1, 'large too', 11)]
    await group.endAll()
    await Promise.all(all)
    expect(group.batches.map(({ items }) => items)).toEqual([['large'], ['small'], ['large too']])
  })

  it('do not hold two items of a center with the same key', async () => {
    const group = held({ keyOf: (item) => item[0] as string })
    const all = ['k1', 'k2', 'm1'].map((item) => group.submit(1, item))
    all.push(group.submit(2, 'k3'))
    await group.endAll()
    await Promise.all(all)
    expect(group.batches.map(({ items }) => items)).toEqual([
      ['k1', 'k3'],
      ['k2', 'm1'],
    ])
  })
})

describe('bounds', () => {
  const limits = { centerItems: 3, centerBytes: 100, totalItems: 5, totalBytes: 150 }
  const code = (promise: Promise<unknown>) => promise.then(String, ({ code, retryAfter }) => `${code} ${retryAfter}`)

  it.each([
    ['items', [1, 1, 1], 1],
    ['bytes', [60, 30], 20],
  ])('429 for a center with too many %s, and none for its neighbor', async (_, sizes, size) => {
    const group = held({ limits })
    const waiting = sizes.map((bytes) => group.submit(1, 'waits', bytes))
    expect(await code(group.submit(1, 'more', size))).toBe('RATE_LIMITED 1')
    const other = group.submit(2, 'neighbor')
    await group.endAll()
    expect(await Promise.all([...waiting, other])).toHaveLength(waiting.length + 1)
    const later = group.submit(1, 'later', size)
    await group.endAll()
    expect(await later).toBe('later')
  })

  it('503 when too many wait in all, for a center with more than its share only', async () => {
    const group = held({ limits })
    const waiting = [1, 1, 1, 2, 2].map((center) => group.submit(center, 'waits'))
    expect(await code(group.submit(2, 'third of its own'))).toBe('SERVICE_UNAVAILABLE 1')
    const other = group.submit(3, 'first of its own')
    await group.endAll()
    expect(await Promise.all([...waiting, other])).toHaveLength(6)
  })
})

describe('a failed batch', () => {
  const failure = (code: string) => Object.assign(new Error(code), { code })
  const failing = (code: string, bad: string) => {
    const batches: Batch[] = []
    const group = groupCommit<string, string>({
      what: 'items',
      ordered: true,
      classify: classifyFailure,
      commit: async (batch, kind) => {
        batches.push({ kind, items: batch.map(({ input }) => input) })
        if (batch.some(({ input }) => input === bad)) throw failure(code)
        for (const { input, resolve } of batch) resolve(input)
        return {}
      },
    })
    return { batches, submit: (center: number, input: string) => group.submit(center, 1, input).catch(String) }
  }

  it.each(['22001', '23514'])('with error %s fails the item that causes it, and no other', async (code) => {
    const { submit } = failing(code, 'bad')
    const results = await Promise.all([submit(1, 'a'), submit(1, 'bad'), submit(2, 'b')])
    expect(results).toEqual(['a', `Error: ${code}`, 'b'])
  })

  it.each(['57014', '55P03'])('with timeout %s is repeated by center', async (code) => {
    const { batches, submit } = failing(code, 'bad')
    const results = await Promise.all([submit(1, 'a'), submit(2, 'b'), submit(1, 'bad'), submit(2, 'c')])
    expect(results).toEqual(['a', 'b', `Error: ${code}`, 'c'])
    expect(batches).toContainEqual({ kind: 'alone', items: ['a', 'bad'] })
    expect(batches).toContainEqual({ kind: 'alone', items: ['b', 'c'] })
  })

  it.each(['08006', '57P01'])('with error %s fails all its items', async (code) => {
    const { submit } = failing(code, 'bad')
    expect(await Promise.all([submit(1, 'a'), submit(2, 'bad')])).toEqual(Array(2).fill(`Error: ${code}`))
  })
})

it('two batches of an unordered center commit at a time', async () => {
  const group = held({
    ordered: false,
    limits: { batchItems: 2, inFlight: { small: 2, large: 1, waiting: 1, alone: 1 } },
  })
  const all = ['a', 'b', 'c', 'd', 'e'].map((item) => group.submit(1, item))
  await turn()
  await turn()
  expect(group.batches.map(({ items }) => items)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  await group.endAll()
  await Promise.all(all)
})

it('items whose rows are locked elsewhere come back in order, in batches that wait, and alone after that', async () => {
  const batches: Batch[] = []
  const group = groupCommit<string, string>({
    what: 'items',
    ordered: true,
    classify: classifyFailure,
    commit: async (batch, kind) => {
      batches.push({ kind, items: batch.map(({ input }) => input) })
      const isLocked = (centerId: number) =>
        (centerId === 1 && kind !== 'alone') || (centerId === 2 && kind === 'small')
      const locked = kind === 'waiting' ? batch : batch.filter(({ centerId }) => isLocked(centerId))
      for (const item of batch) if (!locked.includes(item)) item.resolve(item.input)
      return { locked }
    },
  })
  const items = [1, 2, 1, 3].map((center, n) => group.submit(center, 1, `${n}`))
  await Promise.all(items)
  expect(batches).toEqual([
    { kind: 'small', items: ['0', '1', '3', '2'] },
    { kind: 'waiting', items: ['0', '1', '2'] },
    { kind: 'alone', items: ['0', '2'] },
    { kind: 'alone', items: ['1'] },
  ])
})
