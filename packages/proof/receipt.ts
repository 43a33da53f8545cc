/** Verifies a receipt: the proof, given at the time of the seal, that a hash is in a signed log. */
import { type Cosigner, checkAnchor, type Verdict } from './anchor.ts'
import { fromBase64 } from './base64.ts'
import { isSandboxLog } from './chain.ts'
import { declaredIn, type LossFacts, lossOf } from './declarations.ts'
import { writeTlogProof } from './tlog-proof.ts'
import type { TrustPolicy } from './trust-policy.ts'
import type { VerifyOptions } from './verify-proof.ts'

/** As the server answers it. */
export interface SealReceipt {
  readonly log: string
  readonly index: number
  readonly size: number
  /** Base64, from the entry to the root. */
  readonly inclusionProof: readonly string[]
  /** The signed checkpoint. */
  readonly checkpoint: string
}

export interface ReceiptVerdict {
  readonly inChain: Verdict
  readonly signed: Verdict
  readonly witnessed: Verdict
  /** The hash is in a log that the policy vouches for, of a sandbox only if the options accept that. It says nothing about what was hashed. */
  readonly ok: boolean
  /** Whether the log is that of a sandbox. */
  readonly sandbox: boolean
  readonly cosignedBy: readonly Cosigner[]
  /** The declaration that the entry was lost after it was signed. Then `ok` is false. */
  readonly lost: LossFacts | null
}

/** Never throws, whatever the receipt is. `hash` is the chain hash of the entry, with or without `sha256:`. */
export function verifyReceipt(
  receipt: SealReceipt,
  hash: string,
  policy: TrustPolicy | null,
  { sandbox: acceptsSandbox = false, declarations = [] }: Pick<VerifyOptions, 'sandbox' | 'declarations'> = {},
): ReceiptVerdict {
  const { inChain, signed, witnessed, cosignedBy, size } = checkAnchor(
    { log: receipt?.log, index: receipt?.index, hash },
    proofOf(receipt),
    policy,
  )
  const sizeAgrees = size === null || size === receipt?.size
  const place: Verdict = sizeAgrees
    ? inChain
    : { status: 'no', code: 'log-proof-malformed', detail: `The receipt's checkpoint is for a log of ${size} entries.` }
  const sandbox = isSandboxLog(receipt?.log)
  const lost = lossOf(receipt?.log, receipt?.index, declaredIn(declarations, policy))
  const vouched = [place, signed].every(({ status }) => status === 'yes') && (acceptsSandbox || !sandbox)
  return {
    inChain: place,
    signed,
    witnessed,
    ok: vouched && lost === null && (witnessed.status === 'yes' || witnessed.code === 'quorum-none'),
    sandbox,
    cosignedBy,
    lost,
  }
}

/** Text that is no proof when the receipt is malformed, so that the verdict says so. */
function proofOf(receipt: SealReceipt): string {
  const hashes = Array.isArray(receipt?.inclusionProof)
    ? receipt.inclusionProof.map((hash) => (typeof hash === 'string' ? fromBase64(hash) : null))
    : [null]
  if (hashes.includes(null)) return ''
  return writeTlogProof(receipt.index, hashes as readonly Uint8Array[], receipt.checkpoint)
}
