/** Centers whose workflows are run by workers to be killed, and what must be found of every run in the end. */
import { randomUUID } from 'node:crypto'
import { readConfig } from '@countersign/server/config.ts'
import type { Workflow } from '@countersign/server/features/automation/workflows/catalogue.ts'
import { startExecution } from '@countersign/server/features/automation/workflows/start.ts'
import { verifyCenter } from '@countersign/server/features/evidence/verification/center.ts'
import type { InCenter } from '@countersign/server/integrity/scan.ts'
import { typedId } from '@countersign/server/lib/ids.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { openServices, type Services } from '@countersign/server/services.ts'
import type { World } from '../support/world.ts'
import { chained, definitions, type Said } from './execute-workflow.ts'
import { startMortal } from './mortal-server.ts'

/** Every `failpoint` on the way of an execution of three steps, in order; `seal.` are those of the batch that ends it. */
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
] as const

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export interface Ground {
  readonly world: World
  readonly services: Services
  readonly centerIds: readonly number[]
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function openGround(world: World, environment: Readonly<Record<string, string>>): Promise<Ground> {
  const config = readConfig({ ...environment, LOG_LEVEL: 'silent', ROLE: 'api', POOL_SIZE: '4' })
  const services = openServices(config, makeLog(config), { definitions })
  const centerIds: number[] = []
  for (let n = 0; n < 3; n++) {
    const { id } = await world.center()
    // Nobody is sent anything, but what is told is written down.
    await world.query(
      `insert into cell.webhooks (center_id, id, url, events, description, active, created_at)
       values ($1, $2, 'https://hooks.example.org/chaos', '{workflow.*}', '', false, now())`,
      [id, randomUUID()],
    )
    centerIds.push(id)
  }
  return { world, services, centerIds, environment, close: () => services.close() }
}

/** As whoever asks for a run does it. */
export async function begin({ services, centerIds }: Ground, count: number, mostMs = 0): Promise<void> {
  const workflow = services.catalogue.byKey(chained.key) as Workflow
  const cell = services.cells.of('main')
  const start = (centerId: number) =>
    cell.inTenant({ requestId: 'chaos', actorId: 'chaos', centerId }, (tx) =>
      startExecution(tx, { workflow, parameters: workflow.parameters({ mostMs }), startedBy: 'chaos' }),
    )
  let begun = 0
  const line = async () => {
    while (begun < count) await start(centerIds[begun++ % centerIds.length] as number)
  }
  // As many as there are connections: who waits too long for one is turned away.
  await Promise.all(Array.from({ length: 4 }, line))
}

export const startWorker = ({ environment }: Ground, more: Readonly<Record<string, string>> = {}) =>
  startMortal({ ...environment, ...more }, { file: 'tests/crash/execute-worker.process.ts' })

/** A worker that dies where it is told to; answers with what went wrong with that. */
export async function dieAt(ground: Ground, failpoint: string): Promise<string[]> {
  // It works before it is ready, and may be dead before that.
  const doomed = await startWorker(ground, { FAILPOINT: failpoint }).catch((error: Error) => {
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
}

interface StepFound {
  readonly execution_id: string
  readonly status: string
  readonly attempts: number
  readonly output: Said & { readonly content?: string }
}

/** What is known of a run beside its own row. */
interface Traces {
  /** Contents of the units that say they are of this run. */
  readonly contents: readonly string[]
  readonly actions: readonly string[]
  readonly told: readonly string[]
  readonly steps: readonly StepFound[]
}

function faultsOf(run: Found, { contents, actions, told, steps }: Traces): string[] {
  const faults: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds) faults.push(`${run.id}: ${what}`)
  }
  must(run.status === 'COMPLETED', `is ${run.status}`)
  must(contents.length === 1, `left ${contents.length} units`)
  must(actions.toSorted().join() === 'completed,started', `has the entries ${actions.join()}`)
  must(told.toSorted().join() === 'COMPLETED,RUNNING', `was told as ${told.join()}`)
  const [first, second, third] = steps
  must(steps.length === 3, `has ${steps.length} steps`)
  must(
    steps.every(({ status, attempts }) => status === 'COMPLETED' && attempts === 1),
    'was tried again',
  )
  must(second?.output.heard === first?.output.nonce, 'its second step heard something else than the first has said')
  const written = JSON.parse(third?.output.content ?? '{}') as Partial<Said>
  must(written.heard === second?.output.nonce, 'its third step heard something else than the second has said')
  must(contents[0] === third?.output.content, 'its unit says something else than its third step')
  return faults
}

export async function verdict(ground: Ground): Promise<{ faults: string[]; runs: number; takeovers: number }> {
  const { world, services, centerIds } = ground
  const of = <T extends object>(text: string) => world.query<T>(`${text} where center_id = any ($1)`, [centerIds])
  const runs = await of<Found>('select id, status, losses, unit_id from cell.executions')
  const units = await of<{ id: string; reference_id: string; content: string }>(
    'select id, reference_id, content from cell.dpus',
  )
  const entries = await of<{ target_id: string; action: string }>(
    `select target_id, details ->> 'action' as action from cell.audit_entries`,
  )
  const events = await of<{ data: string }>('select data from cell.webhook_events')
  const steps = await of<StepFound & { position: number }>(
    'select execution_id, position, status, attempts, output from cell.execution_steps',
  )
  const unitsOf = Map.groupBy(units, (row) => row.reference_id)
  const entriesOf = Map.groupBy(entries, (row) => row.target_id)
  const told = events.map(({ data }) => JSON.parse(data) as { executionId: string; to: string })
  const toldOf = Map.groupBy(told, (row) => row.executionId)
  const stepsOf = Map.groupBy(
    steps.toSorted((a, b) => a.position - b.position),
    (row) => row.execution_id,
  )
  const faults = runs.flatMap((run) => {
    const shown = typedId('execution', run.id)
    return faultsOf(run, {
      contents: (unitsOf.get(shown) ?? []).map(({ content }) => content),
      actions: (entriesOf.get(shown) ?? []).map(({ action }) => action),
      told: (toldOf.get(shown) ?? []).map(({ to }) => to),
      steps: stepsOf.get(run.id) ?? [],
    })
  })
  if (units.length !== runs.length) faults.push(`${units.length} units for ${runs.length} runs`)
  const cell = services.cells.of('main')
  for (const centerId of centerIds) {
    const inCenter: InCenter = (work) => cell.inTenantJob(centerId, 'chaos', work)
    const { allValid } = await verifyCenter({ needs: services, centerId, inCenter }, 'records')
    if (!allValid) faults.push(`the chains of center ${centerId} do not hold`)
  }
  return { faults, runs: runs.length, takeovers: runs.reduce((sum, { losses }) => sum + losses, 0) }
}
