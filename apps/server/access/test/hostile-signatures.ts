/** Tokens with a wrong signature, algorithm or key. */
import type { JsonWebKey } from 'node:crypto'
import { algorithms, encode, type Forge, type Hostile, type Part } from './forge.ts'

const parts = (token: string) => token.split('.') as [string, string, string]

export function withoutAlgorithm(forge: Forge): Hostile {
  const [, , signature] = parts(forge.genuine)
  const names = ['none', 'None', 'NONE', 'nOnE', ' none', 'none\u0000', '', null, undefined, 0, ['none'], ['ES256']]
  return names.flatMap((alg) =>
    Object.entries({ '': '', ' and a genuine signature': signature, ' and a byte of signature': 'AA' }).map(
      ([with_, end]) => [`alg ${JSON.stringify(alg)}${with_}`, forge.unsigned({ alg }, end)] as const,
    ),
  )
}

/** The public key is published, so an attacker can use it as an HMAC secret. */
export function publicKeyAsSecret(forge: Forge): Hostile {
  const { publicKey } = forge
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const jwk = publicKey.export({ format: 'jwk' })
  const secrets: Record<string, Buffer | string> = {
    PEM: pem,
    'PEM without the last line end': pem.trimEnd(),
    'PEM with Windows line ends': pem.replaceAll('\n', '\r\n'),
    DER: der,
    'DER in base64': der.toString('base64'),
    'the bare point': der.subarray(-65),
    'a JWK': JSON.stringify(jwk),
    'the published JWK': JSON.stringify({ ...jwk, kid: forge.header.kid, alg: 'ES256', use: 'sig' }),
    'the coordinate x': Buffer.from(jwk.x as string, 'base64url'),
    'the kid': String(forge.header.kid),
    nothing: '',
  }
  return ['256', '384', '512'].flatMap((size) =>
    Object.entries(secrets).map(
      ([name, secret]) =>
        [`HS${size} keyed with ${name}`, forge.hmac(`sha${size}`, secret, { alg: `HS${size}` })] as const,
    ),
  )
}

export function keysOfTheAttacker(forge: Forge): Hostile {
  const where = 'https://attacker.example/keys'
  const bring: Record<string, (jwk: JsonWebKey) => Part> = {
    'our kid': () => ({}),
    'the key as jwk': (jwk) => ({ jwk }),
    'the key as jwk and no kid': (jwk) => ({ jwk, kid: undefined }),
    'a kid of its own': (jwk) => ({ jwk, kid: 'attacker' }),
    'an address as jku': () => ({ jku: where, kid: 'attacker' }),
    'an address as x5u': () => ({ x5u: where }),
    'a chain as x5c': () => ({ x5c: [Buffer.from('not a certificate').toString('base64')] }),
  }
  const foreign = algorithms.flatMap((algorithm) =>
    Object.entries(bring).map(
      ([what, make]) =>
        [`${algorithm} by a key of the attacker, with ${what}`, forge.foreign(algorithm, make)] as const,
    ),
  )
  // Everything else is genuine: a token that contains a key is refused for that reason alone.
  const jwk = forge.publicKey.export({ format: 'jwk' })
  const ours = [{ jwk }, { jku: where }, { x5u: where }, { x5c: ['x'] }].map(
    (top) => [`our signature, but ${Object.keys(top)} in the header`, forge.ours({}, top)] as const,
  )
  return [...foreign, ...ours]
}

export function otherAlgorithmNames(forge: Forge): Hostile {
  return ['es256', 'ES256 ', 'ES256K', 'ES384', 'RS256', 'EdDSA', 'Ed25519', 'ECDH-ES', 'dir', 'A256GCM'].map(
    (alg) => [`our signature under the name ${alg}`, forge.ours({}, { alg })] as const,
  )
}

/** ASN.1 as OpenSSL writes it; JOSE requires the two numbers side by side. */
function der(signature: Buffer): Buffer {
  const integer = (bytes: Buffer) => {
    const first = bytes.findIndex((byte) => byte !== 0)
    const bare = bytes.subarray(first)
    const padded = (bare[0] as number) & 0x80 ? Buffer.concat([Buffer.from([0]), bare]) : bare
    return Buffer.concat([Buffer.from([2, padded.length]), padded])
  }
  const both = Buffer.concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))])
  return Buffer.concat([Buffer.from([0x30, both.length]), both])
}

export function brokenSignatures(forge: Forge): Hostile {
  const [top, payload, end] = parts(forge.genuine)
  const [, , ofAnother] = parts(forge.ours({ jti: 'another token' }))
  const bytes = Buffer.from(end, 'base64url')
  const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')
  const flipped = (bit: number) => {
    const copy = Buffer.from(bytes)
    copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7))
    return copy
  }
  // 64 bytes leave four bits of the last character unused: another letter encodes the same bytes.
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const lastLetter = letters[letters.indexOf(end.at(-1) as string) ^ 1]
  const signatures: Record<string, Buffer | string> = {
    'of another token': ofAnother,
    'in DER form': der(bytes),
    'in hex': bytes.toString('hex'),
    'in base64 of base64': encode(end),
    'with its halves exchanged': Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)]),
    'of zeros': Buffer.alloc(64),
    'of ones': Buffer.alloc(64, 255),
    'of the order of the curve': Buffer.concat([order, order]),
    'with r of zero': Buffer.concat([Buffer.alloc(32), bytes.subarray(32)]),
    'with s of zero': Buffer.concat([bytes.subarray(0, 32), Buffer.alloc(32)]),
    'one byte short': bytes.subarray(0, 63),
    'one byte long': Buffer.concat([bytes, Buffer.alloc(1)]),
    'one zero in front': Buffer.concat([Buffer.alloc(1), bytes]),
    'of one half': bytes.subarray(0, 32),
    twice: Buffer.concat([bytes, bytes]),
    'with padding': `${end}==`,
    'with one =': `${end}=`,
    'with unused bits set': `${end.slice(0, -1)}${lastLetter}`,
    'with two letters more': `${end}AA`,
    'with a character that is no base64url': `${end.slice(0, -1)}~`,
    'with the other alphabet': `${end.slice(0, -2)}+/`,
  }
  const named = Object.entries(signatures).map(
    ([name, value]) =>
      [`a signature ${name}`, `${top}.${payload}.${typeof value === 'string' ? value : encode(value)}`] as const,
  )
  const bits = [0, 7, 100, 255, 256, 300, 511].map(
    (bit) => [`bit ${bit} of the signature flipped`, `${top}.${payload}.${encode(flipped(bit))}`] as const,
  )
  return [...named, ...bits]
}
