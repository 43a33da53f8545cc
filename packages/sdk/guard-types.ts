/** What a guard is given, and what it answers. */
import type { TrustPolicy } from '@countersign/proof'
import type { AiContext, DecisionEventDetails } from './api.generated.ts'
import type { Clock } from './clock.ts'
import type { Countersign } from './countersign.ts'

export interface Tool<I extends object, O> {
  /** Type of the action, which policies match: `refund.issue`. */
  readonly action: string
  /** One sentence for the person who approves. */
  readonly describe?: (input: I) => string
  /** From 0 to 1. Without one, every risk threshold counts as exceeded. */
  readonly riskScore?: (input: I) => number
  /** A second run with the same `eventId` does nothing. Then a call that was interrupted may run again. */
  readonly idempotent?: boolean
  /** What of the result is reported and sealed; by default all of it. */
  readonly report?: (output: O) => unknown
  /** `input` is a frozen copy: exactly the values that were approved. Pass `eventId` on as an idempotency key. */
  run(input: I, call: { readonly eventId: string; readonly signal?: AbortSignal | undefined }): O | Promise<O>
}

export interface GuardOptions {
  /** With the key of a sandbox, proofs of a sandbox are enough; with any other key they are not. */
  readonly client: Pick<Countersign, 'agents' | 'decisions' | 'evidence'> & Partial<Pick<Countersign, 'sandbox'>>
  /** Whose log counts. It came over another channel than the answers of the server. */
  readonly policy: TrustPolicy
  readonly agent: { readonly id: string; readonly name?: string }
  /** How long a call waits for a person; with 0 it ends as `waiting` at once. */
  readonly withinMs: number
  /** Run nothing without the approval of a person, known at least in this way, whatever the server asks for. */
  readonly requires?: 'session' | 'passkey'
  readonly onWaiting?: (decision: DecisionEventDetails) => void
  /** Called with the export that was verified, before the tool runs: keep it. If it fails, the tool does not run. */
  readonly onProof?: (text: string, eventId: string) => unknown
  /** The tool has run, and its outcome could not be reported. */
  readonly onUnreported?: (error: unknown, eventId: string) => void
  readonly clock?: Clock
}

export interface GuardedCall {
  /** Stable for this call and unique in the center: the same id continues the same decision, in another process too. */
  readonly callId: string
  readonly reason?: string
  /** What is known when the call is first made; a continued call keeps what was recorded then. */
  readonly aiContext?: AiContext
  readonly signal?: AbortSignal
}

/** How a call stands before it runs. Only running it verifies the proof. */
export interface Asked {
  /** `ready`: a call with the same id and arguments goes on. The others are as in `GuardError`. */
  readonly state: 'ready' | 'waiting' | 'refused' | 'changed'
  readonly eventId: string | null
  readonly approvalUrl: string | null
  readonly message: string
}
