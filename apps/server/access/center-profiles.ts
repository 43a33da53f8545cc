/** What sealing needs to know about a center, cached for less than a second. */
import type { Vertical } from '@countersign/contract/enums.ts'
import type { Directory } from '../data/directory.ts'
import { briefCache } from '../lib/brief-cache.ts'
import type { CenterProfile } from '../sealing/item.ts'
import { completeSettings } from '../verticals/defaults.ts'
import { findProfile } from './queries.ts'

export interface KnownCenter extends CenterProfile {
  readonly status: string
  readonly timezone: string
  readonly locale: string
}

export interface CenterProfiles {
  profile(centerId: number): KnownCenter | Promise<KnownCenter>
}

const caller = { requestId: 'center-profile', actorId: null, centerId: 0 }

export function centerProfiles(directory: Directory): CenterProfiles {
  const profiles = briefCache<KnownCenter>({
    maxAgeMs: 800,
    load: async (centerId) => {
      const { id, settings, ...rest } = await directory.identity(caller, (tx) => findProfile(tx, Number(centerId)))
      // The same defaults as in the center's own settings: a setting that the center never made has its default here too.
      const { country, region, timezone, locale } = completeSettings(rest.vertical as Vertical, settings)
      return { centerId: id, ...rest, country, region, timezone, locale }
    },
    tagsOf: (profile) => [`center:${profile.centerId}`],
  })
  return { profile: (centerId) => profiles.get(String(centerId)) }
}
