/** A model behind the chat completions of OpenAI, for agents that take any server: it asks for one command after the other. */
import type { AgentRun } from './driver.ts'
import { type Body, type Model, startModel, turn } from './running.ts'

interface Message {
  readonly role: string
  readonly content?: unknown
}

export interface Script {
  readonly tool: string
  readonly commands: AgentRun['commands']
  readonly argumentsOf: (command: string) => object
  readonly onResults: (results: readonly string[]) => void
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export const startChatModel = ({ tool, commands, argumentsOf, onResults }: Script): Promise<Model> =>
  startModel(async ({ url = '' }, body: Body, response) => {
    if (url.endsWith('/models')) {
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify({ object: 'list', data: [{ id: 'fake', object: 'model' }] }))
    }
    const tools = (body.tools ?? []) as readonly { readonly function?: { readonly name: string } }[]
    const isMain = tools.some((each) => each.function?.name === tool)
    const results = ((body.messages ?? []) as readonly Message[]).filter(({ role }) => role === 'tool')
    if (isMain) onResults(results.map(({ content }) => textOf(content)))
    const command = isMain ? await turn(commands, results.length) : undefined
    const call = {
      ...{ index: 0, id: `call_${crypto.randomUUID().slice(0, 8)}`, type: 'function' },
      function: { name: tool, arguments: JSON.stringify(argumentsOf(command ?? '')) },
    }
    const delta =
      command === undefined
        ? { role: 'assistant', content: 'done' }
        : { role: 'assistant', content: null, tool_calls: [call] }
    const reason = command === undefined ? 'stop' : 'tool_calls'
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const head = { id: 'c1', created: 1, model: 'fake' }
    if (body.stream !== true) {
      response.setHeader('content-type', 'application/json')
      const choices = [{ index: 0, message: delta, finish_reason: reason }]
      return void response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
    }
    response.setHeader('content-type', 'text/event-stream')
    const chunk = { ...head, object: 'chat.completion.chunk' }
    for (const each of [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
      { ...chunk, choices: [], usage },
    ])
      response.write(`data: ${JSON.stringify(each)}\n\n`)
    response.end('data: [DONE]\n\n')
  })
