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
  readonly decisionId?: string | undefined
  /** Days in the zone of the center, as `2026-11-17`; both count. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface DecisionsSearch extends Filters {
  readonly page?: number | undefined
  /** The decision on the sheet. */
  readonly id?: string | undefined
}

const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((each) => each === value)
/** The router reads `?tag=5` as a number. */
const text = (value: unknown): string | undefined => (value === undefined || value === '' ? undefined : String(value))
const day = (value: unknown): string | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(String(value)) ? String(value) : undefined

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
    decisionId: text(raw.decisionId),
    from: day(raw.from),
    to: day(raw.to),
    page: Number(raw.page) > 1 ? Math.floor(Number(raw.page)) : undefined,
    id: text(raw.id),
  })

/** For `api.decisions.list`. */
export const queryOf = ({ from, to, ...filters }: Filters) =>
  given({
    ...filters,
    ...(from && { from: startOf(from) }),
    ...(to && { to: startOf(addDays(to, 1)) }),
  })

export const filtersOf = ({ page: _page, id: _id, ...filters }: DecisionsSearch): Filters => filters
