import { type NavigationEntry, type Place, useNavigationEntries } from '../app/navigation.ts'
import { useRoles } from '../app/role.ts'

/** What this person may see here, by any of their roles. */
export function useEntries(place: Place, center: string): readonly NavigationEntry[] {
  const entries = useNavigationEntries()
  const roles = useRoles(center)
  return entries.filter(
    (entry) => entry.place === place && (!entry.roles || entry.roles.some((role) => roles.includes(role))),
  )
}
