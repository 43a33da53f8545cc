/** What the adapters do beyond the failures that failures.test.ts lists for them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { guardTools } from '../ai.ts'
import { Countersign } from '../countersign.ts'
import { type GuardOptions, parsePolicy } from '../guard.ts'
import { guardToolCalls } from '../langchain.ts'
import { scriptedModel as aiModel } from './agents/ai.ts'
import type { Refund } from './agents/attempt.ts'
import { scriptedModel as langChainModel } from './agents/langchain.ts'
import { load } from './agents/packages.ts'

let server: TestServer
let fixture: ProofFixture
let common: GuardOptions
let runs = 0

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  await fixture.policy({ humanReview: true }, { match: { actionTypes: ['payout'] }, approval: { identity: 'session' } })
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  const client = new Countersign({ baseUrl: server.url, apiKey: fixture.key })
  common = {
    client,
    policy: parsePolicy(policy),
    center: fixture.center.id,
    agent: { id: 'refund-agent' },
    withinMs: 0,
  }
}, 600_000)
afterAll(() => server.close())

const newRun = () => `adapter-run-${++runs}`
const decisionOf = async (decisionId: string) => {
  const { data, pagination } = await common.client.decisions.list({ decisionId })
  expect(pagination.total).toBe(1)
  return common.client.decisions.get(data[0]?.id ?? '')
}

describe('the AI SDK', () => {
  interface Given {
    readonly execute?: unknown
    readonly options?: object
    readonly guard?: object
    readonly toolCallId?: string
    readonly settings?: object
  }
  /** A run of the scripted model with a guarded tool for refunds of 82,000 won. */
  async function generate(runId: string, { execute, options, guard, toolCallId, settings }: Given = {}) {
    const { generateText, tool, z, isStepCount, MockLanguageModelV4 } = await load('ai')
    const inputSchema = z.object({ order: z.string(), won: z.number() })
    const refund: { execute(input: Refund): unknown } = tool({ inputSchema, execute: execute ?? (() => 'paid') })
    const guarded = guardTools({ refund }, { ...common, runId, guard: { refund: guard ?? {} }, ...options })
    const model = aiModel(MockLanguageModelV4, 82_000, toolCallId)
    const { steps } = await generateText({ model, prompt: 'Go.', ...guarded, stopWhen: isStepCount(3), ...settings })
    return steps[0].content as { type: string; output?: unknown; error?: { message: string; reason?: string } }[]
  }
  const outcome = (content: Awaited<ReturnType<typeof generate>>) => content.at(-1)

  it('runs in an agent that streams, with the last value of a tool that streams', async () => {
    const { ToolLoopAgent, tool, z, MockLanguageModelV4 } = await load('ai')
    const runId = newRun()
    const execute = async function* ({ won }: Refund) {
      yield 'paying'
      yield `paid ${won}`
    }
    const inputSchema = z.object({ order: z.string(), won: z.number() })
    const refund: { execute(input: Refund): unknown } = tool({ inputSchema, execute })
    const whole = aiModel(MockLanguageModelV4, 82_000) as {
      doGenerate(options: object): Promise<{ content: object[] }>
    }
    const model = new MockLanguageModelV4({
      doStream: async (options: object) => {
        const { content, ...finish } = await whole.doGenerate(options)
        const text = content.flatMap((part) =>
          'text' in part
            ? [
                { type: 'text-start', id: '1' },
                { type: 'text-delta', id: '1', delta: part.text },
                { type: 'text-end', id: '1' },
              ]
            : [part],
        )
        return { stream: ReadableStream.from([...text, { type: 'finish', ...finish }]) }
      },
    })
    const agent = new ToolLoopAgent({ model, ...guardTools({ refund }, { ...common, runId }) })
    const { toolResults } = (await (await agent.stream({ prompt: 'Go.' })).steps)[0]
    expect(toolResults).toMatchObject([{ output: 'paid 82000' }])
    const { execution, aiContext } = await decisionOf(`${runId}/call-1`)
    expect([execution?.outcome?.status, aiContext?.model]).toEqual(['succeeded', 'mock-model-id'])
  })

  it('reports a tool that fails', async () => {
    const runId = newRun()
    const execute = () => Promise.reject(new Error('the bank is closed'))
    expect(outcome(await generate(runId, { execute }))).toMatchObject({ error: { message: 'the bank is closed' } })
    expect((await decisionOf(`${runId}/call-1`)).execution).toMatchObject({ outcome: { status: 'failed' } })
  })

  it('continues a decision in another trace, and keeps the first', async () => {
    const runId = newRun()
    const guard = { action: 'payout' }
    const first = { guard, options: { trace: () => ({ traceId: 'trace-1', spanId: 'span-1' }) } }
    expect(outcome(await generate(runId, first))).toMatchObject({ type: 'tool-approval-request' })
    const { id, aiContext } = await decisionOf(`${runId}/call-1`)
    expect(aiContext).toMatchObject({ traceId: 'trace-1', spanId: 'span-1', model: 'refunds-1', provider: 'script' })
    await fixture.approveAsMember(id)
    const later = { guard, options: { trace: () => ({ traceId: 'trace-2', spanId: 'span-2' }) } }
    expect(outcome(await generate(runId, later))).toMatchObject({ output: 'paid' })
  })

  it('continues a decision that is named by the business, although the model asks anew', async () => {
    const order = newRun()
    const guard = { callId: () => order }
    expect(outcome(await generate(newRun(), { guard }))).toMatchObject({ output: 'paid' })
    const again = await generate(newRun(), { guard, toolCallId: 'call-2' })
    expect(outcome(again)).toMatchObject({ error: { reason: 'done' } })
    await decisionOf(order)
  })

  it('stops waiting when it is aborted, and leaves the decision open', async () => {
    const runId = newRun()
    const stop = new AbortController()
    const options = { withinMs: 60_000, signal: stop.signal, onWaiting: () => stop.abort(new Error('no time')) }
    await expect(generate(runId, { guard: { action: 'payout' }, options })).rejects.toThrow('no time')
    expect((await decisionOf(`${runId}/call-1`)).status).toBe('recorded')
  })

  it('refuses a tool that it cannot hold back', () => {
    expect(() => guardTools({ search: {} }, { ...common, runId: 'run' })).toThrow('no execute function')
  })
})

