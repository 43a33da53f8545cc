/** The filters of the API as they stand in the address, and what they become in a call. */
import { addDays, startOf } from '../../ui/day.ts'

export const eventTypes = [
  'agent_execution',
  'workflow_step',
  'human_approval',
  'ai_recommendation',
  'automated_action',
  'policy_decision',
  'escalation',
  'custom',
] as const
export const statuses = ['recorded', 'sealed', 'rejected'] as const

export interface Filters {
  readonly type?: (typeof eventTypes)[number] | undefined
  readonly status?: (typeof statuses)[number] | undefined
  readonly waiting?: true | undefined
  readonly tag?: string | undefined
  readonly actorId?: string | undefined
  /** What people remember of it: names, amounts, words, ids. */
  readonly q?: string | undefined
  readonly personId?: string | undefined
  readonly policyId?: string | undefined
  readonly minAmount?: number | undefined
  readonly maxAmount?: number | undefined
  /** Days in the zone of the center, as `2026-11-17`; both count. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface DecisionsSearch extends Filters {
  /** The decision on the sheet. */
  readonly id?: string | undefined
}

const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((each) => each === value)
/** The router reads `?tag=5` as a number. */
const text = (value: unknown): string | undefined => (value === undefined || value === '' ? undefined : String(value))
const day = (value: unknown): string | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(String(value)) ? String(value) : undefined

/** As people write it: `1,200,000`. */
const amount = (value: unknown): number | undefined => {
  const digits = String(value ?? '').replaceAll(/[,\s원₩$]/g, '')
  return /^-?\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

export const longestQuestion = 200

/** Drops what is empty, so that an address says only what differs. */
const given = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

export const searchOf = (raw: Record<string, unknown>): DecisionsSearch =>
  given({
    type: oneOf(eventTypes, raw.type),
    status: oneOf(statuses, raw.status),
    waiting: String(raw.waiting) === 'true' ? (true as const) : undefined,
    tag: text(raw.tag),
    actorId: text(raw.actorId),
    // Addresses from before there was a search.
    q: text(raw.q ?? raw.decisionId)?.slice(0, longestQuestion),
    personId: text(raw.personId),
    policyId: text(raw.policyId),
    minAmount: amount(raw.minAmount),
    maxAmount: amount(raw.maxAmount),
    from: day(raw.from),
    to: day(raw.to),
    id: text(raw.id),
  })

const days = ({ from, to }: Filters) => ({
  ...(from && { from: startOf(from) }),
  ...(to && { to: startOf(addDays(to, 1)) }),
})

/** For `api.search.decisions`. */
export const queryOf = ({ from, to, actorId, ...filters }: Filters) =>
  given({ ...filters, agentId: actorId, ...days({ from, to }) })

/** As a saved view has them: days stay days. */
export const sentFilters = ({ actorId, ...filters }: Filters) => given({ ...filters, agentId: actorId })

/** For `api.decisions.list`, which counts; null with a filter that only the search has. */
export function countedBy({ q, personId, policyId, minAmount, maxAmount, from, to, ...filters }: Filters) {
  const isSearch = [q, personId, policyId, minAmount, maxAmount].some((each) => each !== undefined)
  return isSearch ? null : given({ ...filters, ...days({ from, to }) })
}

export const filtersOf = ({ id: _id, ...filters }: DecisionsSearch): Filters => filters
