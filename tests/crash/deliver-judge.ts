/** Compares the acknowledged events with those that the consumer received and those that the database holds. */
import { perEndpoint } from '@countersign/server/features/automation/webhooks/delivery-worker.ts'
import type { Acknowledgment, Disturbance, Ground } from './deliver-setup.ts'
import type { Again, ConsumerLedger } from './webhook-consumer.process.ts'

/**
 * How many deliveries one kill may repeat to one endpoint. A worker loads deliveries in steps: a step records all that have
 * ended and fills the queue to sixteen times the concurrency. A step that reads from the beginning may load as many again
 * as were held then: half of the queue and those in flight. The worker adds nothing before it records the next step, so
 * this bounds everything that waits, is in flight or has ended unrecorded.
 */
export const mostAgain = (1 + 16 + 8 + 1) * perEndpoint

/** Two leases of 6 s, a poll every 150 ms, and a margin for a loaded machine. */
export const longestSilenceMs = 15_000

export interface Duplicates {
  readonly total: number
  /** The most repeated deliveries of one kill at one endpoint. */
  readonly most: number
}

/** How long a request sent before the kill may wait unread in the sockets of the consumer. */
const unreadMs = 2000

/** Counts repeated deliveries: each must have been sent before a kill, and unrecorded at it. */
export function duplicateJudge(ground: Ground) {
  const counts = new Map<string, number>()
  let total = 0
  const explaining = ({ endpoint, eventId, takenAt, at }: Again): Disturbance | undefined =>
    ground.disturbances
      .filter((each) => each.at <= at && takenAt <= each.at + unreadMs && each.unrecorded.has(`${endpoint} ${eventId}`))
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
    result: (): Duplicates => ({ total, most: Math.max(0, ...counts.values()) }),
  }
}

/** Every acknowledged event arrived, and every event that arrived was published. */
export function ledgerFaults({ acknowledged, published }: Ground, { takenAt }: ConsumerLedger): string[] {
  const faults: string[] = []
  for (const [id, { endpoints }] of acknowledged) {
    const missing = takenAt.flatMap((taken, endpoint) => (endpoint < endpoints && !(id in taken) ? [endpoint] : []))
    if (missing.length > 0) faults.push(`${id} was acknowledged and never taken by ${missing}`)
  }
  for (const [endpoint, taken] of takenAt.entries()) {
    for (const id of Object.keys(taken)) {
      if (!published.has(id)) faults.push(`endpoint ${endpoint} took ${id}, which was never published`)
      else if (endpoint >= (acknowledged.get(id)?.endpoints ?? Number.POSITIVE_INFINITY))
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
 * The times from each kill to the next request at each endpoint with a due event, longest first. When another worker took
 * over the endpoint in between and was killed too, which its epoch shows, the time counts from that kill.
 */
export function silences({ acknowledged, disturbances }: Ground, { arrivals, takenAt }: ConsumerLedger): Silence[] {
  const kills = disturbances.toSorted((a, b) => a.at - b.at)
  const found: Silence[] = []
  for (const [endpoint, times] of arrivals.entries()) {
    const taken = takenAt[endpoint] ?? {}
    for (const [index, kill] of kills.entries()) {
      const next = times.find((time) => time > kill.at)
      if (next === undefined) continue
      const from = lastTakenOver(kills.slice(index), endpoint, next)
      const ms = next - Math.max(from.at, firstDue(acknowledged, taken, endpoint, next))
      found.push({ ms, after: from.what, endpoint })
    }
  }
  return found.toSorted((a, b) => b.ms - a.ms)
}

function lastTakenOver([first, ...later]: readonly Disturbance[], endpoint: number, before: number): Disturbance {
  let last = first as Disturbance
  // No request arrived in between, so the worker that had taken over was killed too, in this round or in the next.
  for (const kill of later) {
    if (kill.at < before && kill.epochs[endpoint] !== last.epochs[endpoint]) last = kill
  }
  return last
}

function firstDue(
  acknowledged: ReadonlyMap<string, Acknowledgment>,
  taken: Readonly<Record<string, number>>,
  at: number,
  before: number,
) {
  let first = before
  for (const [id, { ackedAt, endpoints }] of acknowledged) {
    const isWaiting = at < endpoints && ackedAt < first && (taken[id] ?? Number.POSITIVE_INFINITY) >= before
    if (isWaiting) first = ackedAt
  }
  return first
}

export interface Rows {
  readonly deliveries: number
  readonly attempts: number
  /** Attempts by failure class; `null` are successful ones. */
  readonly errors: Readonly<Record<string, number>>
}

/** Every delivery succeeded; its attempts are numbered without a gap, and only the last attempt succeeded. */
export async function rowFaults({ world, center, acknowledged }: Ground): Promise<{ faults: string[]; rows: Rows }> {
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
  for (const row of bad) faults.push(`unexpected delivery row: ${JSON.stringify(row)}`)
  const [counts] = await world.query<{ deliveries: number; attempts: number }>(
    `select (select count(*)::int from cell.webhook_deliveries where center_id = $1) as deliveries,
       (select count(*)::int from cell.webhook_attempts where center_id = $1) as attempts`,
    [center.id],
  )
  const { deliveries = 0, attempts = 0 } = counts ?? {}
  const expected = [...acknowledged.values()].reduce((sum, { endpoints }) => sum + endpoints, 0)
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
