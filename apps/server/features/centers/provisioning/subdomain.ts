/** Names that cannot be used, with the reason, and names derived from the name of a center. */
import { randomInt } from 'node:crypto'

const reserved = new Set(
  'www api admin auth app static docs status mail lms cms erp verify assets cdn blog help support billing login logout signup account accounts console dashboard partner partners public private internal system root sandbox test staging dev demo health metrics schema sso oauth security legal privacy terms about contact ftp smtp imap ns1 ns2 countersign'.split(
    ' ',
  ),
)

/** Null when the name is allowed; whether it is taken is not checked here. */
export function reservedReason(subdomain: string): string | null {
  if (reserved.has(subdomain)) return 'This name is reserved.'
  if (subdomain.startsWith('sandbox-')) return 'Names that begin with sandbox- are those of sandboxes.'
  if (/^\d+$/.test(subdomain)) return 'A name of digits only would be read as a center id.'
  if (subdomain.startsWith('-') || subdomain.endsWith('-')) return 'A name cannot begin or end with a hyphen.'
  if (subdomain.startsWith('xn--')) return 'A name that begins with xn-- encodes other letters and is not allowed.'
  return null
}

// Without look-alikes and vowels: a code that people can read aloud and that spells no word.
const codeLetters = '23456789bcdfghjkmnpqrstvwxz'
const newCode = (): string => Array.from({ length: 6 }, () => codeLetters[randomInt(codeLetters.length)]).join('')
const codeTries = 5

/** Random names for a sandbox; no other center has a name of this form. */
export function* sandboxSubdomains(): Generator<string> {
  for (let tries = 0; tries < codeTries; tries++) yield `sandbox-${newCode()}${newCode()}`
}

/** The slug of the name where it is in Latin letters and digits, then random codes: the caller takes the first free one. */
export function* subdomainsFor(name: string): Generator<string> {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 30)
    .replace(/-$/, '')
  // The Latin remainder of a name in another script is not its name.
  if (slug.length >= 3 && !/[^a-z\P{L}]/u.test(plain)) yield slug
  for (let tries = 0; tries < codeTries; tries++) yield `center-${newCode()}`
}
