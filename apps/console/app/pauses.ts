/** The server asked to wait (429): the call goes on by itself, and the shell shows until when. */
import { storeOf } from './store.ts'

/** When the pause ends; 0 without one. */
export const pauseStore = storeOf(0)

export function pausedFor(seconds: number): void {
  const end = Date.now() + seconds * 1000
  if (end <= pauseStore.get()) return
  pauseStore.set(end)
  setTimeout(() => pauseStore.get() === end && pauseStore.set(0), seconds * 1000)
}
