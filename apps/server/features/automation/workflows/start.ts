/** Starting an execution, in the transaction that causes it. */
import type { ExecutionStatus } from '@countersign/contract/workflows.ts'
import { type AuditEntry, audit } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { publish } from '../webhooks/api.ts'
import type { Catalogue, Parameters, Workflow } from './catalogue.ts'
import type { StartingEvent } from './definition.ts'
import { countOpen, insertExecution } from './queries.ts'
import { findSettings } from './settings.ts'

export interface Start {
  readonly workflow: Workflow
  readonly parameters: Parameters
  readonly startedBy?: string
  readonly scheduledFor?: Date
  readonly event?: Happening
  /** Of the draft, beside those of the workflow. */
  readonly tags?: readonly string[]
  /** Beyond this number of open executions of the center the start is refused. A due time is never refused. */
  readonly mostOpen?: number
}

export interface Happening {
  readonly type: StartingEvent
  readonly data: object
}

export interface Started {
  readonly id: string
  readonly startedAt: Date
}

/** Null where an execution is running that must be the only one, or where this due time was started already. */
export async function startExecution(tx: TenantTx, start: Start): Promise<Started | null> {
  const { workflow, parameters, startedBy, scheduledFor, event, tags = [], mostOpen } = start
  if (mostOpen !== undefined && (await countOpen(tx)) >= mostOpen) throw tooManyOpen(mostOpen)
  const trigger = scheduledFor ? 'schedule' : event ? 'event' : 'manual'
  const started = { id: newUuid(), startedAt: now() }
  const inserted = await insertExecution(tx, {
    id: started.id,
    workflow_key: workflow.definition.key,
    trigger,
    alone: workflow.definition.alone,
    parameters: JSON.stringify(parameters),
    event: event ? JSON.stringify(event) : null,
    started_by: startedBy ?? null,
    tags: [...tags],
    scheduled_for: scheduledFor ?? null,
    unit_id: newUuid(),
    started_at: started.startedAt,
    next_at: started.startedAt,
  })
  if (!inserted) return null
  await audit(tx, executionAudit(workflow, started.id, 'started', { trigger }, startedBy))
  await publish(tx, 'workflow.transitioned', transition(workflow, started.id, null, 'RUNNING', started.startedAt))
  return started
}

const tooManyOpen = (most: number): Problem =>
  new Problem(
    'RATE_LIMITED',
    `This center already has ${most} open workflow executions, the maximum. Wait until one ends, or ask the operator for more.`,
    { details: { reason: 'runs' }, retryAfter: 5 },
  )

/** The workflows, and the vertical and the limit of the center. */
export interface Starting {
  readonly catalogue: Catalogue
  readonly vertical: string
  readonly mostOpen: number
}

/** Starts every workflow of the vertical that this event starts and the center has not turned off; returns how many. */
export async function startForEvent(
  tx: TenantTx,
  { catalogue, vertical, mostOpen }: Starting,
  event: Happening,
): Promise<number> {
  let started = 0
  for (const workflow of catalogue.startedBy(event.type, vertical)) {
    const { enabled, parameters: given, tags } = await findSettings(tx, workflow)
    if (!enabled) continue
    const parameters = workflow.parameters(given)
    if (await startExecution(tx, { workflow, parameters, event, tags, mostOpen })) started++
  }
  return started
}

/** The actor is the person who acted, else the workflow. */
export const executionAudit = (
  workflow: Pick<Workflow, 'id'>,
  uuid: string,
  action: 'started' | 'completed' | 'failed' | 'canceled' | 'skipped',
  details: NonNullable<AuditEntry['details']> = {},
  actorId = workflow.id,
): AuditEntry => ({
  type: 'workflow.executed',
  action,
  target: { type: 'execution', id: typedId('execution', uuid) },
  details: { workflowId: workflow.id, ...details },
  actorId,
})

export const transition = (
  workflow: Pick<Workflow, 'id'>,
  uuid: string,
  from: ExecutionStatus | null,
  to: ExecutionStatus,
  at: Date | string,
  dpuId: string | null = null,
) => ({
  executionId: typedId('execution', uuid),
  workflowId: workflow.id,
  from: from as string | null,
  to: to as string,
  dpuId,
  at: new Date(at).toISOString(),
})
