/** Entering a center, and where a session begins. */
import { meQuery, queries } from './queries.ts'
import { type Session, switchCenter } from './session.ts'

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
