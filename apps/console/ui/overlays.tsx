/** What opens over every view: the command palette, the keyboard map, and the keys that open them. */
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { activeShortcuts, useShortcuts } from '../app/keys.ts'
import { addressOf, type Place, useNavigationEntries } from '../app/navigation.ts'
import { prefer, usePreferences } from '../app/preferences.ts'
import { Dialog } from './dialog.tsx'
import { useUiWords } from './words.ts'

const Palette = lazy(() => import('./palette.tsx'))

type Shown = 'nothing' | 'palette' | 'keys'
let shown: Shown = 'nothing'
const listeners = new Set<() => void>()

function show(next: Shown): void {
  shown = next
  for (const tell of listeners) tell()
}

export const openPalette = (): void => show('palette')
export const openKeyboardMap = (): void => show('keys')

const subscribe = (tell: () => void): (() => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export function Overlays({ place, center }: { readonly place: Place; readonly center: string }) {
  const say = useUiWords()
  const navigate = useNavigate()
  const entries = useNavigationEntries().filter((entry) => entry.place === place)
  useShortcuts([
    { keys: 'mod+k', label: say('keysFind'), run: openPalette },
    { keys: '?', label: say('keysHelp'), run: openKeyboardMap },
    ...entries.flatMap((entry) => {
      const run = () => void navigate({ href: addressOf(entry, center) })
      return entry.key ? [{ keys: `g ${entry.key}`, label: say('keysGo', { label: say(entry.label) }), run }] : []
    }),
  ])
  const open = useSyncExternalStore(subscribe, () => shown)
  if (open === 'keys') return <KeyboardMap onClose={() => show('nothing')} />
  if (open !== 'palette') return null
  return (
    <Suspense>
      <Palette center={center} onClose={() => show('nothing')} />
    </Suspense>
  )
}

function KeyboardMap({ onClose }: { readonly onClose: () => void }) {
  const say = useUiWords()
  const { singleKeys } = usePreferences()
  const [shortcuts] = useState(activeShortcuts)
  return (
    <Dialog title={say('keys')} onClose={onClose}>
      <dl className="keys">
        {shortcuts.map(({ keys, label }) =>
          label === null ? null : (
            <div key={keys}>
              <dt>
                {keys.split(/[ +]/).map((key) => (
                  <kbd key={key}>{key === 'mod' ? 'Ctrl' : key.toUpperCase()}</kbd>
                ))}
              </dt>
              <dd>{label}</dd>
            </div>
          ),
        )}
      </dl>
      <label className="switch">
        <input
          type="checkbox"
          checked={singleKeys}
          onChange={(event) => prefer({ singleKeys: event.target.checked })}
        />
        {say('singleKeys')}
      </label>
    </Dialog>
  )
}
