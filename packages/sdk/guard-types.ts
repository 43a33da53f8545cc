/** What a guard is given, and what it answers. */
import type { PasskeyFacts, TrustPolicy } from '@countersign/proof'
import type { AiContext, Decision } from './api.generated.ts'
import type { Clock } from './clock.ts'
import type { Countersign } from './countersign.ts'

export interface Tool<I extends object, O> {
  /** Tells tools apart that share an action; by default the action. */
  readonly name?: string
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

/** Whose word counts. All of it comes from the program, never from the server that it judges. */
export interface Trust {
  /** Whose logs count. It came over another channel than the answers of the server. */
  readonly policy: TrustPolicy
  /** The id of the center. A key of a host signs the logs of all its centers; only those of this one count. */
  readonly center: number
  /** Whether `center` is a sandbox. Without it no test data counts, whatever key the client has. */
  readonly sandbox?: boolean
  /** Run nothing without the approval of a person, known at least in this way, whatever the server asks for. */
  readonly requires?: 'session' | 'passkey'
  /** Run nothing without an approval; each that counts is by one of these people (their actor ids) and at least `session`. */
  readonly approvers?: readonly string[]
  /** Run nothing without a passkey; each was first confirmed in one of these ways. */
  readonly confirmedBy?: readonly Confirmation[]
  /** Run nothing without a passkey; the log had bound each to its person before this time. */
  readonly boundBefore?: Date
}

export type Confirmation = NonNullable<PasskeyFacts['confirmation']>

export interface GuardOptions extends Trust {
  readonly client: Pick<Countersign, 'agents' | 'decisions' | 'evidence'>
  readonly agent: { readonly id: string; readonly name?: string }
  /** How long a call waits for a person; with 0 it ends as `waiting` at once. */
  readonly withinMs: number
  readonly onWaiting?: (decision: Decision) => void
  /** Called with the export that was verified, before the tool runs: keep it. If it fails, the tool does not run. */
  readonly onProof?: (text: string, eventId: string) => unknown
  /** The tool has run, and its outcome could not be reported. */
  readonly onUnreported?: (error: unknown, eventId: string) => void
  readonly clock?: Clock
}

export interface GuardedCall {
  /**
   * Stable for this call and unique in the center: the same id continues the same decision, in another process too. Where an
   * approval can no longer be used, the guard asks anew under this id with `~1`, `~2` and so on.
   */
  readonly callId: string
  readonly reason?: string
  /** What is known when the call is first made; a continued call keeps what was recorded then. */
  readonly aiContext?: AiContext
  readonly signal?: AbortSignal
}

/** How a call stands before it runs. Only running it verifies the proof. */
export interface Asked {
  /** `ready`: a call with the same id and arguments goes on. The others are as in `GuardError`. */
  readonly state: 'ready' | 'waiting' | 'refused' | 'withdrawn' | 'changed'
  readonly eventId: string | null
  readonly approvalUrl: string | null
  readonly message: string
}
