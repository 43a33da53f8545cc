/**
 * Reads the digest and the time from an RFC 3161 time-stamp token. It does not check the signature of the authority,
 * which needs its certificates: `openssl ts -verify` does. It does check the digest of digest and time in the signed
 * attributes, so that an altered token does not show another time.
 */
import { sha256Hex } from '#sha256'
import { type DerItem, derChildren, derItems } from './der.ts'

export interface TimestampToken {
  /** SHA-256 of the stamped data, in hex. */
  readonly digest: string
  /** The time of the authority in ISO 8601; null when the signature covers it by a digest other than SHA-256. */
  readonly at: string | null
}

const signedData = '06092a864886f70d010702'
const tstInfo = '060b2a864886f70d0109100104'
const messageDigest = '06092a864886f70d010904'
const sha256 = '0609608648016503040201'

/** Throws a RangeError when the bytes are not a token for a SHA-256 digest. */
export function readTimestamp(token: Uint8Array): TimestampToken {
  const [outer, ...behind] = derItems(token)
  if (behind.length > 0) throw new RangeError('There are bytes after the token.')
  const [type, wrapped] = derChildren(outer)
  if (hex(type?.whole) !== signedData) throw new RangeError('The bytes are not CMS signed data.')
  const [signed] = derChildren(wrapped)
  const [, , encapsulated, ...rest] = derChildren(signed)
  const [contentType, explicit] = derChildren(encapsulated)
  if (hex(contentType?.whole) !== tstInfo) throw new RangeError('The signed data is not a time-stamp.')
  const content = derChildren(explicit)[0]?.body ?? new Uint8Array()
  const [, , imprint, , time] = derChildren(derItems(content)[0])
  const [algorithm, digest] = derChildren(imprint)
  const [signer] = derChildren(rest.at(-1))
  const attributes = derChildren(signer).find(({ tag }) => tag === 0xa0)
  const stated = derChildren(attributes).find((attribute) => hex(derChildren(attribute)[0]?.whole) === messageDigest)
  const signedDigest = derChildren(derChildren(stated)[1])[0]?.body
  const digestOfSigner = derChildren(derChildren(signer)[2])[0]
  if (hex(derChildren(algorithm)[0]?.whole) !== sha256) throw new RangeError('The digest in the token is not SHA-256.')
  const stamp = { digest: hex(digest?.body), at: generalizedTime(time) }
  if (hex(digestOfSigner?.whole) !== sha256) return { ...stamp, at: null }
  if (hex(signedDigest) !== sha256Hex(content))
    throw new RangeError('The time in the token is not the one that was signed.')
  return stamp
}

function generalizedTime(item: DerItem | undefined): string {
  const text = item?.tag === 0x18 ? String.fromCharCode(...item.body) : ''
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text) ?? []
  if (year === undefined) throw new RangeError('The token holds no time in UTC.')
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`
}

const hex = (bytes: Uint8Array | undefined): string =>
  Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, '0')).join('')
