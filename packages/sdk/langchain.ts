/** Guards the tools of a LangChain.js 1 agent: `createMiddleware(guardToolCalls(options))`. */
import { type AdapterOptions, callContexts, guardedTool, replaying, type ToolGuard, toldOf } from './adapter.ts'
import type { Refusal } from './guard-types.ts'
import { GuardError, type GuardReason } from './guard-values.ts'
import { guarding } from './guarding.ts'

export { parsePolicy as parseTrust, type TrustPolicy } from '@countersign/proof'
export type { ToolGuard } from './adapter.ts'
export { GuardError } from './guard-values.ts'

export interface GuardToolCallsOptions extends AdapterOptions {
  /** The conversation or job. Together with the tool call ID, it identifies the decision. Defaults to the run's `thread_id`. */
  readonly runId?: string
  /** By tool name. Every tool is guarded unless you set it to `false`. */
  readonly guard?: Readonly<Record<string, ToolGuard | false>>
}

interface Request {
  readonly toolCall: { readonly name: string; readonly args: Record<string, unknown>; readonly id?: string }
  readonly runtime: {
    readonly configurable?: Readonly<Record<string, unknown>>
    readonly signal?: AbortSignal
    readonly interrupt?: (value: never) => unknown
  }
}

/** A `ToolMessage`, or a `Command`, which has no content. */
interface Result {
  readonly content?: unknown
  readonly status?: unknown
}

/** What a run has in `__interrupt__` while a person still has to decide; `Command({ resume: true })` continues it. */
export interface WaitingCall {
  readonly type: 'countersign'
  readonly eventId: string | null
  readonly approvalUrl: string | null
  readonly message: string
}

/** The `artifact` of a `ToolMessage` for a call that didn't run; a model doesn't see it. */
export interface DeniedCall {
  readonly type: 'countersign'
  readonly reason: GuardReason
  readonly eventId: string | null
  readonly approvalUrl: string | null
  readonly refusal: Refusal | null
}

/** A tool whose failure another middleware has made into a message. */
class FailedTool extends Error {
  readonly result: Result

  constructor(result: Result) {
    super(typeof result.content === 'string' ? result.content : 'The tool failed.')
    this.result = result
  }
}

export function guardToolCalls(options: GuardToolCallsOptions) {
  const { guard = {} } = options
  const known = Object.values(guard).filter((each) => each !== false)
  const steps = guarding(replaying(options), known.length > 0 ? known : [{}])
  const contextOf = callContexts(options)

  function runOf({ toolCall, runtime }: Request): string {
    const runId = options.runId ?? runtime.configurable?.thread_id
    if (typeof runId === 'string' && toolCall.id) return `${runId}/${toolCall.id}`
    throw new TypeError("The call can't be identified. Set runId, or run the agent with a thread_id.")
  }

  async function wrapToolCall<R extends Request, M extends object>(
    request: R,
    handler: (request: R) => M | Promise<M>,
  ): Promise<M> {
    const { toolCall, runtime } = request
    const own = (Object.hasOwn(guard, toolCall.name) ? guard[toolCall.name] : null) ?? {}
    if (own === false) return handler(request)
    const { signal } = runtime
    const callId = own.callId?.(toolCall.args) ?? runOf(request)
    const call = { callId, aiContext: contextOf(callId), ...(signal && { signal }) }
    /** A tool in place of the real one makes the message, so that this file imports nothing of LangChain. */
    const messageOf = async (content: unknown): Promise<M> =>
      handler({ ...request, tool: { name: toolCall.name, invoke: async () => content } })
    const tool = guardedTool<M>(
      toolCall.name,
      { report: (message: Result) => message.content, ...(!own.report && { restore: messageOf }), ...own },
      async (args) => {
        const result = await handler({ ...request, toolCall: { ...toolCall, args } })
        if ((result as Result).status === 'error') throw new FailedTool(result)
        return result
      },
    )
    const denied = async (error: GuardError): Promise<M> => {
      const { reason, eventId, approvalUrl, refusal } = error
      const artifact: DeniedCall = { type: 'countersign', reason, eventId, approvalUrl, refusal }
      return Object.assign(await messageOf(toldOf(error)), { status: 'error', artifact })
    }

    for (;;) {
      try {
        return await steps.run(tool, toolCall.args, call)
      } catch (error) {
        if (error instanceof FailedTool) return error.result as M
        if (!(error instanceof GuardError) || error.reason === 'unverified') throw error
        const { reason, eventId, approvalUrl, message } = error
        if (reason !== 'waiting') return denied(error)
        if (!runtime.interrupt) throw error
        // It throws until the run is resumed, and returns then.
        runtime.interrupt({ type: 'countersign', eventId, approvalUrl, message } satisfies WaitingCall as never)
      }
    }
  }

  return { name: 'Countersign', wrapToolCall }
}
