/** Names that nobody can have, and why; and names made from what a center is called. */
import { randomInt } from 'node:crypto'

const reserved = new Set(
  'www api admin auth app static docs status mail lms cms erp verify assets cdn blog help support billing login logout signup account accounts console dashboard partner partners public private internal system root test staging dev demo health metrics schema sso oauth security legal privacy terms about contact ftp smtp imap ns1 ns2 countersign'.split(
    ' ',
  ),
)

/** Null when the name may be given; whether it is taken is another question. */
export function reservedReason(subdomain: string): string | null {
  if (reserved.has(subdomain)) return 'This name is reserved.'
  if (/^\d+$/.test(subdomain)) return 'A name of digits only would be read as a center id.'
  if (subdomain.startsWith('-') || subdomain.endsWith('-')) return 'A name cannot begin or end with a hyphen.'
  if (subdomain.startsWith('xn--')) return 'Names that stand for other letters are not given out.'
  return null
}

// Without look-alikes and vowels: a code that people read out, and that spells nothing.
const codeLetters = '23456789bcdfghjkmnpqrstvwxz'
const newCode = (): string => Array.from({ length: 6 }, () => codeLetters[randomInt(codeLetters.length)]).join('')
const codeTries = 5

/** The name itself where Latin letters and digits say it, then codes: whoever asks takes the first that is free. */
export function* subdomainsFor(name: string): Generator<string> {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 30)
    .replace(/-$/, '')
  // What is left of a name in another script is not its name.
  if (slug.length >= 3 && !/[^a-z\P{L}]/u.test(plain)) yield slug
  for (let tries = 0; tries < codeTries; tries++) yield `center-${newCode()}`
}
