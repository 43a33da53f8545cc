/** One size has one confirmed root: over several processes, crashes, promotions and restored databases. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { parseNote } from '@countersign/proof/signed-note.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWire } from '../../../../tests/support/tcp-proxy.ts'
import { requireConfirmed } from '../../features/automation/webhooks/confirmed-messages.ts'
import { confirmedNewest } from '../../features/evidence/transparency/confirmed.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import { inHex } from '../receipt.ts'
import { type FenceFixture, logOf, openFenceFixture, type Sealing } from './fence-fixture.ts'

let fixture: FenceFixture
beforeEach(async () => {
  fixture = await openFenceFixture()
})
afterEach(async () => {
  armFailpoint(null)
  await fixture.close()
})

const sealMany = async (by: Sealing, center: number, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await by.seal(center)
}
const sizes = async (url?: string) =>
  (await fixture.query('select center_id, next_index::int as size from cell.chain_heads order by 1', [], url)).map(
    ({ center_id, size }) => [center_id, size],
  )
const headOf = async (center: number, url?: string): Promise<{ size: number; root: string }> =>
  (
    await fixture.query(
      `select size::int, encode(root, 'hex') as root from cell.checkpoints where center_id = $1 order by size desc limit 1`,
      [center],
      url,
    )
  )[0] as never
const shown = (by: Sealing, center: number) =>
  by.cell.inTenant({ requestId: 'r', actorId: null, centerId: center }, (tx) => confirmedNewest(tx, by.book, 'history'))
const unavailable = (text: string | RegExp) => ({
  code: 'SERVICE_UNAVAILABLE',
  message: expect.stringMatching(text),
})
/** The caller is not told the reason, which may name logs of other centers. */
const refused = (reason: string | RegExp) => ({
  code: 'SERVICE_UNAVAILABLE',
  message: expect.not.stringContaining(logOf(2)),
  cause: expect.objectContaining({ message: expect.stringMatching(reason) }),
})

describe('a store and a database', () => {
  it('are bound to each other with the first seal, and serve 50 concurrent seals of two processes', async () => {
    const [one, other] = [fixture.start(), fixture.start()]
    const entries = await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 ? one : other).seal(1 + (at % 3))))
    expect(entries.map(({ receipt }) => receipt().checkpoint)).toHaveLength(50)
    const [row] = await fixture.query('select database_id, store_id from cell.fence')
    const { id, databaseId, identity } = one.store.state()
    expect([databaseId, id]).toEqual([row?.database_id, row?.store_id])
    expect(identity).toMatch(/^\d+:[0-9A-F]{8}:\d+$/)
    expect(await sizes()).toEqual([
      [1, 17],
      [2, 17],
      [3, 16],
    ])
    for (const center of [1, 2, 3]) {
      expect(one.fence.of(logOf(center))).toEqual({
        name: logOf(center),
        confirmed: await headOf(center),
        reserved: undefined,
      })
    }
  })

  it('are refused where the store is empty or foreign, until an operator accepts an empty one', async () => {
    const first = fixture.start()
    await sealMany(first, 1, 3)
    const empty = fixture.start({ folder: join(fixture.root, 'empty') })
    await expect(empty.seal(1)).rejects.toMatchObject(refused(/has entries and belongs to another fence store/))
    await expect(shown(empty, 1)).rejects.toMatchObject(refused(/belongs to another fence store/))
    await expect(empty.seal(2)).rejects.toMatchObject(unavailable(/fence does not admit the database/))
    const refusals = empty.lines.filter((line) => line.includes('Nothing is sealed or shown in the cell'))
    expect(refusals).toHaveLength(1)
    expect(refusals[0]).toContain('accept-database main')

    const otherUrl = await fixture.copyOf()
    await fixture.query('update cell.fence set database_id = gen_random_uuid(), store_id = null', [], otherUrl)
    const foreign = fixture.start({ url: otherUrl })
    await expect(foreign.seal(1)).rejects.toMatchObject(refused(/belongs to another fence store/))
    const unbound = fixture.start({ url: otherUrl, folder: join(fixture.root, 'unbound') })
    await expect(unbound.seal(1)).rejects.toMatchObject(refused(/has entries, and the fence store is empty/))

    await expect(empty.accept()).rejects.toMatchObject({ message: expect.stringContaining('--new-store') })
    await expect(foreign.accept({ newStore: true })).rejects.toMatchObject({
      message: expect.stringContaining('name an empty folder'),
    })
    expect(await empty.accept({ newStore: true })).toMatchObject({ adopted: 1, lost: [], compared: 0 })
    expect((await empty.seal(1)).index).toBe(3)
    await expect(first.seal(1)).rejects.toMatchObject(refused(/belongs to another fence store/))
  })
})

