/** A script in place of a model: it asks for the refund of the prompt, then repeats the answer of the tool. Use a model of your provider here. */
import { type LanguageModel, simulateReadableStream } from 'ai'

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>
type Prompt = Parameters<Model['doStream']>[0]['prompt']
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

function partsFor(prompt: Prompt): Part[] {
  const last = prompt.at(-1)
  if (last?.role !== 'tool') {
    const asked = last?.role === 'user' && last.content[0]?.type === 'text' ? last.content[0].text : ''
    const [, order = '', won = ''] = /order (\S+): (\d+) won/.exec(asked) ?? []
    const call = {
      toolCallId: crypto.randomUUID(),
      toolName: 'refund',
      input: JSON.stringify({ order, won: Number(won) }),
    }
    return [
      { type: 'tool-call', ...call },
      { type: 'finish', finishReason: { unified: 'tool-calls', raw: undefined }, usage },
    ]
  }
  const [result] = last.content.filter((part) => part.type === 'tool-result')
  const { output } = result ?? {}
  const text =
    output && 'value' in output
      ? String(output.value)
      : `The refund was not made. ${output && 'reason' in output ? output.reason : ''}`
  return [
    { type: 'text-start', id: '1' },
    ...text.split(/(?<= )/).map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
    { type: 'text-end', id: '1' },
    { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage },
  ]
}

export const model: Model = {
  specificationVersion: 'v4',
  provider: 'script',
  modelId: 'refund-script',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('This script only streams.')),
  doStream: async ({ prompt }) => ({
    stream: simulateReadableStream<Part>({ chunks: [{ type: 'stream-start', warnings: [] }, ...partsFor(prompt)] }),
  }),
}
