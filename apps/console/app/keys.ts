/**
 * Shortcuts. They go by the place of a key, so they work while a Korean input method is on, and never while the person
 * types or composes. Keys without a modifier can be turned off.
 */
import { useEffect, useRef } from 'react'
import { preferences } from './preferences.ts'

export interface Shortcut {
  /** `i`, `?`, `g i` or `mod+k`; `mod` is Command on a Mac and Control elsewhere. */
  readonly keys: string
  /** For the keyboard map; null hides it there. */
  readonly label: string | null
  readonly run: () => void
  /** It belongs to the shell; others belong to the page. */
  readonly everywhere?: true
}

const active = new Set<readonly Shortcut[]>()
const goMs = 1200
let goUntil = 0

const activeShortcuts = (): readonly Shortcut[] => [...active].flat()

interface ShortcutsNow {
  readonly here: readonly Shortcut[]
  readonly everywhere: readonly Shortcut[]
}

/** What the help lists now: the keys that would do something if they were pressed, once each. */
export function shortcutsNow(): ShortcutsNow {
  const all = activeShortcuts()
  const working = all.filter(
    ({ keys, label }, at) => label !== null && all.findLastIndex((each) => each.keys === keys) === at,
  )
  return {
    here: working.filter(({ everywhere }) => !everywhere),
    everywhere: working.filter(({ everywhere }) => everywhere),
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest('dialog') !== null)

function pressed({ code, key, shiftKey }: KeyboardEvent): string {
  if (key === '?' || (code === 'Slash' && shiftKey)) return '?'
  if (code === 'Slash') return '/'
  if (code.startsWith('Key')) return code.slice(3).toLowerCase()
  return key.length === 1 ? key.toLowerCase() : key
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  const name = pressed(event)
  const find = (keys: string) => activeShortcuts().findLast((each) => each.keys === keys)
  let found: Shortcut | undefined
  if (event.ctrlKey || event.metaKey) found = find(`mod+${name}`)
  else if (preferences().singleKeys && !isTyping(event.target)) {
    found = Date.now() < goUntil ? find(`g ${name}`) : find(name)
    goUntil = name === 'g' && !found ? Date.now() + goMs : 0
  }
  if (!found) return
  event.preventDefault()
  found.run()
}

if (typeof window !== 'undefined') window.addEventListener('keydown', onKeyDown)

/** The shortcuts of a view, while it is shown. A later view wins over an earlier one. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const names = shortcuts.map(({ keys, label }) => `${keys}:${label}`).join()
  useEffect(() => {
    const own = latest.current.map((each, at) => ({ ...each, run: () => latest.current[at]?.run() }))
    active.add(own)
    return () => {
      active.delete(own)
    }
  }, [names])
}
