/** What a workflow is, as code: one file each under definitions/, all of them in definitions/all.ts. */
import type { Vertical } from '@countersign/contract/enums.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import type { TObject } from 'typebox'
import type { TenantTx } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../sealing/item.ts'
import type { AiProvider } from './ai/provider.ts'

/** What can start a workflow of type EVENT: each is written by a transaction of the center that starts it too. */
export type StartingEvent =
  | 'booking.created'
  | 'payment.completed'
  | 'payment.failed'
  | 'attendance.verified'
  | 'certificate.issued'

interface Common {
  /** Stable for ever, such as `rehabilitation.weekly-progress`: the public id is made of it. */
  readonly key: string
  readonly name: string
  /** One sentence for people who choose whether to run it. */
  readonly description: string
  readonly vertical: Vertical
  /** At most one run per workflow and center at a time. */
  readonly alone: boolean
  /** Closed; every property has a default or is required. A schedule or an event gives none, so it needs defaults. */
  readonly parameters: TObject
  /** At least one; names differ. The last one answers with a Draft. */
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

/** Whatever its type, a person may run it at any time. */
export type Definition = ScheduledDefinition | ManualDefinition | EventDefinition

export interface Step {
  readonly name: string
  readonly timeoutSeconds: number
  /** How often it is tried at most, 1 or more. */
  readonly attempts: number
  /** Before the second attempt; doubles with each further one. */
  readonly backoffSeconds: number
  /**
   * Its answer is recorded and handed to the steps after it. It may run again when a worker dies, so it reads and
   * computes; whatever lasts is made of what it answers.
   */
  run(context: StepContext): Promise<Json>
}

export interface WorkflowCenter extends CenterProfile {
  readonly timezone: string
  readonly locale: string
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
  /** What happened, for a run that an event started. */
  readonly event: { readonly type: string; readonly data: Readonly<Record<string, Json>> } | null
  /** A read-only transaction of the center. */
  read<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  readonly ai: AiProvider
  /** Aborted at the time-out, at a cancellation, and when the process stops. */
  readonly signal: AbortSignal
}

/** What a workflow leaves behind: the runner makes the decision proof unit of it, at level DRAFT. */
export interface Draft {
  readonly content: string
  readonly tags: readonly string[]
  readonly metadata?: Readonly<Record<string, Json>>
  /** How a model took part; null where none did. */
  readonly ai: {
    readonly model: string
    readonly provider: string
    readonly confidence: number | null
    readonly promptHash: string
  } | null
}

/** Why a step did not work, for a person to read: what happened and what to do. */
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
