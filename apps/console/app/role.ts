/** The role of the person in a center, as the server knows it. */
import { useMe } from './queries.ts'
import { useSession } from './use-store.ts'

export function useRole(center: string): string {
  const { data: me } = useMe()
  const { session } = useSession()
  return me?.memberships.find(({ centerDomain }) => centerDomain === center)?.role ?? session?.actor.role ?? ''
}
