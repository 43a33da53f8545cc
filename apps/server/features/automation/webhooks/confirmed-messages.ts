/** Messages that contain a signed checkpoint are sent only after the fence has confirmed it. */
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { parseNote } from '@countersign/proof/signed-note.ts'
import { unavailable } from '../../../lib/problem.ts'
import type { Fence } from '../../../sealing/fence/fence.ts'
import { inHex } from '../../../sealing/receipt.ts'
import type { DueDelivery } from './delivery-worker-queries.ts'

/** Throws 503 where one of these messages must not be sent. `identity`: the database that they were read from. */
export async function requireConfirmed(
  fence: Fence,
  identity: string | null,
  due: readonly Pick<DueDelivery, 'data'>[],
): Promise<void> {
  if (!fence.knowsDatabases) return
  for (const { data } of due) {
    const note = data?.includes('"checkpoint":') ? JSON.parse(data).checkpoint : undefined
    if (typeof note !== 'string') continue
    const { origin, size, root } = parseCheckpoint(parseNote(note).text)
    if ((await fence.shownUpTo(identity, origin, { size, root: inHex(root) })) >= size) continue
    throw unavailable(`A message has a checkpoint of ${size} entries of ${origin}, which the fence has not confirmed.`)
  }
}
