/** What of a name goes into the calendar of somebody else. Pure. */

const hangul = /^\p{sc=Hangul}/u

/** The first letter of each word; of a Korean name the first syllable, which is usually the family name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean)
  const firsts = words.slice(0, 3).map((word) => [...new Intl.Segmenter().segment(word)][0]?.segment ?? '')
  if (words.length === 1 && hangul.test(name.trim())) return `${firsts[0]}○○`
  return firsts.map((first) => `${first}.`).join(' ')
}
