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
      "This decision's content was redacted, so your action can't be compared with it. Request a new approval.",
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
  title: 'Consume an approval',
  description:
    "Claims an allowed decision so that you can run its action once. Pass the type and input of the action exactly as you're about to run it. Take them from your own tool call, never from get_decision: values that differ from the approved ones are rejected. Run the action only if this succeeds, then call report_outcome with the executor from the response. If another attempt has already consumed the decision, don't run the action.",
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
      text: `You can run the action of ${eventId} once. Run it now, then call report_outcome with the executor ${value.executor}.`,
      value,
    }
  },
})

export const reportOutcomeTool = tool({
  name: 'report_outcome',
  title: "Report an action's outcome",
  description:
    "Reports whether a consumed decision's action succeeded or failed. Pass the executor that consume_approval returned. If you can't tell whether the action ran, report unknown. The report is sealed. You can report an outcome only once, except that you can follow unknown with one more report.",
  operations: [reportOutcome],
  hints: { readOnly: false, destructive: false, idempotent: true },
  input: Type.Object({ eventId, ...reportOutcome.spec.body.properties }, { additionalProperties: false }),
  output: reportOutcome.spec.replies[200],
  async run({ eventId, ...body }, { client, signal }) {
    const value = await client.decisions.reportOutcome(eventId, body, { signal })
    return { text: `The outcome of ${eventId} has been sealed: ${value.status}.`, value }
  },
})
