/** A page of the settings, below the names of all of them. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../../ui/desk.tsx'
import './center.css'
import { useCenterWords } from './words.ts'

const groups = {
  center: { settings: '/settings', features: '/settings/features', branding: '/branding', domain: '/domain' },
  people: { signIn: '/settings/sign-in', channels: '/settings/channels' },
  contract: { subscription: '/subscription', data: '/data' },
} as const

interface Properties {
  readonly center: string
  readonly title: string
  readonly lede?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function SettingsContents({ center }: { readonly center: string }) {
  const say = useCenterWords()
  return (
    <nav className="center-contents" aria-label={say('settingsContents')}>
      {Object.entries(groups).map(([group, places]) => (
        <div key={group}>
          <b>{say(`settingsGroup_${group as keyof typeof groups}`)}</b>
          {Object.entries(places).map(([name, path]) => (
            <Link key={name} to={`/c/$center${path}`} params={{ center }} activeOptions={{ exact: true }}>
              {say(`settings_${name as 'settings'}`)}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  )
}

export const SettingsFrame = ({ center, title, lede, actions, children }: Properties) => (
  <Page title={title} lede={lede} actions={actions} contents={<SettingsContents center={center} />}>
    {children}
  </Page>
)
