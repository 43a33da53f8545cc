/** The options and the result of every crash test. */
export const sizes = ['events', 'endpoints', 'crashes', 'minutes'] as const

export interface ChaosOptions {
  /** The same seed makes the same choices; the timing of the machine still varies. */
  readonly seed: number
  readonly rounds: number
  /** The size of the test, where it is configurable; `minutes`: after which no further round begins. */
  readonly more: Readonly<Partial<Record<(typeof sizes)[number], number>>>
}

export interface ChaosResult {
  readonly rounds: number
  readonly contenders?: number
  readonly violations: number
  readonly [more: string]: unknown
}
