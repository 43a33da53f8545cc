/** Tools for acting on an approval: take it once, for exactly the approved action, and say what became of it. */
import {
  consumeDecision,
  decide,
  EventAction,
  exportEvidence,
  readDecision,
  reportOutcome,
} from '@countersign/contract'
import { actionDigest, digestedOf } from '@countersign/proof'
import type { Decision } from '@countersign/sdk'
import { verifiedExport } from '@countersign/sdk/guard'
import { Type } from 'typebox'
import { ToolError } from './failure.ts'
import { tool } from './tool.ts'

const { eventId } = decide.spec.replies[201].properties
const { executor } = consumeDecision.spec.body.properties

/** The digest of the decision as it would be with this action: equal to the sealed one if the action is the same. */
function digestOf(decision: Decision, run: { type: string; input?: Record<string, unknown> }): string {
  const { actionSalt, action } = decision
  if (actionSalt === null) {
    throw new ToolError(
      'The content of this decision was redacted, so nothing can be compared with it any more. Request a new approval.',
    )
  }
  const { type: _, input: __, ...rest } = action
  return actionDigest(actionSalt, {
    ...digestedOf(decision),
    action: { ...rest, type: run.type, ...(run.input !== undefined && { input: run.input }) },
  })
}

export const consumeApproval = tool({
  name: 'consume_approval',
  title: 'Take an approval for execution',
  description:
    'Takes an allowed decision for execution, once. Give the type and the input of the action as you are about to run it, taken from your own tool call and never copied from get_decision: other values than the approved ones are refused. Run the action only if this succeeds, then call report_outcome with the executor of the answer. If another attempt has taken the decision, do not run it.',
  operations: [readDecision.mounts[0], exportEvidence, consumeDecision],
  hints: { readOnly: false, destructive: true, idempotent: false },
  input: Type.Object(
    {
      eventId,
      action: Type.Pick(EventAction, ['type', 'input'], { additionalProperties: false }),
      executor: Type.Optional(executor),
    },
    { additionalProperties: false },
  ),
  output: consumeDecision.spec.replies[200],
  async run({ eventId, action, executor = crypto.randomUUID() }, { client, trust, signal }) {
    if (trust) await verifiedExport(eventId, { ...trust, client, signal })
    const decision = await client.decisions.get(eventId, { signal })
    const value = await client.decisions.consume(
      eventId,
      { actionDigest: digestOf(decision, action), executor },
      { signal },
    )
    return {
      text: `${eventId} is yours to run, once. Run the action now, then call report_outcome with the executor ${value.executor}.`,
      value,
    }
  },
})

export const reportOutcomeTool = tool({
  name: 'report_outcome',
  title: 'Report what became of an action',
  description:
    'Reports whether the action of a consumed decision succeeded or failed, with the executor that consume_approval returned. Report unknown if you cannot tell whether it ran. The report is sealed and can be made once; unknown may be followed by one more.',
  operations: [reportOutcome],
  hints: { readOnly: false, destructive: false, idempotent: true },
  input: Type.Object({ eventId, ...reportOutcome.spec.body.properties }, { additionalProperties: false }),
  output: reportOutcome.spec.replies[200],
  async run({ eventId, ...body }, { client, signal }) {
    const value = await client.decisions.reportOutcome(eventId, body, { signal })
    return { text: `The outcome of ${eventId} is sealed: ${value.status}.`, value }
  },
})
