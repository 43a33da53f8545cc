/** How a decision becomes an event, as it is stored and answered, and the group commit that records it. */

import type { DecisionEvent, NewDecisionEvent } from '@countersign/contract/decision-events.ts'
import { fieldList } from '@countersign/proof/decision-fields.ts'
import type { Static } from 'typebox'
import { type GroupCommit, type GroupWatch, groupCommit, type Submission } from '../../../concurrency/group-commit.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { classifyFailure } from '../../../data/transaction.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { EventRow } from '../../../governance/rows.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { newUuid, recordUuid, typedId, typedIds } from '../../../lib/ids.ts'
import { refusedField } from '../../../lib/problem.ts'
import type { SealItem } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { isoOf, valuesIn } from '../dpu/api.ts'
import { decisionName, eventRows, matchingPolicies, needsOfOpen, needsOfSealing, requestApproval } from './decision.ts'
import { type ActionHash, hashAction } from './hash-ahead.ts'
import type { SummaryRow } from './list-queries.ts'
import { type PolicyCopies, policyCopies } from './policy-copies.ts'
import { type PolicyCopy, recordBatch, type StoredEventRow } from './queries.ts'
import { refuseOpen, replaceable } from './refuse.ts'
import type { ApprovalAddress } from './waiting.ts'

type EventBody = Static<typeof NewDecisionEvent>
export type Event = Static<typeof DecisionEvent>

/** A caller's clock may be wrong by a time zone. A decision further in the future is refused. */
const maxAheadMs = 24 * 3600 * 1000

/** The time that the caller states, in the stored form. */
function occurredAtOf(stated: string, at: number): string {
  const time = Date.parse(stated.toUpperCase())
  if (time > at + maxAheadMs) {
    throw refusedField('occurredAt', 'is more than 24 hours in the future. Send the time the decision was made')
  }
  return new Date(time).toISOString()
}

/** What the service knows of a decision when it comes; the body has the rest. */
export interface EventFacts {
  readonly centerId: number
  readonly at: number
  /** The API key; null for a decision of the service itself. */
  readonly recordedBy: string | null
  readonly traceparent: string | null
  /** The caller's key, which becomes the decisionId, and the fingerprint of the request that it names. */
  readonly key: { readonly name: string; readonly fingerprint: Buffer } | null
}

export const hexOf = (fingerprint: Buffer): string => `\\x${fingerprint.toString('hex')}`

/** The only place that makes an event: whether a program records it, an agent asks, or a member changes a rule. */
export function newEvent(
  body: Omit<EventBody, 'idempotencyKey'>,
  facts: EventFacts,
  hash: ActionHash = hashAction(body),
): EventRow {
  const { centerId, at, recordedBy, traceparent, key } = facts
  const id = newUuid(at)
  const createdAt = new Date(at).toISOString()
  const row: Record<string, unknown> = {
    center_id: centerId,
    id,
    decision_id: key?.name ?? typedIds(id, 'decision')[0],
    status: 'recorded',
    fingerprint: key && hexOf(key.fingerprint),
    action_digest: hash.digest,
    action_salt: hash.salt,
    created_at: createdAt,
    updated_at: createdAt,
  }
  for (const { name, column } of fieldList) row[column] = (body as Readonly<Record<string, unknown>>)[name] ?? null
  // What the service says itself, or says in another form than the body.
  row.tags ??= []
  row.occurred_at = body.occurredAt === undefined ? createdAt : occurredAtOf(body.occurredAt, at)
  if (body.replaces !== undefined) row.replaces = recordUuid(body.replaces)
  row.recorded_by = recordedBy
  row.traceparent = traceparent
  return row as unknown as EventRow
}

/** A redacted id is an empty string, because the specification requires the field. */
export const shownActor = (actor: object): Event['actor'] => ({ id: '', ...actor }) as Event['actor']

/** Who recorded it and what it replaces are for the details of a decision. */
const shownFields = fieldList.filter(({ name }) => name !== 'recordedBy' && name !== 'replaces')

/** Of a stored event with its place in the chain, or of a new one. */
export function eventOf(row: EventRow | StoredEventRow): Event {
  const [id, evidenceId] = typedIds(row.id, 'decisionEvent', 'evidence')
  const { chain_hash: chainHash = null, chain_index: chainIndex = null } = row as Partial<StoredEventRow>
  const event: Record<string, unknown> = valuesIn(row, shownFields)
  event.id = id
  event.decisionId = row.decision_id
  event.status = row.status
  event.actor = shownActor(row.actor)
  event.actionDigest = row.action_digest
  event.actionSalt = row.action_salt
  event.evidence = { id: evidenceId, status: chainHash === null ? 'pending' : 'sealed', chainHash, chainIndex }
  event.createdAt = isoOf(row.created_at)
  event.updatedAt = isoOf(row.updated_at)
  return event as unknown as Event
}

