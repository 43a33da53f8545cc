/** DNS names as people write them, in the form in which they are stored and compared. Pure. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { Problem } from '../../../lib/problem.ts'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Null where the text is no public DNS name. */
export function asciiDomain(text: string): string | null {
  const ascii = domainToASCII(text.trim().toLowerCase())
  const labels = ascii.split('.')
  const isName = ascii.length <= 253 && labels.length >= 2 && labels.every((each) => label.test(each))
  return isName && isIP(ascii) === 0 && !/^\d+$/.test(labels.at(-1) as string) ? ascii : null
}

export function requireDomain(text: string): string {
  const domain = asciiDomain(text)
  if (domain === null) {
    throw new Problem('VALIDATION_ERROR', '"domain" isn\'t a valid DNS name. Send one such as haneul.example.', {
      details: { reason: 'domainName', field: 'domain' },
    })
  }
  return domain
}

/** The domain of an address; null where it has none. */
export const domainOfAddress = (email: string): string | null => asciiDomain(email.slice(email.lastIndexOf('@') + 1))
