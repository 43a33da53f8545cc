/** Names that nobody can have, and why. Pure. */
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
