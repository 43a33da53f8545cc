/** The entry point of this feature: proofs that an entry is in its log, and the level of its checkpoint. */
import type { Domain } from '@countersign/proof/chain.ts'
import { type Anchor, type Anchoring, anchorings, type Declaration, declaration } from '@countersign/proof/export.ts'
import { writeTlogProof } from '@countersign/proof/tlog-proof.ts'
import { leafHash, verifyInclusion } from '@countersign/proof/tree.ts'
import { satisfied, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { Problem } from '../../../lib/problem.ts'
import { inBase64, inHex, isSigned, type Receipt } from '../../../sealing/log-keys.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { confirmedOver, type ShownCheckpoint } from './confirmed.ts'
import { proofThatHolds } from './nodes.ts'
import { type CheckpointRow, hashAt, readSuccessions, type SuccessionRow } from './queries.ts'
import type { TileCache } from './tile-cache.ts'

export { type ClosingCheckpoint, checkpointLines, closingCheckpoint } from './checkpoint-lines.ts'
export { logDocument } from './log-document.ts'
export { witnessFigures } from './publisher-queries.ts'
export { askedWitnesses } from './witness-sizes.ts'

export interface Logged {
  readonly receipt: Receipt
  /** The same as a portable text. */
  readonly tlogProof: string
  readonly anchoring: Anchoring
  /** The token of a time-stamping authority, in base64. */
  readonly timestamp: string | null
}

/** What is needed to determine the level of a checkpoint. */
export interface Watching {
  readonly book: LogBook
  readonly policy: TrustPolicy
  readonly cache: TileCache
}

export interface OpenWatching extends Watching {
  readonly policyText: string
}

/** With all the signatures collected so far. */
export const fullNote = ({ note, cosignatures }: ShownCheckpoint): string =>
  note + (cosignatures ?? []).map(({ line }) => line).join('')

export function anchoringOf({ cosignatures, token }: CheckpointRow, policy: TrustPolicy): Anchoring {
  if (token) return 'timestamped'
  const names = (cosignatures ?? []).map(({ witness }) => witness)
  return policy.quorum !== 'none' && satisfied(policy, names) ? 'witnessed' : 'logged'
}

/**
 * The proof under the best checkpoint that covers the entry; null for a chain that was never signed. Where later
 * entries differ from the signed ones, an earlier checkpoint is used: another broken record does not invalidate this
 * one's proof.
 */
export async function loggedAt(
  tx: TenantTx,
  watching: Watching,
  domain: Domain,
  index: number,
): Promise<Logged | null> {
  const rows = await confirmedOver(tx, watching.book, domain, index)
  // A verifier believes a stolen key only with witnesses from before the theft, or not at all.
  const rank = (row: ShownCheckpoint) =>
    row.line !== null && watching.book.keys.isByStolenKey(row.line)
      ? -1
      : anchorings.indexOf(anchoringOf(row, watching.policy))
  let refusal: unknown = null
  for (const row of rows.toSorted((a, b) => rank(b) - rank(a) || b.size - a.size)) {
    try {
      return await underCheckpoint(tx, watching, domain, index, row)
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'CHAIN_BROKEN')) throw error
      refusal ??= error
    }
  }
  if (refusal !== null) throw refusal
  return null
}

/** Only the receipt, for answers that include one. */
export async function receiptFor(
  tx: TenantTx,
  watching: Watching,
  domain: Domain,
  index: number,
): Promise<Receipt | null> {
  return (await loggedAt(tx, watching, domain, index))?.receipt ?? null
}

/** The receipt that the seal answered: under the checkpoint of its own batch, without later cosignatures. */
export async function firstReceipt(
  tx: TenantTx,
  watching: Watching,
  domain: Domain,
  index: number,
): Promise<Receipt | null> {
  const own = (await confirmedOver(tx, watching.book, domain, index)).at(-1)
  return own ? (await underCheckpoint(tx, watching, domain, index, { ...own, cosignatures: null })).receipt : null
}

