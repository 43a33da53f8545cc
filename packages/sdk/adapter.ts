/** What the adapters of agent frameworks share. */
import type { AiContext } from './api.generated.ts'
import type { GuardOptions, Tool } from './guard-types.ts'
import type { GuardError } from './guard-values.ts'

/** How to guard a tool. */
export interface ToolGuard<I extends object = Record<string, unknown>, O = unknown>
  extends Omit<Tool<I, O>, 'name' | 'action' | 'run'> {
  /** The action type that policies match; defaults to the tool's name. */
  readonly action?: string
  /**
   * An ID from your own domain, such as `refund-1041`. With it, a model that asks again or a run that restarts continues the same
   * decision. Defaults to the run ID and the tool call ID.
   */
  readonly callId?: (input: I) => string
}

export interface AdapterOptions extends GuardOptions {
  /** Recorded with every decision in this run, such as `modelVersion` and `agentVersion`. */
  readonly aiContext?: AiContext
  /** The active span, such as `() => trace.getActiveSpan()?.spanContext()` with OpenTelemetry. */
  readonly trace?: () => { readonly traceId: string; readonly spanId: string } | undefined
}

/** Frameworks run a step again after a crash; its finished calls then give the model their results, and no errors. */
export const replaying = <T extends AdapterOptions>(options: T): T => ({ onDone: 'replay', ...options })

/** What a model is told about a call that didn't run. */
export const toldOf = ({ reason, message, eventId }: Pick<GuardError, 'reason' | 'message' | 'eventId'>): string =>
  `${reason}: ${message} ${eventId ?? ''}`.trim()

/** The context of a call is fixed when it is first seen, because a decision seals it. */
export function callContexts({ aiContext, trace }: AdapterOptions) {
  const known = new Map<string, AiContext>()
  return (toolCallId: string, more: AiContext = {}): AiContext => {
    const before = known.get(toolCallId)
    if (before) return before
    const { traceId, spanId } = trace?.() ?? {}
    const context = { ...more, ...aiContext, ...(traceId && { traceId }), ...(spanId && { spanId }) }
    known.set(toolCallId, context)
    return context
  }
}

/** The guard of a tool whose types are no longer known. */
type AnyToolGuard = Omit<ToolGuard<never, never>, 'restore'> & Pick<ToolGuard<never>, 'restore'>

/** A tool of the guard from a tool of a framework. */
export function guardedTool<O>(
  name: string,
  { action, callId: _, ...rest }: AnyToolGuard,
  run: Tool<Record<string, unknown>, O>['run'],
): Tool<Record<string, unknown>, O> {
  return {
    ...(rest as Omit<Tool<Record<string, unknown>, O>, 'name' | 'action' | 'run'>),
    name,
    action: action ?? name,
    run,
  }
}
