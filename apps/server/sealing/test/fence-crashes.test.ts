/** Crashes around the two writes of a seal, and faults of the store. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { some } from '../../../../tests/support/some.ts'
import { openWire } from '../../../../tests/support/tcp-proxy.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import {
  type FenceFixture,
  logOf,
  openFenceFixture,
  refused,
  type Sealing,
  sealMany,
  shown,
  storeKinds,
  unavailable,
} from './fence-fixture.ts'

describe.each(some(storeKinds, 1))('with a store in %s', (kind) => {
  let fixture: FenceFixture
  beforeEach(async () => {
    fixture = await openFenceFixture(kind)
  })
  afterEach(async () => {
    armFailpoint(null)
    await fixture.close()
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
      expect((await process.known(1)).confirmed?.size).toBe(1)
      expect((await fixture.start().seal(1)).index).toBe(2)
      expect((await process.known(1)).confirmed).toEqual(await fixture.headOf(1))
    })

    it('leaves a seal that the next reader confirms', async () => {
      const process = await unconfirmed()
      const reader = fixture.start()
      await expect.poll(async () => (await shown(reader, 1))?.size, { timeout: 10_000 }).toBe(2)
      expect(await process.known(1)).toMatchObject({ confirmed: await fixture.headOf(1), reserved: undefined })
    })

    it('leaves a dead reservation where it ended before COMMIT', async () => {
      const process = fixture.start()
      armFailpoint('fail:seal.reserved')
      await expect(process.seal(1)).rejects.toThrow('failpoint seal.reserved')
      armFailpoint(null)
      expect(await process.known(1)).toMatchObject({ confirmed: undefined, reserved: { size: 1 } })
      expect(await shown(process, 1)).toBeUndefined()
      expect((await process.seal(1)).index).toBe(0)
      expect((await process.known(1)).confirmed).toEqual(await fixture.headOf(1))
    })

    it('leaves a reservation that a batch replaces although it did not know it when it began', async () => {
      const process = fixture.start()
      await sealMany(process, 1, 1)
      const { read } = process.store
      const earlier = await read([logOf(1)])
      armFailpoint('fail:seal.reserved')
      await expect(process.seal(1)).rejects.toThrow('failpoint seal.reserved')
      armFailpoint(null)
      const outdated = async () => {
        Object.assign(process.store, { read })
        return earlier
      }
      Object.assign(process.store, { read: outdated })
      expect((await process.seal(1)).index).toBe(1)
      expect(process.store.read).toBe(read)
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
        await fixture.query(`create constraint trigger slow after insert on cell.entries
        deferrable initially deferred for each row execute function cell.wait()`)
        const lost = process.seal(2)
        const ended = expect(lost).rejects.toMatchObject(unavailable(/don't know whether it took effect/))
        const committing = () =>
          fixture.query(`select pid from pg_stat_activity where query = 'commit' and state = 'active'`)
        await expect.poll(committing, { timeout: 5000 }).toHaveLength(1)
        if (index === 0) await fixture.query(`select pg_terminate_backend(${(await committing())[0]?.pid})`)
        else await wire.cut()
        await ended
        if (index === 1) await wire.mend()
        await fixture.query('drop trigger slow on cell.entries')
        await expect.poll(async () => (await process.seal(2).catch(() => null))?.index, { timeout: 10_000 }).toBe(index)
        expect((await process.known(2)).confirmed).toEqual(await fixture.headOf(2))
      } finally {
        await wire.close()
      }
    })
  })

  it('a store that another process has locked is asked seven times for 250 ms, and nothing is committed', async () => {
    const process = fixture.start()
    await sealMany(process, 1, 1)
    const release = await fixture.lockStore()
    const started = performance.now()
    await expect(process.seal(1)).rejects.toMatchObject(unavailable("A safety check couldn't be completed"))
    expect(performance.now() - started).toBeLessThan(5000)
    expect(await fixture.sizes()).toEqual([[1, 1]])
    await release()
    // The reservation may have taken effect late: the next batch replaces it.
    expect((await process.seal(1)).index).toBe(1)
    // A lock that ends during the second try costs no answer.
    const free = await fixture.lockStore()
    const late = process.seal(1)
    await new Promise((resolve) => setTimeout(resolve, 350))
    await free()
    expect((await late).index).toBe(2)
  })

  it('a head that grew past the store is neither continued nor shown, until an operator adopts it', async () => {
    const process = fixture.start()
    await sealMany(process, 1, 2)
    await process.close()
    await fixture.inStore('update logs set confirmed_size = 1')
    const later = fixture.start()
    await expect(later.seal(1)).rejects.toMatchObject(
      refused(/1 entries of .* are confirmed, and the batch continues 2/),
    )
    expect((await shown(later, 1))?.size).toBe(1)
    // The root of the smaller size is the one of the larger here, so the comparison finds another history.
    await expect(later.accept()).rejects.toMatchObject({
      message: expect.stringContaining('differ from the confirmed ones'),
    })
    const [row] = await fixture.query(`select encode(root, 'hex') as root from cell.checkpoints where size = 1`)
    await fixture.inStore(`update logs set confirmed_root = '${row?.root}'`)
    expect(await later.accept()).toMatchObject({ wasCurrent: true, adopted: 1 })
    expect((await later.seal(1)).index).toBe(2)
  })
})

it('the copy of a store replaces it after the loss of its folder', async () => {
  const fixture = await openFenceFixture()
  const at = (name: string) => join(fixture.root, name)
  const places = { fence: at('one'), copy: at('two') }
  const process = fixture.start(places)
  await sealMany(process, 1, 3)
  await process.close()
  const moved = fixture.start({ fence: at('three'), copy: places.copy })
  expect(await moved.state()).toEqual(await fixture.start(places).state())
  expect((await moved.seal(1)).index).toBe(3)
  await fixture.close()
})

it('a store in the PostgreSQL server of the cell is refused, and one that is away answers 503', async () => {
  const fixture = await openFenceFixture()
  const beside = fixture.start({ fence: fixture.url })
  await expect(beside.seal(1)).rejects.toMatchObject(refused(/on the cell's own PostgreSQL server/))
  await expect(beside.accept()).rejects.toMatchObject({
    message: expect.stringContaining('must name a store on another server'),
  })
  const alone = fixture.start({ fence: 'postgres://nobody@127.0.0.1:1/fence' })
  await expect(alone.seal(1)).rejects.toMatchObject(unavailable("A safety check couldn't be completed"))
  expect(await fixture.sizes()).toEqual([])
  await fixture.close()
})
