/**
 * A batch between its two round trips: the rows that it read and locked, and the rows that it will write. Items are
 * judged one after another on this state, so the second of two conflicting items sees the effect of the first.
 */
import { type Domain, entryContent, entryHash, type Prepared } from '@countersign/proof/chain.ts'
import { type AuditEntry, auditRow } from '../audit/audit.ts'
import type { Caller } from '../data/directory.ts'
import { failpoint } from '../lib/failpoint.ts'
import { Problem } from '../lib/problem.ts'
import type { Receipt } from './receipt.ts'
import type { ApprovalRow, DpuRow, EventRow, HeadRow, Opened, PolicyRow, SubscribedWebhookRow } from './rows.ts'
import type { LogBook, Trees } from './trees.ts'

export interface Linked {
  readonly hash: string
  readonly previousHash: string | null
  readonly sealedAt: string
}

export interface Entry extends Linked {
  readonly index: number
  /** Available once the whole batch is closed: for the renderer of the answer, never for a judge function. */
  readonly receipt: () => Receipt
  /** The size of the log after the batch. */
  readonly checkpoint: () => string
}

/** Rows to write, by the parameter of `cell.write_batch` that takes them. */
export interface Writes {
  readonly entries: object[]
  /** The canonical text of each entry, in the same order. */
  readonly contents: string[]
  readonly events: EventRow[]
  /** By subject: a row that one batch changes twice is written once, in its final state. */
  readonly moves: Map<string, { center_id: number; id: string; was: string; status: string; updated_at: string }>
  readonly approvals: object[]
  readonly dpus: object[]
  readonly changedDpus: Map<string, object>
  readonly counts: Map<string, { center_id: number; vertical: string; evidence_level: string; dpus: number }>
  readonly history: object[]
  readonly policies: object[]
  /** Records that lose values; the history names the values. */
  readonly redactions: object[]
  /** Webhook messages, and one delivery for each webhook. */
  readonly published: PublishedRow[]
  readonly deliveries: object[]
  readonly audit: object[]
  /** Workflow executions that end with this batch. */
  readonly completed: { readonly center_id: number; readonly id: string; readonly completed_at: string }[]
  readonly answers: object[]
}

export interface PublishedRow {
  /** JSON, or a function where the message includes the checkpoint that covers the batch. */
  readonly data: string | (() => string)
}

export interface Batch {
  /** The time of the batch in ISO 8601. An entry's own time may be later, never earlier than its predecessor's. */
  readonly at: string
  event(centerId: number, id: string): EventRow | undefined
  decision(centerId: number, decisionId: string): EventRow | undefined
  /** The first approval of an event that waits for its second. */
  approvalsOf(event: EventRow): readonly ApprovalRow[]
  dpu(centerId: number, id: string): DpuRow | undefined
  /** The policies in force for the center: its own and those that are shared with it. */
  policies(centerId: number): readonly PolicyRow[]
  /** Every policy of the center, in its newest version. */
  ownPolicies(centerId: number): readonly PolicyRow[]
  /** Throws CHAIN_BROKEN when a verification found the chain broken. */
  append(centerId: number, domain: Domain, id: string, prepared: Prepared): Entry
  addEvent(row: EventRow & { readonly updated_at?: string }): void
  /** `at` is the time of the seal, if this change is one: a sealed event does not change again. */
  moveEvent(event: EventRow, status: string, at?: string): void
  addApproval(row: ApprovalRow): void
  addDpu(row: DpuRow): void
  changeDpu(row: DpuRow, change: Partial<DpuRow>): void
  /** Whether the execution still has the lease epoch that the item names. */
  holdsExecution(id: string): boolean
  completeExecution(row: { center_id: number; id: string; completed_at: string }): void
  addHistory(row: { center_id: number; idx: number; disclosed: object; salts: object }): void
  /** Called after the entry that names the redacted values; `left` is the DPU without them. */
  redactDpu(left: DpuRow): void
  addPolicy(row: PolicyRow & { center_id: number; created_by: string; created_at: string }): void
  /** The webhooks of the center, to find the subscribers of a message type. */
  webhooks(centerId: number): readonly SubscribedWebhookRow[]
  addPublished(event: PublishedRow, deliveries: readonly object[]): void
  audit(caller: Caller, ...entries: readonly AuditEntry[]): void
}

