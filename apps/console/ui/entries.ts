import { useQuery } from '@tanstack/react-query'
import { type NavigationEntry, type Place, useNavigationEntries } from '../app/navigation.ts'
import { centerQuery, useMe } from '../app/queries.ts'
import { useRoles } from '../app/role.ts'

/** What this person may see here, by any of their roles, and what the center uses. */
export function useEntries(place: Place, center: string): readonly NavigationEntry[] {
  const entries = useNavigationEntries()
  const { data: me } = useMe()
  const inCenter = useRoles(center)
  const { data: own } = useQuery({ ...centerQuery(center), enabled: place === 'center' && inCenter.length > 0 })
  const roles: readonly string[] = place === 'partner' ? [me?.partnerRole ?? ''] : inCenter
  const isUsed = ({ feature }: NavigationEntry) => feature === undefined || own?.settings.features[feature] !== false
  return entries.filter(
    (entry) =>
      entry.place === place && isUsed(entry) && (!entry.roles || entry.roles.some((role) => roles.includes(role))),
  )
}
