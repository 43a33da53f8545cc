/** Faults of an entry about the execution of a decision, as a message, or null. Pure. */
import type { EntryRow } from '../../../integrity/verify-queries.ts'
import type { StoredExecution } from './queries.ts'

export interface DisclosedStep {
  readonly action: string
  readonly executor: string
  readonly by: { readonly id: string }
  readonly actionDigest?: string
  readonly status?: string
}

/** Each step is written together with its entry and must match it; the action is the one of the decision. */
export function executionFault(entry: EntryRow, said: DisclosedStep, stored: StoredExecution | null): string | null {
  const step = places.find((place) => stored?.[`${place}_index`] === entry.idx)
  if (!stored || !step) return "the entry's execution is missing"
  const consumes = step === 'consumed'
  const agrees =
    said.action === (consumes ? 'consumed' : 'outcome') &&
    stored[consumes ? 'executor' : `${step}_executor`] === said.executor &&
    stored[`${step}_by`] === said.by.id &&
    new Date(stored[`${step}_at`] as string).toISOString() === entry.sealed_at &&
    (consumes
      ? stored.action_digest === said.actionDigest && outcomes.every((place) => isWhole(stored, place))
      : stored[`${step}_status`] === said.status)
  return agrees ? null : "the entry's execution doesn't match what was sealed"
}

/** An outcome has all of its columns, with the index of the entry that is compared with them, or none. */
const isWhole = (stored: StoredExecution, place: string): boolean => {
  const columns = ['status', 'executor', 'by', 'at', 'index'].map((name) => stored[`${place}_${name}`] ?? null)
  return new Set(columns.map((value) => value === null)).size === 1
}

const outcomes = ['outcome', 'later'] as const
const places = ['consumed', ...outcomes] as const
