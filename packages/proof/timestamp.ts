/**
 * What an RFC 3161 time-stamp token says: the digest it was made for, and when. The authority's own signature is not
 * checked here, for that needs its certificates: `openssl ts -verify` does it. What is checked is that token and time
 * belong together (the signed attributes hold the digest of both), so that a changed token is not read as another time.
 */
import { sha256Hex } from '#sha256'
import { type DerItem, derChildren, derItems } from './der.ts'

export interface TimestampToken {
  /** Of the stamped data, SHA-256 in hex. */
  readonly digest: string
  /** As the authority wrote it, in ISO 8601; null when its signature covers it by another digest than SHA-256. */
  readonly at: string | null
}

const signedData = '06092a864886f70d010702'
const tstInfo = '060b2a864886f70d0109100104'
const messageDigest = '06092a864886f70d010904'
const sha256 = '0609608648016503040201'

/** Throws when the bytes are no token for a digest of SHA-256. */
export function readTimestamp(token: Uint8Array): TimestampToken {
  const [outer, ...behind] = derItems(token)
  if (behind.length > 0) throw new RangeError('There is something behind the token.')
  const [type, wrapped] = derChildren(outer)
  if (hex(type?.whole) !== signedData) throw new RangeError('This is not signed data.')
  const [signed] = derChildren(wrapped)
  const [, , encapsulated, ...rest] = derChildren(signed)
  const [contentType, explicit] = derChildren(encapsulated)
  if (hex(contentType?.whole) !== tstInfo) throw new RangeError('This is not a time-stamp.')
  const content = derChildren(explicit)[0]?.body ?? new Uint8Array()
  const [, , imprint, , time] = derChildren(derItems(content)[0])
  const [algorithm, digest] = derChildren(imprint)
  const [signer] = derChildren(rest.at(-1))
  const attributes = derChildren(signer).find(({ tag }) => tag === 0xa0)
  const stated = derChildren(attributes).find((attribute) => hex(derChildren(attribute)[0]?.whole) === messageDigest)
  const signedDigest = derChildren(derChildren(stated)[1])[0]?.body
  const digestOfSigner = derChildren(derChildren(signer)[2])[0]
  if (hex(derChildren(algorithm)[0]?.whole) !== sha256) throw new RangeError('It is not about a digest of SHA-256.')
  const stamp = { digest: hex(digest?.body), at: generalizedTime(time) }
  if (hex(digestOfSigner?.whole) !== sha256) return { ...stamp, at: null }
  if (hex(signedDigest) !== sha256Hex(content)) throw new RangeError('Its time is not what was signed.')
  return stamp
}

function generalizedTime(item: DerItem | undefined): string {
  const text = item?.tag === 0x18 ? String.fromCharCode(...item.body) : ''
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text) ?? []
  if (year === undefined) throw new RangeError('It holds no time in UTC.')
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`
}

const hex = (bytes: Uint8Array | undefined): string =>
  Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, '0')).join('')
