/** The load of benches that seal: events that wait for their approval, and callers that approve them. */

import { newUuid, typedId } from '@countersign/server/lib/ids.ts'
import autocannon from 'autocannon'
import type { World } from '../support/world.ts'
import { approval } from './bodies.ts'
import type { Running } from './place.ts'
import { short } from './sized.ts'
import { opening } from './stored-decisions.ts'

export const callers = 256
const fewCallers = 8
const body = JSON.stringify(approval)

export interface Tenant {
  readonly centerId: number
  readonly key: string
}

/** An event that waits for its approval. */
export interface Target extends Tenant {
  readonly id: string
  readonly path: string
}

/** Decisions that wait for an approval, as the API would have recorded them, inserted in bulk. */
export async function supply(
  world: World,
  tenants: readonly Tenant[],
  count: number,
  stored: boolean,
): Promise<Target[]> {
  const made: Target[] = []
  for (let done = 0; done < count; ) {
    const ids: string[] = []
    const centers: number[] = []
    for (; done < count && ids.length < 5000; done++) {
      const { centerId, key } = tenants[done % tenants.length] as Tenant
      const id = newUuid()
      ids.push(id)
      centers.push(centerId)
      made.push({ id, centerId, path: `/api/v1/decision-events/${typedId('decisionEvent', id)}/approvals`, key })
    }
    if (!stored) continue
    await world.query(
      opening(`insert into cell.recorded_decisions (center_id, id, decision_id, type, actor, action, ai_context, tags, action_digest, action_salt, recorded_by,
         occurred_at, created_at)
       select c, i, 'dec-' || i, 'ai_recommendation', '{"id":"agent-7","type":"ai_agent","name":"Care planner"}',
         '{"type":"plan.adjust","description":"Two sessions a week","input":{"client":"c-102"},"output":{"sessions":2}}',
         '{"model":"planner-3","provider":"in-house","confidence":0.92,"reasoning":"Progress slowed in week six."}',
         '{care-plan}', 'sha256:' || repeat('0', 64), repeat('A', 43), 'key_01kz9x4q8hfx5r3v7t2b6n0m1c', now(), now()
       from unnest($1::integer[], $2::uuid[]) t (c, i)`),
      [centers, ids],
    )
  }
  await world.query('analyze cell.recorded_decisions, cell.open_decisions')
  return made
}

export interface Window {
  readonly perSecond: number
  readonly p99: number
  /** Processor time of the servers per seal. */
  readonly cpuMicros: number
  readonly seals: number
}

/** Approves the targets, by several servers at a time where there are several: the callers are shared between them. */
export async function load(
  servers: readonly Running[],
  targets: Target[],
  seconds: number,
  keyed = false,
): Promise<Window> {
  const cpuSeconds = () => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0)
  const cpuBefore = cpuSeconds()
  const results = await Promise.all(
    servers.map(({ url }) =>
      autocannon({
        url,
        method: 'POST',
        connections: (short ? fewCallers : callers) / servers.length,
        // A busy machine may seal nothing in a second: the shortest form counts seals instead.
        ...(short ? { amount: fewCallers / servers.length } : { duration: seconds }),
        requests: [
          {
            setupRequest: (request: object) => {
              const target = targets.pop()
              if (!target) throw new Error('no event is left to approve: the measurement is invalid')
              const headers = {
                'content-type': 'application/json',
                authorization: `Bearer ${target.key}`,
                ...(keyed && { 'idempotency-key': newUuid() }),
              }
              return { ...request, path: target.path, headers, body }
            },
          },
        ],
      } as autocannon.Options),
    ),
  )
  const sum = (of: (result: autocannon.Result) => number) => results.reduce((total, result) => total + of(result), 0)
  const [refused, errors] = [sum(({ non2xx }) => non2xx), sum((result) => result.errors)]
  if (refused > 0 || errors > 0)
    throw new Error(`${refused} refused requests and ${errors} errors: the measurement is invalid`)
  const seals = sum((result) => result['2xx'])
  if (seals === 0) throw new Error('nothing was sealed in this window: the machine is too busy to measure')
  return {
    perSecond: sum((result) => result['2xx'] / result.duration),
    p99: Math.max(...results.map(({ latency }) => latency.p99)),
    cpuMicros: (1e6 * (cpuSeconds() - cpuBefore)) / seals,
    seals,
  }
}