describe('a promoted database', () => {
  it('is accepted where it has everything, and the former one is never used again', async () => {
    const former = fixture.start()
    for (const center of [1, 2, 3]) await sealMany(former, center, 2)
    const before = await headOf(1)
    const url = await fixture.copyOf()
    const promoted = fixture.start({ url })
    expect((await promoted.seal(1)).index).toBe(2)
    expect(promoted.lines.join('')).toContain('is the current one now')
    await expect(former.seal(1)).rejects.toMatchObject(refused(/was replaced by another one/))
    await expect(former.seal(2)).rejects.toMatchObject(refused(/was replaced by another one/))
    await expect(shown(former, 1)).rejects.toMatchObject(refused(/replaced|another database/))
    expect(await sizes()).toEqual([
      [1, 2],
      [2, 2],
      [3, 2],
    ])
    expect(await headOf(1)).toEqual(before)
    expect((await shown(promoted, 1))?.size).toBe(3)
    await expect(former.accept()).rejects.toMatchObject({ message: expect.stringContaining('never used again') })
  })

  it('gives each size one confirmed root while the former one still seals', async () => {
    const former = fixture.start()
    await sealMany(former, 1, 3)
    const url = await fixture.copyOf()
    const promoted = fixture.start({ url })
    const confirmed = new Map<number, Set<string>>()
    const refusals: string[] = []
    const keepSealing = async (by: Sealing) => {
      for (let at = 0; at < 12; at++) {
        try {
          const { text } = parseNote((await by.seal(1 + (at % 2))).receipt().checkpoint)
          const { origin, size, root } = parseCheckpoint(text)
          const key = size * 10 + Number(origin.at(-9))
          confirmed.set(key, (confirmed.get(key) ?? new Set()).add(inHex(root)))
        } catch (error) {
          refusals.push((error as Error).message)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
    }
    await Promise.all([keepSealing(former), keepSealing(promoted)])
    expect([...confirmed.values()].filter((roots) => roots.size !== 1)).toEqual([])
    // One of the two was refused throughout.
    expect(confirmed.size).toBeGreaterThan(0)
    expect(refusals.length).toBeGreaterThan(0)
  })

  it('is refused where it lacks entries; an operator may open the logs that are whole', async () => {
    const former = fixture.start()
    await sealMany(former, 1, 2)
    await sealMany(former, 2, 2)
    const url = await fixture.copyOf()
    await sealMany(former, 2, 1)
    const promoted = fixture.start({ url })
    await expect(promoted.seal(1)).rejects.toMatchObject(refused(`lacks confirmed entries of ${logOf(2)}`))
    expect(promoted.lines.join('')).toContain(logOf(2))
    await expect(shown(promoted, 1)).rejects.toMatchObject(refused(/lacks confirmed entries/))
    // The former one goes on meanwhile.
    expect((await former.seal(1)).index).toBe(2)
    const aside = fixture.start({ url: await fixture.copyOf() })
    await expect(promoted.accept()).rejects.toMatchObject({
      message: expect.stringContaining('lacks confirmed entries of 2 logs'),
    })
    expect(await aside.accept()).toMatchObject({ wasCurrent: false, lost: [], compared: 2 })
    expect((await aside.seal(1)).index).toBe(3)
    expect(await promoted.accept({ withLoss: true })).toMatchObject({ lost: [logOf(1), logOf(2)] })
    await expect(promoted.seal(2)).rejects.toMatchObject({ code: 'CHAIN_BROKEN' })
    expect((await promoted.seal(3)).index).toBe(0)
  })

  it('keeps what was committed and not confirmed, if it has it; else that is dead', async () => {
    const former = fixture.start()
    await sealMany(former, 1, 1)
    const without = await fixture.copyOf()
    armFailpoint('fail:seal.committed')
    await expect(former.seal(1)).rejects.toThrow('failpoint seal.committed')
    armFailpoint(null)
    const withIt = await fixture.copyOf()
    expect(former.fence.of(logOf(1))).toMatchObject({ confirmed: { size: 1 }, reserved: { size: 2 } })
    const promoted = fixture.start({ url: withIt })
    expect((await promoted.seal(2)).index).toBe(0)
    expect(promoted.fence.of(logOf(1))).toMatchObject({ confirmed: await headOf(1, withIt), reserved: undefined })
    await expect(fixture.start({ url: without }).seal(1)).rejects.toMatchObject(refused(/lacks confirmed entries/))
  })

  it('declares an unconfirmed commit of the former one dead, and neither shows nor sends it', async () => {
    const former = fixture.start()
    await sealMany(former, 1, 1)
    const url = await fixture.copyOf()
    armFailpoint('fail:seal.committed')
    const entry = former.seal(1)
    await expect(entry).rejects.toThrow('failpoint seal.committed')
    armFailpoint(null)
    const promoted = fixture.start({ url })
    const receipt = (await promoted.seal(1)).receipt()
    expect(await headOf(1)).toMatchObject({ size: 2 })
    await expect(shown(former, 1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const [dead] = await fixture.query('select note from cell.checkpoints where size = 2')
    const identityOf = async (at?: string) =>
      (await fixture.query('select cell.database_identity() as identity', [], at))[0]?.identity
    const message = (checkpoint: string) => [{ data: JSON.stringify({ chainIndex: 1, checkpoint }) }]
    await expect(requireConfirmed(former.fence, await identityOf(), message(dead?.note))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
    // The process that committed it is told so, if it still runs.
    await expect(
      former.fence.confirm(await identityOf(), [{ log: logOf(1), ...(await headOf(1)) }]),
    ).rejects.toMatchObject(unavailable(/not known whether this took effect/))
    await requireConfirmed(promoted.fence, await identityOf(url), message(receipt.checkpoint))
  })
})

describe('a process that ends between COMMIT and confirmation', () => {
  const unconfirmed = async (): Promise<Sealing> => {
    const process = fixture.start()
    await sealMany(process, 1, 1)
    armFailpoint('fail:seal.committed')
    await expect(process.seal(1)).rejects.toThrow('failpoint seal.committed')
    armFailpoint(null)
    return process
  }

  it('leaves a seal that the next batch confirms', async () => {
    const process = await unconfirmed()
    expect(process.fence.of(logOf(1)).confirmed?.size).toBe(1)
    expect((await fixture.start().seal(1)).index).toBe(2)
    expect(process.fence.of(logOf(1)).confirmed).toEqual(await headOf(1))
  })

  it('leaves a seal that the next reader confirms', async () => {
    const process = await unconfirmed()
    expect((await shown(fixture.start(), 1))?.size).toBe(2)
    expect(process.fence.of(logOf(1))).toMatchObject({ confirmed: await headOf(1), reserved: undefined })
  })

  it('leaves a dead reservation where it ended before COMMIT', async () => {
    const process = fixture.start()
    armFailpoint('fail:seal.reserved')
    await expect(process.seal(1)).rejects.toThrow('failpoint seal.reserved')
    armFailpoint(null)
    expect(process.fence.of(logOf(1))).toMatchObject({ confirmed: undefined, reserved: { size: 1 } })
    expect(await shown(process, 1)).toBeUndefined()
    expect((await process.seal(1)).index).toBe(0)
    expect(process.fence.of(logOf(1)).confirmed).toEqual(await headOf(1))
  })

  it.each([
    ['took effect', 1],
    ['did not take effect', 0],
  ] as const)('resolves a COMMIT with an unknown outcome that %s', async (_, index) => {
    const wire = await openWire(fixture.url)
    try {
      const process = fixture.start({ url: wire.url })
      await sealMany(process, 1, 1)
      // The commit takes a second, in which the connection is lost.
      await fixture.query(`create function cell.wait() returns trigger language plpgsql as
        $$ begin if new.center_id = 2 then perform pg_sleep(1); end if; return null; end $$`)
      await fixture.query(`create constraint trigger slow after insert on cell.chain_entries
        deferrable initially deferred for each row execute function cell.wait()`)
      const lost = process.seal(2)
      const ended = expect(lost).rejects.toMatchObject(unavailable(/not known whether this took effect/))
      const committing = () =>
        fixture.query(`select pid from pg_stat_activity where query = 'commit' and state = 'active'`)
      await expect.poll(committing, { timeout: 5000 }).toHaveLength(1)
      if (index === 0) await fixture.query(`select pg_terminate_backend(${(await committing())[0]?.pid})`)
      else await wire.cut()
      await ended
      if (index === 1) await wire.mend()
      await fixture.query('drop trigger slow on cell.chain_entries')
      await expect.poll(async () => (await process.seal(2).catch(() => null))?.index, { timeout: 10_000 }).toBe(index)
      expect(process.fence.of(logOf(2)).confirmed).toEqual(await headOf(2))
    } finally {
      await wire.close()
    }
  })
})

it('a store that another process has locked refuses within 250 ms, and nothing is committed', async () => {
  const process = fixture.start()
  await sealMany(process, 1, 1)
  const holder = new DatabaseSync(join(fixture.root, 'store', 'main.fence'))
  holder.exec('begin immediate')
  const started = performance.now()
  await expect(process.seal(1)).rejects.toMatchObject(unavailable('The fence store does not answer'))
  expect(performance.now() - started).toBeLessThan(1000)
  holder.exec('rollback')
  holder.close()
  expect(await sizes()).toEqual([[1, 1]])
  expect((await process.seal(1)).index).toBe(1)
})

it('a head that grew past the store is neither continued nor shown, until an operator adopts it', async () => {
  const process = fixture.start()
  await sealMany(process, 1, 2)
  await process.close()
  const store = new DatabaseSync(join(fixture.root, 'store', 'main.fence'))
  store.exec('update logs set confirmed_size = 1')
  store.close()
  const later = fixture.start()
  await expect(later.seal(1)).rejects.toMatchObject(unavailable('confirmed 1 entries of this log, and the chain has 2'))
  expect((await shown(later, 1))?.size).toBe(1)
  // The root of the smaller size is the one of the larger here, so the comparison finds another history.
  await expect(later.accept()).rejects.toMatchObject({ message: expect.stringContaining('other entries') })
  store.open()
  store
    .prepare('update logs set confirmed_root = ?')
    .run((await fixture.query(`select encode(root, 'hex') as root from cell.checkpoints where size = 1`))[0]?.root)
  store.close()
  expect(await later.accept()).toMatchObject({ wasCurrent: true, adopted: 1 })
  expect((await later.seal(1)).index).toBe(2)
})

it('the copy of a store replaces it after the loss of its folder', async () => {
  const places = { folder: join(fixture.root, 'one'), copy: join(fixture.root, 'two') }
  const process = fixture.start(places)
  await sealMany(process, 1, 3)
  await process.close()
  const moved = fixture.start({ folder: join(fixture.root, 'three'), copy: places.copy })
  expect(moved.store.state()).toEqual(fixture.start(places).store.state())
  expect((await moved.seal(1)).index).toBe(3)
})
