/** The rules of a fence store, over both kinds of store. fence.test.ts uses them over real databases. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { some } from '../../../../tests/support/some.ts'
import type { Growth, Signed } from '../fence/fence.ts'
import { openStoreAt } from '../fence/open.ts'
import type { FenceStore } from '../fence/store.ts'
import { type FenceFixture, openFenceFixture, storeKinds } from './fence-fixture.ts'

const log = 'log.example/c/7/proof'
const ms = 5000
const rootOf = (digit: number) => String(digit).repeat(64)
const signed = (size: number, digit = size) => ({ size, root: rootOf(digit) })
const found = (size: number, digit = size) => [{ log, ...signed(size, digit) }]
const grown = (from: number, size: number, replaces: Signed | null = null, fromDigit = from) => [
  { log, from, fromRoot: from === 0 ? null : rootOf(fromDigit), ...signed(size), replaces },
]
const refused = { other: 'another database is the current one', unreserved: expect.stringContaining('not reserved') }

describe.each(some(storeKinds, 1))('a store in %s', (kind) => {
  let fixture: FenceFixture
  let place: string
  let store: FenceStore
  const opened: FenceStore[] = []
  const open = () => {
    const another = openStoreAt({ at: place, copy: null }, 'main')
    opened.push(another)
    return another
  }
  beforeEach(async () => {
    fixture = await openFenceFixture(kind)
    place = await fixture.place('rules')
    store = open()
    expect(await store.write('bind', ms, 'database', 'first')).toBeNull()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()))
    await fixture.close()
  })
  const reserve = (...given: Parameters<typeof grown>) => store.write('reserve', ms, 'first', grown(...given))
  const confirm = (...given: Parameters<typeof found>) => store.write('confirm', ms, 'first', found(...given))
  const known = async () => (await store.read([log, 'unknown'])).logs.get(log)

  it('confirms what was reserved, in order, for the current database only', async () => {
    expect(await known()).toBeUndefined()
    expect(await store.write('reserve', ms, 'other', grown(0, 2))).toBe(refused.other)
    expect(await confirm(2)).toEqual(refused.unreserved)
    expect(await reserve(0, 2)).toBeNull()
    // The batch was rolled back, and another takes its place.
    expect(await reserve(0, 3, signed(2))).toBeNull()
    expect(await confirm(2)).toEqual(refused.unreserved)
    expect(await store.write('confirm', ms, 'other', found(3))).toBe(refused.other)
    expect(await confirm(3)).toBeNull()
    expect(await confirm(3)).toBeNull()
    expect(await confirm(3, 9)).toEqual(refused.unreserved)
    for (const from of [0, 2, 4]) expect(await reserve(from, 5)).toMatch(/3 entries of .* are confirmed/)
    expect(await reserve(3, 5, null, 9)).toMatch(/3 entries of .* are confirmed/)
    expect(await known()).toMatchObject({ name: log, confirmed: signed(3), reserved: undefined })
  })

  it('begins the next generation of a log until that has an entry of its own, and closes the log', async () => {
    expect(await reserve(0, 5)).toBeNull()
    expect(await confirm(5)).toBeNull()
    const next = `${log}/2`
    const begin = (from: number, lost: number) => {
      const succeeds = [{ log, ...signed(lost) }]
      return store.write('reserve', ms, 'first', [{ ...grown(from, from + 1)[0], log: next, succeeds } as Growth])
    }
    expect(await begin(2, 4)).toBe(`${log} has another confirmed end than the declared one`)
    expect((await known())?.successor).toBeNull()
    // The batch was rolled back, and another begins at another size.
    expect(await begin(2, 5)).toBeNull()
    expect(await begin(3, 5)).toBeNull()
    expect(await store.write('confirm', ms, 'first', [{ log: next, ...signed(4) }])).toBeNull()
    expect(await begin(3, 5)).toBe(`${next} has begun already`)
    expect(await reserve(5, 6)).toBe(`${log} is closed: ${next} continues it`)
    expect((await store.page('', 9)).map(({ name, begunAt, successor }) => [name, begunAt, successor])).toEqual([
      [log, 0, next],
      [next, 3, null],
    ])
  })

  it('does not let a late reservation replace that of a later batch', async () => {
    expect(await reserve(0, 2)).toBeNull()
    expect(await reserve(0, 4)).toMatch(/0 entries of .* are confirmed, and the batch continues 0; 2 are reserved/)
    expect(await reserve(0, 4, signed(3))).toMatch(/2 are reserved/)
    expect(await confirm(2)).toBeNull()
  })

  it('confirms a reservation that a batch has found committed, and continues it', async () => {
    expect(await reserve(0, 2)).toBeNull()
    expect(await reserve(2, 3, null, 9)).toMatch(/0 entries of .* are confirmed/)
    expect(await reserve(2, 3)).toBeNull()
    expect(await known()).toMatchObject({ confirmed: signed(2), reserved: signed(3) })
    // The process that was late learns that its size is confirmed.
    expect(await confirm(2)).toBeNull()
    expect(await confirm(3)).toBeNull()
  })

  it('accepts another database once, unless it was written meanwhile, and never the former one again', async () => {
    await reserve(0, 2)
    await confirm(2)
    const { writes } = (await store.read([])).state
    await reserve(2, 3)
    const to = { databaseId: 'database', identity: 'second' }
    expect(await store.write('accept', ms, { ...to, writes }, [])).toMatch(/written during the comparison/)
    expect(await store.write('accept', ms, { ...to, writes: writes + 1 }, [])).toBeNull()
    expect(await known()).toMatchObject({ confirmed: signed(2), reserved: undefined })
    expect(await confirm(3)).toBe(refused.other)
    expect([await store.isRetired('first'), await store.isRetired('second')]).toEqual([true, false])
    expect(await store.write('bind', ms, 'database', 'third')).toMatch(/belongs to another database/)
    const { writes: later } = (await store.read([])).state
    expect(await store.write('accept', ms, { ...to, writes: later }, found(9))).toBeNull()
    expect(await known()).toMatchObject({ confirmed: signed(9) })
  })

  it('is shared by processes', async () => {
    const other = open()
    await reserve(0, 2)
    expect((await other.read([])).state).toEqual((await store.read([])).state)
    expect(await other.write('confirm', ms, 'first', found(2))).toBeNull()
    expect((await known())?.confirmed).toEqual(signed(2))
    expect([await other.hasLogs(), await other.page('', 5), await other.page(log, 5)]).toEqual([
      true,
      [await known()],
      [],
    ])
  })

  it('reserves each size once for 20 contenders', async () => {
    const others = [store, open(), open()]
    const all = Array.from({ length: 20 }, (_, at) =>
      (others[at % 3] as FenceStore).write('reserve', ms, 'first', grown(0, at + 1)),
    )
    expect((await Promise.all(all)).filter((refusal) => refusal === null)).toHaveLength(1)
  })
})
