import { type NavigationEntry, type Place, useNavigationEntries } from '../app/navigation.ts'
import { useMe } from '../app/queries.ts'
import { useRoles } from '../app/role.ts'

/** What this person may see here, by any of their roles. */
export function useEntries(place: Place, center: string): readonly NavigationEntry[] {
  const entries = useNavigationEntries()
  const { data: me } = useMe()
  const inCenter = useRoles(center)
  const roles: readonly string[] = place === 'partner' ? [me?.partnerRole ?? ''] : inCenter
  return entries.filter(
    (entry) => entry.place === place && (!entry.roles || entry.roles.some((role) => roles.includes(role))),
  )
}
