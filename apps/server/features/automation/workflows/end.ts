/**
 * The end of an execution, in one commit with the unit that it leaves. The batch holds the lock on the row, so of all who
 * want to end an execution exactly one does.
 */

import type { KnownCenter } from '../../../access/center-profiles.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { Caller } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, SealItem } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { createDpu } from '../../evidence/dpu/api.ts'
import { needWebhooks, publishInBatch } from '../webhooks/api.ts'
import type { Draft } from './definition.ts'
import type { StepRecord } from './runner-queries.ts'
import { type EndStatus, executionRows } from './sealed-rows.ts'
import { executionAudit, transition } from './start.ts'

export interface Ending {
  readonly execution: { readonly id: string; readonly unit_id: string; readonly started_at: Date }
  /** A worker names the epoch of its lease; a person holds none. */
  readonly epoch?: number
  readonly workflow: { readonly id: string; readonly name: string }
  readonly center: KnownCenter
  readonly caller: Caller
  readonly status: EndStatus
  readonly draft: (at: string) => Draft
  readonly failure?: string
  readonly step?: StepRecord | undefined
}

export interface Ended {
  readonly at: string
  /** Null where it left no unit, because the chain is broken. */
  readonly dpuId: string | null
}

type EndItem = Pick<SealItem<Ended | null>, 'holds' | 'judge' | 'bytes'>

const isBroken = (error: unknown): boolean => error instanceof Problem && error.code === 'CHAIN_BROKEN'

/**
 * The result is null where the execution has ended before or the lease is lost. An execution that has a result ends with
 * its unit or not at all; any other one ends without a unit where the chain is broken.
 */
export function endItem(ending: Ending, withUnit = true): EndItem {
  const { execution, epoch, workflow, center, caller, status, failure = null, step = null } = ending
  const { id } = execution
  return {
    holds: { chains: withUnit ? ['dpu'] : [], rows: [need(executionRows, { id }), needWebhooks] },
    judge(batch) {
      const row = batch.rows(executionRows).find(id)
      if (!row || row.completed_at || (epoch !== undefined && row.epoch !== epoch)) return null
      const dpuId = withUnit ? leaveUnit(batch, ending) : null
      if (dpuId !== null) {
        auditInBatch(batch, caller, { type: 'dpu.changed', action: 'created', target: { type: 'dpu', id: dpuId } })
      }
      batch.rows(executionRows).update({ ...row, status, completed_at: batch.at, failure, step })
      const action = status.toLowerCase() as Lowercase<EndStatus>
      const details = { ...(dpuId !== null && { dpuId }), ...(step && { step: step.name }) }
      auditInBatch(batch, caller, executionAudit(workflow, id, action, details, caller.actorId ?? workflow.id))
      const moved = transition(workflow, id, 'RUNNING', status, batch.at, dpuId)
      publishInBatch(batch, center.centerId, 'workflow.transitioned', moved)
      return { at: batch.at, dpuId }
    },
  }
}

/**
 * Commits an end without a result by `seal`. A batch that the database refuses marks the chain as broken; the second
 * attempt ends the execution without touching the chain.
 */
export async function sealOutcome<T>(ending: Ending, seal: (item: EndItem) => Promise<T>): Promise<T> {
  try {
    return await seal(endItem(ending))
  } catch (error) {
    if (!isBroken(error)) throw error
    return seal(endItem(ending, false))
  }
}

function leaveUnit(batch: Batch, ending: Ending): string | null {
  const { execution, workflow, center, status } = ending
  const { content, tags, metadata, ai } = ending.draft(batch.at)
  try {
    createDpu(batch, center, {
      id: execution.unit_id,
      content,
      referenceType: 'workflow_execution',
      referenceId: typedId('execution', execution.id),
      tags,
      createdBy: { id: workflow.id, name: workflow.name, role: 'SYSTEM', type: 'system' },
      origin: {
        method: 'workflow',
        workflowId: workflow.id,
        model: ai?.model ?? null,
        provider: ai?.provider ?? null,
        confidence: ai?.confidence ?? null,
        promptHash: ai?.promptHash ?? null,
        evidenceLevel: 'DRAFT',
      },
      metadata: { ...metadata },
    })
  } catch (error) {
    // The chain refuses an entry before anything is written.
    if (status === 'COMPLETED' || !isBroken(error)) throw error
    return null
  }
  return typedId('dpu', execution.unit_id)
}
