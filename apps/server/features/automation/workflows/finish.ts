/** The end of an execution: in one commit with the draft that it leaves, or with the reason why it failed. */

import { closed } from '@countersign/contract/common.ts'
import { Tag } from '@countersign/contract/decision-events.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { Type } from 'typebox'
import type { KnownCenter } from '../../../access/center-profiles.ts'
import { audit } from '../../../audit/audit.ts'
import type { LeaseEnd } from '../../../concurrency/leases.ts'
import type { Cell } from '../../../data/cells.ts'
import { bodyAjv } from '../../../http/validation.ts'
import { now } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { createDpu, dpuRows, needDpu } from '../../evidence/dpu/api.ts'
import { needWebhooks, publish, publishInBatch } from '../webhooks/api.ts'
import type { Workflow } from './catalogue.ts'
import type { Draft } from './definition.ts'
import { type ExecutionLease, failRunning, insertFailedStep, type StepRecord } from './runner-queries.ts'
import { executionRows } from './sealed-rows.ts'
import { executionAudit, transition } from './start.ts'

const isDraft = bodyAjv.compile<Draft>(
  Type.Object(
    {
      content: Type.String({ minLength: 1, maxLength: 50_000 }),
      tags: Type.Array(Tag, { maxItems: 50 }),
      metadata: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
      ai: Type.Unsafe<Draft['ai']>({
        type: ['object', 'null'],
        required: ['model', 'provider', 'confidence', 'promptHash'],
        properties: {
          model: { type: 'string', minLength: 1 },
          provider: { type: 'string', minLength: 1 },
          confidence: { type: ['number', 'null'], minimum: 0, maximum: 1 },
          promptHash: { type: 'string', minLength: 1 },
        },
        additionalProperties: false,
      }),
    },
    closed,
  ),
)

/** What the end of an execution uses of the runner. */
export interface EndingTools {
  readonly cell: Cell
  readonly sequencer: Sequencer
  /** For the metrics. */
  readonly ended: (status: 'COMPLETED' | 'FAILED') => void
}

interface Finishing {
  readonly tools: EndingTools
  readonly lease: ExecutionLease
  readonly workflow: Workflow
  readonly center: KnownCenter
}

export async function finish(
  { tools, lease, workflow, center }: Finishing,
  output: Json | undefined,
): Promise<LeaseEnd> {
  const draft: unknown = output
  if (!isDraft(draft)) {
    const [first] = isDraft.errors ?? []
    const what = `${first?.instancePath.slice(1) || 'it'} ${first?.message ?? 'is not valid'}`
    return fail(tools, workflow, lease, `The last step did not return a valid draft: ${what}. Contact the operator.`)
  }
  const { centerId } = center
  const caller = { requestId: typedId('execution', lease.id), actorId: workflow.id, centerId }
  try {
    failpoint('workflow.sealing')
    const sealed = await tools.sequencer.seal({
      center,
      caller,
      holds: {
        chains: ['dpu'],
        rows: [need(executionRows, { id: lease.id, epoch: lease.epoch }), needDpu(lease.unit_id), needWebhooks],
      },
      bytes: draft.content.length,
      judge(batch) {
        const execution = batch.rows(executionRows).find(lease.id)
        if (!execution || execution.completed_at) return false
        const dpuId = typedId('dpu', lease.unit_id)
        if (!batch.rows(dpuRows).find(lease.unit_id)) {
          draftUnit(batch, { lease, workflow, center, draft })
          batch.audit(caller, { type: 'dpu.changed', action: 'created', target: { type: 'dpu', id: dpuId } })
        }
        batch.rows(executionRows).update({ ...execution, completed_at: batch.at })
        batch.audit(caller, executionAudit(workflow, lease.id, 'completed', { dpuId }))
        const moved = transition(workflow, lease.id, 'RUNNING', 'COMPLETED', batch.at, dpuId)
        publishInBatch(batch, centerId, 'workflow.transitioned', moved)
        return true
      },
    })
    failpoint('workflow.completed')
    if (!('result' in sealed && sealed.result)) return 'lost'
    tools.ended('COMPLETED')
    return 'done'
  } catch (error) {
    // The runner retries an outage; any other refusal would repeat.
    if (!(error instanceof Problem) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return fail(
      tools,
      workflow,
      lease,
      `The result could not be sealed: ${error.message} Then start the workflow again.`,
    )
  }
}

function draftUnit(batch: Batch, of: Omit<Finishing, 'tools'> & { readonly draft: Draft }): void {
  const { lease, workflow, center, draft } = of
  const { name } = workflow.definition
  createDpu(batch, center, {
    id: lease.unit_id,
    content: draft.content,
    referenceType: 'workflow_execution',
    referenceId: typedId('execution', lease.id),
    tags: draft.tags,
    createdBy: { id: workflow.id, name, role: 'SYSTEM', type: 'system' },
    origin: {
      method: 'workflow',
      workflowId: workflow.id,
      model: draft.ai?.model ?? null,
      provider: draft.ai?.provider ?? null,
      confidence: draft.ai?.confidence ?? null,
      promptHash: draft.ai?.promptHash ?? null,
      evidenceLevel: 'DRAFT',
    },
    metadata: { ...draft.metadata },
  })
}

/** With the step that failed, if one did. A worker that has lost the lease changes nothing. */
export async function fail(
  { cell, ended }: EndingTools,
  workflow: Workflow,
  lease: ExecutionLease,
  failure: string,
  step?: StepRecord,
): Promise<LeaseEnd> {
  const at = now()
  const failed = await cell.inTenantJob(lease.center_id, 'workflows', async (tx) => {
    if (!(await failRunning(tx, lease, at, failure))) return false
    if (step) await insertFailedStep(tx, step)
    await audit(tx, executionAudit(workflow, lease.id, 'failed', step ? { step: step.name } : {}))
    await publish(tx, 'workflow.transitioned', transition(workflow, lease.id, 'RUNNING', 'FAILED', at))
    return true
  })
  if (!failed) return 'lost'
  ended('FAILED')
  return 'done'
}
