/** The declared losses of the logs that a file names. */
import { say, type Words } from '../words.ts'
import { make } from './dom.ts'
import { inWords } from './facts-view.ts'
import type { Shown } from './shown.ts'

export function generationsView({ judged, language }: Shown, words: Words): HTMLElement | null {
  const { successions } = judged.verdict
  if (successions.length === 0) return null
  const items = successions.map(({ log, restored, lost: [closed], reason, declaredBy, declaredAt }) => {
    const numbers = { kept: String(restored.size), size: String(closed?.size ?? 0), signed: String(restored.signed) }
    const texts = { log, by: declaredBy, reason, at: inWords(declaredAt, language) }
    const bare = restored.signed < restored.size ? ` ${say(words.generationUnsigned, numbers)}` : ''
    return make('li', {}, say(words.generationSays, { ...numbers, ...texts }) + bare)
  })
  return make('section', { id: 'generations', class: 'part' }, make('h2', {}, words.generations), make('ul', {}, items))
}