/** For an export: the record, and in the chain `history` each of its changes and each binding of a passkey. */
export async function anchorFor(
  tx: TenantTx,
  watching: Watching,
  domain: Domain,
  index: number,
  changes: readonly number[] = [],
  bindings: readonly number[] = [],
): Promise<Anchor | null> {
  const logged = await loggedAt(tx, watching, domain, index)
  if (!logged) return null
  const proofsOf = async (indexes: readonly number[]): Promise<readonly string[]> => {
    const proofs: string[] = []
    for (const each of indexes) {
      const proof = (await loggedAt(tx, watching, 'history', each))?.tlogProof
      if (proof !== undefined) proofs.push(proof)
    }
    return proofs
  }
  const [historyProofs, bindingProofs] = [await proofsOf(changes), await proofsOf(bindings)]
  const named: readonly Domain[] = changes.length + bindings.length > 0 ? [domain, 'history'] : [domain]
  const successions = await successionsOf(tx, watching, named)
  return {
    tlogProof: logged.tlogProof,
    anchoring: logged.anchoring,
    ...(logged.timestamp !== null && { timestamp: logged.timestamp }),
    // All or none, because the proofs correspond to the entries by position.
    ...(historyProofs.length === changes.length && { historyProofs }),
    ...(bindingProofs.length === bindings.length && bindings.length > 0 && { bindingProofs }),
    ...(successions.length > 0 && { successions: successions.map(({ declaration }) => declaration) }),
  }
}

interface Declared {
  readonly row: SuccessionRow
  readonly log: string
  readonly declaration: Declaration
}

/**
 * The declared losses, oldest first. The proof is under a checkpoint of the generation that the statement begins, a
 * witnessed one where there is one: a verifier needs no other statement to follow it.
 */
export async function successionsOf(
  tx: TenantTx,
  watching: Watching,
  domains: readonly Domain[],
): Promise<readonly Declared[]> {
  const found: Declared[] = []
  for (const row of await readSuccessions(tx, domains)) {
    const { domain, generation, index } = row
    const over = await confirmedOver(tx, watching.book, domain, index)
    const own = over.filter((each) => each.generation === generation)
    const best = own.find((each) => anchoringOf(each, watching.policy) !== 'logged') ?? own.at(-1)
    if (!best) continue
    const { receipt, tlogProof } = await underCheckpoint(tx, watching, domain, index, best)
    found.push({ row, log: receipt.log, declaration: declaration(row, tlogProof) })
  }
  return found
}

/** Checked before it is sent: a proof that does not hold is never sent. */
export async function underCheckpoint(
  tx: TenantTx,
  { book, policy, cache }: Watching,
  domain: Domain,
  index: number,
  row: ShownCheckpoint,
): Promise<Logged> {
  const { size, root } = row
  const log = book.nameOf({ center_id: tx.caller.centerId, domain, generation: row.generation })
  const hash = row.hash === undefined ? await hashAt(tx, domain, index) : row.hash
  const signed = isSigned(log, book.keys, row.line, { size, root: inHex(root) })
  if (!signed || typeof hash !== 'string') throw notInTree(domain, index, size)
  const holds = (proof: readonly Uint8Array[]) => verifyInclusion(leafHash(hash), index, size, proof, root)
  const hashes = await proofThatHolds(tx, cache, domain, { index, size }, holds)
  if (!hashes) throw notInTree(domain, index, size)
  const checkpoint = fullNote(row)
  return {
    receipt: { log, index, size, inclusionProof: hashes.map(inBase64), checkpoint },
    tlogProof: writeTlogProof(index, hashes, checkpoint),
    anchoring: anchoringOf(row, policy),
    timestamp: row.token?.toString('base64') ?? null,
  }
}

const notInTree = (domain: Domain, index: number, size: number): Problem =>
  new Problem(
    'CHAIN_BROKEN',
    `Entry ${index} in the "${domain}" chain doesn't match the signed checkpoint at ${size} entries, so it isn't shown as proof. Contact the operator.`,
    { details: { domain, brokenAt: index } },
  )
