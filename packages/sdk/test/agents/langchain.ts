import { guardToolCalls } from '../../langchain.ts'
import { action, describeRefund, type Framework, type Refund, reasonIn, reasonOf } from './attempt.ts'
import { load } from './packages.ts'

interface ChatMessage {
  getType(): string
  readonly status?: string
  readonly content: string
}

/** A model that asks for one refund, and says that it is done when it sees a result. */
export async function scriptedModel(won: number): Promise<object> {
  const { AIMessage, BaseChatModel } = await load('langchain')
  class Scripted extends BaseChatModel {
    _llmType() {
      return 'scripted'
    }
    bindTools() {
      return this
    }
    async _generate(messages: ChatMessage[]) {
      const isDone = messages.at(-1)?.getType() === 'tool'
      const tool_calls = isDone
        ? []
        : [{ id: 'call-1', name: 'refund', args: { order: '1041', won }, type: 'tool_call' }]
      const text = isDone ? 'Done.' : ''
      return { generations: [{ text, message: new AIMessage({ content: text, tool_calls }) }] }
    }
  }
  return Reflect.construct(Scripted, [{}])
}

/** The checkpoints that the program kept of each run, and the amount in them. */
const kept = new Map<string, { saver: object; won: number }>()

export const langChain: Framework = {
  name: 'LangChain',
  async attempt({ runId, won, options, run, forgets, onResult }) {
    const { Command, createAgent, createMiddleware, MemorySaver, tool } = await load('langchain')
    const { z } = await load('ai')
    const schema = z.object({ order: z.string(), won: z.number() })
    const refund = tool(async (input: Refund) => JSON.stringify((await run(input)) ?? null), { name: 'refund', schema })
    const before = kept.get(runId)
    const state = !forgets && before?.won === won ? before : null
    const saver = state?.saver ?? new MemorySaver()
    const agent = createAgent({
      model: await scriptedModel(won),
      tools: [refund],
      middleware: [
        createMiddleware(
          guardToolCalls({ ...options, guard: { refund: { action, describe: describeRefund as never } } }),
        ),
      ],
      checkpointer: saver,
    })
    const input = state
      ? new Command({ resume: true })
      : { messages: [{ role: 'user', content: 'Refund order 1041.' }] }
    try {
      const result = await agent.invoke(input, { configurable: { thread_id: runId } })
      if (result.__interrupt__?.length > 0) {
        kept.set(runId, { saver, won })
        return 'waiting'
      }
      // A run that is over is not continued: the next attempt asks the model again.
      kept.delete(runId)
      const message = (result.messages as ChatMessage[]).findLast((each) => each.getType() === 'tool')
      if (message?.status === 'error') return reasonIn(message.content)
      onResult?.(JSON.parse(message?.content ?? ''))
      return 'ran'
    } catch (error) {
      return reasonOf(error)
    }
  },
}
