/** The agent. While a person decides, nothing runs: the messages are stored, and the webhook continues them. */
import { guardTools } from '@countersign/sdk/ai'
import { isStepCount, streamText, tool } from 'ai'
import { z } from 'zod'
import { model } from './model.ts'
import { type Happening, happenings, load, save, working } from './runs.ts'

const refund = tool({
  description: 'Refund an order, in won',
  inputSchema: z.object({ order: z.string(), won: z.number().int() }),
  execute: ({ order, won }) => `Refunded ${won.toLocaleString('en')} won for order ${order}.`,
})
const agent = { id: 'refund-agent', name: 'Refund agent' }

async function continueRun(run: string, said?: string): Promise<void> {
  const tell = (happening: Happening) => void happenings.emit(run, happening)
  const messages = await load(run)
  if (said) messages.push({ role: 'user', content: said })
  const guarded = guardTools({ refund }, { agent, runId: run, guard: { refund: { action: 'money.refund' } } })
  while (messages.length > 0) {
    // Runs what was approved, tells the model what was refused, and lists what still waits.
    const { message, waiting } = await guarded.answers(messages)
    if (message) messages.push(message)
    await save(run, messages)
    if (waiting[0]) return tell({ approvalUrl: waiting[0].approvalUrl })
    if (messages.at(-1)?.role === 'assistant') return tell({ ended: true })
    const result = streamText({ model, messages, ...guarded, stopWhen: isStepCount(5) })
    for await (const text of result.textStream) tell({ text })
    messages.push(...(await result.responseMessages))
  }
}

/**
 * Says something new, or goes on where the run stopped; a run with nothing to do stays as it is. One after another: a decision may
 * be made while the run that asked for it is still ending.
 */
export function proceed(run: string, said?: string): Promise<void> {
  const next = (working.get(run) ?? Promise.resolve()).catch(() => {}).then(() => continueRun(run, said))
  working.set(run, next)
  return next
}