describe('LangChain', () => {
  /** A run of the scripted model, with a tool that gives what `run` gives. */
  async function invoke(runId: string | undefined, run: () => string, options: object = {}, inner: object[] = []) {
    const { createAgent, createMiddleware, tool } = await load('langchain')
    const { z } = await load('ai')
    const schema = z.object({ order: z.string(), won: z.number() })
    const agent = createAgent({
      model: await langChainModel(82_000),
      tools: [tool(run, { name: 'refund', schema })],
      middleware: [createMiddleware(guardToolCalls({ ...common, ...options })), ...inner.map(createMiddleware)],
    })
    const { messages } = await agent.invoke({ messages: 'Go.' }, { configurable: { thread_id: runId } })
    return messages.at(-2) as { status?: string; content: string }
  }
  const fails = () => {
    throw new Error('the bank is closed')
  }

  it('reports a tool that fails, whether or not another middleware answers for it', async () => {
    const [thrown, answered] = [newRun(), newRun()]
    await expect(invoke(thrown, fails)).rejects.toThrow('the bank is closed')
    const { ToolMessage } = await load('langchain')
    const answers = {
      name: 'Answers',
      wrapToolCall: async (request: { toolCall: { id: string } }, handler: (request: object) => Promise<object>) =>
        handler(request).catch(
          (error: Error) =>
            new ToolMessage({ content: error.message, tool_call_id: request.toolCall.id, status: 'error' }),
        ),
    }
    expect(await invoke(answered, fails, {}, [answers])).toMatchObject({
      status: 'error',
      content: 'the bank is closed',
    })
    for (const runId of [thrown, answered]) {
      expect((await decisionOf(`${runId}/call-1`)).execution).toMatchObject({ outcome: { status: 'failed' } })
    }
  })

  it('leaves a tool alone where it is told so', async () => {
    const runId = newRun()
    expect(await invoke(runId, () => 'paid', { guard: { refund: false } })).toMatchObject({ content: 'paid' })
    expect((await common.client.decisions.list({ decisionId: `${runId}/call-1` })).pagination.total).toBe(0)
  })

  it('runs nothing in a run without a name', async () => {
    await expect(invoke(undefined, fails)).rejects.toThrow('Set runId')
  })
})
