/** The edge of the desk: where you are, where you can go, and who you are. */
import { Link, Outlet } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Place } from '../app/navigation.ts'
import { useSite } from '../app/site.ts'
import { useSession } from '../app/use-store.ts'
import { Banners } from './banners.tsx'
import { Brand, bandOf } from './brand.tsx'
import { CenterMenu } from './center-menu.tsx'
import { ChainState } from './chain-state.tsx'
import { DoneMessage } from './done.tsx'
import { EnvironmentBadge } from './environment.tsx'
import { OperatorBanners } from './operator-banners.tsx'
import { Overlays, openHelp, openPalette } from './overlays.tsx'
import { Pause } from './pause.tsx'
import { PersonMenu } from './person-menu.tsx'
import { Ended } from './standing.tsx'
import { StopControl } from './stop.tsx'
import { TopNav } from './top-nav.tsx'
import { LeaveGuard } from './unsaved.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  readonly place: Place
  /** The address part of the center; absent outside of one. */
  readonly center?: string
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

export function Shell({ place, center = '' }: Properties) {
  const say = useUiWords()
  const page = useRef<HTMLElement>(null)
  const band = bandOf(useSite().data)
  const { session } = useSession()
  // On their own page a person sees what concerns the center that they have entered.
  const inCenter = place === 'me' ? session?.center?.domain : center
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
        <TopNav place={place} center={center} />
        <div className="top-end">
          <EnvironmentBadge />
          {place === 'center' && <ChainState center={center} />}
          <button type="button" className="quiet find" onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
            {say('find')}{' '}
            <span className="kbd" aria-hidden="true">
              {isMac ? '⌘K' : 'Ctrl K'}
            </span>
          </button>
          {place === 'center' && <StopControl center={center} />}
          <button type="button" className="quiet help-open" onClick={openHelp} aria-label={say('helpOpen')}>
            ?
          </button>
          <PersonMenu />
        </div>
      </header>
      <Pause />
      {inCenter && <Banners center={inCenter} />}
      {place === 'operator' && <OperatorBanners />}
      <main id="main" tabIndex={-1} ref={page}>
        <Outlet />
      </main>
      <Overlays place={place} center={center} />
      <Ended />
      <DoneMessage />
      <LeaveGuard page={page} />
    </>
  )
}
