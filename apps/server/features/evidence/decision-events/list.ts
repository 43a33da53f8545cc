/** A page of a list of decisions, the same for programs and for people. */
import type { TenantTx } from '../../../data/cells.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { refusedField } from '../../../lib/problem.ts'
import {
  countByStatus,
  countEvents,
  eventExists,
  type ListFilter,
  listEvents,
  type SummaryRow,
} from './list-queries.ts'
import { summaryOf } from './record.ts'

/** A list that counts more events than this itself requests an update of the counts. */
const manyUncounted = 5000

export interface PageQuery extends ListFilter {
  readonly cursor?: string
  readonly limit: number
  readonly offset: number
}

/** A cursor is the id of the last decision of the page before, so that it tells nothing about other centers. */
async function eventBefore(tx: TenantTx, cursor: string | undefined, own: ListFilter['own']): Promise<string | null> {
  if (cursor === undefined) return null
  const id = uuidOf('decisionEvent', cursor)
  if (id !== null && (await eventExists(tx, id, own))) return id
  throw refusedField('cursor', "doesn't belong to this list. Send the `pagination.nextCursor` of the previous page")
}

export async function pageOfEvents(tx: TenantTx, jobs: Jobs, cell: string, query: PageQuery) {
  const { cursor, limit, offset, ...filter } = query
  const after = await eventBefore(tx, cursor, query.own)
  // One more than the page shows whether another page follows.
  const rows = await listEvents(tx, filter, { after, limit: limit + 1, offset })
  const { total, uncounted } = await countEvents(tx, filter)
  if (uncounted > manyUncounted) jobs.wake(cell, 'count-events', { centerId: tx.caller.centerId })
  const shown = rows.slice(0, limit)
  const nextCursor = rows.length > limit ? typedId('decisionEvent', (shown.at(-1) as SummaryRow).id) : null
  return { items: shown.map(summaryOf), total, nextCursor }
}

/** For the filters of a page: how many there are in each state, with the other filters as they are. */
export async function countsOfEvents(tx: TenantTx, query: ListFilter) {
  const { status: _status, waiting: _waiting, ...filter } = query
  const { total: waiting } = await countEvents(tx, { ...filter, waiting: 'true' })
  return { byStatus: await countByStatus(tx, filter), waiting }
}