const keyOf = (centerId: number, id: string): string => `${centerId} ${id}`
const indexed = <R extends { center_id: number }>(rows: readonly R[] | null, id: (row: R) => string) =>
  new Map((rows ?? []).map((row) => [keyOf(row.center_id, id(row)), row]))

export interface OpenBatch {
  readonly batch: Batch
  readonly writes: Writes
  readonly heads: Heads
  readonly trees: Trees
}

export function makeBatch(opened: Opened, at: string, nameOf: LogBook['nameOf'], trees: Trees): OpenBatch {
  const events = indexed(opened.events, (row) => row.id)
  const decisions = indexed(opened.events, (row) => row.decision_id)
  const dpus = indexed(opened.units, (row) => row.id)
  const approvals = new Map<string, ApprovalRow[]>()
  const keepApproval = (row: ApprovalRow) => {
    const key = keyOf(row.center_id, row.event_id)
    approvals.set(key, [...(approvals.get(key) ?? []), row])
  }
  for (const row of opened.approvals ?? []) keepApproval(row)
  const executions = new Set(opened.executions)
  const policies = [...(opened.policies ?? [])]
  const ownPolicies = (centerId: number) => policies.filter((row) => row.center_id === centerId)
  const webhooks = Map.groupBy(opened.webhooks ?? [], (row) => row.center_id)
  const heads = makeHeads(opened.heads ?? [], at, trees)
  const writes: Writes = {
    entries: [],
    contents: [],
    events: [],
    moves: new Map(),
    approvals: [],
    dpus: [],
    changedDpus: new Map(),
    counts: new Map(),
    history: [],
    policies: [],
    redactions: [],
    published: [],
    deliveries: [],
    audit: [],
    completed: [],
    answers: [],
  }
  const count = ({ center_id, vertical, evidence_level }: DpuRow, change: number) => {
    const key = `${center_id} ${vertical} ${evidence_level}`
    const dpus = (writes.counts.get(key)?.dpus ?? 0) + change
    writes.counts.set(key, { center_id, vertical, evidence_level, dpus })
  }

  const batch: Batch = {
    at,
    event: (centerId, id) => events.get(keyOf(centerId, id)),
    decision: (centerId, decisionId) => decisions.get(keyOf(centerId, decisionId)),
    approvalsOf: ({ center_id, id }) => approvals.get(keyOf(center_id, id)) ?? [],
    dpu: (centerId, id) => dpus.get(keyOf(centerId, id)),
    ownPolicies,
    policies: (centerId) => [...(opened.shared ?? []), ...ownPolicies(centerId).filter(({ deleted }) => !deleted)],
    append(center_id, domain, id, prepared) {
      failpoint('seal.append')
      const head = heads.next(center_id, domain)
      const { next_index: idx, last_hash: previous_hash, last_sealed_at: sealed_at } = head
      const content = entryContent(prepared, {
        log: nameOf({ center_id, domain }),
        index: idx,
        sealedAt: sealed_at,
      })
      const hash = entryHash(content, previous_hash, sealed_at)
      writes.entries.push({ center_id, domain, idx, id, previous_hash, sealed_at, hash })
      writes.contents.push(content)
      const row = heads.advance(center_id, domain, hash, sealed_at)
      return {
        index: idx,
        hash,
        previousHash: previous_hash,
        sealedAt: sealed_at,
        receipt: () => trees.receipt(row, idx),
        checkpoint: () => trees.note(row),
      }
    },
    addEvent(row) {
      events.set(keyOf(row.center_id, row.id), row)
      decisions.set(keyOf(row.center_id, row.decision_id), row)
      writes.events.push(row)
    },
    moveEvent(event, status, updated_at = at) {
      const moved = { ...event, status }
      events.set(keyOf(event.center_id, event.id), moved)
      decisions.set(keyOf(event.center_id, event.decision_id), moved)
      const { center_id, id } = event
      const key = keyOf(center_id, id)
      const was = writes.moves.get(key)?.was ?? event.status
      writes.moves.set(key, { center_id, id, was, status, updated_at })
    },
    addApproval(row) {
      keepApproval(row)
      writes.approvals.push(row)
    },
    addDpu(row) {
      dpus.set(keyOf(row.center_id, row.id), row)
      writes.dpus.push(row)
      count(row, 1)
    },
    changeDpu(row, change) {
      const changed = { ...row, ...change }
      dpus.set(keyOf(row.center_id, row.id), changed)
      const { center_id, id, evidence_level, metadata, sealed_at, updated_at } = changed
      const written = { center_id, id, evidence_level, metadata, sealed_at, updated_at }
      writes.changedDpus.set(keyOf(center_id, id), written)
      if (row.evidence_level === evidence_level) return
      count(row, -1)
      count(changed, 1)
    },
    holdsExecution: (id) => executions.has(id),
    completeExecution(row) {
      executions.delete(row.id)
      writes.completed.push(row)
    },
    addHistory: (row) => writes.history.push(row),
    redactDpu(left) {
      const { center_id, id } = left
      dpus.set(keyOf(center_id, id), left)
      writes.redactions.push({ center_id, id })
    },
    addPolicy(row) {
      const older = policies.findIndex((each) => each.center_id === row.center_id && each.id === row.id)
      policies.splice(older < 0 ? policies.length : older, older < 0 ? 0 : 1, row)
      writes.policies.push(row)
    },
    webhooks: (centerId) => webhooks.get(centerId) ?? [],
    addPublished(event, deliveries) {
      writes.published.push(event)
      writes.deliveries.push(...deliveries)
    },
    audit(caller, ...entries) {
      for (const entry of entries) writes.audit.push(auditRow(caller, entry))
    },
  }
  return { batch, writes, heads, trees }
}

