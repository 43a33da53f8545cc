/** A chain is continued only from a signed head. sequencer.test.ts covers everything else about batches. */
import { checkpointText, parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { parseNote } from '@countersign/proof/signed-note.ts'
import { emptyFrontier, encodeFrontier, grow, leafHash, rootOf, verifyInclusion } from '@countersign/proof/tree.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Entry } from '../batch.ts'
import type { SealOutcome } from '../claims.ts'
import { isSigned, readLogKeys } from '../log-keys.ts'
import type { Sequencer } from '../sequencer.ts'
import { entryItem, logHost, openSequencerFixture, type SequencerFixture } from './sequencer-fixture.ts'

let fixture: SequencerFixture
let center = 0
beforeAll(async () => {
  fixture = await openSequencerFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  center++
  await fixture.client.query('set session_replication_role = origin')
})

const resultOf = (outcome: SealOutcome<Entry>): Entry => {
  if ('replay' in outcome) throw new Error('a replay')
  return outcome.result
}
const seal = async (count = 1, sequencer: Sequencer = fixture.sequencer): Promise<readonly Entry[]> =>
  (await Promise.all(Array.from({ length: count }, () => sequencer.seal(entryItem(center))))).map(resultOf)

/** Runs as a superuser, who can change every row. */
async function forge(text: string, values: unknown[] = []): Promise<void> {
  await fixture.client.query('set session_replication_role = replica')
  await fixture.client.query(text, values)
}
const rows = async (text: string) => (await fixture.client.query(text, [center])).rows
const frontierOf = (hashes: readonly string[]) => grow(emptyFrontier, hashes.map(leafHash)).frontier

/** Expects that nothing was sealed, and that the alarm was logged and audited. */
async function refuses(sequencer: Sequencer, reason: RegExp): Promise<void> {
  const before = await rows('select from cell.chain_entries where center_id = $1')
  await expect(seal(1, sequencer)).rejects.toMatchObject({
    code: 'CHAIN_BROKEN',
    message: expect.stringMatching(reason),
  })
  expect(await rows('select from cell.chain_entries where center_id = $1')).toHaveLength(before.length)
  const [head] = await rows('select next_index::int, broken_at::int from cell.chain_heads where center_id = $1')
  expect(head.broken_at).toBe(Math.max(0, head.next_index - 1))
  const alarms = await rows(
    `select target_id, details from cell.audit_entries where center_id = $1 and type = 'integrity.alarm'`,
  )
  expect(alarms).toEqual([
    {
      target_id: 'history',
      details: expect.objectContaining({ action: 'found', reason: expect.stringMatching(reason) }),
    },
  ])
  // The chain is marked: every process refuses to seal onto it, and the alarm is raised once.
  await expect(seal()).rejects.toMatchObject({ code: 'CHAIN_BROKEN' })
  expect(await rows(`select from cell.audit_entries where center_id = $1 and type = 'integrity.alarm'`)).toHaveLength(1)
}

describe('every batch', () => {
  it('signs one checkpoint of each changed log, over all its entries', async () => {
    const first = await seal(5)
    const second = await seal(3)
    const sizes = await rows(
      `select size::int, encode(root, 'hex') as root, line from cell.checkpoints join cell.signatures
         using (center_id, domain, size) where center_id = $1 order by size`,
    )
    expect(sizes.at(-1).size).toBe(8)
    expect(new Set(sizes.map(({ size }) => size)).size).toBe(sizes.length)
    const hashes = [...first, ...second].map(({ hash }) => hash)
    for (const { size, root, line } of sizes) {
      expect(root).toBe(Buffer.from(rootOf(frontierOf(hashes.slice(0, size)))).toString('hex'))
      expect(isSigned(`${logHost}/c/${center}/history`, fixture.book.keys, line, { size, root })).toBe(true)
    }
    for (const { index, hash, receipt } of [...first, ...second]) {
      const { size, inclusionProof, checkpoint } = receipt()
      const proof = inclusionProof.map((each) => Buffer.from(each, 'base64'))
      const { root } = parseCheckpoint(parseNote(checkpoint).text)
      expect(verifyInclusion(leafHash(hash), index, size, proof, root)).toBe(true)
    }
  })

  it('is continued by other processes, which have signed nothing yet', async () => {
    await seal(2)
    expect((await seal(2, fixture.beside())).map(({ index }) => index)).toEqual([2, 3])
    expect((await seal(1)).map(({ index }) => index)).toEqual([4])
  })
})

describe('refuses to continue an unsigned head', () => {
  it('with another tree, in the process that signed the previous one', async () => {
    const entries = await seal(3)
    const other = frontierOf([...entries.slice(0, 2).map(({ hash }) => hash), `sha256:${'0'.repeat(64)}`])
    await forge('update cell.chain_heads set frontier = $2 where center_id = $1', [center, encodeFrontier(other)])
    await refuses(fixture.sequencer, /the chain's tree isn't the one that was signed/)
  })

  it('with another tree, in a process without remembered checkpoints', async () => {
    const entries = await seal(3)
    const other = frontierOf([...entries.slice(0, 2).map(({ hash }) => hash), `sha256:${'0'.repeat(64)}`])
    await forge('update cell.chain_heads set frontier = $2 where center_id = $1', [center, encodeFrontier(other)])
    await refuses(fixture.beside(), /no signed checkpoint covers the chain's last entry/)
  })

  it('with a tree that is deleted or does not fit its size', async () => {
    await seal(3)
    await forge('update cell.chain_heads set frontier = null where center_id = $1', [center])
    await refuses(fixture.beside(), /the chain's tree is missing/)
    center++
    await seal(3)
    await forge(`update cell.chain_heads set frontier = '\\x00' where center_id = $1`, [center])
    await refuses(fixture.beside(), /the chain's tree is missing/)
  })

  it('with a tree that is deleted together with every checkpoint and tile', async () => {
    await seal(3)
    await forge('delete from cell.checkpoints where center_id = $1', [center])
    await forge('delete from cell.tree_tiles where center_id = $1', [center])
    await forge('update cell.chain_heads set frontier = null where center_id = $1', [center])
    await refuses(fixture.beside(), /the chain's tree is missing/)
  })

  it('with a deleted signature', async () => {
    await seal(3)
    await forge('delete from cell.signatures where center_id = $1 and size = 3', [center])
    await refuses(fixture.beside(), /no signed checkpoint covers the chain's last entry/)
  })

  it('with a checkpoint that another key signed', async () => {
    const entries = await seal(3)
    const log = `${logHost}/c/${center}/history`
    const text = checkpointText(log, 3, rootOf(frontierOf(entries.map(({ hash }) => hash))))
    const otherKeys = readLogKeys(Buffer.alloc(32, 7).toString('base64'), logHost)
    const [signature] = await otherKeys.signLines([{ origin: log, text }])
    await forge('update cell.signatures set line = $2 where center_id = $1 and size = 3', [center, signature])
    await refuses(fixture.beside(), /no signed checkpoint covers the chain's last entry/)
  })

  it('of a rewritten chain whose entries, head and tree are consistent but not signed', async () => {
    const entries = await seal(3)
    const forged = [`sha256:${'1'.repeat(64)}`, ...entries.slice(1).map(({ hash }) => hash)]
    await forge('update cell.chain_heads set frontier = $2 where center_id = $1', [
      center,
      encodeFrontier(frontierOf(forged)),
    ])
    await forge('update cell.checkpoints set root = $2 where center_id = $1 and size = 3', [
      center,
      rootOf(frontierOf(forged)),
    ])
    await refuses(fixture.beside(), /no signed checkpoint covers the chain's last entry/)
  })
})

describe('a database that was restored to an earlier state', () => {
  /** Restores the first two entries with everything that was signed then, as a backup would. */
  async function setBack(entries: readonly Entry[]): Promise<void> {
    const [, second] = entries as [Entry, Entry]
    await forge(`delete from cell.entries where center_id = $1 and idx >= 2`, [center])
    await forge('delete from cell.history where center_id = $1 and idx >= 2', [center])
    for (const table of ['checkpoints', 'signatures']) {
      await forge(`delete from cell.${table} where center_id = $1 and size > 2`, [center])
    }
    await forge(
      `update cell.chain_heads set next_index = 2, last_hash = $2, last_sealed_at = $3, frontier = $4 where center_id = $1`,
      [center, second.hash, second.sealedAt, encodeFrontier(frontierOf(entries.slice(0, 2).map(({ hash }) => hash)))],
    )
  }

  it('is detected by the process that signed a larger size', async () => {
    const entries = [...(await seal(2)), ...(await seal(3))]
    await setBack(entries)
    await refuses(fixture.sequencer, /has seen a signed checkpoint at 5 entries, but the chain has only 2/)
  })

  it('is not detected by a process without remembered checkpoints, which is why witnesses exist', async () => {
    const entries = [...(await seal(2)), ...(await seal(3))]
    await setBack(entries)
    expect((await seal(1, fixture.beside())).map(({ index }) => index)).toEqual([2])
  })
})
