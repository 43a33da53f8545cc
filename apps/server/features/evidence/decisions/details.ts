/** One decision as it is shown to programs and to people. Pure. */
import type { readDecision } from '@countersign/contract/decisions.ts'
import type { PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import { priorDigest } from '@countersign/proof/control.ts'
import { typedId } from '../../../lib/ids.ts'
import { eventOf, priorHashes } from '../decision-events/api.ts'
import type { Emergency, EmergencyRight } from './emergencies.ts'
import type { CommentRow, DetailsRow, ExecutionRow, GivenApprovalRow } from './queries.ts'

type Details = Omit<PayloadOf<SpecOf<typeof readDecision>, 200>, 'recordedByName' | 'actionType'>
type Approval = Details['approvals'][number]
type Rule = NonNullable<Details['waiting']>['rules'][number]
type Turn = NonNullable<NonNullable<Details['waiting']>['turn']>

const time = (stored: string): string => new Date(stored).toISOString()

const approvalOf = (row: GivenApprovalRow, isVoid: string | undefined): Approval => ({
  approvalId: typedId('approval', row.id),
  approver: row.approver as Approval['approver'],
  result: row.result as Approval['result'],
  ...(row.reason !== null && { reason: row.reason }),
  identity: { level: row.identity_level as Approval['identity']['level'], by: row.identity_by },
  ...(row.channel && { channel: row.channel as 'api' }),
  ...(row.opened_at && { openedAt: time(row.opened_at) }),
  ...(row.decided_at && { decidedAt: time(row.decided_at) }),
  ...(row.on_behalf_of && { onBehalfOf: row.on_behalf_of }),
  ...(row.taken_back_at && { takenBackAt: time(row.taken_back_at) }),
  ...(isVoid && { void: isVoid }),
  ...(row.control?.emergency && { emergency: true as const }),
  createdAt: time(row.created_at),
})

export const commentOf = ({ id, author_id, author_name, text, created_at }: CommentRow) => ({
  id: typedId('comment', id),
  author: { id: author_id, name: author_name },
  text,
  createdAt: time(created_at),
})

/** An outcome after `unknown` takes its place. `reader`: the key that reads; null for a member. */
const executionOf = (row: ExecutionRow, reader: string | null): NonNullable<Details['execution']> => {
  const status = row.later_status ?? row.outcome_status
  const reportedAt = row.later_at ?? row.outcome_at
  const reportedBy = row.later_by ?? row.outcome_by
  const output = reader === null || reader === reportedBy ? row.output : null
  return {
    executor: row.executor,
    consumedAt: time(row.consumed_at),
    outcome:
      status && reportedAt
        ? { status: status as 'unknown', reportedAt: time(reportedAt), ...(output && { output }) }
        : null,
  }
}

export function detailsOf(
  row: DetailsRow,
  approvalUrl: (eventId: string) => string,
  reader: string | null,
  rules: readonly (Rule & { readonly digest: string })[],
  lines: Details['lines'],
  stopId: string | null = null,
  {
    right = null,
    turn = null,
    emergency = null,
  }: { right?: EmergencyRight | null; turn?: Turn | null; emergency?: Emergency | null } = {},
): Details {
  const { waiting } = row
  const approvals = row.approvals ?? []
  return {
    ...eventOf(row),
    riskScore: row.risk_score,
    reason: row.reason,
    recordedBy: row.recorded_by,
    replaces: row.replaces ? typedId('decisionEvent', row.replaces) : null,
    waiting: waiting && {
      since: time(waiting.since),
      reasons: [...waiting.reasons],
      policies: rules.map(({ id, version, digest }) => ({ id, version, digest })),
      rules: rules.map(({ digest: _, ...rule }) => rule),
      expiresAt: waiting.expires_at && time(waiting.expires_at),
      approvalUrl: approvalUrl(typedId('decisionEvent', row.id)),
      frozen: stopId && typedId('freeze', stopId),
      ...(turn && { turn }),
      emergency: right,
    },
    approvals: approvals.map((given, at) => approvalOf(given, row.prior_controls?.[at]?.void)),
    lines,
    emergency,
    prior: priorDigest(priorHashes(approvals)),
    usableUntil: row.usable_until,
    comments: (row.comments ?? []).map(commentOf),
    execution: row.execution && executionOf(row.execution, reader),
  }
}
