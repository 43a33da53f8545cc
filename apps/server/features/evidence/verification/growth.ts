/**
 * Verification of what was appended since the last one: entries, their records, and the signed roots over them. It does
 * not read the entries before, and so does not find a row that was changed after it was verified; a full verification does.
 * Where it continues from is a row of the database, and counts only with a signed checkpoint over the same tree.
 */
import { decodeFrontier, emptyFrontier, type Frontier, rootOf } from '@countersign/proof/tree.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { raiseAlarm } from '../../../integrity/alarm.ts'
import { headFault, scanRecords } from '../../../integrity/scan.ts'
import { type Remembered, readSigned, rememberedOf, treeWalk } from '../../../integrity/signed-roots.ts'
import * as chain from '../../../integrity/verify-queries.ts'
import { inHex } from '../../../sealing/log-keys.ts'
import { type Checked, inLockOrder, reachedOf, type Verifying } from './center.ts'
import { readRecords } from './records.ts'

/** `broken`: a fault was found, and the alarm raised. `full`: there is nothing to continue from. */
export type GrowthVerdict = 'valid' | 'broken' | 'full'

export async function verifyGrowth(verifying: Verifying): Promise<GrowthVerdict> {
  const { needs, inCenter } = verifying
  const { heads, reached, remembered } = await inCenter(async (tx) => ({
    // Before the heads.
    remembered: await rememberedOf(tx, needs.logBook),
    reached: await chain.readReached(tx),
    heads: await chain.readHeads(tx),
  }))
  const scans: Checked[] = []
  for (const head of heads) {
    const from = reached.get(head.domain) ?? null
    if (head.next_index <= (from?.head.chainLength ?? 0)) continue
    const checked = await continueFrom(verifying, head, from, remembered.get(head.domain))
    if (checked === null) return 'full'
    scans.push(checked)
  }
  await inCenter(async (tx) => {
    for (const { head, finding, reached: end } of inLockOrder(scans)) {
      if (finding) await raiseAlarm(tx, needs.log, 'records', head.domain, { ...finding, generation: head.generation })
      else if (end) await chain.keepReached(tx, head.domain, end)
    }
  })
  return scans.some(({ finding }) => finding) ? 'broken' : 'valid'
}

async function continueFrom(
  { needs, inCenter, centerId }: Verifying,
  head: chain.Head,
  from: chain.Reached | null,
  remembered: Remembered | undefined,
): Promise<Checked | null> {
  const { domain, generation } = head
  const { logBook, metrics } = needs
  // A declaration of a loss has changed what came before.
  if (from ? from.generation !== generation : generation !== 1) return null
  const { start, signed } = await inCenter(async (tx) => ({
    start: from ? await signedFrontier(tx, needs.logBook, head, from) : emptyFrontier,
    signed: await readSigned(tx, logBook, head, remembered),
  }))
  if (start === null) return null
  const walk = treeWalk(signed, start)
  const scanned = await scanRecords({
    ...{ log: logBook.nameOf({ center_id: centerId, domain, generation }), domain, inCenter, from: from?.head },
    readPage: (tx, after, limit) => readRecords(tx, domain, after, head.next_index, limit),
    onPage: (entries) => metrics.verified('records', entries),
    onHash: walk.add,
  })
  const finding = scanned.finding ?? headFault(head, scanned) ?? walk.finding(head, scanned.length)
  return { head, scanned, finding, reached: finding ? null : reachedOf(head, scanned, walk.frontier()) }
}

/** The tree that a verification reached; null unless a signed checkpoint of the same size has its root. */
async function signedFrontier(
  tx: TenantTx,
  book: Verifying['needs']['logBook'],
  { domain, generation }: chain.Head,
  { head, frontier }: chain.Reached,
): Promise<Frontier | null> {
  const size = head.chainLength
  const { roots } = await readSigned(tx, book, { domain, generation, next_index: size }, undefined, 1)
  const newest = roots.at(-1)
  try {
    const found = decodeFrontier(size, Buffer.from(frontier, 'base64'))
    return newest?.size === size && newest.fault === null && newest.root === inHex(rootOf(found)) ? found : null
  } catch {
    return null
  }
}
