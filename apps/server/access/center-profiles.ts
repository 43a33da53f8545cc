/** What sealing, and the promises of plans and switches, need to know about a center. */
import type { SubscriptionStatus, Vertical } from '@countersign/contract/enums.ts'
import type { Terms } from '@countersign/words/terms.ts'
import { gather } from '../concurrency/gather.ts'
import type { CenterProfile } from '../data/center-profile.ts'
import type { Directory } from '../data/directory.ts'
import { type Coverage, lookupCache } from '../lib/lookup-cache.ts'
import { completeSettings } from '../verticals/defaults.ts'
import { findProfiles, type ProfileRow } from './queries.ts'

export interface KnownCenter extends CenterProfile {
  readonly status: string
  /** The account that created it for itself, or the center whose sandbox it is; null if a partner or the operator created it. */
  readonly owner: string | null
  readonly timezone: string
  /** Asks its ADMINs for a passkey that counts in it. */
  readonly adminPasskeys: boolean
  readonly locale: string
  /** What it calls its people and appointments. */
  readonly terms: Terms
  readonly features: Readonly<Record<string, boolean>>
  /** Null without a subscription, and therefore without limits. */
  readonly subscription: {
    readonly planName: string
    readonly status: SubscriptionStatus
    readonly webhooks: number
    /** Of the version of the plan that the subscription was made under. */
    readonly features: readonly string[]
  } | null
  /** Null while it is not suspended. */
  readonly suspendedBy: 'partner' | 'operator' | null
}

export interface CenterProfiles {
  profile(centerId: number): KnownCenter | Promise<KnownCenter>
  /** After any change of `center:<id>`. */
  forget(tag: string): void
}

const caller = { requestId: 'center-profile', actorId: null, centerId: 0 }

export function profileOf(row: ProfileRow): KnownCenter {
  const { center_id: centerId, cell, name, vertical, status, country, region, inherited, owner, settings } = row
  const { plan_id: planId, subscription: standing } = row
  // The same defaults as in the center's own settings: a setting that the center never changed has its default here too.
  const { timezone, locale, terms, features } = completeSettings(vertical as Vertical, settings)
  const subscription =
    planId === null || standing === null
      ? null
      : { planName: row.plan_name, status: standing, webhooks: row.webhooks, features: row.plan_features }
  const own = { centerId, cell, name, vertical, status, country, region, inherited }
  const { admin_passkeys: adminPasskeys, suspended_by: suspendedBy } = row
  return { ...own, owner, adminPasskeys, timezone, locale, terms, features, subscription, suspendedBy }
}

export function centerProfiles(directory: Directory, coverage: Coverage): CenterProfiles {
  const read = gather(async (ids) => {
    const rows = await directory.identity(caller, (tx) => findProfiles(tx, ids.map(Number)), 'read')
    return new Map(rows.map((row) => [String(row.center_id), profileOf(row)]))
  })
  const profiles = lookupCache<KnownCenter>({
    coverage,
    load: async (id) => {
      const found = await read(id)
      if (!found) throw new Error(`there is no center with the ID ${id}`)
      return found
    },
    tagsOf: ({ centerId }) => [`center:${centerId}`],
  })
  return { profile: (centerId) => profiles.get(String(centerId)), forget: profiles.forget }
}
