/** Light, dark, or as the system is. `boot.js` applies the kept choice before the first paint. */
import { useSyncExternalStore } from 'react'
import { keep, kept } from './kept.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'

const key = 'countersign-theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function choiceKept(): ThemeChoice {
  const found = kept(key)
  return found === 'light' || found === 'dark' ? found : 'system'
}

let choice = choiceKept()
const shown = (): 'light' | 'dark' => (choice === 'system' ? (system.matches ? 'dark' : 'light') : choice)

function apply(): void {
  const root = document.documentElement
  root.dataset.theme = shown()
  root.dataset.mantineColorScheme = shown()
  for (const tell of listeners) tell()
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next
  keep(key, next === 'system' ? null : next)
  apply()
}

system.addEventListener('change', apply)
// Another tab changed it.
addEventListener('storage', (event) => {
  if (event.key !== key) return
  choice = choiceKept()
  apply()
})

const subscribe = (tell: () => void): (() => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, () => choice)
export const useShownTheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, shown)
