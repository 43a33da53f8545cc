/** How checks decide whether a domain is proven. Pure. */
import type { TxtLookup } from '../../../lib/txt-records.ts'

export type Finding = 'present' | 'absent' | 'error'

export interface ProofState {
  readonly proven_at: Date | null
  readonly checked_at: Date | null
  readonly absences: number
  readonly absent_since: Date | null
  readonly next_check_at: Date | null
}

const hour = 3_600_000
const betweenChecks = 12 * hour
const afterError = hour
const lapseAfterChecks = 3
const lapseAfterMs = 24 * hour

export const recordName = (domain: string): string => `_countersign.${domain}`
export const recordValue = (token: string): string => `countersign-domain=${token}`

export function findingOf(lookup: TxtLookup, token: string): Finding {
  if (lookup.found === 'error') return 'error'
  return lookup.values.includes(recordValue(token)) ? 'present' : 'absent'
}

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** A proven domain lapses when three checks in a row, over 24 hours, found no record. An error of the DNS is not absence. */
export function judge(state: ProofState, finding: Finding, at: Date): ProofState {
  const isProven = state.proven_at !== null
  if (finding === 'present') {
    const proven_at = state.proven_at ?? at
    return { proven_at, checked_at: at, absences: 0, absent_since: null, next_check_at: later(at, betweenChecks) }
  }
  if (finding === 'error') {
    return { ...state, checked_at: at, next_check_at: isProven ? later(at, afterError) : null }
  }
  if (!isProven) return { proven_at: null, checked_at: at, absences: 0, absent_since: null, next_check_at: null }
  const absent_since = state.absent_since ?? at
  const absences = state.absences + 1
  const hasLapsed = absences >= lapseAfterChecks && at.getTime() - absent_since.getTime() >= lapseAfterMs
  return hasLapsed
    ? { proven_at: null, checked_at: at, absences: 0, absent_since: null, next_check_at: null }
    : { proven_at: state.proven_at, checked_at: at, absences, absent_since, next_check_at: later(at, betweenChecks) }
}
