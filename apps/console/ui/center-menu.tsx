/** The center that the path names, and the way to others. */
import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMe } from '../app/queries.ts'
import { useSession } from '../app/session.ts'
import { useUiWords } from './words.ts'

/** Of the centers in the menu; the others are on the page of all centers. */
const mostShown = 8

export function CenterMenu({ center }: { readonly center: string }) {
  const say = useUiWords()
  const navigate = useNavigate()
  const { data: me } = useMe()
  const { session } = useSession()
  const own = me?.memberships.filter(({ status }) => status === 'ACTIVE') ?? []
  const here = own.find(({ centerDomain }) => centerDomain === center)
  const name = here?.centerName ?? (session?.center?.domain === center ? session.center.name : center)
  if (name === '' && own.length === 0) return null
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
              aria-current={centerDomain === center ? 'true' : undefined}
              onClick={() => navigate({ href: `/c/${centerDomain}` })}
            >
              {centerName}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => navigate({ href: '/choose' })}>{say('allCenters')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {/-sandbox$/.test(center) && (
        <span className="badge" title={say('sandboxNote')}>
          {say('sandbox')}
        </span>
      )}
    </>
  )
}
