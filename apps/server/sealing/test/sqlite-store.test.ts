/** The rules of a fence store, which fence.test.ts uses over real databases. */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore, type SqliteStore } from '../fence/sqlite-store.ts'

let root: string
let opened: SqliteStore[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-fence-'))
  opened = []
})
afterEach(() => {
  for (const store of opened) store.close()
  rmSync(root, { recursive: true, force: true })
})

const at = (name: string) => join(root, name)
function open(folder = 'store', copy: string | null = null): SqliteStore {
  const store = openStore({ folder: at(folder), copy: copy && at(copy), cell: 'main' })
  opened.push(store)
  return store
}
const log = 'log.example/c/7/proof'
const root64 = (digit: number) => String(digit).repeat(64)
const grown = (from: number, size: number, digit = size) => [{ log, from, size, root: root64(digit) }]
const refused = { other: 'another database is the current one', unreserved: expect.stringContaining('not reserved') }

function bound(store = open()): SqliteStore {
  expect(store.bind('database', 'first')).toBeNull()
  return store
}

describe('a store', () => {
  it('confirms what was reserved, in order, for the current database only', () => {
    const store = bound()
    expect(store.reserve('other', grown(0, 2))).toBe(refused.other)
    expect(store.confirm('first', grown(0, 2))).toEqual(refused.unreserved)
    expect(store.reserve('first', grown(0, 2))).toBeNull()
    // The batch was rolled back, and another takes its place.
    expect(store.reserve('first', grown(0, 3))).toBeNull()
    expect(store.confirm('first', grown(0, 2))).toEqual(refused.unreserved)
    expect(store.confirm('other', grown(0, 3))).toBe(refused.other)
    expect(store.confirm('first', grown(0, 3))).toBeNull()
    expect(store.confirm('first', grown(0, 3))).toBeNull()
    expect(store.confirm('first', grown(0, 3, 9))).toEqual(refused.unreserved)
    for (const from of [0, 2, 4])
      expect(store.reserve('first', grown(from, 5))).toMatch(/3 entries of .* are confirmed/)
    expect(store.of(log)).toEqual({ name: log, confirmed: { size: 3, root: root64(3) }, reserved: undefined })
  })

  it('accepts another database once, unless it was written meanwhile, and never the former one again', () => {
    const store = bound()
    store.reserve('first', grown(0, 2))
    store.confirm('first', grown(0, 2))
    const { writes } = store.state()
    store.reserve('first', grown(2, 3))
    const to = { databaseId: 'database', identity: 'second' }
    expect(store.accept({ ...to, writes }, [])).toMatch(/written during the comparison/)
    expect(store.accept({ ...to, writes: writes + 1 }, [])).toBeNull()
    expect(store.of(log)).toMatchObject({ confirmed: { size: 2 }, reserved: undefined })
    expect(store.confirm('first', grown(2, 3))).toBe(refused.other)
    expect([store.isRetired('first'), store.isRetired('second')]).toEqual([true, false])
    expect(store.bind('database', 'third')).toMatch(/belongs to another database/)
  })

  it('is shared by processes, and only its owner can read it', () => {
    const [one, other] = [bound(), open()]
    one.reserve('first', grown(0, 2))
    expect(other.state()).toEqual(one.state())
    expect(other.confirm('first', grown(0, 2))).toBeNull()
    expect(one.of(log)?.confirmed?.size).toBe(2)
    for (const file of readdirSync(at('store'))) expect(statSync(join(at('store'), file)).mode & 0o077).toBe(0)
  })

  it('opens with 10,000 logs without reading them', () => {
    bound().close()
    opened = []
    const file = new DatabaseSync(join(at('store'), 'main.fence'))
    file.exec(`insert into logs with recursive n (n) as (select 1 union all select n + 1 from n where n < 10000)
      select 'log.example/c/' || n || '/proof', n, '${root64(1)}', null, null from n`)
    file.close()
    const started = performance.now()
    const store = open()
    expect(store.of('log.example/c/9999/proof')?.confirmed?.size).toBe(9999)
    expect(performance.now() - started).toBeLessThan(500)
    expect(store.page('log.example/c/9999/proof', 2)).toEqual([])
  })
})

describe('a copy', () => {
  it('gets the same writes, and the larger size of each log counts at the next start', () => {
    const store = bound(open('store', 'copy'))
    store.reserve('first', grown(0, 2))
    store.confirm('first', grown(0, 2))
    cpSync(at('copy'), at('older'), { recursive: true })
    store.reserve('first', grown(2, 4))
    store.confirm('first', grown(2, 4))
    const { id } = store.state()
    for (const [folder, copy] of [
      ['new', 'copy'],
      ['older', 'copy'],
      ['store', 'older'],
      ['older', 'newer'],
    ] as const) {
      const merged = open(folder, copy)
      expect([merged.state().id, merged.of(log)?.confirmed?.size]).toEqual([id, 4])
    }
  })

  it('of another store is refused', () => {
    open('store').close()
    open('other').close()
    opened = []
    expect(() => open('store', 'other')).toThrow('belongs to another store')
  })
})
