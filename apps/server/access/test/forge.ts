/** Makes tokens as an attacker would, and tokens that only the server can make: signed with the server's own key. */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import type { TestServer } from '../../../../tests/support/server.ts'

export type Part = Readonly<Record<string, unknown>>

/** A name that states the defect, and the token. */
export type Hostile = readonly (readonly [wrong: string, token: string])[]

export const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64url')

type Algorithm = 'ES256' | 'ES384' | 'ES512' | 'RS256' | 'PS256' | 'EdDSA'

const digests: Record<Algorithm, string | null> = {
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
  RS256: 'sha256',
  PS256: 'sha256',
  EdDSA: null,
}

function signature(algorithm: Algorithm, key: KeyObject, data: string): Buffer {
  const pss = { padding: 6, saltLength: 32 }
  const options = { key, dsaEncoding: 'ieee-p1363' as const, ...(algorithm === 'PS256' && pss) }
  return sign(digests[algorithm], Buffer.from(data), options)
}

interface Pair {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** An attacker's own key pairs, one per algorithm. */
const pairs: Record<Algorithm, () => Pair> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}
export const algorithms = Object.keys(pairs) as Algorithm[]

export interface Forge {
  /** A genuine token, and its parts. */
  readonly genuine: string
  readonly header: Part
  readonly claims: Part & { readonly iat: number; readonly exp: number }
  readonly publicKey: KeyObject
  /** Signed with the server's own key, so only the changed content can cause a refusal. `undefined` leaves a field out. */
  ours(claims?: Part, header?: Part): string
  oursAsText(header: string, payload: string): string
  unsigned(header: Part, signature?: string): string
  hmac(digest: string, secret: Buffer | string, header: Part): string
  /** Signed with the attacker's key; `bring` may put that key into the header. */
  foreign(algorithm: Algorithm, bring?: (jwk: JsonWebKey) => Part): string
}

export async function openForge(server: TestServer, genuine: string): Promise<Forge> {
  const header = decodeProtectedHeader(genuine) as Part
  const claims = decodeJwt(genuine) as Forge['claims']
  const kid = header.kid as string
  const [row] = await server.world.query<{ private_sealed: Buffer; public_jwk: JsonWebKey }>(
    'select private_sealed, public_jwk from directory.signing_keys where kid = $1',
    [kid],
  )
  if (!row) throw new Error('the genuine token names a key that is not in the directory')
  const privateJwk = JSON.parse(server.services.box.open(row.private_sealed, kid).toString()) as JsonWebKey
  const privateKey = createPrivateKey({ key: privateJwk, format: 'jwk' })
  const join = (top: string, payload: string) => `${encode(top)}.${encode(payload)}`
  const seal = (algorithm: Algorithm, key: KeyObject, top: string, payload: string) => {
    const data = join(top, payload)
    return `${data}.${encode(signature(algorithm, key, data))}`
  }
  const payload = JSON.stringify(claims)
  const made = new Map<Algorithm, Pair>()

  return {
    genuine,
    header,
    claims,
    publicKey: createPublicKey({ key: row.public_jwk, format: 'jwk' }),
    ours: (change = {}, top = {}) =>
      seal('ES256', privateKey, JSON.stringify({ ...header, ...top }), JSON.stringify({ ...claims, ...change })),
    oursAsText: (top, text) => seal('ES256', privateKey, top, text),
    unsigned: (top, end = '') => `${join(JSON.stringify({ ...header, ...top }), payload)}.${end}`,
    hmac(digest, secret, top) {
      const data = join(JSON.stringify({ ...header, ...top }), payload)
      return `${data}.${encode(createHmac(digest, secret).update(data).digest())}`
    },
    foreign(algorithm, bring = () => ({})) {
      const pair = made.get(algorithm) ?? pairs[algorithm]()
      made.set(algorithm, pair)
      const jwk = pair.publicKey.export({ format: 'jwk' })
      return seal(algorithm, pair.privateKey, JSON.stringify({ ...header, alg: algorithm, ...bring(jwk) }), payload)
    },
  }
}
