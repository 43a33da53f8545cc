/** How a person wants to work in this browser: rows for staff or for developers, and keys without a modifier. */
import { keep, kept } from './kept.ts'
import { storeOf } from './store.ts'
import { useStore } from './use-store.ts'

export interface Preferences {
  readonly rows: 'staff' | 'dense'
  readonly singleKeys: boolean
}

const key = 'countersign-preferences'

function read(): Preferences {
  try {
    const { rows, singleKeys } = JSON.parse(kept(key) ?? '{}') as Partial<Preferences>
    return { rows: rows === 'dense' ? 'dense' : 'staff', singleKeys: singleKeys === true }
  } catch {
    return { rows: 'staff', singleKeys: false }
  }
}

const store = storeOf(read())

export const preferences = store.get

export function prefer(change: Partial<Preferences>): void {
  store.set({ ...store.get(), ...change })
  keep(key, JSON.stringify(store.get()))
}

export const usePreferences = (): Preferences => useStore(store)
