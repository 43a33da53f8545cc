/** Goes anywhere by typing: pages of every place that the person may enter, centers, and what the entered center has. */
import type { Found as FoundInCenter } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { api } from '../app/api.ts'
import { useDocs } from '../app/docs.ts'
import { type Language, useLanguage } from '../app/i18n.ts'
import { addressOf } from '../app/navigation.ts'
import { useMe } from '../app/queries.ts'
import { useRoles } from '../app/role.ts'
import { timeText } from './clock.ts'
import { Dialog } from './dialog.tsx'
import { useEntries } from './entries.ts'
import { useUiWords } from './words.ts'

interface Found {
  readonly label: string
  /** What kind of thing it is, and when. */
  readonly about?: string
  readonly href: string
}

const mostShown = 9
/** Of each kind, so that every kind has room. */
const mostOfKind = 4
const leastTyped = 2
const longestQuestion = 200
const pauseMs = 150

type Words = ReturnType<typeof useUiWords>

function foundIn(center: string, found: FoundInCenter, language: Language, say: Words): readonly Found[] {
  const at = (path: string, search: Readonly<Record<string, string>>) =>
    `/c/${center}${path}?${new URLSearchParams(search)}`
  const { decisions, people, bookings, policies } = found
  return [
    ...decisions.map(({ eventId, headline, createdAt }) => ({
      label: headline[language],
      about: `${say('findDecision')} · ${timeText(createdAt, language, 'day')}`,
      href: at('/decisions', { id: eventId }),
    })),
    ...(people ?? []).map(({ name, membershipId }) => ({
      label: name,
      about: say('findPerson'),
      href: at('/members', { member: membershipId }),
    })),
    ...bookings.map(({ id, clientName, startsAt }) => ({
      label: clientName ?? '',
      about: `${say('findBooking')} · ${timeText(startsAt, language, 'day')} ${timeText(startsAt, language, 'clock')}`,
      href: at('/bookings', { view: 'list', booking: id }),
    })),
    ...(policies ?? []).map(({ name, id }) => ({
      label: name,
      about: say('findPolicy'),
      href: at('/policies', { policy: id }),
    })),
  ]
}

export default function Palette({ center, onClose }: { readonly center: string; readonly onClose: () => void }) {
  const say = useUiWords()
  const navigate = useNavigate()
  const id = useId()
  const language = useLanguage()
  const docs = useDocs()
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
    { label: say('docs'), href: docs },
    { label: say('verify'), href: '/verify' },
  ]
  const wanted = typed.trim().toLowerCase()
  const roles = useRoles(center)
  const isStaff = center !== '' && (roles.includes('ADMIN') || roles.includes('INSTRUCTOR'))
  const asked = useDeferredValue(typed.trim())
  const search = useQuery({
    queryKey: ['search', center, asked],
    enabled: isStaff && asked.length >= leastTyped,
    // A word that is still being typed is no reason to ask again and again.
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      signal.throwIfAborted()
      return api.search.all({ q: asked.slice(0, longestQuestion), limit: mostOfKind }, { signal })
    },
    placeholderData: (before) => before,
    retry: false,
  })
  const inCenter =
    isStaff && wanted.length >= leastTyped && search.data ? foundIn(center, search.data, language, say) : []
  const more: readonly Found[] =
    isStaff && wanted.length >= leastTyped
      ? [
          {
            label: say('findAll', { text: typed.trim() }),
            href: `/c/${center}/search?${new URLSearchParams({ q: typed.trim().slice(0, longestQuestion) })}`,
          },
        ]
      : []
  const pages = all.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, mostShown)
  const found = [...pages.slice(0, wanted === '' ? mostShown : mostOfKind), ...inCenter, ...more]
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
            {each.about && <span className="small soft"> · {each.about}</span>}
          </div>
        ))}
      </div>
      {pages.length + inCenter.length === 0 && !search.isFetching && <p className="soft">{say('findNothing')}</p>}
    </Dialog>
  )
}
