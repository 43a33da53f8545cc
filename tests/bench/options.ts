/** The options and the result of every bench. */
export interface BenchOptions {
  readonly seconds: number
  readonly windows: number
  readonly rows: number
  readonly profile: boolean
  /** The folder of another version. */
  readonly other?: string | undefined
}

export interface BenchResult {
  readonly value: number
  readonly unit: string
  readonly bare: number
  readonly ratio: number
  readonly [more: string]: unknown
}
