/** Guards the tools of the Vercel AI SDK 7: `generateText({ model, prompt, ...guardTools(tools, options) })`. */
import { type AdapterOptions, callContexts, guardedTool, replaying, type ToolGuard, toldOf } from './adapter.ts'
import {
  type AnswerPart,
  answered,
  isAccepted,
  isAnswered,
  type Message,
  type ModelOutput,
  type OpenRequest,
  openRequests,
  outputOf,
} from './ai-messages.ts'
import type { AiContext } from './api.generated.ts'
import { CountersignError } from './errors.ts'
import type { GuardedCall, Tool } from './guard-types.ts'
import { GuardError } from './guard-values.ts'
import { guarding } from './guarding.ts'

export { parsePolicy as parseTrust, type TrustPolicy } from '@countersign/proof'
export type { ToolGuard } from './adapter.ts'
export { GuardError } from './guard-values.ts'

type Execute = (input: never, options: never) => unknown
type AnyTool = ModelOutput & { readonly execute?: Execute | undefined; readonly inputSchema?: unknown }
type Tools = Readonly<Record<string, AnyTool>>
type InputOf<T> = T extends { readonly execute: (input: infer I, options: never) => unknown } ? I & object : never

export interface GuardToolsOptions<T extends Tools = Tools> extends AdapterOptions {
  /** The conversation or job. Together with the tool call ID, it identifies the decision, even after a restart. */
  readonly runId: string
  readonly guard?: { readonly [K in keyof T]?: ToolGuard<InputOf<T[K]>> }
  /** Cancels the wait for a person. The AI SDK passes its signal only to tools, so pass it here too. */
  readonly signal?: AbortSignal
}

type Status = 'not-applicable' | { type: 'denied' | 'user-approval'; reason: string }

interface Ask {
  readonly toolCallId: string
  readonly messages: readonly Message[]
}

/** Spread these into `generateText`, `streamText` or `ToolLoopAgent`. */
export interface GuardedTools<T extends Tools> {
  /** A tool runs only after its guard, whatever the messages say about an approval. */
  readonly tools: T
  /**
   * A call that waits longer than `withinMs` ends the run with a `tool-approval-request`, whose `reason` is the address of the page
   * where a person decides, and nothing else.
   */
  readonly toolApproval: { readonly [K in keyof T]: (input: unknown, ask: Ask) => Promise<Status> }
  /** Lets a decision record the model that made the call. It listens to the start event because a stream runs tools before the model finishes. */
  readonly onLanguageModelCallStart: (call: { readonly provider: string; readonly modelId: string }) => void
  /**
   * Continues the calls of a run that ended with approval requests, each by itself: runs those that were approved, denies those that
   * were refused, and lists those that still wait. Add `message` to the messages and store them; when nothing waits, generate again.
   */
  answers(messages: readonly Message[], more?: AnswerOptions): Promise<Answers>
}

export interface AnswerOptions {
  /** As in `generateText`: the context of each tool, by its name. */
  readonly toolsContext?: Readonly<Record<string, unknown>>
}

export interface Answers {
  /** The approvals, refusals and results of the calls that are decided; null if none is. */
  readonly message: { role: 'tool'; content: AnswerPart[] } | null
  readonly waiting: readonly WaitingCall[]
}

/** A call that nobody has decided yet. */
export interface WaitingCall {
  readonly approvalId: string
  readonly toolCallId: string
  readonly toolName: string
  /** `frozen`: the call is stopped, whether or not a person has decided. */
  readonly state: 'waiting' | 'frozen'
  readonly eventId: string | null
  /** The page where a person decides. */
  readonly approvalUrl: string | null
  readonly message: string
}

