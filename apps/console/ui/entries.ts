import { type NavigationEntry, type Place, useNavigationEntries } from '../app/navigation.ts'
import { useMe } from '../app/queries.ts'
import { useSession } from '../app/use-store.ts'

/** What this person may see here. */
export function useEntries(place: Place, center: string): readonly NavigationEntry[] {
  const entries = useNavigationEntries()
  const { data: me } = useMe()
  const { session } = useSession()
  const role = me?.memberships.find(({ centerDomain }) => centerDomain === center)?.role ?? session?.actor.role ?? ''
  return entries.filter((entry) => entry.place === place && (!entry.roles || entry.roles.includes(role)))
}