export const summaryOf = (row: SummaryRow) => ({
  id: typedId('decisionEvent', row.id),
  decisionId: row.decision_id,
  type: row.type as Event['type'],
  status: row.status as Event['status'],
  actor: shownActor(row.actor),
  action: { type: row.action_type },
  tags: row.tags,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** True for a new event, false when its decisionId was taken. */
export function replacementItem(
  event: EventRow,
  center: CenterProfile,
  caller: Caller,
  approvalUrl: ApprovalAddress,
): Pick<SealItem<boolean>, 'holds' | 'judge' | 'bytes'> {
  const { decision_id: decisionId } = event
  return {
    bytes: JSON.stringify(event).length,
    holds: {
      chains: ['proof'],
      rows: [need(eventRows, { decision_id: decisionId }), ...needsOfOpen(event.replaces as string), ...needsOfSealing],
    },
    judge(batch) {
      if (batch.rows(eventRows).find(decisionName(decisionId))) return false
      const old = replaceable(batch, event, center) as EventRow
      refuseOpen(batch, old, { center, caller, reason: 'replaced' })
      batch.rows(eventRows).insert(event)
      const policies = matchingPolicies(batch, { event, center })
      if (requirementsOf(policies, event.risk_score)) {
        requestApproval(batch, { center, caller, event, approval: null, prior: [] }, policies, approvalUrl)
      }
      return true
    },
  }
}

const limits = {
  batchItems: 128,
  /** Two, so that one batch is gathered and answered while the other commits. Events have no order to keep. */
  inFlight: { small: 2, large: 1, waiting: 1, alone: 2 },
}
/** The interval between updates of a center's counts. A list counts later events itself. */
const countEvery = 2000

export interface Recordable {
  readonly event: EventRow
  /** The event for `cell.record_events`. */
  readonly row: string
  /** The row of an event that waits under these policies, as JSON; null if none asks for an approval. */
  readonly waiting?: (copy: PolicyCopy) => string | null
}

export interface Recorder {
  /** True for a new event, false when its decisionId was taken. */
  record(cell: string, centerId: number, event: Recordable): Promise<boolean>
}

export function recorder(cells: Cells, jobs: Jobs, watch: (cell: string) => GroupWatch): Recorder {
  const queues = new Map<string, GroupCommit<Recordable, boolean>>()
  return {
    record(name, centerId, event) {
      let queue = queues.get(name)
      if (!queue) {
        queue = cellRecorder(cells.of(name), jobs, watch(name))
        queues.set(name, queue)
      }
      return queue.submit(centerId, event.row.length, event)
    },
  }
}

type WaitingEvent = Submission<Recordable, boolean>

function cellRecorder(cell: Cell, jobs: Jobs, watch: GroupWatch): GroupCommit<Recordable, boolean> {
  const copies = policyCopies(cell)
  const uncounted = new Map<number, number>()
  const count = (centerId: number) => {
    const events = (uncounted.get(centerId) ?? 0) + 1
    uncounted.set(centerId, events % countEvery)
    if (events === countEvery) jobs.wake(cell.name, 'count-events', { centerId })
  }
  return groupCommit({
    what: 'decisions to record',
    ordered: false,
    limits,
    watch,
    classify: classifyFailure,
    async commit(batch) {
      const { ids, asked } = await insert(cell, copies, batch)
      const recorded = new Set(ids)
      for (const { centerId, input, resolve } of batch) {
        resolve(recorded.has(input.event.id))
        count(centerId)
      }
      for (const centerId of asked) jobs.wake(cell.name, 'waiting-decisions', { centerId })
      return {}
    },
  })
}

/** A batch that was judged on policies which have changed is judged again; after this many times as it stands. */
const mostJudgements = 3

interface Inserted {
  readonly ids: readonly string[]
  /** Centers in which an event waits. */
  readonly asked: ReadonlySet<number>
}

async function insert(cell: Cell, copies: PolicyCopies, batch: readonly WaitingEvent[]): Promise<Inserted> {
  // The same order in every process, which prevents deadlocks between processes that record the same keys.
  const ordered = batch.toSorted(
    (a, b) => a.centerId - b.centerId || (a.input.event.decision_id < b.input.event.decision_id ? -1 : 1),
  )
  const centerIds = [...new Set(ordered.map((item) => item.centerId))]
  const fresh = batch.every((item) => item.input.event.fingerprint === null)
  const events = `[${ordered.map((item) => item.input.row).join(',')}]`
  for (let judged = 1; ; judged++) {
    const known = await copies.of(centerIds)
    const rows: string[] = []
    const asked = new Set<number>()
    for (const { centerId, input } of ordered) {
      const row = input.waiting?.(known.get(centerId) as PolicyCopy) ?? null
      if (row === null) continue
      rows.push(row)
      asked.add(centerId)
    }
    // The row of an event that was judged on an older version says so, and is judged again by a job.
    const versions = judged < mostJudgements ? centerIds.map((id) => known.get(id)?.versions ?? 0) : null
    const waiting = rows.length === 0 ? null : `[${rows.join(',')}]`
    const ids = await recordBatch(cell, { centerIds, events, fresh, versions, waiting })
    if (ids) return { ids, asked }
    copies.forget(centerIds)
  }
}
