/** The agent. No call waits in memory: a run ends when a person has to decide, and the next run continues the same decision. */
import { Countersign } from '@countersign/sdk'
import { guardTools, parsePolicy } from '@countersign/sdk/ai'
import { generateText, isStepCount, jsonSchema, tool } from 'ai'
import { model } from './model.ts'

export type Outcome =
  | { readonly state: 'waiting'; readonly approvalUrl: string }
  | { readonly state: 'ended'; readonly text: string }

const refund = tool({
  description: 'Refund an order, in won',
  inputSchema: jsonSchema<{ order: string; won: number }>({
    type: 'object',
    properties: { order: { type: 'string' }, won: { type: 'integer' } },
    required: ['order', 'won'],
  }),
  execute: ({ order, won }) => `Refunded ${won.toLocaleString('en')} won for order ${order}.`,
})

export async function runAgent(order: string, won: number): Promise<Outcome> {
  const { COUNTERSIGN_URL = 'http://localhost:3000', COUNTERSIGN_KEY = '' } = process.env
  const { COUNTERSIGN_POLICY = '', COUNTERSIGN_CENTER } = process.env
  let approvalUrl: string | undefined
  const guarded = guardTools(
    { refund },
    {
      client: new Countersign({ baseUrl: COUNTERSIGN_URL, apiKey: COUNTERSIGN_KEY }),
      policy: parsePolicy(COUNTERSIGN_POLICY),
      center: Number(COUNTERSIGN_CENTER),
      agent: { id: 'refund-agent', name: 'Refund agent' },
      runId: `order-${order}`,
      withinMs: 0,
      guard: {
        refund: {
          action: 'money.refund',
          describe: (input) => `Refund ${input.won.toLocaleString('en')} won for order ${input.order}`,
          callId: (input) => `refund-${input.order}`,
        },
      },
      onWaiting: ({ waiting }) => {
        approvalUrl = waiting?.approvalUrl
      },
    },
  )
  const prompt = `Refund order ${order}: ${won} won`
  const { text } = await generateText({ model, prompt, ...guarded, stopWhen: isStepCount(3) })
  return approvalUrl ? { state: 'waiting', approvalUrl } : { state: 'ended', text }
}
