/** Values of a guarded call. */
import { CountersignError } from './errors.ts'
import type { Refusal } from './guard-types.ts'

/**
 * Why a tool didn't run. `refused`: a policy or a person refused the call. `expired`: nobody decided in the time that a policy gives.
 * `replaced`: another decision took its place. `withdrawn`: the requester withdrew the request; to ask again after these, call with a
 * new ID. `waiting`: call again later with the same ID. `stale`: the approval's time has passed. `policy`: a
 * policy requires more than was given. In both cases the guard has asked again, and gives up after nine times.
 * `unconfirmed`: it was approved in an emergency, and its approval line objected or didn't confirm it in time; don't ask again without a person.
 * `frozen`: the agent, the API key or the action type is stopped; call again with the same ID when the stop is lifted.
 * `changed`: the same ID was used with different arguments. `unverified`: the proof isn't valid, or doesn't show a sufficient
 * approval. `done`: an earlier attempt ran the tool. `unknown`: an earlier attempt consumed the decision, and may or may not have run the tool.
 */
export type GuardReason =
  | 'refused'
  | 'expired'
  | 'replaced'
  | 'withdrawn'
  | 'waiting'
  | 'stale'
  | 'unconfirmed'
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
  /** Who refused, and in which words; null unless a person did. */
  readonly refusal: Refusal | null

  constructor(
    reason: GuardReason,
    message: string,
    eventId: string | null,
    options: ErrorOptions & { readonly approvalUrl?: string | null; readonly refusal?: Refusal | null } = {},
  ) {
    super(message, options)
    this.reason = reason
    this.eventId = eventId
    this.approvalUrl = options.approvalUrl ?? null
    this.refusal = options.refusal ?? null
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

/** The members of an object that stands for something else: a value that is no object, or one that is left out. */
const marks = ['result', 'omitted'] as const
const isMarked = (value: object): boolean => {
  const [name, ...more] = Object.keys(value)
  return more.length === 0 && marks.some((mark) => mark === name)
}

/** The output of a tool as an object of at most 16,384 bytes; undefined for nothing. `restored` gives it back. */
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
  if (bytes > mostBytes - 20) return { omitted: `${bytes} bytes` }
  const json = JSON.parse(text)
  return text.startsWith('{') && !isMarked(json) ? json : { result: json }
}

/** What was reported; null where it was left out. */
export function restored(output: Readonly<Record<string, unknown>> | undefined): { readonly value: unknown } | null {
  if (output === undefined || !isMarked(output)) return { value: output }
  return 'result' in output ? { value: output.result } : null
}
