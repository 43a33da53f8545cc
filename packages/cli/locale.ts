/** The language of the machine, without what speaks it. */
import type { Language } from '@countersign/words/say.ts'

/** The locale of the machine: the first of these variables that is set. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  const set = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return set.toLowerCase().startsWith('ko') ? 'ko' : 'en'
}
