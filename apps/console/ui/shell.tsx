/** The edge of the desk: where you are, where you can go, and who you are. */
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { addressOf, type NavigationEntry, type Place } from '../app/navigation.ts'
import { useSite } from '../app/site.ts'
import { useBadges } from '../app/waiting-passkeys.ts'
import { AppLinks } from './app-links.tsx'
import { Badge } from './badge.tsx'
import { Brand, bandOf } from './brand.tsx'
import { CenterMenu } from './center-menu.tsx'
import { useEntries } from './entries.ts'
import { EnvironmentBadge } from './environment.tsx'
import { IntegrityLine } from './integrity-line.tsx'
import { MoreMenu, PersonMenu } from './menus.tsx'
import { Overlays, openPalette } from './overlays.tsx'
import { Pause } from './pause.tsx'
import { Ended } from './standing.tsx'
import { StopBand, StopControl } from './stop.tsx'
import { SubscriptionBand } from './subscription-band.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  readonly place: Place
  /** The address part of the center; absent outside of one. */
  readonly center?: string
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

export function Shell({ place, center = '' }: Properties) {
  const say = useUiWords()
  const { pathname } = useLocation()
  const band = bandOf(useSite().data)
  const entries = useEntries(place, center)
  const main = entries.filter(({ group }) => group !== 'more')
  const waitingBehind = useBadges(place, center, entries)
  const more = entries.filter(({ group }) => group === 'more')
  const isHere = (entry: NavigationEntry) => {
    const address = addressOf(entry, center)
    return entry.path === '' ? pathname === address : pathname === address || pathname.startsWith(`${address}/`)
  }
  return (
    <>
      <a className="skip" href="#main">
        {say('skip')}
      </a>
      <header {...band} className={`top ${band.className ?? ''}`}>
        <div className="top-brand">
          <Link to="/" className="top-mark">
            <Brand />
          </Link>
          <CenterMenu center={center} />
        </div>
        <nav className="top-nav" aria-label={say('navigation')}>
          {main.map((entry) => (
            <Link
              key={entry.path}
              to={addressOf(entry, center)}
              aria-current={isHere(entry) ? 'page' : undefined}
              activeProps={{}}
              activeOptions={{ exact: entry.path === '' }}
            >
              {say(entry.label)}
              <Badge count={waitingBehind(entry)} />
            </Link>
          ))}
          {place === 'center' && <AppLinks center={center} />}
          {more.length > 0 && <MoreMenu entries={more} center={center} isHere={isHere} waitingBehind={waitingBehind} />}
        </nav>
        <div className="top-end">
          <EnvironmentBadge />
          <button type="button" className="quiet find" onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
            {say('find')}{' '}
            <span className="kbd" aria-hidden="true">
              {isMac ? '⌘K' : 'Ctrl K'}
            </span>
          </button>
          {place === 'center' && <StopControl center={center} />}
          <PersonMenu />
        </div>
      </header>
      <Pause />
      {place === 'center' && <IntegrityLine center={center} />}
      {place === 'center' && <SubscriptionBand center={center} />}
      {place === 'center' && <StopBand center={center} />}
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Overlays place={place} center={center} />
      <Ended />
    </>
  )
}
