/** What the address of a webhook says about its deliveries. */
export const states = ['success', 'failed', 'pending', 'held'] as const

export interface DeliveriesSearch {
  readonly state?: (typeof states)[number]
  /** The event whose attempts are shown. */
  readonly event?: string
}
