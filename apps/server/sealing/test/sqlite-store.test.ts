/** What only a store in a file has: its mode, its copy, and a start that reads no logs. */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { measureStores } from '../../../../tests/bench/fence.ts'
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
const rootOf = (size: number) => String(size).repeat(64)
function seal(store: SqliteStore, from: number, size: number): void {
  const next = { log, size, root: rootOf(size) }
  const fromRoot = from === 0 ? null : rootOf(from)
  expect(store.reserve('first', [{ ...next, from, fromRoot, replaces: null }])).toBeNull()
  expect(store.confirm('first', [next])).toBeNull()
}

it('only its owner can read it', () => {
  seal(bound(), 0, 2)
  for (const file of readdirSync(at('store'))) expect(statSync(join(at('store'), file)).mode & 0o077).toBe(0)
})

function bound(store = open()): SqliteStore {
  expect(store.bind('database', 'first')).toBeNull()
  return store
}

it('costs a seal the same with 10,000 logs as with one, and starts without reading them', async () => {
  const [one, many] = await measureStores('file', [1, 10_000], 30, 3, 7)
  // `npm run bench -- fence` measures it with 300,000 logs. Here the machine is busy.
  expect(Math.min(...(many?.ratios ?? []))).toBeLessThan(2)
  for (const each of [one, many]) expect(each?.startMs).toBeLessThan(5000)
})

describe('a copy', () => {
  it('gets the same writes, and the larger size of each log counts at the next start', () => {
    const store = bound(open('store', 'copy'))
    seal(store, 0, 2)
    cpSync(at('copy'), at('older'), { recursive: true })
    seal(store, 2, 4)
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
