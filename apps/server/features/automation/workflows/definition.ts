/** What a workflow is to the engine. The composition root passes the definitions; those of the product are in workflow-library/. */
import type { Vertical } from '@countersign/contract/enums.ts'
import type { CountedState } from '@countersign/contract/workflows.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import type { Language } from '@countersign/words/say.ts'
import type { Terms } from '@countersign/words/terms.ts'
import type { TObject } from 'typebox'
import type { TenantTx } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { AiProvider } from './ai/provider.ts'

/** What can start a workflow of type EVENT. The transaction that records the event also starts the execution. */
export type StartingEvent =
  | 'booking.created'
  | 'payment.completed'
  | 'payment.failed'
  | 'attendance.verified'
  | 'certificate.issued'

interface Common {
  /** Such as `rehabilitation.weekly-progress`. It never changes: the public id is made of it. */
  readonly key: string
  readonly name: string
  /** By language, with places for the words of a center, where a center of that language knows it by another name. */
  readonly names?: Readonly<Partial<Record<Language, string>>>
  /** One sentence for people who choose whether to start it. */
  readonly description: string
  readonly vertical: Vertical
  /** At most one execution per workflow and center at a time. */
  readonly alone: boolean
  /** Closed. Every property has a default or is required; a schedule and an event need defaults for all. */
  readonly parameters: TObject
  /** At least one, with different names. The last one returns a Draft. */
  readonly steps: readonly Step[]
}

export interface ScheduledDefinition extends Common {
  readonly type: 'SCHEDULED'
  /** Five fields. In the center's time zone unless one is given. */
  readonly schedule: { readonly cron: string; readonly timezone?: string }
}
export interface ManualDefinition extends Common {
  readonly type: 'MANUAL'
}
export interface EventDefinition extends Common {
  readonly type: 'EVENT'
  readonly event: StartingEvent
}

/** A person may start every workflow at any time, whatever its type. */
export type Definition = ScheduledDefinition | ManualDefinition | EventDefinition

export interface Step {
  readonly name: string
  readonly timeoutSeconds: number
  /** The most attempts, 1 or more. */
  readonly attempts: number
  /** The pause before the second attempt. It doubles with each further attempt. */
  readonly backoffSeconds: number
  /**
   * Its output is recorded and passed to the steps after it. A step may run again when a worker dies, so it only reads
   * and computes: a write would happen twice. What the first step returns as `counted` is shown beside the draft.
   */
  run(context: StepContext): Promise<Json>
  /** The output where every attempt has failed, with the reason. Without it the execution fails. */
  otherwise?(reason: string): Json
}

/** The rows that a draft counts, newest first; `total` has also those that are cut off. People are labels, as in the draft. */
export interface Counted {
  readonly rows: readonly {
    readonly at: string
    readonly who: string | null
    readonly by: string | null
    readonly state: CountedState
  }[]
  readonly total: number
}

export interface WorkflowCenter extends CenterProfile {
  readonly timezone: string
  readonly locale: string
  readonly terms: Terms
}

export interface StepContext {
  readonly center: WorkflowCenter
  /** As people see it: exe_… */
  readonly executionId: string
  /** Complete and checked against the definition. */
  readonly parameters: Readonly<Record<string, Json>>
  /** Of the steps before this one, by name. */
  readonly outputs: Readonly<Record<string, Json>>
  /** The due time of a schedule; null when a person or an event started it. */
  readonly scheduledFor: Date | null
  readonly startedAt: Date
  /** What happened; null unless an event started the execution. */
  readonly event: { readonly type: string; readonly data: Readonly<Record<string, Json>> } | null
  /** A read-only transaction of the center. */
  read<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  readonly ai: AiProvider
  /** Aborted at the time-out, at a cancellation, and when the process stops. */
  readonly signal: AbortSignal
}

/** The result of a workflow. The engine seals it as a dpu at level DRAFT. */
export interface Draft {
  readonly content: string
  readonly tags: readonly string[]
  readonly metadata?: Readonly<Record<string, Json>>
  /** The model that took part; null where none did. */
  readonly ai: {
    readonly model: string
    readonly provider: string
    readonly confidence: number | null
    readonly promptHash: string
  } | null
}

/** Why a step failed, in a message for people: what happened and what to do. */
export class StepFailure extends Error {
  readonly retry: boolean
  readonly retryAfterSeconds: number | null
  constructor(message: string, { retry, retryAfterSeconds }: { retry: boolean; retryAfterSeconds?: number }) {
    super(message)
    this.name = 'StepFailure'
    this.retry = retry
    this.retryAfterSeconds = retryAfterSeconds ?? null
  }
}
