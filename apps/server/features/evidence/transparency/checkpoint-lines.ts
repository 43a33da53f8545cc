/** The checkpoints of a log as lines of JSON, with all signatures and time stamps, for the export of a center. */
import type { Domain } from '@countersign/proof/chain.ts'
import { checkpointText } from '@countersign/proof/checkpoint.ts'
import { emptyRoot } from '@countersign/proof/tree.ts'
import { satisfied, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { notReady } from '../../../lib/problem.ts'
import { inBase64, unsignedNote } from '../../../sealing/log-keys.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { confirmedAt } from './confirmed.ts'
import { checkpointsBetween } from './queries.ts'

const pageSize = 1000

/** Below a size of the log. The checkpoint of that size itself is `closingCheckpoint`. */
export async function checkpointLines(tx: TenantTx, book: LogBook, domain: Domain, after: number, below: number) {
  const page = { after, upTo: below - 1, limit: pageSize }
  const rows = await checkpointsBetween(tx, domain, page)
  const lines = rows.map(({ generation, size, root, line, cosignatures, token }) => {
    const log = book.nameOf({ center_id: tx.caller.centerId, domain, generation })
    const text = root.length === 32 ? checkpointText(log, size, root) : ''
    const note = unsignedNote(text) + (line ?? '') + (cosignatures ?? []).map((each) => each.line).join('')
    return `${JSON.stringify({ size, note, ...(token && { timestamp: token.toString('base64') }) })}\n`
  })
  return { lines, last: rows.at(-1)?.size ?? after }
}

export interface ClosingCheckpoint {
  readonly log: string
  readonly size: number
  /** Base64. */
  readonly root: string
  /** Null for an empty log. */
  readonly note: string | null
  readonly timestamp?: string
  /** Whether it has the cosignatures that the policy asks for, or a policy asks for none. */
  readonly witnessed: boolean
}

/** Throws where the size is not confirmed yet: then it may not be shown. */
export async function closingCheckpoint(
  tx: TenantTx,
  { book, policy }: { readonly book: LogBook; readonly policy: TrustPolicy },
  domain: Domain,
  size: number,
): Promise<ClosingCheckpoint> {
  const named = (generation: number) => book.nameOf({ center_id: tx.caller.centerId, domain, generation })
  if (size === 0) return { log: named(1), size, root: inBase64(emptyRoot), note: null, witnessed: true }
  const found = await confirmedAt(tx, book, domain, size)
  if (!found?.line) throw notReady(`The checkpoint at ${size} entries in the "${domain}" log isn't signed yet.`)
  const { note, cosignatures, token, root, generation } = found
  return {
    log: named(generation),
    size,
    root: inBase64(root),
    note: note + (cosignatures ?? []).map(({ line }) => line).join(''),
    ...(token && { timestamp: token.toString('base64') }),
    witnessed:
      policy.quorum === 'none' ||
      satisfied(
        policy,
        (cosignatures ?? []).map(({ witness }) => witness),
      ),
  }
}
