/** Models without a network for the programs of the READMEs: they ask for one refund, and repeat the result. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const aiModel = `import type { LanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'

const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input: '{"order":"1041","won":820000}' } as const
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
export const model: LanguageModel = new MockLanguageModelV4({
  provider: 'script',
  modelId: 'refunds-1',
  doGenerate: async ({ prompt }) => {
    const last = prompt.at(-1)
    const isDone = last?.role === 'tool'
    return {
      content: [isDone ? { type: 'text', text: JSON.stringify(last.content) } : call],
      finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    }
  },
})
`

const langchainModel = `import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'

class Scripted extends BaseChatModel {
  _llmType() {
    return 'script'
  }
  override bindTools() {
    return this
  }
  async _generate(messages: BaseMessage[]) {
    const last = messages.at(-1)
    const isDone = last?.getType() === 'tool'
    const content = isDone ? String(last?.content) : ''
    const args = { order: '1041', won: 820_000 }
    const tool_calls = isDone ? [] : [{ id: 'call-1', name: 'refund', args, type: 'tool_call' as const }]
    return { generations: [{ text: content, message: new AIMessage({ content, tool_calls }) }] }
  }
}
export const model = new Scripted({})
`

/** Also makes the packages of the frameworks resolvable in this folder. */
export function writeModels(folder: string, packages: string): void {
  symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'model.mts'), aiModel)
  writeFileSync(join(folder, 'langchain-model.mts'), langchainModel)
}
