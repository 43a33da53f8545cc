/** What a plot draws. */
export interface Series {
  readonly id: string
  readonly name: string
  /** How it is drawn; series differ by pattern, never by color alone. */
  readonly look: 'solid' | 'dashed' | 'filled' | 'outlined' | 'dotted' | 'failed'
  readonly values: readonly (number | null)[]
}

export interface PlotPoint {
  readonly key: string
  /** In the table, and where the hand is. */
  readonly label: string
  /** Under the axis. */
  readonly short: string
}
