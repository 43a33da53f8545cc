/**
 * The witness's own key, in one line of the form that Go's note package has: `PRIVATE+KEY+<name>+<id>+<type and seed>`.
 * It carries the name, because a key under another name is another key.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { cosignatureBytes, cosignatureMessage, ed25519Pkcs8, keyIdOf, signatureLine, vkeyOf } from '@countersign/proof'

const cosignatureType = 4

export interface WitnessKey {
  readonly name: string
  readonly vkey: string
  /** A line, with its end, to be put below the note, with the time in seconds. */
  cosign(noteText: string, time: number): string
}

export class KeyError extends Error {}

/** As in URLs without their beginning; a plus or a space would break the lines that it stands in. */
export const isName = (name: string): boolean => /^[\x21-\x2a\x2c-\x7e]{1,200}$/.test(name)

/** Readable by its owner only; an existing file is never replaced. */
export function createKey(file: string, name: string): WitnessKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const id = keyIdOf(name, cosignatureType, publicBytes(privateKey))
  const secret = Buffer.concat([Buffer.of(cosignatureType), seed]).toString('base64')
  try {
    writeFileSync(file, `PRIVATE+KEY+${name}+${id}+${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new KeyError(`${file} exists already.`)
    throw error
  }
  return keyOf(name, privateKey)
}

export function readKey(file: string): WitnessKey {
  const text = readFileSync(file, 'utf8').trim()
  const [, name = '', id, secret = ''] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? []
  const bytes = Buffer.from(secret, 'base64')
  if (bytes.length !== 33 || bytes[0] !== cosignatureType) throw new KeyError(`${file} does not hold a witness's key.`)
  const der = Buffer.from(ed25519Pkcs8(bytes.subarray(1)))
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  if (keyIdOf(name, cosignatureType, publicBytes(privateKey)) !== id) {
    throw new KeyError(`${file} is damaged: name, id and key do not belong together.`)
  }
  return keyOf(name, privateKey)
}

const publicBytes = (privateKey: KeyObject): Uint8Array =>
  new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32))

function keyOf(name: string, privateKey: KeyObject): WitnessKey {
  const publicKey = publicBytes(privateKey)
  const id = keyIdOf(name, cosignatureType, publicKey)
  return {
    name,
    vkey: vkeyOf(name, cosignatureType, publicKey),
    cosign(noteText, time) {
      const signature = sign(null, cosignatureMessage(time, noteText), privateKey)
      return signatureLine(name, id, cosignatureBytes(time, signature))
    },
  }
}
