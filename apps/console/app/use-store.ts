/** What a store has now, in a component. */
import { useSyncExternalStore } from 'react'
import { type SessionState, sessionStore } from './session.ts'
import type { Store } from './store.ts'

export const useStore = <T>({ subscribe, get }: Store<T>): T => useSyncExternalStore(subscribe, get)
export const useSession = (): SessionState => useStore(sessionStore)
