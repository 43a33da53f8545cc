/** Centers whose workflows run on workers for the test to kill, and the state that every execution must reach. */
import { randomUUID } from 'node:crypto'
import { readConfig } from '@countersign/server/config/config.ts'
import type { Workflow } from '@countersign/server/features/automation/workflows/catalogue.ts'
import { startExecution } from '@countersign/server/features/automation/workflows/start.ts'
import { verifyCenter } from '@countersign/server/features/evidence/verification/center.ts'
import type { InCenter } from '@countersign/server/integrity/scan.ts'
import { typedId } from '@countersign/server/lib/ids.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { openServices, type Services } from '@countersign/server/services.ts'
import type { World } from '../support/world.ts'
import { cancelExecution, type ToCancel } from './execute-cancel.ts'
import { chained, definitions, type Said } from './execute-workflow.ts'
import { startKillable } from './killable-server.ts'

/** Every `failpoint` of an execution of three steps, in order; `seal.` are those of the batch that ends it. */
export const failpoints = [
  'workflow.taken',
  ...[0, 1, 2].flatMap((n) => [
    `workflow.step.begin.${n}`,
    `workflow.step.inside.${n}`,
    `workflow.step.done.${n}`,
    `workflow.recorded.${n}`,
  ]),
  'workflow.sealing',
  'seal.begun',
  'seal.opened',
  'seal.written',
  'seal.committed',
  'workflow.completed',
  'workflow.failing',
  'workflow.failed',
] as const

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export interface Ground {
  readonly world: World
  readonly services: Services
  readonly centerIds: readonly number[]
  readonly environment: Readonly<Record<string, string>>
  /** Executions that someone tried to cancel; true where the cancellation is known to have committed. */
  readonly canceled: Map<string, boolean>
  close(): Promise<void>
}

export async function openGround(world: World, environment: Readonly<Record<string, string>>): Promise<Ground> {
  const config = readConfig({ ...environment, LOG_LEVEL: 'silent', ROLE: 'api', POOL_SIZE: '4' })
  const services = openServices(config, makeLog(config), { definitions })
  const centerIds: number[] = []
  for (let n = 0; n < 3; n++) {
    const { id } = await world.center()
    // The webhook is inactive: nothing is delivered, but every event is stored.
    await world.query(
      `insert into cell.webhooks (center_id, id, url, events, description, active, created_at)
       values ($1, $2, 'https://hooks.example.org/chaos', '{workflow.*}', '', false, now())`,
      [id, randomUUID()],
    )
    centerIds.push(id)
  }
  return { world, services, centerIds, environment, canceled: new Map(), close: () => services.close() }
}

/** Starts executions as the API does. The second of every five fails in its third step. */
export async function begin({ services, centerIds }: Ground, count: number, mostMs = 0): Promise<void> {
  const workflow = services.catalogue.byKey(chained.key) as Workflow
  const cell = services.cells.of('main')
  const start = (number: number) => {
    const centerId = centerIds[number % centerIds.length] as number
    const parameters = workflow.parameters({ mostMs, fails: number % 5 === 1 })
    return cell.inTenant({ requestId: 'chaos', actorId: 'chaos', centerId }, (tx) =>
      startExecution(tx, { workflow, parameters, startedBy: 'chaos' }),
    )
  }
  let begun = 0
  const line = async () => {
    while (begun < count) await start(begun++)
  }
  // One per connection: a caller that waits too long for a connection is refused.
  await Promise.all(Array.from({ length: 4 }, line))
}

export const startWorker = ({ environment }: Ground, more: Readonly<Record<string, string>> = {}) =>
  startKillable({ ...environment, ...more }, { file: 'tests/crash/execute-worker.process.ts' })

const running = ({ world, centerIds }: Ground, most: number) =>
  world.query<ToCancel>(
    `select center_id as "centerId", id from cell.executions where center_id = any ($1) and status = 'RUNNING'
     order by random() limit $2`,
    [centerIds, most],
  )

/** Cancels this many of the open executions at once, while workers may be ending them. */
export async function cancelSome(ground: Ground, most: number): Promise<void> {
  const chosen = await running(ground, most)
  await Promise.all(
    chosen.map(async (each) => {
      const done = await cancelExecution(ground.services, each)
      ground.canceled.set(each.id, done || ground.canceled.get(each.id) === true)
    }),
  )
}

/** Starts a process that cancels an open execution and dies at this failpoint of the batch; returns the faults. */
export async function dieCanceling(ground: Ground, failpoint: string): Promise<string[]> {
  const [chosen] = await running(ground, 1)
  if (!chosen) return ['there is no execution to cancel']
  ground.canceled.set(chosen.id, failpoint === 'seal.committed')
  return dieAt(ground, failpoint, { CANCEL: JSON.stringify(chosen) })
}

/** Starts a worker that dies at this failpoint; returns the faults. */
export async function dieAt(
  ground: Ground,
  failpoint: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  // The worker starts work before it is ready, so it may die before that.
  const doomed = await startWorker(ground, { FAILPOINT: failpoint, ...more }).catch((error: Error) => {
    if (/\(SIGKILL\) before it was ready/.test(error.message)) return null
    throw error
  })
  if (!doomed) return []
  const signal = await Promise.race([doomed.ended, pause(60_000).then(() => 'nothing' as const)])
  if (signal === 'nothing') await doomed.stop()
  return signal === 'SIGKILL' ? [] : [`the worker to die at ${failpoint} ended by ${signal}`]
}

