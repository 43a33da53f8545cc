/** What publishers were told, what the consumer took and what the database holds, held against each other. */
import { perEndpoint } from '@countersign/server/features/automation/webhooks/delivery-worker.ts'
import type { Disturbance, Ground, Told } from './deliver-setup.ts'
import type { Again, ConsumerLedger } from './webhook-consumer.process.ts'

/**
 * What one kill may send again to one endpoint. All that a delivery worker has in hand came by its steps: a step hands over
 * everything that has ended, and fills up to sixteen times as many waiting as may be in flight; where it reads from the
 * beginning it may bring as many more as were in hand then, half of that and those in flight. Nothing is added before the
 * next step is written down, so of all that waits, flies or has ended unwritten there are never more. What the kill left
 * unrecorded is the closer bound.
 */
export const mostAgain = (1 + 16 + 8 + 1) * perEndpoint

/** Two leases of 6 s, a look every 150 ms, and what a machine with other work needs. */
export const longestSilenceMs = 15_000

export interface Duplicates {
  readonly total: number
  /** Of one kill at one endpoint. */
  readonly most: number
  /** What the kills left taken and unrecorded: the sum of what could have come again. */
  readonly possible: number
}

/** Keeps count of what came again: each must have been unrecorded at a kill before it. */
export function duplicateJudge(ground: Ground) {
  const counts = new Map<string, number>()
  let total = 0
  const explaining = ({ endpoint, eventId, at }: Again): Disturbance | undefined =>
    ground.disturbances
      .filter((each) => each.at <= at && each.unrecorded.has(`${endpoint} ${eventId}`))
      .toSorted((a, b) => b.at - a.at)[0]
  return {
    judge(again: readonly Again[]): string[] {
      const faults: string[] = []
      for (const each of again) {
        total++
        const cause = explaining(each)
        const where = `${each.eventId} came again to endpoint ${each.endpoint}`
        if (!cause) {
          faults.push(`${where} after ${each.at - each.takenAt} ms, and no kill explains it`)
          continue
        }
        const place = `${cause.what}, ${cause.at}, endpoint ${each.endpoint}`
        const count = (counts.get(place) ?? 0) + 1
        counts.set(place, count)
        if (count === mostAgain + 1) faults.push(`${place}: more than ${mostAgain} came again`)
      }
      return faults
    },
    result: (): Duplicates => ({
      total,
      most: Math.max(0, ...counts.values()),
      possible: ground.disturbances.reduce((sum, { unrecorded }) => sum + unrecorded.size, 0),
    }),
  }
}

/** Nothing acknowledged is missing, nothing came that nobody published. */
export function ledgerFaults({ told, published }: Ground, { takenAt }: ConsumerLedger): string[] {
  const faults: string[] = []
  for (const [id, { endpoints }] of told) {
    const missing = takenAt.flatMap((taken, endpoint) => (endpoint < endpoints && !(id in taken) ? [endpoint] : []))
    if (missing.length > 0) faults.push(`${id} was acknowledged and never taken by ${missing}`)
  }
  for (const [endpoint, taken] of takenAt.entries()) {
    for (const id of Object.keys(taken)) {
      if (!published.has(id)) faults.push(`endpoint ${endpoint} took ${id}, which nobody published`)
      else if (endpoint >= (told.get(id)?.endpoints ?? Number.POSITIVE_INFINITY))
        faults.push(`endpoint ${endpoint} took ${id}, which is older than its webhook`)
    }
  }
  return faults
}

export interface Silence {
  readonly ms: number
  readonly after: string
  readonly endpoint: number
}

/**
 * The times from each kill to the next request at each endpoint that had something to get, longest first. Where somebody else took the
 * endpoint in between and was killed too, which its epoch tells, it counts from there.
 */
export function silences({ told, disturbances }: Ground, { arrivals, takenAt }: ConsumerLedger): Silence[] {
  const kills = disturbances.toSorted((a, b) => a.at - b.at)
  const found: Silence[] = []
  for (const [endpoint, times] of arrivals.entries()) {
    const taken = takenAt[endpoint] ?? {}
    for (const [index, kill] of kills.entries()) {
      const next = times.find((time) => time > kill.at)
      if (next === undefined) continue
      const from = lastTakenOver(kills.slice(index), endpoint, next)
      const ms = next - Math.max(from.at, firstDue(told, taken, endpoint, next))
      found.push({ ms, after: from.what, endpoint })
    }
  }
  return found.toSorted((a, b) => b.ms - a.ms)
}

function lastTakenOver([first, ...later]: readonly Disturbance[], endpoint: number, before: number): Disturbance {
  let last = first as Disturbance
  // Nothing arrived in between, so whoever had taken it over died with it, in this round or in the next.
  for (const kill of later) {
    if (kill.at < before && kill.epochs[endpoint] !== last.epochs[endpoint]) last = kill
  }
  return last
}

function firstDue(
  told: ReadonlyMap<string, Told>,
  taken: Readonly<Record<string, number>>,
  at: number,
  before: number,
) {
  let first = before
  for (const [id, { ackedAt, endpoints }] of told) {
    const isWaiting = at < endpoints && ackedAt < first && (taken[id] ?? Number.POSITIVE_INFINITY) >= before
    if (isWaiting) first = ackedAt
  }
  return first
}

export interface Rows {
  readonly deliveries: number
  readonly attempts: number
  /** By the class of their failure; `null` are those that arrived. */
  readonly errors: Readonly<Record<string, number>>
}

/** Every delivery arrived; its attempts are numbered without a gap, and the last and only the last arrived. */
export async function rowFaults({ world, center, told }: Ground): Promise<{ faults: string[]; rows: Rows }> {
  const faults: string[] = []
  const bad = await world.query<Record<string, unknown>>(
    `select e.public_id, d.status, d.next_at, d.held, d.attempts, a.numbers, a.arrived
     from cell.webhook_deliveries d
     join cell.webhook_events e on e.center_id = d.center_id and e.created_at = d.created_at and e.id = d.event_id
     left join (
       select webhook_id, event_id, array_agg(number order by number) as numbers,
         array_agg(number) filter (where error is null) as arrived
       from cell.webhook_attempts where center_id = $1 group by webhook_id, event_id) a
       on a.webhook_id = d.webhook_id and a.event_id = d.event_id
     where d.center_id = $1 and (d.status, d.next_at is null, d.held, a.arrived, a.numbers) is distinct from
       ('success', true, false, array[d.attempts], array(select generate_series(1, d.attempts)))`,
    [center.id],
  )
  for (const row of bad) faults.push(`a delivery stands as ${JSON.stringify(row)}`)
  const [counts] = await world.query<{ deliveries: number; attempts: number }>(
    `select (select count(*)::int from cell.webhook_deliveries where center_id = $1) as deliveries,
       (select count(*)::int from cell.webhook_attempts where center_id = $1) as attempts`,
    [center.id],
  )
  const { deliveries = 0, attempts = 0 } = counts ?? {}
  const expected = [...told.values()].reduce((sum, { endpoints }) => sum + endpoints, 0)
  if (deliveries !== expected) faults.push(`there are ${deliveries} deliveries, not ${expected}`)
  const errors = await world.query<{ error: string | null; count: number }>(
    'select error, count(*)::int from cell.webhook_attempts where center_id = $1 group by error order by error',
    [center.id],
  )
  return {
    faults,
    rows: {
      deliveries,
      attempts,
      errors: Object.fromEntries(errors.map(({ error, count }) => [String(error), count])),
    },
  }
}
