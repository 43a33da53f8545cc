/** What an approval and the challenge of one require of the decision: it is open, in time, and as it was shown. Pure. */
import type { Requirements } from '../../../governance/requirements.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { hasExpired } from './close.ts'
import { eventRows } from './sealed-rows.ts'

/** What the approver was shown. */
export interface Seen {
  readonly actionDigest?: string | undefined
  readonly policies?: readonly { readonly id: string; readonly version: number }[] | undefined
}

export const unknownEvent = (): Problem => new Problem('NOT_FOUND', 'There is no decision event with this id.')

export function openEvent(batch: Batch, eventId: string): EventRow {
  const event = batch.rows(eventRows).find(eventId)
  if (!event) throw unknownEvent()
  if (event.status === 'sealed' || event.status === 'rejected') {
    throw new Problem(
      'CONFLICT',
      event.status === 'sealed'
        ? 'This decision is sealed already; a sealed decision cannot change.'
        : 'This decision was refused, and the refusal is sealed; it cannot change.',
    )
  }
  return event
}

export function firstAccepted<V, R>(vouchers: readonly V[], judge: (voucher: V) => R): { voucher: V; verdict: R } {
  let refusal: unknown
  for (const voucher of vouchers) {
    try {
      return { voucher, verdict: judge(voucher) }
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'POLICY_VIOLATION') throw error
      refusal ??= error
    }
  }
  throw refusal
}

/** The job that seals the refusal may come later; nobody decides any more. */
export function requireTime(asked: Requirements | null, since: string | undefined, at: string): void {
  if (hasExpired(asked, since, at)) {
    throw new Problem(
      'CONFLICT',
      'This decision has expired, and its refusal will be sealed; record it anew if needed.',
    )
  }
}

export function requireSame(
  { actionDigest, policies }: Seen,
  event: EventRow,
  asking: readonly { id: string; version: number }[],
) {
  if (actionDigest !== undefined && actionDigest !== event.action_digest) {
    throw new Problem('CONFLICT', 'This is not the action that you were shown; read the decision again.')
  }
  const nameOf = ({ id, version }: { id: string; version: number }) => `${id} ${version}`
  const shown = policies && new Set(policies.map(nameOf))
  if (shown && (shown.size !== asking.length || asking.some((each) => !shown.has(nameOf(each))))) {
    throw new Problem('CONFLICT', 'The policies that ask for this approval have changed; read the decision again.')
  }
}
