/** A script in place of a model: it asks for the refund of the prompt, then repeats the answer of the tool. Use a model of your provider here. */
import type { LanguageModel } from 'ai'

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

export const model: Model = {
  specificationVersion: 'v4',
  provider: 'script',
  modelId: 'refund-script',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const last = prompt.at(-1)
    if (last?.role === 'tool') {
      const [result] = last.content.filter((part) => part.type === 'tool-result')
      const { output } = result ?? {}
      const text = output && 'value' in output ? String(output.value) : 'The refund was not made.'
      return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] }
    }
    const asked = last?.role === 'user' && last.content[0]?.type === 'text' ? last.content[0].text : ''
    const [, order = '', won = ''] = /order (\S+): (\d+) won/.exec(asked) ?? []
    const input = JSON.stringify({ order, won: Number(won) })
    return {
      content: [{ type: 'tool-call', toolCallId: crypto.randomUUID(), toolName: 'refund', input }],
      finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
      usage,
      warnings: [],
    }
  },
  doStream: () => Promise.reject(new Error('This script does not stream.')),
}
