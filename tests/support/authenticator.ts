/**
 * An authenticator in software: keys, registrations with the attestation `none`, and assertions, in the JSON form of
 * WebAuthn. Unlike a browser it makes whatever a test asks for: other flags, another origin, another type.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type PasskeyAssertion, type PasskeyKey, thumbprintOf } from '@countersign/proof/passkey.ts'

export type PasskeyAlgorithm = 'ES256' | 'EdDSA' | 'RS256'

interface AuthenticatorOptions {
  readonly algorithm?: PasskeyAlgorithm
  readonly rpId?: string
  readonly origin?: string
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
  readonly aaguid?: string
}

/** What one answer does differently. */
export interface AnswerOverrides {
  readonly type?: string
  readonly origin?: string
  readonly rpId?: string
  /** The byte of flags, instead of present, verified and what the authenticator says of backups. */
  readonly flags?: number
  readonly counter?: number
  /** Members of the client data, after the usual ones. */
  readonly clientData?: Readonly<Record<string, unknown>>
  /** The whole text of the client data, made of the usual one. */
  readonly rewrite?: (text: string) => string
  /** The whole authenticator data, made of the usual one, before the signature. */
  readonly reshape?: (bytes: Buffer) => Buffer
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** `rpId` and `origin` are those of a server at http://localhost:3000 unless the test names others. */
export function softwareAuthenticator({
  algorithm = 'ES256',
  rpId = 'localhost',
  origin = 'http://localhost:3000',
  backupEligible = false,
  backedUp = false,
  aaguid = '00000000-0000-0000-0000-000000000000',
}: AuthenticatorOptions = {}) {
  const { publicKey, privateKey } = keyPair(algorithm)
  const key = jwkOf(publicKey)
  const cose = coseOf(key)
  const credentialId = randomBytes(16)
  const backup = (backupEligible ? 8 : 0) | (backedUp ? 16 : 0)

  /** `challenge`: the bytes, or the base64url text of the options of the server. */
  function clientData(type: string, challenge: Uint8Array | string, over: AnswerOverrides): Buffer {
    const text = JSON.stringify({
      type: over.type ?? type,
      challenge: typeof challenge === 'string' ? challenge : Buffer.from(challenge).toString('base64url'),
      origin: over.origin ?? origin,
      crossOrigin: false,
      ...over.clientData,
    })
    return Buffer.from(over.rewrite?.(text) ?? text)
  }

  function authenticatorData(over: AnswerOverrides, attested?: Buffer): Buffer {
    const head = Buffer.alloc(5)
    head[0] = over.flags ?? 1 | 4 | backup | (attested ? 64 : 0)
    head.writeUInt32BE(over.counter ?? 0, 1)
    const bytes = Buffer.concat([sha256(over.rpId ?? rpId), head, attested ?? Buffer.alloc(0)])
    return over.reshape?.(bytes) ?? bytes
  }

  function assert(challenge: Uint8Array | string, over: AnswerOverrides = {}): PasskeyAssertion {
    const [client, data] = [clientData('webauthn.get', challenge, over), authenticatorData(over)]
    const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.concat([data, sha256(client)]), privateKey)
    return {
      authenticatorData: data.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      signature: signature.toString('base64url'),
    }
  }

  const credential = {
    id: credentialId.toString('base64url'),
    rawId: credentialId.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
    authenticatorAttachment: 'platform' as const,
  }

  return {
    credentialId: credential.id,
    key,
    thumbprint: thumbprintOf(key),
    cose,
    assert,
    /** The answer to `navigator.credentials.create`. */
    register(challenge: Uint8Array | string, over: AnswerOverrides = {}) {
      const length = Buffer.from([credentialId.length >> 8, credentialId.length & 255])
      const attested = Buffer.concat([Buffer.from(aaguid.replaceAll('-', ''), 'hex'), length, credentialId, cose])
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, over).toString('base64url'),
          attestationObject: attestationObject(authenticatorData(over, attested)).toString('base64url'),
          transports: ['internal' as const],
        },
      }
    },
    /** The answer to `navigator.credentials.get`. */
    authenticate(challenge: Uint8Array | string, over: AnswerOverrides & { readonly userHandle?: string } = {}) {
      const { userHandle, ...rest } = over
      return {
        ...credential,
        response: { ...assert(challenge, rest), ...(userHandle !== undefined && { userHandle }) },
      }
    },
  }
}

function keyPair(algorithm: PasskeyAlgorithm): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

/** The members in the order of PasskeyKey; node:crypto writes no others for a public key. */
const jwkOf = (publicKey: KeyObject): PasskeyKey => publicKey.export({ format: 'jwk' }) as unknown as PasskeyKey

/** COSE_Key in the canonical form of CTAP2. */
export function coseOf(key: PasskeyKey): Buffer {
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')
  const hex = (text: string): Buffer => Buffer.from(text, 'hex')
  if (key.kty === 'EC') {
    return Buffer.concat([hex('a5010203262001215820'), bytes(key.x), hex('225820'), bytes(key.y)])
  }
  if (key.kty === 'OKP') return Buffer.concat([hex('a4010103272006215820'), bytes(key.x)])
  return Buffer.concat([hex('a401030339010020'), byteString(bytes(key.n)), hex('2143010001')])
}

const attestationObject = (authData: Buffer): Buffer =>
  Buffer.concat([
    // {fmt: "none", attStmt: {}, authData: …}
    Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
    byteString(authData),
  ])

/** A byte string of 24 to 65,535 bytes in CBOR. */
const byteString = (bytes: Buffer): Buffer =>
  Buffer.concat([
    bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]),
    bytes,
  ])
