/**
 * Hashes of a large decision, made in the thread pool before its batch. On the event loop each would hold up the requests of
 * all centers for as long as a megabyte takes.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { actionDigest, actionText, type DigestedAction } from '@countersign/proof/action-digest.ts'
import { type Ahead, commitmentText } from '@countersign/proof/commitment.ts'
import { proofValues } from '@countersign/proof/proof-entry.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { newActionSalt, newSalt } from '../../../lib/ids.ts'
import { sha256Aside } from '../../../lib/sha256-aside.ts'
import { eventForProof } from '../dpu/api.ts'

/** The hash of less takes less than a millisecond. */
const largeBytes = 64 * 1024

export interface ActionHash {
  readonly salt: string
  readonly digest: string
}

export function hashAction(action: DigestedAction): ActionHash {
  const salt = newActionSalt()
  return { salt, digest: actionDigest(salt, action) }
}

/** `bytes` is the size of the request that brought the action. */
export async function hashActionAhead(action: DigestedAction, bytes: number): Promise<ActionHash> {
  if (bytes <= largeBytes) return hashAction(action)
  const salt = newActionSalt()
  return { salt, digest: `sha256:${await sha256Aside(actionText(salt, action))}` }
}

/** By the row that the batch will seal: one that it loads instead has the salts of then. */
const commitments = new WeakMap<EventRow, Ahead>()

export const committedAhead = (event: EventRow): Ahead | undefined => commitments.get(event)

export async function commitAhead(event: EventRow, bytes: number): Promise<void> {
  if (bytes <= largeBytes) return
  const made = new Map<string, { salt: string; commitment: string }>()
  for (const [path, value] of Object.entries(proofValues({ event: eventForProof(event) }))) {
    if (typeof value !== 'object') continue
    await nextTurn()
    const salt = newSalt()
    const text = commitmentText(salt, path, value)
    if (text.length > largeBytes) made.set(path, { salt, commitment: `sha256:${await sha256Aside(text)}` })
  }
  commitments.set(event, made)
}
