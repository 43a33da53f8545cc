/** One size has one confirmed root: over several processes, crashes, promotions and restored databases. */
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { parseNote } from '@countersign/proof/signed-note.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { some } from '../../../../tests/support/some.ts'
import { confirmedMessages } from '../../features/automation/webhooks/confirmed-messages.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import type { SeenSize } from '../fence/ask-witnesses.ts'
import { inHex } from '../log-keys.ts'
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

  describe('a store and a database', () => {
    it('are bound to each other with the first seal, and serve 50 concurrent seals of two processes', async () => {
      const [one, other] = [fixture.start(), fixture.start()]
      const entries = await Promise.all(
        Array.from({ length: 50 }, (_, at) => (at % 2 ? one : other).seal(1 + (at % 3))),
      )
      expect(entries.map(({ receipt }) => receipt().checkpoint)).toHaveLength(50)
      const [row] = await fixture.query('select database_id, store_id from cell.fence')
      const { id, databaseId, identity } = await one.state()
      expect([databaseId, id]).toEqual([row?.database_id, row?.store_id])
      expect(identity).toMatch(/^\d+:[0-9A-F]{8}:\d+$/)
      expect(await fixture.sizes()).toEqual([
        [1, 17],
        [2, 17],
        [3, 16],
      ])
      for (const center of [1, 2, 3]) {
        expect(await one.known(center)).toEqual({
          ...{ name: logOf(center), begunAt: 0, successor: null },
          confirmed: await fixture.headOf(center),
          reserved: undefined,
        })
      }
    })

    it('are refused where the store is empty or foreign, until an operator accepts an empty one', async () => {
      const first = fixture.start()
      await sealMany(first, 1, 3)
      // The process writes the signature of a resting log within seconds; without it the head is unsigned, as after a crash.
      const signed = () => fixture.query('select 1 from cell.signatures where size = 3')
      await expect.poll(signed, { timeout: 10_000 }).toHaveLength(1)
      await fixture.query(
        'do $$ begin set local session_replication_role = replica; delete from cell.signatures; end $$',
      )
      const empty = fixture.start({ fence: await fixture.place('empty') })
      await expect(empty.seal(1)).rejects.toMatchObject(refused(/has entries and belongs to another fence store/))
      await expect(shown(empty, 1)).rejects.toMatchObject(refused(/belongs to another fence store/))
      await expect(empty.seal(2)).rejects.toMatchObject(unavailable(/data didn't pass a safety check/))
      const refusals = empty.lines.filter((line) => line.includes('Nothing is sealed or shown in the cell'))
      expect(refusals).toHaveLength(1)
      expect(refusals[0]).toContain('accept-database main')

      const otherUrl = await fixture.copyOf()
      await fixture.query('update cell.fence set database_id = gen_random_uuid(), store_id = null', [], otherUrl)
      const foreign = fixture.start({ url: otherUrl })
      await expect(foreign.seal(1)).rejects.toMatchObject(refused(/belongs to another fence store/))
      const unbound = fixture.start({ url: otherUrl, fence: await fixture.place('unbound') })
      await expect(unbound.seal(1)).rejects.toMatchObject(refused(/has entries, and the fence store is empty/))

      await expect(empty.accept()).rejects.toMatchObject({ message: expect.stringContaining('--new-store') })
      await expect(foreign.accept({ newStore: true })).rejects.toMatchObject({
        message: expect.stringContaining('to an empty folder'),
      })
      await expect(empty.accept({ newStore: true })).rejects.toMatchObject({
        message: expect.stringContaining('--new-store --unsigned'),
      })
      expect(await empty.accept({ newStore: true, unsigned: true })).toMatchObject({
        adopted: 1,
        lost: [],
        compared: 0,
      })
      expect((await empty.seal(1)).index).toBe(3)
      await expect(first.seal(1)).rejects.toMatchObject(refused(/belongs to another fence store/))
    })
  })

  describe('a promoted database', () => {
    it('is accepted where it has everything, and the former one is never used again', async () => {
      const former = fixture.start()
      for (const center of [1, 2, 3]) await sealMany(former, center, 2)
      const before = await fixture.headOf(1)
      const url = await fixture.copyOf()
      const promoted = fixture.start({ url })
      expect((await promoted.seal(1)).index).toBe(2)
      expect(promoted.lines.join('')).toContain('is the current one now')
      await expect(former.seal(1)).rejects.toMatchObject(refused(/was replaced by another one/))
      await expect(former.seal(2)).rejects.toMatchObject(refused(/was replaced by another one/))
      await expect(shown(former, 1)).rejects.toMatchObject(refused(/replaced|another database/))
      expect(await fixture.sizes()).toEqual([
        [1, 2],
        [2, 2],
        [3, 2],
      ])
      expect(await fixture.headOf(1)).toEqual(before)
      expect((await shown(promoted, 1))?.size).toBe(3)
      await expect(former.accept()).rejects.toMatchObject({ message: expect.stringContaining("can't be used again") })
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
        message: expect.stringContaining('is missing confirmed entries of 2 logs'),
      })
      expect(await aside.accept()).toMatchObject({ wasCurrent: false, lost: [], compared: 2 })
      expect((await aside.seal(1)).index).toBe(3)
      expect(await promoted.accept({ withLoss: true })).toMatchObject({ lost: [logOf(1), logOf(2)] })
      await expect(promoted.seal(2)).rejects.toMatchObject({ code: 'CHAIN_BROKEN' })
      expect((await promoted.seal(3)).index).toBe(0)
      // Its last signature may be lost too: an earlier checkpoint is shown then, and never one without a signature.
      expect(parseNote((await shown(promoted, 2))?.note as string).signatures).toHaveLength(1)
    })

    it('is refused where a witness has cosigned more, or another root; with --with-loss that log stays closed', async () => {
      const process = fixture.start()
      await sealMany(process, 1, 2)
      await sealMany(process, 2, 2)
      await process.close()
      const restored = fixture.start({ url: await fixture.copyOf() })
      const asked: string[] = []
      const witness = (seen: SeenSize) => ({
        name: 'w.example',
        async seen(note: string, size: number): Promise<SeenSize> {
          asked.push(parseCheckpoint(parseNote(note).text).origin)
          expect(parseCheckpoint(parseNote(note).text).size).toBe(size)
          return asked.at(-1) === logOf(2) ? seen : { size: 0 }
        },
      })
      await expect(restored.accept({}, [witness({ size: 7 })])).rejects.toMatchObject({
        message: expect.stringContaining(`${logOf(2)} (2 entries; w.example has cosigned 7)`),
      })
      await expect(restored.accept({}, [witness('another root')])).rejects.toMatchObject({
        message: expect.stringContaining(`${logOf(2)} (w.example)`),
      })
      const { lost, witnesses } = await restored.accept({ withLoss: true }, [
        witness({ size: 7 }),
        witness('no answer'),
      ])
      expect([lost, witnesses.asked, witnesses.silent.get('w.example')]).toEqual([[logOf(2)], 2, 1])
      expect(asked).toContain(logOf(1))
      await expect(restored.seal(2)).rejects.toMatchObject({ code: 'CHAIN_BROKEN' })
      expect((await restored.seal(1)).index).toBe(2)
    })

    it('keeps what was committed and not confirmed, if it has it; else that is dead', async () => {
      const former = fixture.start()
      await sealMany(former, 1, 1)
      const without = await fixture.copyOf()
      armFailpoint('fail:seal.committed')
      await expect(former.seal(1)).rejects.toThrow('failpoint seal.committed')
      armFailpoint(null)
      const withIt = await fixture.copyOf()
      expect(await former.known(1)).toMatchObject({ confirmed: { size: 1 }, reserved: { size: 2 } })
      const promoted = fixture.start({ url: withIt })
      expect((await promoted.seal(2)).index).toBe(0)
      expect(await promoted.known(1)).toMatchObject({
        confirmed: await fixture.headOf(1, withIt),
        reserved: undefined,
      })
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
      expect(await fixture.headOf(1)).toMatchObject({ size: 2 })
      await expect(shown(former, 1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      const identityOf = async (at?: string) =>
        (await fixture.query('select cell.database_identity() as identity', [], at))[0]?.identity
      // Nobody who reads the former database finds a signature over the size that was never shown.
      expect(await fixture.query('select size::int from cell.signatures')).toEqual([{ size: 1 }])
      const message = (checkpoint: string) => [
        { type: 'dpu.sealed', data: JSON.stringify({ chainIndex: 1, checkpoint }) },
      ]
      const dead = await fixture.headOf(1)
      const unsigned = `${logOf(1)}\n2\n${Buffer.from(dead.root, 'hex').toString('base64')}\n\n`
      const send = async (by: Sealing, url: string | undefined, checkpoint: string) => {
        const [sent] = await confirmedMessages(by.cell, by.book, 1, await identityOf(url), message(checkpoint))
        return JSON.parse(sent?.data ?? '').checkpoint
      }
      await expect(send(former, undefined, unsigned)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      // Not even where the message is in the current database: its root is not the confirmed one.
      await expect(send(promoted, url, unsigned)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      // The process that committed it is told so, if it still runs.
      await expect(
        former.fence.confirm(await identityOf(), [{ log: logOf(1), ...(await fixture.headOf(1)) }]),
      ).rejects.toMatchObject(unavailable(/don't know whether it took effect/))
      const text = receipt.checkpoint.slice(0, receipt.checkpoint.indexOf('\n\n') + 2)
      expect(await send(promoted, url, text)).toBe(receipt.checkpoint)
      expect(await send(promoted, url, receipt.checkpoint)).toBe(receipt.checkpoint)
    })
  })
})
