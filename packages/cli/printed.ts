/** Values of a file on the terminal: safe to print, and short, since a value may have any length. */
import { shown } from '@countersign/proof'

const [longest, head, tail] = [1000, 700, 200]

/** Begins and ends as the text does, with its length between them. */
export function printed(text: string, language: 'ko' | 'en'): string {
  if (text.length <= longest) return shown(text)
  const numbers = new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US')
  const length = `${numbers.format(text.length)}${language === 'ko' ? '자' : ' characters'}`
  // `shown` escapes half of a character, where the cut goes through one.
  return `${shown(text.slice(0, head))} … (${length}) … ${shown(text.slice(-tail))}`
}
