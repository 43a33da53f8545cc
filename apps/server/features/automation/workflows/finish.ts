/** How a worker ends an execution: with the draft of its last step, or with the reason why it failed. */
import { closed } from '@countersign/contract/common.ts'
import { Tag } from '@countersign/contract/decision-events.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import type { Logger } from 'pino'
import { Type } from 'typebox'
import type { KnownCenter } from '../../../access/center-profiles.ts'
import type { LeaseEnd } from '../../../concurrency/leases.ts'
import { bodyAjv } from '../../../http/validation.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { nameIn, type Workflow } from './catalogue.ts'
import type { Draft } from './definition.ts'
import { type Ended, type Ending, endItem, sealOutcome } from './end.ts'
import { outcomeDraft } from './outcome.ts'
import type { ExecutionLease, StepRecord } from './runner-queries.ts'

const maxTags = 50

const isDraft = bodyAjv.compile<Draft>(
  Type.Object(
    {
      content: Type.String({ minLength: 1, maxLength: 50_000 }),
      tags: Type.Array(Tag, { maxItems: maxTags }),
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
  readonly sequencer: Sequencer
  /** For the metrics. */
  readonly ended: (status: 'COMPLETED' | 'FAILED') => void
  readonly log: Logger
}

export interface Leased {
  readonly tools: EndingTools
  readonly lease: ExecutionLease
  readonly workflow: Workflow
  readonly center: KnownCenter
}

const endingOf = ({ lease, workflow, center }: Leased) => ({
  execution: lease,
  epoch: lease.epoch,
  center,
  caller: { requestId: typedId('execution', lease.id), actorId: workflow.id, centerId: center.centerId },
})

/** Null where the lease is lost or the execution was canceled. */
async function sealWith(
  { tools, center }: Leased,
  { caller }: Pick<Ending, 'caller'>,
  item: ReturnType<typeof endItem>,
): Promise<Ended | null> {
  const sealed = await tools.sequencer.seal<Ended | null>({ ...item, center, caller })
  return 'result' in sealed ? sealed.result : null
}

export async function finish(leased: Leased, output: Json | undefined): Promise<LeaseEnd> {
  const { tools, workflow } = leased
  const given: unknown = output
  if (!isDraft(given)) {
    const [first] = isDraft.errors ?? []
    const what = `${first?.instancePath.slice(1) || 'it'} ${first?.message ?? 'is not valid'}`
    return fail(leased, `The last step didn't return a valid draft: ${what}. Contact the operator.`)
  }
  const tags = [...new Set([...given.tags, ...leased.lease.tags])].slice(0, maxTags)
  const draft: Draft = { ...given, tags }
  const named = { id: workflow.id, name: workflow.definition.name }
  const ending: Ending = { ...endingOf(leased), workflow: named, status: 'COMPLETED', draft: () => draft }
  try {
    failpoint('workflow.sealing')
    const ended = await sealWith(leased, ending, { ...endItem(ending), bytes: draft.content.length })
    failpoint('workflow.completed')
    if (!ended) return 'lost'
    tools.ended('COMPLETED')
    return 'done'
  } catch (error) {
    // The runner retries what may succeed later; any other refusal would repeat.
    if (!(error instanceof Problem) || error.retryAfter !== undefined) throw error
    return fail(leased, `The result couldn't be sealed: ${error.message} Then start the workflow again.`)
  }
}

/** With the step that failed, if one did. A worker that has lost the lease changes nothing. */
export async function fail(leased: Leased, failure: string, step?: StepRecord): Promise<LeaseEnd> {
  const { tools, lease, workflow, center } = leased
  const name = nameIn(workflow.definition, center)
  const ending: Ending = {
    ...endingOf(leased),
    workflow: { id: workflow.id, name: workflow.definition.name },
    status: 'FAILED',
    draft: (endedAt) =>
      outcomeDraft(
        center,
        { name, startedAt: lease.started_at, endedAt },
        { status: 'FAILED', failure, step: step?.name },
      ),
    failure,
    step,
  }
  failpoint('workflow.failing')
  const ended = await sealOutcome(ending, (item) => sealWith(leased, ending, item))
  failpoint('workflow.failed')
  if (!ended) return 'lost'
  if (ended.dpuId === null) withoutUnit(tools.log, ending)
  tools.ended('FAILED')
  return 'done'
}

export const withoutUnit = (log: Logger, { caller, execution, status }: Ending): void =>
  log.error(
    { centerId: caller.centerId, executionId: typedId('execution', execution.id), status },
    'an execution ended without a unit, because the chain is broken',
  )
