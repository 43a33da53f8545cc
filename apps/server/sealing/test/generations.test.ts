/** A declared loss: the log is closed, and its next generation continues the chain. Over really restored databases. */
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { parseNote } from '@countersign/proof/signed-note.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { some } from '../../../../tests/support/some.ts'
import { confirmedNewest } from '../../features/evidence/transparency/confirmed.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import { typedId } from '../../lib/ids.ts'
import { type FenceFixture, logOf, openFenceFixture, type Sealing, storeKinds } from './fence-fixture.ts'

let fixture: FenceFixture
afterEach(async () => {
  armFailpoint(null)
  await fixture.close()
})

const sealMany = async (by: Sealing, center: number, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await by.seal(center)
}

/** A database that has the first entries of each center, accepted although later ones were signed. */
async function restored(before: readonly [number, number][], after: readonly [number, number][]) {
  const former = fixture.start()
  for (const [center, count] of before) await sealMany(former, center, count)
  const url = await fixture.copyOf()
  for (const [center, count] of after) await sealMany(former, center, count)
  await former.close()
  const process = fixture.start({ url })
  await process.accept({ withLoss: true })
  return { process, url }
}

const chainOf = async (url: string, center: number) => {
  const rows = await fixture.query(
    `select idx::int, id, hash, previous_hash, sealed_at, content from cell.chain_entries where center_id = $1 order by idx`,
    [center],
    url,
  )
  const verifier = chainVerifier({ log: logOf(center), domain: 'history' })
  for (const { idx, id, hash, previous_hash, sealed_at, content } of rows) {
    const entry = { index: idx, id: typedId('history', id), hash, previousHash: previous_hash }
    verifier.add({ ...entry, sealedAt: sealed_at, content })
  }
  return verifier.result()
}
const shown = async (by: Sealing, center: number) => {
  const row = await by.cell.inTenant({ requestId: 'r', actorId: null, centerId: center }, (tx) =>
    confirmedNewest(tx, by.book, 'history'),
  )
  return row && parseCheckpoint(parseNote(row.note).text)
}

