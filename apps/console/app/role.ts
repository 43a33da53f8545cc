/** The roles of the person in a center and at a partner, as the server knows them. */
import { useMe } from './queries.ts'
import { useSession } from './use-store.ts'

/** The highest first. Before the server has said them, the one with which the session began. */
export function useRoles(center: string): readonly string[] {
  const { data: me } = useMe()
  const { session } = useSession()
  const own = me?.memberships.find(({ centerDomain }) => centerDomain === center)
  return own?.roles ?? (session ? [session.actor.role] : [])
}

/** Whether the person may change what the partner has: an operator reads and creates. Undefined until the server has said it. */
export function usePartnerAdmin(): boolean | undefined {
  const { data: me } = useMe()
  return me && me.partnerRole === 'PARTNER_ADMIN'
}

/** The highest one. */
export const useRole = (center: string): string => useRoles(center)[0] ?? ''
