/** What an area tells the shell about itself. */
import { createContext, use } from 'react'
import type { UiWord } from '../ui/words.ts'

/** Where an address begins: `/c/{center}`, `/p`, `/me`, `/operator`. */
export type Place = 'center' | 'partner' | 'me' | 'operator'

/** In the words of the shell, since an area loads its own later. */
export type NavigationWord = Exclude<Extract<UiWord, `nav${string}`>, 'navigation'>

export interface NavigationEntry {
  readonly place: Place
  /** Below its place: `/inbox`. Empty for the place itself. */
  readonly path: string
  readonly label: NavigationWord
  /** Who sees it in a center or at a partner; everybody without this. */
  readonly roles?: readonly string[]
  /** Absent from the menu while the center has this switched off; its address still works. */
  readonly feature?: 'booking' | 'attendance' | 'families'
  /** `more` stands in the menu behind the last word. */
  readonly group?: 'more'
  /** After `g`: `i` for `g i`. */
  readonly key?: string
  /** The smallest is first. */
  readonly order: number
}

export const NavigationContext = createContext<readonly NavigationEntry[]>([])
export const useNavigationEntries = (): readonly NavigationEntry[] => use(NavigationContext)

export function addressOf({ place, path }: NavigationEntry, center: string): string {
  if (place === 'center') return `/c/${center}${path}`
  return `${place === 'partner' ? '/p' : place === 'me' ? '/me' : '/operator'}${path}`
}
