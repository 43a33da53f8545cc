/** The last word of the navigation. */
import { Badge } from './badge.tsx'
import { lazyMenu } from './lazy-menu.tsx'
import type { MoreWord } from './more-menu-list.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  /** Words that the line has no room for. */
  readonly left: readonly MoreWord[]
  readonly always: readonly MoreWord[]
}

const List = lazyMenu<Properties>(() => import('./more-menu-list.tsx'))

export function MoreMenu({ left, always }: Properties) {
  const say = useUiWords()
  const all = [...left, ...always]
  if (all.length === 0) return null
  const label = (
    <>
      {say('more')}
      <Badge count={all.reduce((sum, { waiting }) => sum + waiting, 0)} />
    </>
  )
  const isHere = all.some((each) => each.isHere) || undefined
  return <List button={{ className: 'quiet', 'data-here': isHere, children: label }} left={left} always={always} />
}
