/** What an open decision waits for. Pure. */

import type { ApprovingGuard } from '@countersign/contract/enums.ts'
import type { Config } from '../../../config.ts'
import type { CenterRow } from '../../../sealing/sealed-rows.ts'

export interface WaitingRow extends CenterRow {
  readonly event_id: string
  readonly since: string
  readonly reasons: readonly ApprovingGuard[]
  readonly policies: readonly { readonly id: string; readonly version: number; readonly digest: string }[]
  readonly expires_at: string | null
  readonly escalates_at: string | null
  readonly versions: number
}

/** The page on which a member approves a decision. The address contains no credential. */
export function approvalAddress({ authUrl }: Pick<Config, 'authUrl'>): (eventId: string) => string {
  const { origin } = new URL(authUrl)
  return (eventId) => `${origin}/approve/${eventId}`
}