export async function untilEnded({ world, centerIds }: Ground, patienceMs: number): Promise<number> {
  const end = Date.now() + patienceMs
  for (;;) {
    const [row] = await world.query<{ running: number }>(
      `select count(*)::int as running from cell.executions where center_id = any ($1) and status = 'RUNNING'`,
      [centerIds],
    )
    const running = row?.running ?? 0
    if (running === 0 || Date.now() > end) return running
    await pause(200)
  }
}

interface Found {
  readonly id: string
  readonly status: string
  readonly losses: number
  readonly unit_id: string
  readonly fails: boolean
}

interface StepFound {
  readonly execution_id: string
  readonly status: string
  readonly attempts: number
  readonly output: Said & { readonly content?: string }
}

interface DpuFound {
  readonly id: string
  readonly reference_id: string
  readonly content: string
  readonly metadata: { readonly outcome?: string }
}

/** The rows of an execution outside its own table. */
interface Traces {
  /** The DPUs that name this execution. */
  readonly dpus: readonly DpuFound[]
  readonly actions: readonly string[]
  readonly published: readonly string[]
  readonly steps: readonly StepFound[]
}

/** Every end leaves one DPU, one entry and one event. `canceled` is undefined where nobody tried to cancel it. */
function faultsOf(
  execution: Found,
  { dpus, actions, published, steps }: Traces,
  canceled: boolean | undefined,
): string[] {
  const faults: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds) faults.push(`${execution.id}: ${what}`)
  }
  const { status, fails } = execution
  const worked = fails ? 'FAILED' : 'COMPLETED'
  const allowed = canceled === undefined ? [worked] : canceled ? ['CANCELED'] : ['CANCELED', worked]
  must(allowed.includes(status), `is ${status}, not ${allowed.join(' or ')}`)
  must(dpus.length === 1, `left ${dpus.length} DPUs`)
  must(dpus[0]?.id === execution.unit_id, 'left another DPU than its own')
  must(dpus[0]?.metadata.outcome === (status === 'COMPLETED' ? undefined : status), 'its DPU says another outcome')
  must(actions.toSorted().join() === [status.toLowerCase(), 'started'].toSorted().join(), `has the entries ${actions}`)
  must(published.toSorted().join() === [status, 'RUNNING'].toSorted().join(), `was published as ${published.join()}`)
  const [first, second, third] = steps
  const expected = { COMPLETED: 'COMPLETED', FAILED: 'FAILED', CANCELED: undefined }[status]
  must(
    steps.every(({ attempts }) => attempts === 1),
    'a step was retried',
  )
  must(status === 'CANCELED' || (steps.length === 3 && third?.status === expected), `has ${steps.length} steps`)
  must(
    !second || second.output.received === first?.output.nonce,
    'its second step received another value than the first step returned',
  )
  if (status !== 'COMPLETED') return faults
  const written = JSON.parse(third?.output.content ?? '{}') as Partial<Said>
  must(written.received === second?.output.nonce, 'its third step received another value than the second step returned')
  must(dpus[0]?.content === third?.output.content, 'its DPU has another content than its third step returned')
  return faults
}

export async function verdict(ground: Ground) {
  const { world, services, centerIds } = ground
  const of = <T extends object>(text: string) => world.query<T>(`${text} where center_id = any ($1)`, [centerIds])
  const executions = await of<Found>(
    `select id, status, losses, unit_id, (parameters ->> 'fails')::boolean as fails from cell.executions`,
  )
  const dpus = await of<DpuFound>('select id, reference_id, content, metadata from cell.dpus')
  const entries = await of<{ target_id: string; action: string }>(
    `select target_id, details ->> 'action' as action from cell.audit_entries`,
  )
  const events = await of<{ data: string }>('select data from cell.webhook_events')
  const steps = await of<StepFound & { position: number }>(
    'select execution_id, position, status, attempts, output from cell.execution_steps',
  )
  const dpusOf = Map.groupBy(dpus, (row) => row.reference_id)
  const entriesOf = Map.groupBy(entries, (row) => row.target_id)
  const published = events.map(({ data }) => JSON.parse(data) as { executionId: string; to: string })
  const publishedOf = Map.groupBy(published, (row) => row.executionId)
  const stepsOf = Map.groupBy(
    steps.toSorted((a, b) => a.position - b.position),
    (row) => row.execution_id,
  )
  const faults = executions.flatMap((execution) => {
    const shown = typedId('execution', execution.id)
    const traces = {
      dpus: dpusOf.get(shown) ?? [],
      actions: (entriesOf.get(shown) ?? []).map(({ action }) => action),
      published: (publishedOf.get(shown) ?? []).map(({ to }) => to),
      steps: stepsOf.get(execution.id) ?? [],
    }
    return faultsOf(execution, traces, ground.canceled.get(execution.id))
  })
  if (dpus.length !== executions.length) faults.push(`${dpus.length} DPUs for ${executions.length} executions`)
  const cell = services.cells.of('main')
  for (const centerId of centerIds) {
    const inCenter: InCenter = (work) => cell.inTenantJob(centerId, 'chaos', work)
    const { allValid } = await verifyCenter({ needs: services, centerId, inCenter }, 'records')
    if (!allValid) faults.push(`the chains of center ${centerId} are not valid`)
  }
  const ends = Object.fromEntries(
    ['COMPLETED', 'FAILED', 'CANCELED'].map((status) => [
      status.toLowerCase(),
      executions.filter((each) => each.status === status).length,
    ]),
  )
  return {
    faults,
    executions: executions.length,
    takeovers: executions.reduce((sum, { losses }) => sum + losses, 0),
    ends: ends as Record<'completed' | 'failed' | 'canceled', number>,
  }
}
