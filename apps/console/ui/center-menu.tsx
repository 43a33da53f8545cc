/** The center that the path names, and the way to others. */
import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { centerQuery, useMe } from '../app/queries.ts'
import { useSite } from '../app/site.ts'
import { useSession } from '../app/use-store.ts'
import { useUiWords } from './words.ts'

/** Of the centers in the menu; the others are on the page of all centers. */
const mostShown = 8

export function CenterMenu({ center: here }: { readonly center: string }) {
  const say = useUiWords()
  const navigate = useNavigate()
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
      <Menu position="bottom-start" width={280} withinPortal={false}>
        <Menu.Target>
          <button type="button" className="quiet center-name" title={say('switchCenter')}>
            {name || say('switchCenter')}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{say('switchCenter')}</Menu.Label>
          {own.slice(0, mostShown).map(({ centerDomain, centerName }) => (
            <Menu.Item
              key={centerDomain}
              aria-current={centerDomain === here ? 'true' : undefined}
              onClick={() => navigate({ href: `/c/${centerDomain}` })}
            >
              {centerName}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => navigate({ href: '/choose' })}>{say('allCenters')}</Menu.Item>
          {own.some(({ role }) => role !== 'CHILD') && (
            <Menu.Item onClick={() => navigate({ href: '/new' })}>{say('newPlace')}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {details?.sandbox && (
        <span className="badge" title={say('sandboxNote')}>
          <span aria-hidden="true">◇ </span>
          {say('sandbox')}
        </span>
      )}
    </>
  )
}
