/** What opens over every view: the command palette, the help, and the keys that open them. */
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useShortcuts } from '../app/keys.ts'
import { addressOf, type Place } from '../app/navigation.ts'
import { useEntries } from './entries.ts'
import { useUiWords } from './words.ts'

const Palette = lazy(() => import('./palette.tsx'))
const HelpPanel = lazy(() => import('./help/panel.tsx'))

type Shown = 'nothing' | 'palette' | 'help'
let shown: Shown = 'nothing'
const listeners = new Set<() => void>()

function show(next: Shown): void {
  shown = next
  for (const tell of listeners) tell()
}

export const openPalette = (): void => show('palette')
export const openHelp = (): void => show('help')

const subscribe = (tell: () => void): (() => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export function Overlays({ place, center }: { readonly place: Place; readonly center: string }) {
  const say = useUiWords()
  const navigate = useNavigate()
  // Of this person: a key leads nowhere that they may not see.
  const entries = useEntries(place, center)
  useShortcuts([
    { keys: 'mod+k', label: say('keysFind'), run: openPalette, everywhere: true },
    { keys: '?', label: say('keysHelp'), run: openHelp, everywhere: true },
    ...entries.flatMap((entry) => {
      const run = () => void navigate({ href: addressOf(entry, center) })
      return entry.key
        ? [
            {
              keys: `g ${entry.key}`,
              label: say('keysGo', { label: say(entry.label) }),
              run,
              everywhere: true as const,
            },
          ]
        : []
    }),
  ])
  const open = useSyncExternalStore(subscribe, () => shown)
  const close = () => show('nothing')
  if (open === 'nothing') return null
  return (
    <Suspense>{open === 'help' ? <HelpPanel onClose={close} /> : <Palette center={center} onClose={close} />}</Suspense>
  )
}
