/** Since when a proven domain works, and whom a change concerns. Pure. */
import type { SiteFinding } from '../../../lib/site-probe.ts'
import type { TxtLookup } from '../../../lib/txt-records.ts'

/** `several`: mail servers treat more than one SPF record as an error. */
export type SenderState = 'right' | 'absent' | 'notAllowed' | 'several' | 'error'

/** What a check found beside the proof. Absent: it was not asked. */
export interface Findings {
  readonly site?: SiteFinding
  readonly sender?: SenderState
}

export interface Working {
  readonly works_since: Date | null
  readonly failing_since: Date | null
}

export type Change = 'live' | 'stopped' | null

const hour = 3_600_000
/** One lost answer, or a proxy that restarts, is not told to anybody. */
const stopsAfterMs = hour
const soonMs = hour / 6
const eagerMs = 72 * hour

/** Null: nothing was learned. */
function isRight({ site, sender }: Findings): boolean | null {
  if (sender !== undefined) return sender === 'error' ? null : sender === 'right'
  if (!site || site.address.state === 'error') return null
  return site.address.state === 'right' && ['valid', 'expiring'].includes(site.certificate.state)
}

export function judgeWorking(
  state: Working & { readonly proven_at: Date | null },
  findings: Findings,
  at: Date,
): Working & { readonly change: Change } {
  const { works_since, failing_since } = state
  if (state.proven_at === null) {
    return { works_since: null, failing_since: null, change: works_since === null ? null : 'stopped' }
  }
  const right = isRight(findings)
  if (right === null) return { works_since, failing_since, change: null }
  if (right)
    return { works_since: works_since ?? at, failing_since: null, change: works_since === null ? 'live' : null }
  if (works_since === null) return { works_since: null, failing_since: null, change: null }
  const since = failing_since ?? at
  return at.getTime() - since.getTime() >= stopsAfterMs
    ? { works_since: null, failing_since: null, change: 'stopped' }
    : { works_since, failing_since: since, change: null }
}

/** When a proven domain is checked next: soon while something is about to change, else within `usual`. */
export function nextLook({ works_since, failing_since }: Working, provenAt: Date, usual: Date, at: Date): Date {
  const isNew = works_since === null && at.getTime() - provenAt.getTime() < eagerMs
  const own = new Date(at.getTime() + (failing_since !== null || isNew ? soonMs : hour))
  return own < usual ? own : usual
}

/** `host`: what a record has to include. Lower case as the DNS compares; a record of its own for each domain. */
export function senderStateOf(lookup: TxtLookup, host: string): SenderState {
  if (lookup.found === 'error') return 'error'
  const records = lookup.values.filter((value) => /^v=spf1(\s|$)/i.test(value))
  if (records.length === 0) return 'absent'
  if (records.length > 1) return 'several'
  const terms = (records[0] as string).toLowerCase().split(/\s+/)
  return terms.some((term) => term === `include:${host}` || term === `+include:${host}`) ? 'right' : 'notAllowed'
}
