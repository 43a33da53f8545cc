/**
 * Secrets at rest: AES-256-GCM under keys that are not in the database. The first key seals, all of them open,
 * so a key is rotated by putting a new one in front. `context` binds a box to its row: a box moved elsewhere fails.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  seal(plain: Buffer | string, context: string): Buffer
  open(box: Buffer, context: string): Buffer
  /** The id of the key that seals. Bytes 1 to 4 of a box hold it, so boxes sealed with another key can be found. */
  readonly keyId: Buffer
}

const version = 1

function cipherKey(secret: Buffer): { id: Buffer; key: Buffer } {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'countersign secret box', 32))
  return { id: createHash('sha256').update(key).digest().subarray(0, 4), key }
}

export function secretBox(secrets: readonly Buffer[]): SecretBox {
  const keys = secrets.map(cipherKey)
  const sealing = keys[0]
  if (!sealing) throw new Error('a secret box needs at least one key')
  return {
    keyId: sealing.id,
    seal(plain, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing.key, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.from([version]), sealing.id, nonce, cipher.getAuthTag(), sealed])
    },
    open(box, context) {
      const key = box[0] === version && keys.find(({ id }) => id.equals(box.subarray(1, 5)))
      if (!key) throw new Error('sealed with a key that this process does not have; is SECRET_KEY the same everywhere?')
      const cipher = createDecipheriv('aes-256-gcm', key.key, box.subarray(5, 17)).setAAD(Buffer.from(context))
      cipher.setAuthTag(box.subarray(17, 33))
      return Buffer.concat([cipher.update(box.subarray(33)), cipher.final()])
    },
  }
}
