import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { gather } from '../gather.ts'

function reading() {
  const queries: { keys: readonly string[]; answer(found?: Map<string, string>): void; fail(error: Error): void }[] = []
  const read = gather<string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>()
    queries.push({
      keys,
      answer: (found = new Map(keys.map((key) => [key, `v${key}`]))) => resolve(found),
      fail: reject,
    })
    return promise
  })
  return { read, queries }
}

describe('gathered reads', () => {
  it('of one turn of the event loop are one query; equal keys are read once', async () => {
    const { read, queries } = reading()
    const answers = ['a', 'b', 'a'].map(read)
    await turn()
    expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b']])
    queries[0]?.answer(new Map([['a', 'va']]))
    expect(await Promise.all(answers)).toEqual(['va', undefined, 'va'])
  })

  it('wait for the next query while two are in flight, at most 500 keys to a query', async () => {
    const { read, queries } = reading()
    for (const key of ['a', 'b']) {
      void read(key)
      await turn()
    }
    const rest = Array.from({ length: 700 }, (_, index) => read(String(index)))
    await turn()
    expect(queries).toHaveLength(2)
    queries[0]?.answer()
    queries[1]?.answer()
    await expect.poll(() => queries.slice(2).map(({ keys }) => keys.length)).toEqual([500, 200])
    queries[2]?.answer()
    queries[3]?.answer()
    expect((await Promise.all(rest)).at(-1)).toBe('v699')
  })

  it('begin after they were requested: a key that is in flight is read again', async () => {
    const { read, queries } = reading()
    const early = read('a')
    await turn()
    const late = read('a')
    await turn()
    queries[0]?.answer(new Map([['a', 'old']]))
    queries[1]?.answer(new Map([['a', 'new']]))
    expect([await early, await late]).toEqual(['old', 'new'])
  })

  it('fail together with their query, and with no other', async () => {
    const { read, queries } = reading()
    const failing = [read('a'), read('b')]
    await turn()
    const other = read('c')
    await turn()
    queries[0]?.fail(new Error('away'))
    queries[1]?.answer()
    for (const each of failing) await expect(each).rejects.toThrow('away')
    expect(await other).toBe('vc')
  })
})
