/** What the adapters do beyond the failures that failures.test.ts lists for them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { guardTools } from '../ai.ts'
import { Countersign } from '../countersign.ts'
import { type GuardOptions, parseTrust } from '../guard.ts'
import { guardToolCalls } from '../langchain.ts'
import { scriptedModel as aiModel } from './agents/ai.ts'
import type { Refund } from './agents/attempt.ts'
import { scriptedModel as langChainModel } from './agents/langchain.ts'
import { load } from './agents/packages.ts'

let server: TestServer
let fixture: ProofFixture
let client: Countersign
let common: GuardOptions
let runs = 0

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  await fixture.policy({ humanReview: true }, { match: { actionTypes: ['payout'] }, approval: { identity: 'session' } })
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  client = new Countersign({ baseUrl: server.url, apiKey: fixture.key })
  common = {
    client,
    trust: parseTrust(policy),
    center: fixture.center.id,
    agent: { id: 'refund-agent' },
    withinMs: 0,
  }
}, 600_000)
afterAll(() => server.close())

const newRun = () => `adapter-run-${++runs}`
const decisionOf = async (decisionId: string) => {
  const { data, pagination } = await client.decisions.list({ decisionId })
  expect(pagination.total).toBe(1)
  return client.decisions.get(data[0]?.id ?? '')
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
    expect(outcome(again)).toMatchObject({ output: 'paid' })
    const refused = await generate(newRun(), { guard: { ...guard, onDone: 'throw' }, toolCallId: 'call-3' })
    expect(outcome(refused)).toMatchObject({ error: { reason: 'done' } })
    await decisionOf(order)
  })

  it('stops waiting when it is aborted, and leaves the decision open', async () => {
    const runId = newRun()
    const stop = new AbortController()
    const options = { withinMs: 60_000, signal: stop.signal, onWaiting: () => stop.abort(new Error('no time')) }
    await expect(generate(runId, { guard: { action: 'payout' }, options })).rejects.toThrow('no time')
    expect((await decisionOf(`${runId}/call-1`)).status).toBe('recorded')
  })

  describe('answers', () => {
    const tools = async () => {
      const { tool, z } = await load('ai')
      const inputSchema = z.object({ order: z.string(), won: z.number() })
      const ran: Refund[] = []
      const execute = (input: Refund) => {
        ran.push(input)
        return { paid: input.won }
      }
      const payout: { execute(input: Refund): unknown } = tool({ inputSchema, execute })
      const refund: { execute(input: Refund): unknown } = tool({ inputSchema, execute })
      return { ran, tools: { payout, refund } }
    }
    const call = (toolCallId: string, toolName: string, won: number) => ({
      ...{ type: 'tool-call', toolCallId, toolName },
      input: JSON.stringify({ order: '1041', won }),
    })
    /** A model that asks for these calls at once, and is done when it sees results. */
    const model = async (...calls: object[]) => {
      const { MockLanguageModelV4 } = await load('ai')
      const seen: unknown[] = []
      const made = new MockLanguageModelV4({
        doGenerate: async ({ prompt }: { prompt: { role: string; content: unknown }[] }) => {
          const isDone = prompt.at(-1)?.role === 'tool'
          if (isDone) seen.push(prompt.at(-1)?.content)
          return {
            content: isDone ? [{ type: 'text', text: 'Done.' }] : calls,
            finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined },
            usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
            warnings: [],
          }
        },
      })
      return { made, seen }
    }

    it('lets approved calls run while others wait, and tells the model of each when all are decided', async () => {
      const { generateText, isStepCount } = await load('ai')
      const runId = newRun()
      const { ran, tools: own } = await tools()
      const told: string[] = []
      const process = () =>
        guardTools(own, {
          ...{ ...common, runId, onWaiting: ({ id }) => void told.push(id) },
          guard: { refund: { action: 'payout' } },
        })
      const { made, seen } = await model(
        call('call-1', 'payout', 1),
        call('call-2', 'refund', 2),
        call('call-3', 'payout', 3),
      )
      const guarded = process()
      const first = await generateText({ model: made, prompt: 'Go.', ...guarded, stopWhen: isStepCount(3) })
      const messages = JSON.parse(JSON.stringify([{ role: 'user', content: 'Go.' }, ...first.responseMessages]))
      const requests = first.content.filter(({ type }: { type: string }) => type === 'tool-approval-request')
      const ids = await Promise.all([1, 2, 3].map(async (at) => (await decisionOf(`${runId}/call-${at}`)).id))
      // The address alone, where the framework shows why it asks.
      expect(requests.map(({ reason }: { reason: string }) => reason)).toEqual(
        ids.map((id) => `http://countersign.test/approve/${id}`),
      )

      expect(await guarded.answers(messages)).toMatchObject({
        message: null,
        waiting: ids.map((eventId) => ({ eventId })),
      })
      expect([...told].sort()).toEqual([...ids].sort())

      await fixture.approveAsMember(ids[1] ?? '')
      await fixture.approveAsMember(ids[2] ?? '', { result: 'rejected', reason: 'Too much. "Ask less"' })
      const { message, waiting } = await process().answers(messages)
      expect(ran).toEqual([{ order: '1041', won: 2 }])
      expect(waiting).toMatchObject([
        { toolCallId: 'call-1', state: 'waiting', approvalUrl: `http://countersign.test/approve/${ids[0]}` },
      ])
      // It crashed before the message was stored: the result comes from the proof, and nothing runs again.
      expect((await process().answers(messages)).message).toEqual(message)
      expect(ran).toHaveLength(1)
      messages.push(message)

      await fixture.approveAsMember(ids[0] ?? '')
      const last = await process().answers(JSON.parse(JSON.stringify(messages)))
      expect(last.waiting).toEqual([])
      messages.push(last.message)
      const { text } = await generateText({ model: made, messages, ...process(), stopWhen: isStepCount(3) })
      expect([text, ran.map(({ won }) => won)]).toEqual(['Done.', [2, 1]])
      const outputs = Object.fromEntries(
        (seen.at(-1) as { toolCallId: string; output: unknown }[]).map(({ toolCallId, output }) => [
          toolCallId,
          output,
        ]),
      )
      expect(outputs).toMatchObject({
        'call-1': { type: 'json', value: { paid: 1 } },
        'call-2': { type: 'json', value: { paid: 2 } },
        'call-3': { type: 'execution-denied', reason: expect.stringContaining(JSON.stringify('Too much. "Ask less"')) },
      })
    })

    it('runs nothing for arguments that were changed in the stored messages', async () => {
      const { generateText } = await load('ai')
      const runId = newRun()
      const { ran, tools: own } = await tools()
      const guarded = guardTools(own, { ...common, runId })
      const { made } = await model(call('call-1', 'payout', 1), call('call-2', 'payout', 2))
      const { responseMessages } = await generateText({ model: made, prompt: 'Go.', ...guarded })
      for (const at of [1, 2]) await fixture.approveAsMember((await decisionOf(`${runId}/call-${at}`)).id)
      const text = JSON.stringify(responseMessages).replace('"won":1', '"won":1000').replace('"won":2', '"won":"2"')
      const { message, waiting } = await guarded.answers(JSON.parse(text))
      expect([ran, waiting]).toEqual([[], []])
      expect(message?.content.filter(({ type }) => type === 'tool-result')).toMatchObject([
        { output: { type: 'execution-denied', reason: expect.stringMatching(/^changed: /) } },
        { output: { type: 'execution-denied', reason: expect.stringMatching(/^changed: /) } },
      ])
    })
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

  it('tells the model why a person refused, and the program in the artifact', async () => {
    const runId = newRun()
    const guard = { refund: { action: 'payout' } }
    await invoke(runId, () => 'paid', { guard }).catch(() => {})
    const { id } = await decisionOf(`${runId}/call-1`)
    await fixture.approveAsMember(id, { result: 'rejected', reason: 'Too much.' })
    expect(await invoke(runId, () => 'paid', { guard })).toMatchObject({
      status: 'error',
      content: expect.stringMatching(/^refused: .*"Too much\."/),
      artifact: { type: 'countersign', reason: 'refused', eventId: id, refusal: { reason: 'Too much.' } },
    })
  })

  it('gives the model the result of a call that ran before', async () => {
    const runId = newRun()
    expect(await invoke(runId, () => 'paid')).toMatchObject({ content: 'paid' })
    const again = await invoke(runId, fails)
    expect([again.content, again.status === 'error']).toEqual(['paid', false])
  })

  it('leaves a tool alone where it is told so', async () => {
    const runId = newRun()
    expect(await invoke(runId, () => 'paid', { guard: { refund: false } })).toMatchObject({ content: 'paid' })
    expect((await client.decisions.list({ decisionId: `${runId}/call-1` })).pagination.total).toBe(0)
  })

  it('runs nothing in a run without a name', async () => {
    await expect(invoke(undefined, fails)).rejects.toThrow('Set runId')
  })
})