describe.each(some(storeKinds, 1))('a declared loss, with a store in %s', (kind) => {
  beforeEach(async () => {
    fixture = await openFenceFixture(kind)
  })

  it('continues the chain under the name of the next generation, with a statement at the next index', async () => {
    const { process, url } = await restored([[1, 3]], [[1, 4]])
    const confirmed = async () => (await process.fence.read([logOf(1)])).of(logOf(1)).confirmed
    const lost = (await confirmed()) as { size: number; root: string }
    // The refused seal marks the chain, and the declaration clears the mark.
    await expect(process.seal(1)).rejects.toMatchObject({ code: 'CHAIN_BROKEN' })
    await expect(process.declare(null, 'No signature', false)).rejects.toMatchObject({
      message: expect.stringContaining('--unsigned'),
    })
    const { declared } = await process.declare()
    expect(declared).toEqual([{ centerId: 1, domain: 'history', generation: 2, restored: 3, lost: 7 }])
    const { index, receipt } = await process.seal(1)
    expect([index, receipt().log, receipt().size]).toEqual([4, `${logOf(1)}/2`, 5])
    expect(await shown(process, 1)).toMatchObject({ origin: `${logOf(1)}/2`, size: 5 })
    const { valid, successions, log } = await chainOf(url, 1)
    expect([valid, log]).toEqual([true, `${logOf(1)}/2`])
    expect(successions).toMatchObject([
      {
        ...{ log: `${logOf(1)}/2`, index: 3, reason: 'The disk of the primary failed.' },
        declaredBy: 'Operations of log.example',
        restored: { size: 3, signed: 2 },
        lost: [{ log: logOf(1), size: 7, root: Buffer.from(lost.root, 'hex').toString('base64'), kept: 3 }],
      },
    ])
    // The old log is closed for good.
    expect(await confirmed()).toEqual(lost)
    const next = { log: logOf(1), from: 7, fromRoot: lost.root, size: 8, root: lost.root, replaces: null }
    const { identity } = (await process.store.read([])).state
    await expect(process.fence.reserve(identity, [next])).rejects.toMatchObject({
      message: expect.stringContaining(`${logOf(1)} is closed: ${logOf(1)}/2 continues it`),
    })
  })

  it('is declared for one center or for every log of a cell, and for none that is whole', async () => {
    const { process, url } = await restored(
      [
        [1, 2],
        [2, 1],
        [3, 1],
      ],
      [
        [1, 1],
        [2, 3],
        [4, 2],
      ],
    )
    // One center first.
    expect((await process.declare(2)).declared).toMatchObject([{ centerId: 2, restored: 1, lost: 4 }])
    expect((await process.seal(2)).index).toBe(2)
    await expect(process.seal(1)).rejects.toMatchObject({ code: 'CHAIN_BROKEN' })
    const { declared, refused } = await process.declare()
    expect(refused).toEqual([])
    expect(declared.map(({ centerId, restored, lost }) => [centerId, restored, lost]).sort()).toEqual([
      [1, 2, 3],
      [4, 0, 2],
    ])
    expect((await process.seal(3)).receipt().log).toBe(logOf(3))
    expect((await process.seal(4)).receipt()).toMatchObject({ log: `${logOf(4)}/2`, index: 1 })
    expect(await chainOf(url, 4)).toMatchObject({ valid: true, chainLength: 2 })
    await expect(process.declare()).rejects.toMatchObject({ message: expect.stringContaining('nothing is lost') })
  })

  it('is refused where nothing is lost, and before the database is accepted', async () => {
    const process = fixture.start()
    await sealMany(process, 1, 2)
    await expect(process.declare()).rejects.toMatchObject({ message: expect.stringContaining('nothing is lost') })
    const url = await fixture.copyOf()
    await sealMany(process, 1, 1)
    await expect(fixture.start({ url }).declare()).rejects.toMatchObject({
      message: expect.stringContaining('accept-database main --with-loss'),
    })
  })

  it('has one winner of 50 contenders in two processes', async () => {
    const { process, url } = await restored([[1, 2]], [[1, 2]])
    const other = fixture.start({ url })
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) => (at % 2 ? process : other).declare(1, `Contender ${at}`)),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await chainOf(url, 1)).toMatchObject({ valid: true, chainLength: 3, successions: [{ index: 2 }] })
    expect(await fixture.query('select generation from cell.log_generations', [], url)).toEqual([{ generation: 2 }])
  })

  it.each(['seal.reserved', 'seal.committed'])('holds after a crash at %s', async (at) => {
    const { process, url } = await restored([[1, 2]], [[1, 2]])
    armFailpoint(`fail:${at}`)
    await expect(process.declare()).rejects.toThrow()
    armFailpoint(null)
    const next = fixture.start({ url })
    if (at !== 'seal.committed') await next.declare()
    expect((await next.seal(1)).receipt()).toMatchObject({ log: `${logOf(1)}/2`, index: 3 })
    expect(await chainOf(url, 1)).toMatchObject({ valid: true, chainLength: 4 })
  })

  it('of the next generation may follow, also where the first statement is lost too', async () => {
    const { process, url } = await restored([[1, 4]], [[1, 3]])
    const early = await fixture.copyOf(url)
    await process.declare()
    await sealMany(process, 1, 2)
    const late = await fixture.copyOf(url)
    await sealMany(process, 1, 2)
    await process.close()
    const second = fixture.start({ url: late })
    await second.accept({ withLoss: true })
    expect((await second.declare()).declared).toMatchObject([{ generation: 3, restored: 7, lost: 9 }])
    await sealMany(second, 1, 1)
    await second.close()
    // A backup from before the first declaration.
    const third = fixture.start({ url: early })
    await third.accept({ withLoss: true })
    expect((await third.declare()).declared).toMatchObject([{ generation: 4, restored: 4, lost: 7 }])
    expect((await third.seal(1)).receipt()).toMatchObject({ log: `${logOf(1)}/4`, index: 5 })
    const { valid, successions } = await chainOf(early, 1)
    expect(valid).toBe(true)
    expect(successions[0]?.lost).toMatchObject([
      { log: logOf(1), size: 7, kept: 4 },
      { log: `${logOf(1)}/2`, size: 9, kept: 4 },
      { log: `${logOf(1)}/3`, size: 9, kept: 4 },
    ])
  })

  it('is no loss any more for the next promotion', async () => {
    const { process, url } = await restored([[1, 2]], [[1, 2]])
    await process.declare()
    await process.seal(1)
    const promoted = fixture.start({ url: await fixture.copyOf(url) })
    expect((await promoted.seal(1)).index).toBe(4)
  })
})
