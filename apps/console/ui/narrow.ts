/** Whether the window is as narrow as a phone, also after it is turned or zoomed. */
import { useSyncExternalStore } from 'react'

const phone = matchMedia('(max-width: 820px)')

function watch(onChange: () => void): () => void {
  phone.addEventListener('change', onChange)
  return () => phone.removeEventListener('change', onChange)
}

export const useNarrow = (): boolean => useSyncExternalStore(watch, () => phone.matches)
