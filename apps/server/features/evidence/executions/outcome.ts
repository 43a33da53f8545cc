/** Outcomes: the executor that consumed a decision reports one. After `unknown` one more may follow. */
import type { reportOutcome } from '@countersign/contract/executions.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { commitment } from '@countersign/proof/commitment.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SealItem } from '../../../sealing/batch.ts'
import type { ActingKey } from '../decision-events/api.ts'
import { brokenRecord } from '../dpu/api.ts'
import { type ExecutionRow, executionRows } from './sealed-rows.ts'
import { type Acting, append, needsOf, ownEvent } from './step.ts'

type Report = BodyOf<(typeof reportOutcome)['spec']>

/** An outcome as it was reported. */
export interface Reported {
  readonly event: EventRow
  readonly status: Report['status']
  readonly reportedAt: string
  readonly hash: string
}

export function outcomeItem(
  eventId: string,
  report: Report,
  { key, caller }: Acting,
): Pick<SealItem<Reported>, 'holds' | 'judge'> {
  return {
    holds: { chains: ['history'], rows: needsOf(eventId) },
    judge(batch) {
      const event = ownEvent(batch, eventId, key)
      const row = batch.rows(executionRows).find(eventId)
      if (!row)
        throw new Problem('CONFLICT', "This decision hasn't been consumed. Consume it before you run its action.")
      const { executor, status, output } = report
      for (const place of ['outcome', 'later'] as const) {
        const earlier = outcomeAt(row, place)
        if (earlier && isSame(earlier, report, key)) return { event, ...earlier }
      }
      const place = placeFor(row, report, key)
      const values = {
        action: 'outcome' as const,
        executor,
        status,
        ...(output !== undefined && { output: output as Json }),
      }
      const { entry, prepared } = append(batch, event, caller, values)
      batch.rows(executionRows).update({
        ...row,
        [`${place}_status`]: status,
        [`${place}_executor`]: executor,
        [`${place}_by`]: key.actorId,
        [`${place}_at`]: entry.sealedAt,
        [`${place}_index`]: entry.index,
        [`${place}_hash`]: entry.hash,
        [`${place}_commitment`]: prepared.commitments.output ?? null,
        [`${place}_salt`]: prepared.salts.output ?? null,
      })
      return { event, status, reportedAt: entry.sealedAt, hash: entry.hash }
    },
  }
}

type Place = 'outcome' | 'later'

interface EarlierOutcome extends Omit<Reported, 'event'> {
  readonly executor: string
  readonly by: string
  readonly commitment: string | null
  readonly salt: string | null
}

function outcomeAt(row: ExecutionRow, place: Place): EarlierOutcome | null {
  const status = row[`${place}_status`]
  if (status === null) return null
  const hash = row[`${place}_hash`]
  if (hash === null) throw brokenRecord("the outcome's entry is missing")
  return {
    status: status as Report['status'],
    executor: row[`${place}_executor`] as string,
    by: row[`${place}_by`] as string,
    reportedAt: new Date(row[`${place}_at`] as string).toISOString(),
    hash,
    commitment: row[`${place}_commitment`],
    salt: row[`${place}_salt`],
  }
}

/** A redacted output cannot be compared, so a report that has one is then another report. */
function isSame(earlier: EarlierOutcome, { executor, status, output }: Report, { line }: ActingKey): boolean {
  const { salt } = earlier
  const sameOutput =
    output === undefined
      ? earlier.commitment === null
      : salt !== null && commitment(salt, 'output', output as Json) === earlier.commitment
  return earlier.status === status && earlier.executor === executor && line.includes(earlier.by) && sameOutput
}

/** Which outcome of the execution this report is; it throws where the execution takes no further one from this caller. */
function placeFor(row: ExecutionRow, { executor, status }: Report, { line }: ActingKey): Place {
  const isConsumer = row.executor === executor && line.includes(row.consumed_by)
  if (row.outcome_status === null) {
    if (isConsumer) return 'outcome'
    throw new Problem(
      'CONFLICT',
      'Another executor has consumed this decision and must report the outcome first. If that executor is gone, report "unknown" with its name and its key.',
      { details: { executor: row.executor } },
    )
  }
  if (row.outcome_status === 'unknown' && row.later_status === null && status !== 'unknown') return 'later'
  throw new Problem(
    'CONFLICT',
    row.outcome_status === 'unknown' && row.later_status === null
      ? 'The outcome is already "unknown". Report "succeeded" or "failed" once you know.'
      : "This decision's outcome is sealed and can't be changed. Read the execution to see the outcome.",
    { details: { status: row.later_status ?? row.outcome_status } },
  )
}
