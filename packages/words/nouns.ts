/** English nouns in a sentence: with an article, in the plural, with a capital letter. */

const irregular: Readonly<Record<string, string>> = { person: 'people', child: 'children', man: 'men', woman: 'women' }

function pluralOf(noun: string): string {
  const [, before = '', last = ''] = /^(.*?)(\p{L}*)$/u.exec(noun) ?? []
  const known = Object.keys(irregular).find((end) => last.toLowerCase() === end)
  if (known) return before + last[0] + (irregular[known] as string).slice(1)
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`
  return noun + (/(?:s|x|z|ch|sh)$/i.test(noun) ? 'es' : 's')
}

/** By the sound: a user, an hour, an MD. */
function articleOf(noun: string): string {
  if (/^[A-Z](?![a-z])/.test(noun)) return /^[AEFHILMNORSX]/.test(noun) ? 'an' : 'a'
  if (/^(?:uni|use|usa|usu|uti|eu|one\b|once)/i.test(noun)) return 'a'
  return /^(?:[aeiou]|hour|hono|heir|honest)/i.test(noun) ? 'an' : 'a'
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const withArticle = (noun: string): string => `${articleOf(noun)} ${noun}`

/** By the mark after the comma of a place: `{term.client, a}`. */
export const forms = {
  a: withArticle,
  A: (noun) => capital(withArticle(noun)),
  many: pluralOf,
  Many: (noun) => capital(pluralOf(noun)),
  One: capital,
} as const satisfies Readonly<Record<string, (noun: string) => string>>

export type Form = keyof typeof forms
