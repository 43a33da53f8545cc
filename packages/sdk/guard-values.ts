/** Values of a guarded call. */
import { CountersignError } from './errors.ts'

/**
 * Why a tool didn't run. `refused`: a policy or a person refused the call, or it expired. `withdrawn`: the requester withdrew the request;
 * to ask again, call with a new ID. `waiting`: call again later with the same ID. `stale`: the approval's time has passed. `policy`: a
 * policy requires more than was given. In both cases the guard has asked again, and gives up after nine times.
 * `frozen`: the agent, the API key or the action type is stopped; call again with the same ID when the stop is lifted.
 * `changed`: the same ID was used with different arguments. `unverified`: the proof isn't valid, or doesn't show a sufficient
 * approval. `done`: an earlier attempt ran the tool. `unknown`: an earlier attempt consumed the decision, and may or may not have run the tool.
 */
export type GuardReason =
  | 'refused'
  | 'withdrawn'
  | 'waiting'
  | 'stale'
  | 'policy'
  | 'frozen'
  | 'changed'
  | 'unverified'
  | 'done'
  | 'unknown'

export class GuardError extends CountersignError {
  override readonly name = 'GuardError'
  readonly reason: GuardReason
  readonly eventId: string | null
  /** The page where a person decides; null unless the call is waiting. */
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
