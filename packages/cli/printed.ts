/** Values of a file on the terminal: safe to print, and short, since a value may have any length. */
import { shown } from '@countersign/proof'
import en from '@countersign/words/en/cli.json' with { type: 'json' }
import ko from '@countersign/words/ko/cli.json' with { type: 'json' }
import { type Language, say } from '@countersign/words/say.ts'

const [longest, head, tail] = [1000, 700, 200]

/** Begins and ends as the text does, with its length between them. */
export function printed(text: string, language: Language): string {
  if (text.length <= longest) return shown(text)
  const numbers = new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US')
  const length = say({ en, ko }, language, 'characters', { count: numbers.format(text.length) })
  // `shown` escapes half of a character, where the cut goes through one.
  return `${shown(text.slice(0, head))} … (${length}) … ${shown(text.slice(-tail))}`
}
