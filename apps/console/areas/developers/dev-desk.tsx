/** The pages for developers: their names in the tray, one page beside it. */
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Desk, Sheet, useTitle } from '../../ui/desk.tsx'
import './developers.css'
import { useDeveloperWords } from './words.ts'

const center = getRouteApi('/c/$center')
const places = ['start', 'keys', 'webhooks', 'signature', 'events'] as const
export type DevPlace = (typeof places)[number]

export const usePlaceOf = () => {
  const { center: domain } = center.useParams()
  return (place: DevPlace) => `/c/${domain}/developers${place === 'start' ? '' : `/${place}`}`
}

export function DevTray({ here, small }: { readonly here: DevPlace; readonly small?: boolean }) {
  const say = useDeveloperWords()
  const placeOf = usePlaceOf()
  return (
    <nav className={small ? 'dev-places small' : 'dev-places'} aria-label={say('title')}>
      {places.map((place) => (
        <Link
          key={place}
          className="item"
          to={placeOf(place)}
          activeOptions={{ exact: true }}
          aria-current={place === here ? 'page' : undefined}
        >
          <b>{say(place)}</b>
          <span className="sub">{say(`sub_${place}`)}</span>
        </Link>
      ))}
    </nav>
  )
}

interface Properties {
  readonly here: DevPlace
  readonly title: string
  readonly lede?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly margin?: ReactNode
}

export function DevPage({ here, title, lede, actions, children, margin }: Properties) {
  const say = useDeveloperWords()
  useTitle(title)
  const list = (
    <>
      <div className="tray-head">
        <p className="dev-title">{say('title')}</p>
      </div>
      <DevTray here={here} />
    </>
  )
  const sheet = (
    <Sheet label={title}>
      <div className="dev-narrow">
        <DevTray here={here} small />
      </div>
      <header className="dev-head">
        <div>
          <h1>{title}</h1>
          {lede && <p className="dev-measure">{lede}</p>}
        </div>
        {actions}
      </header>
      {children}
    </Sheet>
  )
  return <Desk list={list} listLabel={say('title')} sheet={sheet} margin={margin} />
}
