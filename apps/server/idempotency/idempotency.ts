/**
 * `Idempotency-Key`: the record is claimed in the same transaction as the effect, so both exist or neither does, also
 * after a crash. A concurrent duplicate waits on the unique key until the first request has finished.
 */
import { createHash } from 'node:crypto'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { secondsFromNow } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { claimRecord, findRecord, markWork, type RecordTx, storeAnswer, undoWork } from './queries.ts'

export interface IdempotentRequest {
  readonly key: string
  readonly principal: string
  readonly method: string
  readonly path: string
  readonly fingerprint: Buffer
  readonly showsSecret: boolean
}

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

export const keptSeconds = 24 * 3600

export const fingerprintOf = (value: unknown): Buffer =>
  createHash('sha256')
    .update(canonical(value as Json))
    .digest()

export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new Problem(
      'VALIDATION_ERROR',
      '"Idempotency-Key" must have 1 to 255 visible ASCII characters. Send another key.',
      { details: { reason: 'idempotencyKey' } },
    )
  }
  return header
}

export const isStorable = (status: number): boolean => status < 500 && ![401, 403, 429].includes(status)

/** Whether a refusal is final. A temporary one is not stored, so that a retry is evaluated again. */
export const isFinal = (problem: Problem, { status }: StoredAnswer): boolean => !problem.passing && isStorable(status)

/** Runs `work` once per key; every other request with the same key and body gets the first answer. */
export async function once(
  tx: RecordTx,
  request: IdempotentRequest,
  box: SecretBox,
  work: () => Promise<StoredAnswer>,
  render: (problem: Problem) => StoredAnswer,
): Promise<{ answer: StoredAnswer; replayed: boolean }> {
  const { principal, method, path, key, showsSecret } = request
  const place = { center_id: tx.caller.centerId, principal, method, path, key }
  const context = Object.values(place).join('\n')

  if (!(await claimRecord(tx, place, request.fingerprint, secondsFromNow(keptSeconds)))) {
    const { fingerprint, status, body } = await findRecord(tx, place)
    if (!fingerprint.equals(request.fingerprint)) {
      throw new Problem(
        'CONFLICT',
        'This Idempotency-Key was already used for another request. Use a new key for a new action.',
        { details: { reason: 'idempotency' } },
      )
    }
    const stored = body ?? Buffer.alloc(0)
    const text = showsSecret ? box.open(stored, context) : stored
    return { answer: { status: status as number, body: text.toString() }, replayed: true }
  }

  await markWork(tx)
  const answer = await work().catch(async (error: unknown) => {
    if (!(error instanceof Problem)) throw error
    const refusal = render(error)
    if (!isFinal(error, refusal)) throw error
    // The effect is undone and the answer is kept: a retry gets the same refusal.
    await undoWork(tx)
    return refusal
  })
  await storeAnswer(tx, place, answer.status, showsSecret ? box.seal(answer.body, context) : Buffer.from(answer.body))
  return { answer, replayed: false }
}
