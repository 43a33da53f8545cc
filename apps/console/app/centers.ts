/** Entering a center, and where a session begins. */
import { centerQuery, meQuery, queries } from './queries.ts'
import { type Session, switchCenter } from './session.ts'
import { showTermsOf } from './terms.ts'
import { setZone } from './zone.ts'

export class NoWayIn extends Error {
  readonly code = 'NO_MEMBERSHIP'
}

/** The session moves to this center. What was read in another one is forgotten. */
export async function enterCenter(domain: string): Promise<void> {
  const { memberships } = await queries.fetchQuery(meQuery)
  const found = memberships.find(({ centerDomain, status }) => centerDomain === domain && status === 'ACTIVE')
  if (!found) throw new NoWayIn(domain)
  await switchCenter(found.centerId)
  queries.clear()
}

/** A page of a center waits for this, so that no time appears in another zone and no word of another trade first. Without an answer the browser's zone stays. */
export async function learnCenter(domain: string): Promise<void> {
  const center = await queries.ensureQueryData(centerQuery(domain)).catch(() => null)
  if (center) setZone(domain, center.settings.timezone)
  showTermsOf(domain)
}

const pages: Readonly<Record<string, string>> = {
  tenant_picker: '/choose',
  waiting: '/waiting',
  onboarding: '/onboarding',
  partner_dashboard: '/p',
}

/** The page that the server names after signing in. */
export function startOf({ destination, center, operator }: Session): string {
  // An operator need not belong to a center.
  if (operator && destination === 'onboarding') return '/operator'
  return pages[destination] ?? (center ? `/c/${center.domain}` : '/choose')
}
