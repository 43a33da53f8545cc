/** What every crash test takes and answers. */
export const sizes = ['events', 'endpoints', 'crashes'] as const

export interface ChaosOptions {
  /** The same seed makes the same choices; what the machine does in between is its own. */
  readonly seed: number
  readonly rounds: number
  /** How large it is, where it has a size that can be chosen. */
  readonly more: Readonly<Partial<Record<(typeof sizes)[number], number>>>
}

export interface ChaosResult {
  readonly rounds: number
  readonly contenders?: number
  readonly violations: number
  readonly [more: string]: unknown
}
