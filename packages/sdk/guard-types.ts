/** What a guard is given, and what it returns. */
import type { PasskeyFacts, TrustPolicy } from '@countersign/proof'
import type { AiContext, Decision } from './api.generated.ts'
import type { Clock } from './clock.ts'
import type { Countersign } from './countersign.ts'

export interface Tool<I extends object, O> {
  /** Distinguishes tools that share an action; defaults to the action. */
  readonly name?: string
  /** The action type that policies match, such as `refund.issue`. */
  readonly action: string
  /** One sentence for the person who approves. */
  readonly describe?: (input: I) => string
  /** A number from 0 to 1. Without it, every risk threshold counts as exceeded. */
  readonly riskScore?: (input: I) => number
  /** Whether running the tool again with the same `eventId` has no further effect, so that an interrupted call can run again. */
  readonly idempotent?: boolean
  /** What part of the result is reported and sealed; by default, all of it. */
  readonly report?: (output: O) => unknown
  /** `input` is a frozen copy: exactly the values that were approved. Pass `eventId` on as an idempotency key. */
  run(input: I, call: { readonly eventId: string; readonly signal?: AbortSignal | undefined }): O | Promise<O>
}

/** What your program trusts. All of it comes from the program, never from the server being checked. */
export interface Trust {
  /** Whose logs you trust. Get the policy through another channel, not from the server's responses. */
  readonly policy: TrustPolicy
  /** The center's ID. A host signs the logs of all its centers with one key; only this center's logs count. */
  readonly center: number
  /** Whether `center` is a sandbox. Without it, test data is never accepted, whatever API key the client has. */
  readonly sandbox?: boolean
  /** Run nothing without a person's approval at this identity level or higher, whatever the server requires. */
  readonly requires?: 'session' | 'passkey'
  /** Run nothing without an approval. Every approval that counts must be from one of these people (actor IDs), at `session` or higher. */
  readonly approvers?: readonly string[]
  /** Run nothing without a passkey. The first confirmation of every passkey must have been one of these. */
  readonly confirmedBy?: readonly Confirmation[]
  /** Run nothing without a passkey. The log must have registered every passkey to its person before this time. */
  readonly boundBefore?: Date
}

export type Confirmation = NonNullable<PasskeyFacts['confirmation']>

export interface GuardOptions extends Trust {
  readonly client: Pick<Countersign, 'agents' | 'decisions' | 'evidence'>
  readonly agent: { readonly id: string; readonly name?: string }
  /** How long a call waits for a person; with 0, it ends as `waiting` right away. */
  readonly withinMs: number
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
  readonly state: 'ready' | 'waiting' | 'refused' | 'withdrawn' | 'frozen' | 'changed'
  readonly eventId: string | null
  readonly approvalUrl: string | null
  readonly message: string
}
