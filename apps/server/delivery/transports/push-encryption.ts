/** Messages that only one browser can read: `aes128gcm` with the keys of its subscription (RFC 8291 over RFC 8188). Pure. */
import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'

export interface BrowserKeys {
  /** The public key of the browser, an uncompressed point of P-256 in base64url. */
  readonly p256dh: string
  /** 16 bytes in base64url. */
  readonly auth: string
}

/** Drawn for each message; a test passes those of the RFC. */
export interface Drawn {
  readonly salt: Buffer
  readonly sender: ECDH
}

const recordSize = 4096

function draw(): Drawn {
  const sender = createECDH('prime256v1')
  sender.generateKeys()
  return { salt: randomBytes(16), sender }
}

const derive = (salt: Buffer, secret: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** One record: header, then the message, the delimiter of a last record, and the tag. Throws if a key is invalid. */
export function encrypt(message: string, keys: BrowserKeys, { salt, sender }: Drawn = draw()): Buffer {
  const [reader, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')]
  const own = sender.getPublicKey()
  const context = Buffer.concat([Buffer.from('WebPush: info\0'), reader, own])
  const secret = derive(auth, sender.computeSecret(reader), context, 32)
  const key = derive(salt, secret, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(salt, secret, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(message), cipher.update(Buffer.from([2])), cipher.final()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  return Buffer.concat([salt, size, Buffer.from([own.length]), own, sealed, cipher.getAuthTag()])
}

/** Whether a message can be encrypted for these keys. */
export function areKeys(keys: BrowserKeys): boolean {
  if (Buffer.from(keys.auth, 'base64url').length !== 16) return false
  try {
    encrypt('', keys)
    return true
  } catch {
    return false
  }
}
