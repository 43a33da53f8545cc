/** What a caller hands to the sequencer: what to hold still, and the judgement to make while it is held. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { Caller } from '../data/directory.ts'
import type { IdempotentRequest, StoredAnswer } from '../http/idempotency.ts'
import type { Problem } from '../lib/problem.ts'
import type { Batch } from './batch.ts'

/** What the row-level rules and the seal need to know of a center; read from the directory, never from the caller. */
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
  /** Rows that must not change while it is judged, and the chains that it may append to. */
  readonly holds: {
    readonly event?: string
    readonly decisionId?: string
    readonly unit?: string
    /** A run of a workflow, as long as its lease is of this epoch. */
    readonly execution?: { readonly id: string; readonly epoch: number }
    readonly chains: readonly Domain[]
  }
  /**
   * Decides and, only then, writes: it throws a Problem before its first write or not at all. It may run again when the
   * batch has to be repeated, so it keeps nothing outside the batch.
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
