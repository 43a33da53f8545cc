/** The server asked to wait (429): the call goes on by itself, and the shell shows until when. */
import { useSyncExternalStore } from 'react'

let until = 0
const listeners = new Set<() => void>()

const tellAll = (): void => {
  for (const tell of listeners) tell()
}

export function pausedFor(seconds: number): void {
  const end = Date.now() + seconds * 1000
  if (end <= until) return
  until = end
  tellAll()
  setTimeout(tellAll, seconds * 1000)
}

const subscribe = (tell: () => void): (() => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** When the pause ends; 0 without one. */
export const usePause = (): number => useSyncExternalStore(subscribe, () => (until > Date.now() ? until : 0))
