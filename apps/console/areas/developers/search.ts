/** What the address of a webhook says about its deliveries. */
export const states = ['success', 'failed', 'pending', 'held'] as const

export interface DeliveriesSearch {
  readonly state?: (typeof states)[number]
  /** The event whose attempts are shown. */
  readonly event?: string
}

/** Opens the form for a new key, filled in: the command's addresses have these. Nothing is created before a person presses. */
export interface KeysSearch {
  readonly name?: string
  readonly scopes?: string
  readonly agent?: string
}
