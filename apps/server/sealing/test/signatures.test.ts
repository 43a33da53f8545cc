/** With a fence store a checkpoint is signed only after it is confirmed, and no reader notices. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readSigned, rememberedOf } from '../../integrity/signed-roots.ts'
import { armFailpoint } from '../../lib/failpoint.ts'
import type { Entry } from '../batch.ts'
import type { Claim } from '../claims.ts'
import { type FenceFixture, logOf, openFenceFixture, type Sealing, sealMany, shown } from './fence-fixture.ts'
import { claimOf, entryItem } from './sequencer-fixture.ts'

let fixture: FenceFixture
beforeEach(async () => {
  fixture = await openFenceFixture()
})
afterEach(async () => {
  armFailpoint(null)
  await fixture.close()
})

const storedSizes = async () =>
  (await fixture.query('select size::int from cell.signatures order by 1')).map(({ size }) => size)
const noteShown = async (by: Sealing) => (await shown(by, 1))?.note
const receiptClaim: Claim<Entry> = {
  ...claimOf<Entry>('key'),
  render: (entry) => ({ status: 200, body: JSON.stringify({ data: { hash: entry.hash, receipt: entry.receipt() } }) }),
}

const replayed = async (by: Sealing) => {
  const again = await by.sealer.seal(entryItem(1), receiptClaim)
  return 'replay' in again ? JSON.parse(again.replay.body).data.receipt : null
}

it('a signature is written with the next batch, or when the log rests', async () => {
  const process = fixture.start()
  const first = (await process.seal(1)).receipt().checkpoint
  expect(await storedSizes()).toEqual([])
  // Another process signs for itself, with the same result.
  expect(await noteShown(fixture.start())).toBe(first)
  await process.seal(1)
  expect(await storedSizes()).toEqual([1])
  await expect.poll(storedSizes, { timeout: 15_000 }).toEqual([1, 2])
})

it('a process that stops writes the signatures that it has', async () => {
  const process = fixture.start()
  await sealMany(process, 1, 1)
  await process.close()
  expect(await storedSizes()).toEqual([1])
})

it('a stored answer has no signature, and its replay has the one of the first answer', async () => {
  const process = fixture.start()
  const outcome = await process.sealer.seal(entryItem(1), receiptClaim)
  if ('replay' in outcome) throw new Error('a replay')
  const first = outcome.result.receipt()
  const [{ stored }] = await fixture.query(`select convert_from(body, 'utf8') as stored from cell.idempotency_records`)
  expect(first.checkpoint).toContain(`\n\n— ${logOf(1)} `)
  expect(JSON.parse(stored).data.receipt).toEqual({
    ...first,
    checkpoint: first.checkpoint.slice(0, first.checkpoint.indexOf('\n\n') + 2),
  })
  // Before the log is continued, and after it.
  expect(await replayed(fixture.start())).toEqual(first)
  await process.seal(1)
  expect(await replayed(process)).toEqual(first)
  // A forged record gets no signature.
  await fixture.query(`update cell.idempotency_records set body = convert_to(replace($1, $2, $3), 'utf8')`, [
    stored,
    JSON.parse(stored).data.receipt.checkpoint.split('\n')[2],
    Buffer.alloc(32, 7).toString('base64'),
  ])
  await expect(replayed(process)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

it('a replay confirms the batch of a process that died between its commit and the confirmation', async () => {
  armFailpoint('fail:seal.committed')
  const died = fixture.start()
  await expect(died.sealer.seal(entryItem(1), receiptClaim)).rejects.toThrow('failpoint seal.committed')
  armFailpoint(null)
  expect(await died.known(1)).toMatchObject({ confirmed: undefined, reserved: { size: 1 } })
  const receipts = await Promise.all([fixture.start(), died].map(replayed))
  expect(receipts.map(({ checkpoint }) => checkpoint)).toEqual(Array(2).fill(await noteShown(died)))
  expect(await died.known(1)).toMatchObject({ confirmed: { size: 1 }, reserved: undefined })
})

it('a verification accepts a newest checkpoint that is confirmed and not signed yet, and no other', async () => {
  const process = fixture.start()
  await sealMany(process, 1, 1)
  armFailpoint('fail:seal.committed')
  await expect(process.seal(1)).rejects.toThrow('failpoint seal.committed')
  armFailpoint(null)
  const faults = () =>
    process.cell.inTenant({ requestId: 'r', actorId: null, centerId: 1 }, async (tx) => {
      const remembered = (await rememberedOf(tx, process.book)).get('history')
      const head = { domain: 'history', generation: 1, next_index: 9 } as const
      const { roots } = await readSigned(tx, process.book, head, remembered)
      return roots.filter(({ stored }) => stored).map(({ size, fault }) => [size, fault])
    })
  expect(await faults()).toEqual([
    [1, null],
    [2, null],
  ])
  await fixture.query(`set session_replication_role = replica; delete from cell.signatures`)
  expect(await faults()).toEqual([
    [1, 'the checkpoint of 1 entries is not signed by us'],
    [2, null],
  ])
  await fixture.query(
    `set session_replication_role = replica; update cell.checkpoints set root = sha256('') where size = 2`,
  )
  expect((await faults()).at(-1)).toEqual([2, 'the checkpoint of 2 entries is not signed by us'])
})
