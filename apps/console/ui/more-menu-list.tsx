/** What is behind the last word of the navigation. */
import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from './badge.tsx'
import type { MenuButton } from './lazy-menu.tsx'
import { MenuFrame } from './menu-frame.tsx'
import { useUiWords } from './words.ts'

export interface MoreWord {
  readonly href: string
  readonly label: string
  readonly isHere: boolean
  readonly isNewTab: boolean
  /** What waits behind it. */
  readonly waiting: number
  readonly state?: ReactNode
}

interface Properties {
  readonly button: MenuButton
  /** Words that the line has no room for. */
  readonly left: readonly MoreWord[]
  readonly always: readonly MoreWord[]
}

function Item({ href, label, isHere, isNewTab, waiting, state }: MoreWord) {
  const say = useUiWords()
  const navigate = useNavigate()
  if (isNewTab) {
    return (
      <Menu.Item component="a" href={href} target="_blank" rel="noopener">
        {label}
        <span aria-hidden="true"> ↗</span>
        <span className="unseen"> ({say('newTab')})</span>
      </Menu.Item>
    )
  }
  return (
    <Menu.Item aria-current={isHere ? 'page' : undefined} rightSection={state} onClick={() => navigate({ href })}>
      {label}
      <Badge count={waiting} />
    </Menu.Item>
  )
}

export default function MoreMenuList({ button, left, always }: Properties) {
  return (
    // Fixed: the line of words has no room below it.
    <MenuFrame button={button} position="bottom-start" floatingStrategy="fixed">
      <Menu.Dropdown className="more-words">
        {left.map((word) => (
          <Item key={word.href} {...word} />
        ))}
        {left.length > 0 && always.length > 0 && <Menu.Divider />}
        {always.map((word) => (
          <Item key={word.href} {...word} />
        ))}
      </Menu.Dropdown>
    </MenuFrame>
  )
}
