/** Guards the tools of the Vercel AI SDK 7: `generateText({ model, prompt, ...guardTools(tools, options) })`. */
import { type AdapterOptions, callContexts, guardedTool, type ToolGuard } from './adapter.ts'
import { approvalMessage, isAnswered, type Message, openRequests } from './ai-messages.ts'
import type { AiContext } from './api.generated.ts'
import type { GuardedCall, Tool } from './guard-types.ts'
import { GuardError } from './guard-values.ts'
import { guarding } from './guarding.ts'

export { parsePolicy, type TrustPolicy } from '@countersign/proof'
export type { ToolGuard } from './adapter.ts'
export { GuardError } from './guard-values.ts'

type Execute = (input: never, options: never) => unknown
type Tools = Readonly<Record<string, { readonly execute?: Execute | undefined }>>
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
  /** A call that waits longer than `withinMs` ends the run with a `tool-approval-request`. */
  readonly toolApproval: { readonly [K in keyof T]: (input: unknown, ask: Ask) => Promise<Status> }
  /** Lets a decision record the model that made the call. It listens to the start event because a stream runs tools before the model finishes. */
  readonly onLanguageModelCallStart: (call: { readonly provider: string; readonly modelId: string }) => void
  /**
   * The message that continues a run that ended with approval requests: add it to the messages and generate again. Null if there
   * are none. Throws `GuardError` with the reason `waiting` if a person still has to decide, or `frozen` while the call is stopped.
   */
  answers(messages: readonly Message[]): Promise<ReturnType<typeof approvalMessage> | null>
}

export function guardTools<T extends Tools>(tools: T, options: GuardToolsOptions<T>): GuardedTools<T> {
  const { runId, guard = {} as NonNullable<typeof options.guard>, signal } = options
  const steps = guarding(options)
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
    if (state !== 'waiting') return { type: 'denied' as const, reason: `${state}: ${message} ${eventId ?? ''}`.trim() }
    // The messages claim an answer that no person gave. Going on would close the call; so the run ends and can be repeated.
    if (isAnswered(messages, toolCallId)) throw new GuardError('waiting', message, eventId, { approvalUrl })
    return { type: 'user-approval' as const, reason: message }
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
    async answers(messages) {
      const responses = []
      for (const { approvalId, toolCallId, toolName, input } of openRequests(messages)) {
        if (!Object.hasOwn(tools, toolName)) continue
        const { state, eventId, approvalUrl, message } = await ask(toolName, input, toolCallId)
        if (state === 'waiting' || state === 'frozen') throw new GuardError(state, message, eventId, { approvalUrl })
        responses.push({ approvalId, approved: state === 'ready', reason: `${message} ${eventId ?? ''}`.trim() })
      }
      return responses.length > 0 ? approvalMessage(responses) : null
    },
  }
}

/** A tool that streams gives its last value; a guard reports one. */
async function last(output: unknown): Promise<unknown> {
  if (typeof output !== 'object' || output === null || !(Symbol.asyncIterator in output)) return output
  let value: unknown
  for await (const each of output as AsyncIterable<unknown>) value = each
  return value
}
