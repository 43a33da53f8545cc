/** The records of Idempotency-Keys, claimed and answered in the batch that commits the effect. */
import type { IdempotentRequest, StoredAnswer } from '../idempotency/idempotency.ts'
import { isStorable, keptSeconds } from '../idempotency/idempotency.ts'
import { secondsFromNow } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'

export interface Claim<T> {
  readonly request: IdempotentRequest
  readonly render: (outcome: T) => StoredAnswer
  readonly refuse: (problem: Problem) => StoredAnswer
}

export type SealOutcome<T> = { readonly result: T } | { readonly replay: StoredAnswer }

/** A record that another request has claimed before. */
export interface TakenRow {
  readonly center_id: number
  readonly principal: string
  readonly method: string
  readonly path: string
  readonly key: string
  readonly fingerprint: string
  readonly status: number
  readonly body: string | null
}

type Place = Pick<TakenRow, 'center_id' | 'principal' | 'method' | 'path' | 'key'>

const placeOf = (center_id: number, { principal, method, path, key }: IdempotentRequest): Place => ({
  center_id,
  principal,
  method,
  path,
  key,
})

/** Names the record within its center. */
export const claimName = ({ request: { principal, method, path, key } }: Claim<unknown>): string =>
  [principal, method, path, key].join('\n')

export const claimRow = (centerId: number, { request }: Claim<unknown>): object => ({
  ...placeOf(centerId, request),
  fingerprint: request.fingerprint.toString('hex'),
  expires_at: secondsFromNow(keptSeconds).toISOString(),
})

export function replay(claim: Claim<unknown>, { fingerprint, status, body }: TakenRow): StoredAnswer {
  if (fingerprint !== claim.request.fingerprint.toString('hex')) {
    throw new Problem(
      'CONFLICT',
      'This Idempotency-Key was already used for another request. Use a new key for a new action.',
      { details: { reason: 'idempotency' } },
    )
  }
  return { status, body: Buffer.from(body ?? '', 'base64').toString() }
}

/** Expired by every clock, also one that is behind. */
const longAgo = '1970-01-01T00:00:00.000Z'

/** Stores the answer with the effect. An answer that must not be replayed releases its key. */
export const answerRow = (centerId: number, { request }: Claim<unknown>, answer: StoredAnswer | null): object => ({
  ...placeOf(centerId, request),
  ...(answer && isStorable(answer.status)
    ? { status: answer.status, body: Buffer.from(answer.body).toString('base64') }
    : { expires_at: longAgo }),
})
