/** Receipts: they're verified offline and kept, so that a rewritten log is noticed. */
import {
  checkNote,
  fromBase64,
  isSandboxLog,
  logKeyFor,
  parseCheckpoint,
  parseNote,
  type SealReceipt,
  type TrustPolicy,
  verifyConsistency,
  verifyReceipt,
} from '@countersign/proof'
import type { ProofChains } from './api.generated.ts'
import { ApiError, CountersignError } from './errors.ts'
import { trustOf } from './trust.ts'

export {
  parsePolicy as parseTrust,
  type ReceiptVerdict,
  type SealReceipt,
  type TrustPolicy,
  verifyReceipt,
} from '@countersign/proof'
export { type VerifiedApproval, type VerifyApprovalOptions, verifyApproval } from './guard-approval.ts'

/** Where the newest checkpoint of each log is kept. It must outlive the process, and be under your control. */
export interface CheckpointStorage {
  /** Returns null for a log that hasn't been seen before. */
  get(log: string): Promise<string | null>
  set(log: string, checkpoint: string): Promise<void>
}

/** Keeps checkpoints in memory, for one process only. */
export function memoryStorage(): CheckpointStorage {
  const notes = new Map<string, string>()
  return {
    get: async (log) => notes.get(log) ?? null,
    set: async (log, checkpoint) => void notes.set(log, checkpoint),
  }
}

/** The receipt or the checkpoint isn't valid under the trust policy. */
export class ReceiptError extends CountersignError {
  override readonly name = 'ReceiptError'
}

/** Two signed checkpoints of one log contradict each other, or the server can't prove that they don't. Keep both. */
export class LogRewrittenError extends CountersignError {
  override readonly name = 'LogRewrittenError'
  readonly log: string
  /** The checkpoint that was kept. */
  readonly kept: string
  /** The checkpoint that doesn't continue it. */
  readonly shown: string

  constructor(log: string, kept: string, shown: string, why: string, cause?: unknown) {
    super(`The log ${log} doesn't continue the checkpoint that was kept: ${why}`, { cause })
    this.log = log
    this.kept = kept
    this.shown = shown
  }
}

export interface ReceiptStoreOptions {
  /** `client.chains`. */
  readonly chains: Pick<ProofChains, 'getCheckpoint' | 'getConsistencyProof'>
  /** Whose logs you trust: a trust policy, or its text. By default, as for guards, from the environment. */
  readonly trust?: TrustPolicy | string
  readonly storage: CheckpointStorage
  /** Whether to accept a sandbox's logs, which contain test data. Usually `client.sandbox`. */
  readonly sandbox?: boolean
}

export interface ReceiptStore {
  /** Verifies a seal's receipt, and that its log continues the checkpoint kept before. Keeps the newer checkpoint. */
  keep(receipt: SealReceipt, hash: string): Promise<void>
  /** Does the same with the newest checkpoint of a log. Call it from time to time, or when your program starts. */
  check(domain: 'proof' | 'dpu' | 'history'): Promise<void>
}

interface Root {
  readonly log: string
  readonly size: number
  readonly root: Uint8Array
  readonly note: string
}

function rootOf(note: string): Root {
  const { origin, size, root } = parseCheckpoint(parseNote(note).text)
  return { log: origin, size, root, note }
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])

export function receiptStore({ chains, trust, storage, sandbox = false }: ReceiptStoreOptions): ReceiptStore {
  const trusted = trustOf(trust)

  function assertKind(log: string): void {
    if (isSandboxLog(log) && !sandbox) {
      throw new ReceiptError(`The log ${log} belongs to a sandbox. To accept test data, set sandbox: true.`)
    }
  }

  /** One at a time: two that read the same kept checkpoint could both replace it. */
  let last: Promise<unknown> = Promise.resolve()
  function inTurn(work: () => Promise<void>): Promise<void> {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }

  async function continues(kept: Root, shown: Root): Promise<void> {
    const rewritten = (why: string, cause?: unknown) =>
      new LogRewrittenError(kept.log, kept.note, shown.note, why, cause)
    const [older, newer] = kept.size <= shown.size ? [kept, shown] : [shown, kept]
    if (older.size === newer.size) {
      if (isSame(older.root, newer.root)) return
      throw rewritten('it has a different root hash at the same size.')
    }
    const domain = kept.log.split('/').at(-1) as 'proof' | 'dpu' | 'history'
    const { consistencyProof } = await chains
      .getConsistencyProof(domain, { from: older.size, to: newer.size })
      .catch((error: unknown) => {
        // The server is there, and has no such sizes or a chain that does not hold.
        if (error instanceof ApiError && [404, 422].includes(error.status)) throw rewritten(error.message, error)
        throw error
      })
    const hashes = consistencyProof.map((hash) => fromBase64(hash))
    const isProof = !hashes.includes(null)
    if (!isProof || !verifyConsistency(older.size, older.root, newer.size, newer.root, hashes as Uint8Array[])) {
      throw rewritten("the server's proof doesn't lead from one checkpoint to the other.")
    }
  }

  async function compare(shown: Root): Promise<void> {
    const note = await storage.get(shown.log)
    const kept = note === null ? null : rootOf(note)
    if (kept !== null && kept.log !== shown.log)
      throw new TypeError(`The storage returned a different log's checkpoint for ${shown.log}. Check your storage.`)
    if (kept !== null) await continues(kept, shown)
    if (kept === null || shown.size > kept.size) await storage.set(shown.log, shown.note)
  }

  return {
    keep: (receipt, hash) =>
      inTurn(async () => {
        assertKind(receipt.log)
        const { inChain, signed, witnessed } = verifyReceipt(receipt, hash, trusted)
        const fault = [inChain, signed].find(({ status }) => status !== 'yes')
        // Witnesses cosign after the receipt is given: their absence is no fault here, a forged cosignature is.
        const forged = witnessed.code === 'cosignature-bad' ? witnessed : undefined
        if (fault ?? forged) throw new ReceiptError(`The receipt isn't valid. ${(fault ?? forged)?.detail}`)
        await compare(rootOf(receipt.checkpoint))
      }),
    check: (domain) => inTurn(() => checkNewest(domain)),
  }

  async function checkNewest(domain: 'proof' | 'dpu' | 'history'): Promise<void> {
    const newest = await chains.getCheckpoint(domain)
    assertKind(newest.log)
    const kept = await storage.get(newest.log)
    if (newest.checkpoint === null) {
      if (kept !== null) throw new LogRewrittenError(newest.log, kept, '', 'it is empty now.')
      return
    }
    const shown = rootOf(newest.checkpoint)
    if (shown.log !== newest.log) throw new ReceiptError(`The checkpoint is for a different log, ${shown.log}.`)
    assertSigned(shown)
    if (kept !== null && rootOf(kept).size > shown.size) {
      throw new LogRewrittenError(shown.log, kept, shown.note, 'it has become shorter.')
    }
    await compare(shown)
  }

  function assertSigned({ log, note }: Root): void {
    const keys = trusted.logs.flatMap(({ key }) => logKeyFor(key, log) ?? [])
    const { signedBy, bad } = checkNote(parseNote(note), keys)
    if (signedBy.length === 0 || bad.length > 0) {
      throw new ReceiptError(`No key in the trust policy signed the checkpoint of ${log}. Check the trust policy.`)
    }
  }
}
