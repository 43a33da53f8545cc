/** The filters of the list, as they stand in its address. */
import { addDays, isDay, startOf } from '../../ui/day.ts'

export const levels = ['DRAFT', 'DOCUMENTED', 'AUDIT_READY'] as const

export interface DpusSearch {
  readonly level?: (typeof levels)[number] | undefined
  readonly tag?: string | undefined
  readonly workflow?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 255 ? value : undefined

export const dpusSearch = (search: { readonly [K in keyof DpusSearch]?: unknown }): DpusSearch => ({
  level: levels.find((each) => each === search.level),
  tag: text(search.tag),
  workflow: text(search.workflow),
  from: isDay(text(search.from)) ? text(search.from) : undefined,
  to: isDay(text(search.to)) ? text(search.to) : undefined,
})

export const filtersOf = ({ level, tag, workflow, from, to }: DpusSearch) => ({
  ...(level && { evidenceLevel: level }),
  ...(tag && { tag }),
  ...(workflow && { workflowId: workflow }),
  ...(from && { from: startOf(from) }),
  ...(to && { to: startOf(addDays(to, 1)) }),
})
