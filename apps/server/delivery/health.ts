/** The health of a target that gets many messages: when it is paused, and when it is given up. Pure. */

/** As a row has it, times in ISO 8601. */
export interface Health {
  /** Consecutive failures. */
  readonly failures: number
  /** When the first of them was. */
  readonly failing_since: string | null
  /** It gets nothing before this time. */
  readonly not_before: string | null
}

/** After this many consecutive failures, one attempt is made at a time until one succeeds. No attempt is delayed for it. */
export const breakerAt = 10
/** After this long with failures only, the target is disabled. */
const deadAfterMs = 5 * 24 * 60 * 60 * 1000

const time = (text: string | null): number | null => (text === null ? null : Date.parse(text))

export const isOpen = ({ failures }: Health): boolean => failures >= breakerAt

export const isPaused = ({ not_before }: Health, atMs: number): boolean => (time(not_before) ?? 0) > atMs

export const isDead = ({ failing_since }: Health, atMs: number): boolean =>
  failing_since !== null && atMs - Date.parse(failing_since) >= deadAfterMs

export const afterSuccess = ({ not_before }: Health): Health => ({ failures: 0, failing_since: null, not_before })

/** `pause`: until when the target gets nothing; a longer pause that is already set is kept. */
export function afterFailure(health: Health, at: string, pause: Date | null): Health {
  const until = Math.max(time(health.not_before) ?? 0, pause?.getTime() ?? 0)
  return {
    failures: health.failures + 1,
    failing_since: health.failing_since ?? at,
    not_before: until === 0 ? null : new Date(until).toISOString(),
  }
}