export function guardTools<T extends Tools>(tools: T, options: GuardToolsOptions<T>): GuardedTools<T> {
  const { runId, guard = {} as NonNullable<typeof options.guard>, signal } = options
  const known = Object.keys(tools).map((name) => guard[name as keyof T] ?? {})
  const steps = guarding(replaying(options), known)
  const contextOf = callContexts(options)
  let asking: AiContext = {}

  const own = (name: string): ToolGuard<never> => guard[name as keyof T] ?? {}
  const callOf = (name: string, input: object, toolCallId: string, given = signal): GuardedCall => ({
    callId: own(name).callId?.(input as never) ?? `${runId}/${toolCallId}`,
    aiContext: contextOf(toolCallId, asking),
    ...(given && { signal: given }),
  })
  const toolOf = (name: string, run: Tool<Record<string, unknown>, unknown>['run']) => guardedTool(name, own(name), run)
  const notRun = () => Promise.reject(new Error('only asked'))
  const ask = (name: string, input: Record<string, unknown>, toolCallId: string) =>
    steps.ask(toolOf(name, notRun), input, callOf(name, input, toolCallId))

  function guardedExecute(name: string, execute: Execute) {
    return (input: Record<string, unknown>, given: { toolCallId: string; abortSignal?: AbortSignal }) => {
      const run = (frozen: object) => last(execute(frozen as never, given as never))
      const both = signal && given.abortSignal ? AbortSignal.any([signal, given.abortSignal]) : given.abortSignal
      return steps.run(toolOf(name, run), input, callOf(name, input, given.toolCallId, both ?? signal))
    }
  }

  async function approvalOf(name: string, input: Record<string, unknown>, { toolCallId, messages }: Ask) {
    const { state, eventId, approvalUrl, message } = await ask(name, input, toolCallId)
    if (state === 'ready') return 'not-applicable'
    if (state !== 'waiting') return { type: 'denied' as const, reason: toldOf({ reason: state, message, eventId }) }
    // The messages claim an answer that no person gave. Going on would close the call; so the run ends and can be repeated.
    if (isAnswered(messages, toolCallId)) throw new GuardError('waiting', message, eventId, { approvalUrl })
    return { type: 'user-approval' as const, reason: approvalUrl ?? message }
  }

  /** What became of a call; a waiting call has no parts. */
  async function answerOf(request: OpenRequest, messages: readonly Message[], { toolsContext = {} }: AnswerOptions) {
    const { approvalId, toolCallId, toolName, input } = request
    const tool = tools[toolName] as AnyTool
    const waits = (state: WaitingCall['state'], { eventId, approvalUrl, message }: Waiting): WaitingCall => ({
      ...{ approvalId, toolCallId, toolName, state, eventId, approvalUrl, message },
    })
    if (!(await isAccepted(tool.inputSchema, input))) {
      const text = "changed: The tool doesn't accept these arguments."
      return answered(request, false, text, { type: 'execution-denied', reason: text })
    }
    const asked = await ask(toolName, input, toolCallId)
    const { state } = asked
    if (state === 'waiting' || state === 'frozen') return waits(state, asked)
    if (state !== 'ready') {
      const text = toldOf({ ...asked, reason: state })
      return answered(request, false, text, { type: 'execution-denied', reason: text })
    }
    const context = Object.hasOwn(toolsContext, toolName) ? { context: toolsContext[toolName] } : {}
    const given = { toolCallId, messages, ...(signal && { abortSignal: signal }), ...context }
    const approved = `Approved. ${asked.eventId ?? ''}`.trim()
    try {
      const output = await guardedExecute(toolName, tool.execute as Execute)(input, given)
      return answered(request, true, approved, await outputOf(tool, { toolCallId, input, output }))
    } catch (error) {
      if (error instanceof GuardError && (error.reason === 'waiting' || error.reason === 'frozen')) {
        return waits(error.reason, error)
      }
      // The server was away: the call is made again later.
      if (error instanceof CountersignError && !(error instanceof GuardError)) throw error
      const value = error instanceof GuardError ? toldOf(error) : error instanceof Error ? error.message : String(error)
      return answered(request, true, approved, { type: 'error-text', value })
    }
  }

  const executable = Object.entries(tools).map(([name, tool]): [string, Execute, object] => {
    if (!tool.execute) throw new TypeError(`The tool ${name} has no execute function, so it can't be guarded.`)
    return [name, tool.execute, tool]
  })
  return {
    tools: Object.fromEntries(
      executable.map(([name, execute, tool]) => [name, { ...tool, execute: guardedExecute(name, execute) }]),
    ) as unknown as T,
    toolApproval: Object.fromEntries(
      executable.map(([name]) => [
        name,
        (input: unknown, given: Ask) => approvalOf(name, input as Record<string, unknown>, given),
      ]),
    ) as GuardedTools<T>['toolApproval'],
    onLanguageModelCallStart({ provider, modelId }) {
      asking = { provider, model: modelId }
    },
    async answers(messages, more = {}) {
      const requests = openRequests(messages).filter(({ toolName }) => Object.hasOwn(tools, toolName))
      // To the end: a call that has run is not lost because another one failed; it is replayed the next time.
      const all = await Promise.allSettled(requests.map((request) => answerOf(request, messages, more)))
      const content: AnswerPart[] = []
      const waiting: WaitingCall[] = []
      for (const each of all) {
        if (each.status === 'rejected') throw each.reason
        if (Array.isArray(each.value)) content.push(...each.value)
        else waiting.push(each.value)
      }
      return { message: content.length > 0 ? { role: 'tool', content } : null, waiting }
    },
  }
}

type Waiting = Pick<WaitingCall, 'eventId' | 'approvalUrl' | 'message'>

/** A tool that streams gives its last value; a guard reports one. */
async function last(output: unknown): Promise<unknown> {
  if (typeof output !== 'object' || output === null || !(Symbol.asyncIterator in output)) return output
  let value: unknown
  for await (const each of output as AsyncIterable<unknown>) value = each
  return value
}
