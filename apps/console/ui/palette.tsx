/** Goes anywhere by typing: pages of every place that the person may enter, and centers. */
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { addressOf } from '../app/navigation.ts'
import { useMe } from '../app/queries.ts'
import { Dialog } from './dialog.tsx'
import { useEntries } from './entries.ts'
import { useUiWords } from './words.ts'

interface Found {
  readonly label: string
  readonly href: string
}

const mostShown = 9

export default function Palette({ center, onClose }: { readonly center: string; readonly onClose: () => void }) {
  const say = useUiWords()
  const navigate = useNavigate()
  const id = useId()
  const { data: me } = useMe()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const places = [useEntries('center', center), useEntries('me', center)].flat()
  const all: readonly Found[] = [
    ...places
      .filter(({ place }) => place !== 'center' || center !== '')
      .map((entry) => ({ label: say(entry.label), href: addressOf(entry, center) })),
    { label: say('profile'), href: '/me' },
    ...(me?.memberships ?? [])
      .filter(({ status }) => status === 'ACTIVE')
      .map(({ centerName, centerDomain }) => ({ label: centerName, href: `/c/${centerDomain}` })),
    { label: say('docs'), href: '/docs' },
    { label: say('verify'), href: '/verify' },
  ]
  const wanted = typed.trim().toLowerCase()
  const found = all.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, mostShown)
  const go = async ({ href }: Found) => {
    onClose()
    if (/^\/(docs|verify)/.test(href)) location.assign(href)
    else await navigate({ href })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt((at + step + found.length) % Math.max(1, found.length))
    }
    const chosen = found[at]
    if (event.key === 'Enter' && chosen) void go(chosen)
  }
  return (
    <Dialog title={say('findLabel')} onClose={onClose} className="palette">
      <input
        className="field"
        role="combobox"
        aria-label={say('findLabel')}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={say('find')}>
        {found.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
          <div
            key={each.href + each.label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onClick={() => void go(each)}
          >
            {each.label}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="soft">{say('findNothing')}</p>}
    </Dialog>
  )
}
