/** Claude Code, as the Python package of its agent SDK contains it, and a scripted model that it talks to on loopback. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { installed, needsPip, run } from '../interop/installed.ts'

const wheel = 'claude-agent-sdk==0.2.183'
/** What `claude --version` says of this package. */
export const claudeCodeVersion = '2.1.326'

export async function claudeCode(): Promise<string> {
  const folder = await installed('claude-code', wheel, needsPip, (target) =>
    run('python3', ['-m', 'pip', 'install', '--quiet', '--no-compile', '--no-deps', '--target', target, wheel]),
  )
  return join(folder, 'claude_agent_sdk/_bundled/claude')
}

export interface ToolUse {
  readonly name: string
  readonly input: object
}
/** What a tool returned to the model. */
export interface ToolAnswer {
  readonly text: string
  readonly isError: boolean
}
/** What the model does next, after all that its tools have returned so far; null ends the conversation. */
export type Script = (answers: readonly ToolAnswer[], tools: readonly string[]) => ToolUse | null

interface Content {
  readonly type: string
  readonly content?: unknown
  readonly is_error?: boolean
}
interface MessagesRequest {
  readonly stream?: boolean
  readonly model: string
  readonly tools?: readonly { readonly name: string }[]
  readonly messages: readonly { readonly content: string | readonly Content[] }[]
}

function answersIn({ messages }: MessagesRequest): ToolAnswer[] {
  return messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content, is_error: isError = false }) => ({ text: JSON.stringify(content), isError }))
}

export interface ScriptedModel {
  readonly url: string
  close(): void
}

/** The Messages API as far as Claude Code needs it: each request is answered with the next use of a tool, or with the end. */
export async function scriptedModel(script: Script): Promise<ScriptedModel> {
  const server = createServer(async (request, response) => {
    if (!request.url?.startsWith('/v1/messages')) return void response.writeHead(404).end('{}')
    if (request.url.includes('count_tokens')) return void response.end('{"input_tokens":10}')
    const body = (await json(request)) as MessagesRequest
    const tools = (body.tools ?? []).map(({ name }) => name)
    const answers = answersIn(body)
    // Side requests, such as the one for a title, have no tools.
    const use = tools.length > 0 ? script(answers, tools) : null
    const block = use
      ? { type: 'tool_use', id: `toolu_${answers.length}`, ...use }
      : { type: 'text', text: 'The model has nothing more to do.' }
    const stop_reason = use ? 'tool_use' : 'end_turn'
    const message = {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content: [] as object[] },
      ...{ stop_reason: null as string | null, stop_sequence: null, usage: { input_tokens: 5, output_tokens: 1 } },
    }
    if (!body.stream) {
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify({ ...message, content: [block], stop_reason }))
    }
    response.setHeader('content-type', 'text/event-stream')
    const event = (type: string, data: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
    event('message_start', { message })
    event('content_block_start', {
      index: 0,
      content_block: use ? { ...block, input: {} } : { type: 'text', text: '' },
    })
    const delta = use
      ? { type: 'input_json_delta', partial_json: JSON.stringify(use.input) }
      : { type: 'text_delta', text: 'The model has nothing more to do.' }
    event('content_block_delta', { index: 0, delta })
    event('content_block_stop', { index: 0 })
    event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } })
    event('message_stop', {})
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export interface ClaudeRun {
  readonly model: ScriptedModel
  /** Its home and working folder, which nothing else uses. */
  readonly folder: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Kills it when it is aborted. */
  readonly signal?: AbortSignal
}

/** One run of `claude -p`, which ends when the model has nothing more to do; what it prints, as JSON. */
export async function runClaudeCode({ model, folder, args = [], env = {}, signal }: ClaudeRun): Promise<{
  readonly status: number | null
  readonly output: string
  readonly problems: string
}> {
  const child = spawn(await claudeCode(), ['-p', 'Do it.', '--output-format', 'json', ...args], {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
      ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'dummy' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  signal?.addEventListener('abort', reap)
  const [output, problems, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  process.off('exit', reap)
  return { status: status as number | null, output, problems }
}
