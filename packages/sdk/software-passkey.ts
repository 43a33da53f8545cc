/** A passkey in software, for tests of programs that register and use passkeys: ES256, in the JSON form of WebAuthn. */

export interface SoftwarePasskey {
  /** The credential's ID. */
  readonly id: string
  /** Answers a challenge to register, with the attestation `none`, as `attestation` in the API. */
  attestation(
    challenge: string,
  ): Promise<Record<'id' | 'clientDataJSON' | 'attestationObject', string> & { readonly transports: ['internal'] }>
  /** Signs a challenge, as `assertion` in the API. */
  assertion(challenge: string): Promise<Record<'id' | 'authenticatorData' | 'clientDataJSON' | 'signature', string>>
}

type Subtle = typeof crypto.subtle
interface KeyPair {
  readonly privateKey: Parameters<Subtle['sign']>[1]
  readonly publicKey: Parameters<Subtle['exportKey']>[1]
}

const utf8 = new TextEncoder()
const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const sha256 = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The flags: a person is present and verified; with the third one, a key is attached. */
const present = 1
const verified = 4
const attached = 64

/** `origin` is the address of the pages where people sign in, such as `http://localhost:3000`; the RP ID is its host. */
export async function softwarePasskey(origin: string): Promise<SoftwarePasskey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey, publicKey } = (await crypto.subtle.generateKey(algorithm, true, ['sign'])) as KeyPair
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
  const credential = crypto.getRandomValues(new Uint8Array(16))
  const id = base64url(credential)
  const rpIdHash = await sha256(utf8.encode(new URL(origin).hostname))
  // COSE_Key in the canonical form of CTAP2: the point is 4, x and y.
  const cose = joined(hex('a5010203262001215820'), point.slice(1, 33), hex('225820'), point.slice(33))

  const clientData = (type: 'create' | 'get', challenge: string): Uint8Array =>
    utf8.encode(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }))
  const data = (...key: readonly Uint8Array[]): Uint8Array =>
    joined(rpIdHash, Uint8Array.of(present | verified | (key.length > 0 ? attached : 0), 0, 0, 0, 0), ...key)

  return {
    id,
    async attestation(challenge) {
      const authData = data(new Uint8Array(16), Uint8Array.of(0, credential.length), credential, cose)
      // {fmt: "none", attStmt: {}, authData: …}
      const head = hex('a363666d74646e6f6e656761747453746d74a0686175746844617461')
      const object = joined(head, Uint8Array.of(0x58, authData.length), authData)
      const clientDataJSON = base64url(clientData('create', challenge))
      return { id, clientDataJSON, attestationObject: base64url(object), transports: ['internal'] }
    },
    async assertion(challenge) {
      const [authenticatorData, client] = [data(), clientData('get', challenge)]
      const signed = joined(authenticatorData, await sha256(client))
      const raw = new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, signed))
      const [authenticator, clientDataJSON, signature] = [authenticatorData, client, derOf(raw)].map(base64url)
      return { id, authenticatorData: authenticator, clientDataJSON, signature } as Record<string, string> as never
    },
  }
}

/** WebAuthn writes a signature as two integers in DER, WebCrypto as two of 32 bytes. */
function derOf(raw: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array): Uint8Array => {
    const from = bytes.findIndex((byte) => byte !== 0)
    const short = bytes.slice(from < 0 ? bytes.length - 1 : from)
    const positive = (short[0] as number) > 127 ? joined(Uint8Array.of(0), short) : short
    return joined(Uint8Array.of(2, positive.length), positive)
  }
  const both = joined(integer(raw.slice(0, 32)), integer(raw.slice(32)))
  return joined(Uint8Array.of(0x30, both.length), both)
}
