/**
 * Checks who made a time-stamp token (RFC 3161, RFC 5652, RFC 5816): the signature over the time, the certificate that it
 * names, and the path from that certificate to one that the verifier was given. Revocation is not checked.
 */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { type DerItem, derChildren, derItem } from './der.ts'
import {
  contentTypeAttribute,
  hex,
  messageDigestAttribute,
  parseToken,
  type SignedToken,
  type Stamp,
} from './timestamp.ts'

const digests: Readonly<Record<string, string>> = {
  '0609608648016503040201': 'sha256',
  '0609608648016503040202': 'sha384',
  '0609608648016503040203': 'sha512',
}
/** With the digest that each uses; null: the one that the signer names beside it. */
const signatures: Readonly<Record<string, string | null>> = {
  '06092a864886f70d010101': null,
  '06092a864886f70d01010b': 'sha256',
  '06092a864886f70d01010c': 'sha384',
  '06092a864886f70d01010d': 'sha512',
  '06082a8648ce3d040302': 'sha256',
  '06082a8648ce3d040303': 'sha384',
  '06082a8648ce3d040304': 'sha512',
}
const tstInfo = '060b2a864886f70d0109100104'
const signingCertificateV2 = '060b2a864886f70d010910022f'
const signingCertificate = '060b2a864886f70d010910020c'
const timeStamping = '06082b06010505070308'
const usages = {
  basicConstraints: '0603551d13',
  keyUsage: '0603551d0f',
  extended: '0603551d25',
  policies: '0603551d20',
}
const longestPath = 8

const unverified = (why: Extract<Stamp, { status: 'unverified' }>['why']): Stamp => ({ status: 'unverified', why })

/** `authorities` are certificates in PEM, several in one text or in several. `forged`: a signature is not what it claims. */
export function checkAuthority(token: Uint8Array, authorities: readonly string[]): Stamp | 'forged' {
  const anchors = authorities.flatMap(certificatesIn)
  if (anchors.length === 0) return unverified('no-authority')
  const parsed = parseToken(token)
  const digest = digests[parsed.digestAlgorithm]
  const own = signatures[parsed.signatureAlgorithm]
  if (digest === undefined || own === undefined || (own ?? digest) !== digest) return unverified('unsupported')
  const pool = parsed.certificates.flatMap(readCertificate)
  const signer = [...anchors, ...pool].find((certificate) => isNamed(certificate, parsed))
  if (!signer) return unverified('other-authority')
  if (
    hex(parsed.attributes.get(contentTypeAttribute)?.whole) !== tstInfo ||
    hex(parsed.attributes.get(messageDigestAttribute)?.body) !==
      createHash(digest).update(parsed.content).digest('hex') ||
    !verify(digest, parsed.signedBytes, signer.publicKey, parsed.signature)
  )
    return 'forged'
  const at = Date.parse(parsed.claimedAt)
  if (!stampsOnly(signer) || !leads(signer, anchors, pool, at, 0)) return unverified('other-authority')
  return { status: 'verified', at: parsed.claimedAt, authority: signer.subject.replaceAll('\n', ', ') }
}

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function certificatesIn(text: string): readonly X509Certificate[] {
  return (text.match(pem) ?? []).map((each) => new X509Certificate(each))
}

function readCertificate(bytes: Uint8Array): readonly X509Certificate[] {
  try {
    return [new X509Certificate(bytes)]
  } catch {
    return []
  }
}

/** The signed attributes hold a hash of the certificate, so that no other one with the same key or name takes its place. */
function isNamed({ raw }: X509Certificate, { attributes, signerId }: SignedToken): boolean {
  const newer = attributes.get(signingCertificateV2)
  const [first] = derChildren(derChildren(newer ?? attributes.get(signingCertificate))[0])
  const parts = derChildren(first)
  const stated = parts.find(({ tag }) => tag === 0x04)
  const algorithm = parts[0]?.tag === 0x30 ? digests[hex(derChildren(parts[0])[0]?.whole)] : 'sha256'
  const digest = newer ? algorithm : 'sha1'
  if (digest === undefined || hex(stated?.body) !== createHash(digest).update(raw).digest('hex')) return false
  if (signerId?.tag !== 0x30) return true
  const { serial, issuer } = tbsOf(raw)
  const [statedIssuer, statedSerial] = derChildren(signerId)
  return hex(statedIssuer?.whole) === hex(issuer?.whole) && hex(statedSerial?.whole) === hex(serial?.whole)
}

function tbsOf(raw: Uint8Array) {
  const [tbs, algorithm] = derChildren(derItem(raw))
  const parts = derChildren(tbs)
  const [serial, , issuer] = parts[0]?.tag === 0xa0 ? parts.slice(1) : parts
  const extensions = derChildren(derChildren(parts.find(({ tag }) => tag === 0xa3))[0])
  return { serial, issuer, algorithm, extensions }
}

interface Extension {
  readonly critical: boolean
  readonly value: DerItem
}

function extensionsOf({ raw }: X509Certificate): ReadonlyMap<string, Extension> {
  return new Map(
    tbsOf(raw).extensions.map((extension) => {
      const parts = derChildren(extension)
      const octets = parts.at(-1) as DerItem
      return [hex(parts[0]?.whole), { critical: hex(parts[1]?.whole) === '0101ff', value: derItem(octets.body) }]
    }),
  )
}

/** A certificate for time stamps says so in a critical extension, and is for nothing else. */
function stampsOnly(certificate: X509Certificate): boolean {
  const usage = extensionsOf(certificate).get(usages.extended)
  return (
    usage?.critical === true &&
    derChildren(usage.value)
      .map(({ whole }) => hex(whole))
      .join() === timeStamping
  )
}

/** Whether each certificate was issued by the next, up to a given one, and all were valid when the time was stamped. */
function leads(
  certificate: X509Certificate,
  anchors: readonly X509Certificate[],
  pool: readonly X509Certificate[],
  at: number,
  below: number,
): boolean {
  if (!isValid(certificate, at, below)) return false
  if (anchors.some(({ raw }) => raw.equals(certificate.raw))) return true
  if (below >= longestPath) return false
  return [...anchors, ...pool].some(
    (issuer) =>
      issuer.ca &&
      !issuer.raw.equals(certificate.raw) &&
      certificate.checkIssued(issuer) &&
      signatures[hex(derChildren(tbsOf(certificate.raw).algorithm)[0]?.whole)] != null &&
      certificate.verify(issuer.publicKey) &&
      leads(issuer, anchors, pool, at, below + 1),
  )
}

function isValid(certificate: X509Certificate, at: number, below: number): boolean {
  const known = Object.values(usages)
  const extensions = extensionsOf(certificate)
  // A critical extension that this code does not know may forbid this very use.
  if ([...extensions].some(([name, { critical }]) => critical && !known.includes(name))) return false
  const length = derChildren(extensions.get(usages.basicConstraints)?.value).find(({ tag }) => tag === 0x02)
  if (length && below > 0 && Number.parseInt(hex(length.body), 16) < below - 1) return false
  return Date.parse(certificate.validFrom) <= at && at <= Date.parse(certificate.validTo)
}
