/** Who recorded a decision: an API key, or a member or the service, of whom the server names no key. */
import { sayView } from '@countersign/proof/decision-view-words.ts'
import type { Decision } from '@countersign/sdk'
import type { Language } from '../app/i18n.ts'
import { visible } from './read.ts'

/** Of an id that nobody reads out, the end. */
const keyName = ({ recordedBy, recordedByName }: Decision): string | null =>
  recordedBy === null ? null : [visible(recordedByName ?? ''), `…${recordedBy.slice(-4)}`].filter(Boolean).join(' ')

export function recordedText(decision: Decision, language: Language): string {
  const key = keyName(decision)
  if (key !== null) return `${sayView(language, 'recordedBy')} ${key}`
  return sayView(language, decision.actor.type === 'human' ? 'recordedInConsole' : 'recordedByService')
}

/** What the view of an open decision says besides its values. */
export const contextOf = (decision: Decision) => ({
  policies: decision.waiting?.rules ?? [],
  keyName: keyName(decision),
  isPerson: decision.actor.type === 'human',
})
