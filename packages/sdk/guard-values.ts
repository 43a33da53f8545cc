/** Values of a guarded call. */
import { CountersignError } from './errors.ts'

/**
 * Why a tool did not run. `refused`: by a policy, a person or an expiry. `withdrawn`: by whoever asked; to ask again, call with
 * a new id. `waiting`: call again later with the same id. `stale`: the approval was given and its time has passed; `policy`: a
 * policy asks for more than was given. After both the guard has asked anew, and gives up after nine times.
 * `changed`: the same id with other arguments. `unverified`: the proof does not hold, or shows no sufficient
 * approval. `done`: an earlier attempt ran it. `unknown`: an earlier attempt took it, and it is not known whether it ran.
 */
export type GuardReason =
  | 'refused'
  | 'withdrawn'
  | 'waiting'
  | 'stale'
  | 'policy'
  | 'changed'
  | 'unverified'
  | 'done'
  | 'unknown'

export class GuardError extends CountersignError {
  override readonly name = 'GuardError'
  readonly reason: GuardReason
  readonly eventId: string | null
  /** Where a person decides; only of a call that waits. */
  readonly approvalUrl: string | null

  constructor(
    reason: GuardReason,
    message: string,
    eventId: string | null,
    options: ErrorOptions & { readonly approvalUrl?: string | null } = {},
  ) {
    super(message, options)
    this.reason = reason
    this.eventId = eventId
    this.approvalUrl = options.approvalUrl ?? null
  }
}

/** What JSON makes of a value, frozen: what is approved, compared and run is the same. */
export function frozenJson<T extends object>(value: T): T {
  const freeze = (each: unknown): void => {
    if (typeof each !== 'object' || each === null) return
    Object.values(each).forEach(freeze)
    Object.freeze(each)
  }
  const copy = JSON.parse(JSON.stringify(value)) as T
  freeze(copy)
  return copy
}

const mostBytes = 16_384

/** The output of a tool as an object of at most 16,384 bytes; undefined for nothing. */
export function reportable(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined) return undefined
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    // A value that refers to itself, or a bigint.
  }
  if (text === undefined) return { omitted: 'not JSON' }
  const bytes = new TextEncoder().encode(text).length
  const isObject = text.startsWith('{')
  if (bytes > mostBytes - 20) return { omitted: `${bytes} bytes` }
  return isObject ? JSON.parse(text) : { result: JSON.parse(text) }
}
