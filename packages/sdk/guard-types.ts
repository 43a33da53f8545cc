/** What a guard is given, and what it returns. */
import type { PasskeyFacts, TrustPolicy } from '@countersign/proof'
import type { AiContext, Decision } from './api.generated.ts'
import type { Clock } from './clock.ts'
import type { Countersign } from './countersign.ts'

/** A value, or a function that gives it for the arguments of a call. */
export type PerCall<I, T> = T | ((input: I) => T)

export type GuardClient = Pick<Countersign, 'agents' | 'decisions' | 'evidence'>

export type Confirmation = NonNullable<PasskeyFacts['confirmation']>

/**
 * The terms of a call. Each can be given for all tools or for one, as a value or as a function of the arguments; what a tool says
 * counts instead of what the guard says.
 */
export interface Terms<I extends object> {
  /** Calls the API of the center. By default, a `Countersign` with the settings of the environment. */
  readonly client?: PerCall<I, GuardClient>
  /**
   * The center's ID; by default, `COUNTERSIGN_CENTER`. A host signs the logs of all its centers with one key; only this center's
   * logs count.
   */
  readonly center?: PerCall<I, number>
  /** Run nothing without a person's approval at this identity level or higher, whatever the server requires. Null requires none. */
  readonly requires?: PerCall<I, 'session' | 'passkey' | null>
  /** Run nothing without an approval. Every approval that counts must be from one of these people (actor IDs), at `session` or higher. */
  readonly approvers?: PerCall<I, readonly string[] | null>
  /** Run nothing without a passkey. The first confirmation of every passkey must have been one of these. */
  readonly confirmedBy?: PerCall<I, readonly Confirmation[] | null>
  /** Run nothing without a passkey. The log must have registered every passkey to its person before this time. */
  readonly boundBefore?: PerCall<I, Date | null>
  /** How long a call waits for a person; with 0, the default, it ends as `waiting` right away. */
  readonly withinMs?: PerCall<I, number>
  /**
   * What a call does that an earlier attempt has already run with success: `throw` (the default of `guard`) throws `GuardError` with
   * the reason `done`; `replay` (the default of the adapters) returns the output that was sealed then, without running the tool.
   */
  readonly onDone?: PerCall<I, 'throw' | 'replay'>
}

/** What is known of a tool without running it. */
export interface ToolTerms<I extends object> extends Terms<I> {
  /** Distinguishes tools that share an action; defaults to the action. */
  readonly name?: string
  /** The action type that policies match, such as `refund.issue`. */
  readonly action: string
  /** One sentence for the person who approves. */
  readonly describe?: PerCall<I, string>
  /** Why the call is made, for the person who approves. The reason of a call counts instead. */
  readonly reason?: PerCall<I, string>
  /** A number from 0 to 1. Without it, every risk threshold counts as exceeded. */
  readonly riskScore?: PerCall<I, number>
  /** Whether running the tool again with the same `eventId` has no further effect, so that an interrupted call can run again. */
  readonly idempotent?: boolean
}

export interface Tool<I extends object, O> extends ToolTerms<I> {
  /** What part of the result is reported and sealed; by default, all of it. To replay such a call, set `restore` too. */
  readonly report?: (output: O) => unknown
  /** Makes the result of a replayed call from what was reported; by default, what was reported is the result. */
  readonly restore?: (reported: unknown, input: I) => O | Promise<O>
  /**
   * `input` is a frozen copy: exactly the values that were approved. Pass `eventId` on as an idempotency key. If it can't tell
   * whether it had an effect, it throws `GuardError` with the reason `unknown`, and that outcome is reported.
   */
  run(input: I, call: { readonly eventId: string; readonly signal?: AbortSignal | undefined }): O | Promise<O>
}

/** What your program trusts. All of it comes from the program, never from the server being checked. */
export interface Trust {
  /** Whose logs you trust. Get the trust policy through another channel, not from the server's responses. */
  readonly trust: TrustPolicy
  /** The center's ID. A host signs the logs of all its centers with one key; only this center's logs count. */
  readonly center: number
  /** Whether `center` is a sandbox. Without it, test data is never accepted, whatever API key the client has. */
  readonly sandbox?: boolean
  /** As in `Terms`. */
  readonly requires?: 'session' | 'passkey' | null
  readonly approvers?: readonly string[] | null
  readonly confirmedBy?: readonly Confirmation[] | null
  readonly boundBefore?: Date | null
}

export interface GuardOptions extends Terms<never> {
  /**
   * Whose logs you trust: a trust policy, or its text. By default, the text in `COUNTERSIGN_TRUST` or in the file that
   * `COUNTERSIGN_TRUST_FILE` names. Get it through another channel, not from the server's responses.
   */
  readonly trust?: TrustPolicy | string
  /**
   * Whether `center` is a sandbox; by default, if `COUNTERSIGN_SANDBOX` is `true`. Without it, test data is never accepted, whatever
   * API key the client has.
   */
  readonly sandbox?: boolean
  readonly agent: { readonly id: string; readonly name?: string }
  /** Called once for each decision that waits for a person; `waiting.approvalUrl` is the page where a person decides. */
  readonly onWaiting?: (decision: Decision) => void
  /** Called with the verified export before the tool runs, so that you can keep it. If it throws, the tool doesn't run. */
  readonly onProof?: (text: string, eventId: string) => unknown
  /** Called when the tool has run but its outcome couldn't be reported. */
  readonly onUnreported?: (error: unknown, eventId: string) => void
  readonly clock?: Clock
}

export interface GuardedCall {
  /**
   * Unique in the center, and the same every time this call is made: the same ID continues the same decision, even in another process.
   * If an approval can no longer be used, the guard asks again under this ID with `~1`, `~2` and so on.
   */
  readonly callId: string
  readonly reason?: string
  /** What's known when the call is first made. A continued call keeps the context that was recorded then. */
  readonly aiContext?: AiContext
  readonly signal?: AbortSignal
}

/** The state of a call before it runs. The proof isn't verified until the call runs. */
export interface Asked {
  /** `ready`: making the call with the same ID and arguments runs the tool. The other states are as in `GuardError`. */
  readonly state: 'ready' | 'waiting' | 'refused' | 'expired' | 'replaced' | 'withdrawn' | 'frozen' | 'changed'
  readonly eventId: string | null
  readonly approvalUrl: string | null
  /** Who refused, and in which words; null unless a person did. */
  readonly refusal: Refusal | null
  readonly message: string
}

/** An approval that was consumed: the right to run the call once. */
export interface Taken {
  readonly eventId: string
  /** The name under which the outcome is reported. */
  readonly executor: string
}

/** A person's refusal, as the server states it. */
export interface Refusal {
  readonly by: string | null
  readonly reason: string | null
}
