/** Runs one execution from its last recorded step to its end, or to the next pause. */
import type { Json } from '@countersign/proof/canonical.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { LeaseEnd } from '../../../concurrency/leases.ts'
import type { Cell } from '../../../data/cells.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { typedId } from '../../../lib/ids.ts'
import type { AiProvider } from './ai/provider.ts'
import { attempt } from './attempt.ts'
import type { Catalogue, Workflow } from './catalogue.ts'
import type { Step, StepContext } from './definition.ts'
import { type EndingTools, fail, finish, type Leased } from './finish.ts'
import type { ExecutionLease, StepRecord } from './runner-queries.ts'
import type { Recording } from './step-commits.ts'

export interface ExecutionTools extends EndingTools {
  readonly cell: Cell
  readonly catalogue: Catalogue
  readonly centers: CenterProfiles
  readonly ai: AiProvider
  readonly record: Recording
}

/** A step may crash its worker. After this many lost workers the execution fails. */
const maxLosses = 25
/** The longest pause before the next attempt, whatever a provider asks for. */
const longestPauseSeconds = 6 * 3600

interface Running extends Leased {
  readonly tools: ExecutionTools
  readonly gone: AbortSignal
}

export async function perform(tools: ExecutionTools, lease: ExecutionLease, gone: AbortSignal): Promise<LeaseEnd> {
  const workflow = tools.catalogue.byKey(lease.workflow_key) as Workflow
  const center = await tools.centers.profile(lease.center_id)
  const running = { tools, lease, workflow, center, gone }
  const { steps } = workflow.definition
  const recorded = lease.steps ?? []
  if (recorded.some(({ name }, position) => steps[position]?.name !== name)) {
    const why = 'The workflow was changed during this execution, so it cannot continue. Start it again.'
    return fail(running, why)
  }
  if (lease.losses > maxLosses) {
    const why = `Workers died ${lease.losses} times during this execution. Contact the operator, who can find the cause in the log under this execution's ID.`
    return fail(running, why)
  }
  const outputs: Record<string, Json> = {}
  for (const [position, step] of steps.entries()) {
    const before = recorded[position]
    if (before?.status === 'COMPLETED') {
      outputs[step.name] = before.output as Json
      continue
    }
    const result = await tryStep(running, step, position, { before: before?.attempts ?? 0, outputs })
    if (!('output' in result)) return result.end
    outputs[step.name] = result.output
  }
  return finish(running, outputs[steps.at(-1)?.name as string])
}

type Tried = { readonly output: Json } | { readonly end: LeaseEnd }

async function tryStep(
  running: Running,
  step: Step,
  position: number,
  { before, outputs }: { readonly before: number; readonly outputs: StepContext['outputs'] },
): Promise<Tried> {
  const { tools, lease, gone } = running
  const started_at = now()
  const attempts = before + 1
  const unexpected = (err: unknown) =>
    tools.log.error({ err, ...traceOf(lease), step: step.name }, 'a step failed with an unexpected error')
  const context = contextOf(running, outputs)
  const outcome = await attempt({ step, position, context, gone, unexpected })
  if (outcome.kind === 'abandoned') return { end: 'unfinished' }
  failpoint(`workflow.step.done.${position}`)
  const { center_id, id, epoch } = lease
  const record = { center_id, id, epoch, position, name: step.name, attempts, started_at }
  if (outcome.kind === 'output') {
    const { output } = outcome
    const held = await tools.record({ ...record, status: 'COMPLETED', output, completed_at: now() })
    failpoint(`workflow.recorded.${position}`)
    return held ? { output } : { end: 'lost' }
  }
  if (outcome.retry && attempts < step.attempts) {
    const backoff = step.backoffSeconds * 2 ** before
    const pause = Math.min(longestPauseSeconds, Math.max(backoff, outcome.retryAfterSeconds))
    const next_at = secondsFromNow(pause)
    const held = await tools.record({ ...record, status: 'RETRYING', error: outcome.message, next_at })
    return { end: held ? 'done' : 'lost' }
  }
  if (step.otherwise) {
    const { message: error } = outcome
    const output = step.otherwise(error)
    const held = await tools.record({ ...record, status: 'COMPLETED', output, error, completed_at: now() })
    return held ? { output } : { end: 'lost' }
  }
  const failed: StepRecord = { ...record, status: 'FAILED', error: outcome.message, completed_at: now() }
  return { end: await fail(running, failureText(step, attempts, outcome.message), failed) }
}

const failureText = (step: Step, attempts: number, message: string): string =>
  `The step "${step.name}" failed${attempts > 1 ? `, after ${attempts} attempts` : ''}: ${message}`

export const traceOf = ({ center_id, id, workflow_key }: ExecutionLease) => ({
  centerId: center_id,
  executionId: typedId('execution', id),
  workflow: workflow_key,
})

function contextOf({ tools, lease, center }: Running, outputs: StepContext['outputs']): Omit<StepContext, 'signal'> {
  return {
    center,
    outputs: { ...outputs },
    executionId: typedId('execution', lease.id),
    parameters: lease.parameters as StepContext['parameters'],
    scheduledFor: lease.scheduled_for,
    startedAt: lease.started_at,
    event: lease.event as StepContext['event'],
    read: (work) => tools.cell.inTenantRead(lease.center_id, 'workflows', work),
    ai: tools.ai,
  }
}
