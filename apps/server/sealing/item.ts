/** What a caller submits to the sequencer: the rows to lock, and the judge function that runs while they are locked. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { Caller } from '../data/directory.ts'
import type { IdempotentRequest, StoredAnswer } from '../http/idempotency.ts'
import type { Problem } from '../lib/problem.ts'
import type { Batch } from './batch.ts'

/** The facts of a center for row-level security and the seal; read from the directory, never from the caller. */
export interface CenterProfile {
  readonly centerId: number
  readonly cell: string
  readonly name: string
  readonly vertical: string
  readonly country: string | null
  readonly region: string | null
}

export interface SealItem<T> {
  readonly center: CenterProfile
  readonly caller: Caller
  /** Rows that must not change while the item is judged, and the chains that it may append to. */
  readonly holds: {
    readonly event?: string
    readonly decisionId?: string
    readonly dpu?: string
    /** A workflow execution, while its lease has this epoch. */
    readonly execution?: { readonly id: string; readonly epoch: number }
    readonly chains: readonly Domain[]
  }
  /**
   * Decides first and writes after: it throws a Problem before its first write or not at all. It runs again when the
   * batch is repeated, so it keeps no state outside the batch.
   */
  readonly judge: (batch: Batch) => T
}

/** The record of an Idempotency-Key, committed with the effect. */
export interface Claim<T> {
  readonly request: IdempotentRequest
  readonly render: (outcome: T) => StoredAnswer
  readonly refuse: (problem: Problem) => StoredAnswer
}

export type SealOutcome<T> = { readonly result: T } | { readonly replay: StoredAnswer }
