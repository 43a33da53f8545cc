/** Names of people, centers and partners. They go into mails that we send, so nothing in them may look like a link of ours. */

/** Any width of the signs that addresses and links consist of. */
const [at, dot, colon, slash] = ['@\uff20\ufe6b', '.\u3002\uff0e\uff61', ':\uff1a', '/\uff0f']

/** An address, a link, or a name of a host, which programs for mail turn into links. A dot at the end of a word is none. */
const link = new RegExp(
  `[${at}]|[${colon}][${slash}]|[\\p{L}\\p{N}][${dot}]\\p{L}{2}|\\d[${dot}]\\d+[${dot}]\\d+[${dot}]\\d`,
  'u',
)

/** The format `plain-name`. */
export const isPlainName = (name: string): boolean =>
  !link.test(name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))

/** The name of somebody of whom only the address is known. */
export const nameOfAddress = (email: string): string =>
  (email.split('@')[0] as string).replaceAll(new RegExp(`[${dot}]`, 'gu'), ' ').trim() || '?'