export interface Heads {
  next(centerId: number, domain: Domain): { next_index: number; last_hash: string | null; last_sealed_at: string }
  advance(centerId: number, domain: Domain, hash: string, sealedAt: string): HeadRow
  readonly changed: ReadonlySet<HeadRow>
  /** Heads that differ from the signed ones, with the reason. */
  readonly faults: ReadonlyMap<HeadRow, string>
}

export const refusal = (domain: Domain, brokenAt: number, why: string): Problem =>
  new Problem(
    'CHAIN_BROKEN',
    `The chain "${domain}" ${why}; nothing can be sealed onto it until an operator has looked at it.`,
    { details: { domain, brokenAt } },
  )

function makeHeads(rows: readonly HeadRow[], at: string, trees: Trees): Heads {
  const heads = indexed(rows, (row) => row.domain)
  const changed = new Set<HeadRow>()
  const faults = new Map<HeadRow, string>()
  const head = (centerId: number, domain: Domain): HeadRow => {
    const row = heads.get(keyOf(centerId, domain))
    if (!row) throw new Error(`the chain ${domain} of center ${centerId} is not held by this batch`)
    return row
  }
  return {
    changed,
    faults,
    next(centerId, domain) {
      const row = head(centerId, domain)
      const { next_index, last_hash, last_sealed_at, broken_at } = row
      if (broken_at !== null) throw refusal(domain, broken_at, `was found broken at entry ${broken_at + 1}`)
      const fault = trees.fault(row)
      if (fault !== null) {
        faults.set(row, fault)
        throw refusal(domain, Math.max(0, next_index - 1), `does not hold: ${fault}`)
      }
      // Clocks step back and differ between processes; the time of a chain does neither. The fixed form allows
      // comparison as text.
      return {
        next_index,
        last_hash,
        last_sealed_at: last_sealed_at !== null && last_sealed_at > at ? last_sealed_at : at,
      }
    },
    advance(centerId, domain, hash, sealedAt) {
      const row = head(centerId, domain)
      row.next_index += 1
      row.last_hash = hash
      row.last_sealed_at = sealedAt
      changed.add(row)
      trees.add(row, hash)
      return row
    },
  }
}
