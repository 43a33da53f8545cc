/** The center that the path names, and the way to others. */
import { useQuery } from '@tanstack/react-query'
import { centerQuery, useMe } from '../app/queries.ts'
import { useSite } from '../app/site.ts'
import { useSession } from '../app/use-store.ts'
import type { CenterMenuProperties } from './center-menu-list.tsx'
import { lazyMenu } from './lazy-menu.tsx'
import { useUiWords } from './words.ts'

const List = lazyMenu<Omit<CenterMenuProperties, 'button'>>(() => import('./center-menu-list.tsx'))

export function CenterMenu({ center: here }: { readonly center: string }) {
  const say = useUiWords()
  const { data: me } = useMe()
  const { session } = useSession()
  const { data: site } = useSite()
  // Outside of a center, the one that the session is in.
  const center = here || (session?.center?.domain ?? '')
  const entered = session?.center?.domain === here && here !== ''
  const { data: details } = useQuery({ ...centerQuery(center), enabled: entered })
  const own = me?.memberships.filter(({ status }) => status === 'ACTIVE') ?? []
  const membership = own.find(({ centerDomain }) => centerDomain === center)
  const name = membership?.centerName ?? (session?.center?.domain === center ? session.center.name : center)
  // On the domain of a center a session is good for that center only, whose name is the brand.
  if (site || (name === '' && own.length === 0)) return null
  return (
    <>
      <List
        button={{ className: 'quiet center-name', title: say('switchCenter'), children: name || say('switchCenter') }}
        here={here}
        own={own}
      />
      {details?.sandbox && (
        <span className="badge" title={say('sandboxNote')}>
          <span aria-hidden="true">◇ </span>
          {say('sandbox')}
        </span>
      )}
    </>
  )
}
