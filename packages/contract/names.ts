/** Names of people, centers and partners. They appear in our emails, so nothing in them may look like one of our links. */

/** The characters that addresses and links consist of, in every width. */
const [at, dot, colon, slash] = ['@\uff20\ufe6b', '.\u3002\uff0e\uff61', ':\uff1a', '/\uff0f']

/** An address, a link or a host name, which mail programs turn into links. A dot at the end of a word doesn't count. */
const link = new RegExp(
  `[${at}]|[${colon}][${slash}]|[\\p{L}\\p{N}][${dot}]\\p{L}{2}|\\d[${dot}]\\d+[${dot}]\\d+[${dot}]\\d`,
  'u',
)

/** The format `plain-name`. */
export const isPlainName = (name: string): boolean =>
  !link.test(name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))

/** A name for someone who is known only by their email address. */
export const nameOfAddress = (email: string): string =>
  (email.split('@')[0] as string).replaceAll(new RegExp(`[${dot}]`, 'gu'), ' ').trim() || '?'
