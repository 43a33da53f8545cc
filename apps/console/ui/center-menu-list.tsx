/** The way to the other centers. */
import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { useMe } from '../app/queries.ts'
import type { MenuButton } from './lazy-menu.tsx'
import { MenuFrame } from './menu-frame.tsx'
import { useUiWords } from './words.ts'

/** Of the centers in the menu; the others are on the page of all centers. */
const mostShown = 8

type Memberships = NonNullable<ReturnType<typeof useMe>['data']>['memberships']

export interface CenterMenuProperties {
  readonly button: MenuButton
  readonly here: string
  readonly own: Memberships
}

export default function CenterMenuList({ button, here, own }: CenterMenuProperties) {
  const say = useUiWords()
  const navigate = useNavigate()
  return (
    <MenuFrame button={button} position="bottom-start" width={280}>
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
    </MenuFrame>
  )
}
