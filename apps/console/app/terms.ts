/** What the center of the address calls its people and appointments; elsewhere they have neutral names. */
import { neutralTerms, type Terms } from '@countersign/words/terms.ts'
import { storeOf } from './store.ts'

const known = new Map<string, Terms>()

/** The words on the page now. */
export const termsStore = storeOf<Terms>(neutralTerms)

/** Before a page of this address is drawn. */
export const showTermsOf = (center: string | null): void =>
  termsStore.set((center !== null && known.get(center)) || neutralTerms)

/** Of a center that is not that of the address; the next address ends them. */
export const showTerms = (terms: Terms | null): void => termsStore.set(terms ?? neutralTerms)

/** `center`: its domain in `/c/{center}`. */
export function learnTerms(center: string, terms: Terms): void {
  known.set(center, terms)
  if (location.pathname.split('/')[2] === center) termsStore.set(terms)
}
