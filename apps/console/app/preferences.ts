/** How a person wants to work in this browser: rows for staff or for developers, and keys without a modifier. */
import { useSyncExternalStore } from 'react'
import { keep, kept } from './kept.ts'

export interface Preferences {
  readonly rows: 'staff' | 'dense'
  readonly singleKeys: boolean
}

const key = 'countersign-preferences'
const listeners = new Set<() => void>()

function read(): Preferences {
  try {
    const { rows, singleKeys } = JSON.parse(kept(key) ?? '{}') as Partial<Preferences>
    return { rows: rows === 'dense' ? 'dense' : 'staff', singleKeys: singleKeys === true }
  } catch {
    return { rows: 'staff', singleKeys: false }
  }
}

let current = read()

export const preferences = (): Preferences => current

export function prefer(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  keep(key, JSON.stringify(current))
  for (const tell of listeners) tell()
}

const subscribe = (tell: () => void): (() => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences)
