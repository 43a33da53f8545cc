/** The line of words at the top. Words that don't fit are behind the last one, with those of the center's own matters. */
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { addressOf, type NavigationEntry, type Place } from '../app/navigation.ts'
import { appsQuery } from '../app/queries.ts'
import { useBadges } from '../app/waiting-passkeys.ts'
import { Badge } from './badge.tsx'
import { ChainWord } from './chain-state.tsx'
import { useEntries } from './entries.ts'
import { useFitting } from './fitting.ts'
import { MoreMenu } from './more-menu.tsx'
import type { MoreWord } from './more-menu-list.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  readonly place: Place
  readonly center: string
}

/** The companion applications of a center: each link leads to a page that signs in there and goes on. */
function useAppWords(place: Place, center: string): readonly MoreWord[] {
  const say = useUiWords()
  const { data: apps = [] } = useQuery({ ...appsQuery(center), enabled: place === 'center' })
  return apps.map(({ app }) => ({
    ...{ href: `/c/${center}/apps/${app}`, label: say(`app${app}`) },
    ...{ isHere: false, isNewTab: true, waiting: 0 },
  }))
}

function Word({ href, label, isHere, isNewTab, waiting }: MoreWord) {
  const say = useUiWords()
  if (isNewTab) {
    return (
      <a href={href} target="_blank" rel="noopener">
        {label}
        <span aria-hidden="true"> ↗</span>
        <span className="unseen"> ({say('newTab')})</span>
      </a>
    )
  }
  return (
    // Without `exact`, the address of the place is current on all pages below it.
    <Link to={href} aria-current={isHere ? 'page' : undefined} activeProps={{}} activeOptions={{ exact: true }}>
      {label}
      <Badge count={waiting} />
    </Link>
  )
}

export function TopNav({ place, center }: Properties) {
  const say = useUiWords()
  const { pathname } = useLocation()
  const entries = useEntries(place, center)
  const waitingBehind = useBadges(place, center, entries)
  // The first word of a place begins the addresses of all others.
  const here = entries
    .map((entry) => addressOf(entry, center))
    .filter((href) => pathname === href || pathname.startsWith(`${href}/`))
    .reduce((longest, href) => (href.length > longest.length ? href : longest), '')
  const wordOf = (entry: NavigationEntry): MoreWord => {
    const href = addressOf(entry, center)
    return {
      ...{ href, label: say(entry.label), isHere: href === here, isNewTab: false, waiting: waitingBehind(entry) },
      ...(entry.label === 'navChain' && { state: <ChainWord center={center} /> }),
    }
  }
  const words = [...entries.filter(({ group }) => group !== 'more').map(wordOf), ...useAppWords(place, center)]
  const always = entries.filter(({ group }) => group === 'more').map(wordOf)
  const { ref, fitting } = useFitting(words.length, always.length > 0)
  const shown = words.slice(0, fitting)
  const copies = [...words, { href: '', label: say('more'), isNewTab: false, waiting: 0 }]
  return (
    <nav className="top-nav" aria-label={say('navigation')}>
      <span className="top-copies" ref={ref} aria-hidden="true">
        {copies.map(({ href, label, isNewTab, waiting }) => (
          // Of a style sheet, so that nobody finds a word twice.
          <i key={href} data-word={`${label}${isNewTab ? ' ↗' : ''}${waiting > 0 ? ' (99)' : ''}`} />
        ))}
      </span>
      {shown.map((word) => (
        <Word key={word.href} {...word} />
      ))}
      <MoreMenu left={words.slice(fitting)} always={always} />
    </nav>
  )
}
