/** The figures over time, of a center or of one policy, person or agent in it. */
import type { getOversight, OversightPeriod } from '@countersign/contract/console-oversight.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { daysAfter, instantOf, localDateOf } from '../../../lib/local-time.ts'
import { Problem } from '../../../lib/problem.ts'
import { appointmentsByDay } from '../../centers/today/api.ts'
import { percentileOf } from './buckets.ts'
import { type Kind, mondayOf, type Step } from './contributions.ts'
import { countedSoFar, deliveriesSince, type SumRow, sealedInAll, sumsOf, waitingByDay } from './queries.ts'

export interface OversightNeeds {
  readonly centers: CenterProfiles
  readonly directory: Directory
}

const weeksOf: Readonly<Record<OversightPeriod, number>> = { month: 4, quarter: 13, year: 52 }
const daysInWeek = 7

/** Whole weeks, from a Monday to today. */
export const firstDay = (period: OversightPeriod, today: string): string =>
  daysAfter(mondayOf(today), -(weeksOf[period] - 1) * daysInWeek)

export function startsOf(step: Step, from: string, today: string): string[] {
  const starts: string[] = []
  for (let day = from; day <= today; day = daysAfter(day, step === 'day' ? 1 : daysInWeek)) starts.push(day)
  return starts
}

/** The center's zone; until everything is counted again, the one in which the days were counted. */
export async function standing({ centers }: OversightNeeds, { tx }: Context<typeof getOversight.spec>) {
  const counted = await countedSoFar(tx)
  const { timezone } = counted ?? (await centers.profile(tx.caller.centerId))
  const behind = counted ? counted.behind : await sealedInAll(tx)
  return { timezone, behind, today: localDateOf(timezone, nowMs()) }
}

type Query = Context<typeof getOversight.spec>['query']

/** Whose figures: an INSTRUCTOR sees their own and nobody else's. */
function subject({ policyId, actorId, agentId }: Query, ownId: string | null): { kind: Kind; key: string } {
  const asked = [policyId, actorId, agentId].filter((each) => each !== undefined)
  if (asked.length > 1)
    throw new Problem('VALIDATION_ERROR', 'Send at most one of `policyId`, `actorId` and `agentId`.', {
      details: { reason: 'oneFilter' },
    })
  if (ownId !== null) {
    if (asked.length > 0 && actorId !== ownId)
      throw new Problem('FORBIDDEN', 'Only an administrator can see how others decide. Leave out the filter.', {
        details: { reason: 'adminOnly' },
      })
    return { kind: 'person', key: ownId }
  }
  if (policyId !== undefined) return { kind: 'policy', key: policyId }
  if (actorId !== undefined) return { kind: 'person', key: actorId }
  if (agentId !== undefined) return { kind: 'agent', key: agentId }
  return { kind: 'center', key: '' }
}

const closedOf = ({ approved, refused, expired, withdrawn }: SumRow) => approved + refused + expired + withdrawn

export async function readOversight(needs: OversightNeeds, context: Context<typeof getOversight.spec>) {
  const { tx, query, principal } = context
  const isAdmin = principal.entered.roles.includes('ADMIN')
  const { kind, key } = subject(query, isAdmin ? null : principal.actorId)
  const { timezone, behind, today } = await standing(needs, context)
  const { step } = query
  const from = firstDay(query.period, today)
  const starts = startsOf(step, from, today)
  const startOf = (day: string) => (step === 'day' ? day : mondayOf(day))
  const rows = new Map((await sumsOf(tx, step, kind, key, from)).map((row) => [row.starts, row]))
  const appointments = kind === 'center' || !isAdmin ? await appointmentsOf(context, timezone, from, today) : null
  const byStart = <T extends { readonly day: string }>(list: readonly T[]) =>
    Map.groupBy(list, ({ day }) => startOf(day))
  const attended = appointments && byStart(appointments)
  const delivered = kind === 'center' ? byStart(await deliveriesSince(tx, from)) : null
  const waiting = kind === 'center' ? await waitingAtEnd(context, timezone, starts, startOf, rows) : null
  return {
    timezone,
    behind,
    scope: isAdmin ? ('center' as const) : ('own' as const),
    points: starts.map((start, at) => {
      const row = rows.get(start)
      const add = <T>(list: readonly T[] | undefined, of: (each: T) => number) =>
        (list ?? []).reduce((sum, each) => sum + of(each), 0)
      return {
        from: start,
        waiting: waiting?.[at] ?? null,
        ...{ asked: row?.asked ?? 0, approved: row?.approved ?? 0, refused: row?.refused ?? 0 },
        ...{ expired: row?.expired ?? 0, withdrawn: row?.withdrawn ?? 0 },
        ...{ void: row?.void ?? 0, opened: row?.opened ?? 0 },
        ...timesOf(row),
        seals: kind === 'center' ? (row?.seals ?? 0) : null,
        deliveries: delivered && {
          succeeded: add(delivered.get(start), (day) => day.succeeded),
          failed: add(delivered.get(start), (day) => day.failed),
        },
        appointments: attended && {
          attended: add(attended.get(start), (day) => day.attended),
          missed: add(attended.get(start), (day) => day.missed),
        },
      }
    }),
  }
}

export function timesOf(row: Pick<SumRow, 'to_decide' | 'open'> | undefined) {
  const { to_decide = [], open = [] } = row ?? {}
  return {
    medianSecondsToDecide: percentileOf(to_decide, 0.5),
    p90SecondsToDecide: percentileOf(to_decide, 0.9),
    medianSecondsOpen: percentileOf(open, 0.5),
    p90SecondsOpen: percentileOf(open, 0.9),
  }
}

const appointmentsOf = (
  { tx, principal }: Context<typeof getOversight.spec>,
  timezone: string,
  from: string,
  today: string,
) =>
  appointmentsByDay(tx, {
    timezone,
    from: new Date(instantOf(timezone, from, '00:00')),
    to: new Date(instantOf(timezone, daysAfter(today, 1), '00:00')),
    instructorId: principal.entered.roles.includes('ADMIN') ? null : principal.actorId,
  })

/** Backward from what waits now: whatever was closed later waited, if it was asked for before. */
async function waitingAtEnd(
  { tx }: Context<typeof getOversight.spec>,
  timezone: string,
  starts: readonly string[],
  startOf: (day: string) => string,
  rows: ReadonlyMap<string, SumRow>,
): Promise<number[]> {
  const since = new Map<string, number>()
  let waiting = 0
  for (const { day, count } of await waitingByDay(tx, timezone)) {
    waiting += count
    since.set(startOf(day), (since.get(startOf(day)) ?? 0) + count)
  }
  const ends: number[] = []
  for (const start of starts.toReversed()) {
    ends.push(Math.max(0, waiting))
    const row = rows.get(start)
    waiting += (row ? closedOf(row) - row.asked : 0) - (since.get(start) ?? 0)
  }
  return ends.toReversed()
}
