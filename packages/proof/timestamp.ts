/**
 * Reads an RFC 3161 time-stamp token: what it is about, the time that it claims, and the parts that its authority signed.
 * The claimed time is a date only after `#timestamp-authority` has checked the signature and the certificates.
 */
import { sha256Hex } from '#sha256'
import { type DerItem, derChildren, derItems } from './der.ts'

export interface TimestampToken {
  /** SHA-256 of the stamped data, in hex. */
  readonly digest: string
  /** The claimed time in ISO 8601; null when the signature covers it by a digest other than SHA-256. */
  readonly at: string | null
}

/** What a verifier may say about the time stamp of a proof. Only `verified` has a date. */
export type Stamp =
  | { readonly status: 'verified'; readonly at: string; readonly authority: string }
  | { readonly status: 'unverified'; readonly why: UnverifiedReason }
export type UnverifiedReason = 'no-authority' | 'not-checked-here' | 'other-authority' | 'unsupported'

/** The parts of a token that the signature of its authority rests on. */
export interface SignedToken {
  readonly claimedAt: string
  readonly digest: string
  /** The signed time and digest (TSTInfo), in DER. */
  readonly content: Uint8Array
  readonly certificates: readonly Uint8Array[]
  /** Issuer and serial number in DER, or the key id of the signer. */
  readonly signerId: DerItem | undefined
  readonly digestAlgorithm: string
  readonly signatureAlgorithm: string
  readonly signature: Uint8Array
  /** The signed attributes as a SET: the bytes that are signed. */
  readonly signedBytes: Uint8Array
  /** By object identifier, in hex; each occurs once and has one value. */
  readonly attributes: ReadonlyMap<string, DerItem>
}

const signedData = '06092a864886f70d010702'
const tstInfo = '060b2a864886f70d0109100104'
export const contentTypeAttribute = '06092a864886f70d010903'
export const messageDigestAttribute = '06092a864886f70d010904'
const sha256 = '0609608648016503040201'

/** Throws a RangeError when the bytes are not a token for a SHA-256 digest with one signer. */
export function parseToken(token: Uint8Array): SignedToken {
  const [outer, ...behind] = derItems(token)
  if (behind.length > 0) throw new RangeError('There are bytes after the token.')
  const [type, wrapped] = derChildren(outer)
  if (hex(type?.whole) !== signedData) throw new RangeError("The bytes aren't CMS signed data.")
  const [signed] = derChildren(wrapped)
  const [, , encapsulated, ...rest] = derChildren(signed)
  const [contentType, explicit] = derChildren(encapsulated)
  if (hex(contentType?.whole) !== tstInfo) throw new RangeError("The signed data isn't a timestamp.")
  const content = derChildren(explicit)[0]?.body ?? new Uint8Array()
  const [, , imprint, , time] = derChildren(derItems(content)[0])
  const [algorithm, digest] = derChildren(imprint)
  if (hex(derChildren(algorithm)[0]?.whole) !== sha256) throw new RangeError("The token's digest isn't SHA-256.")
  const [signer, ...more] = derChildren(rest.at(-1))
  if (more.length > 0) throw new RangeError('The token has more than one signer.')
  const parts = derChildren(signer)
  const attributesAt = parts.findIndex(({ tag }) => tag === 0xa0)
  const attributes = parts[attributesAt]
  if (!attributes) throw new RangeError('The token has no signed attributes.')
  const [signatureAlgorithm, signature] = parts.slice(attributesAt + 1)
  return {
    claimedAt: generalizedTime(time),
    digest: hex(digest?.body),
    content,
    certificates: derChildren(rest.find(({ tag }) => tag === 0xa0)).map(({ whole }) => whole),
    signerId: parts[1],
    digestAlgorithm: hex(derChildren(parts[2])[0]?.whole),
    signatureAlgorithm: hex(derChildren(signatureAlgorithm)[0]?.whole),
    signature: signature?.body ?? new Uint8Array(),
    signedBytes: Uint8Array.of(0x31, ...attributes.whole.subarray(1)),
    attributes: attributesIn(attributes),
  }
}

function attributesIn(attributes: DerItem): ReadonlyMap<string, DerItem> {
  const found = new Map<string, DerItem>()
  for (const attribute of derChildren(attributes)) {
    const [type, values] = derChildren(attribute)
    const [value, ...more] = derChildren(values)
    const name = hex(type?.whole)
    if (found.has(name) || !value || more.length > 0)
      throw new RangeError("A signed attribute doesn't have exactly one value.")
    found.set(name, value)
  }
  return found
}

/** Throws a RangeError when the bytes are not such a token, or its time is not the one that was signed. */
export function readTimestamp(token: Uint8Array): TimestampToken {
  const { claimedAt, digest, content, digestAlgorithm, attributes } = parseToken(token)
  if (digestAlgorithm !== sha256) return { digest, at: null }
  if (hex(attributes.get(messageDigestAttribute)?.body) !== sha256Hex(content))
    throw new RangeError("The token's time isn't the one that was signed.")
  return { digest, at: claimedAt }
}

function generalizedTime(item: DerItem | undefined): string {
  const text = item?.tag === 0x18 ? String.fromCharCode(...item.body) : ''
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text) ?? []
  if (year === undefined) throw new RangeError('The token has no UTC time.')
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`
}

export const hex = (bytes: Uint8Array | undefined): string =>
  Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, '0')).join('')
