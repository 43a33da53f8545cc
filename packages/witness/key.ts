/**
 * The key of the witness, in the one-line form of Go's note package: `PRIVATE+KEY+<name>+<id>+<type and seed>`.
 * It includes the name, because the key id depends on the name.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { cosignatureBytes, cosignatureMessage, ed25519Pkcs8, keyIdOf, signatureLine, vkeyOf } from '@countersign/proof'

const cosignatureType = 4

export interface WitnessKey {
  readonly name: string
  readonly vkey: string
  /** The signature line for the note, with its line feed; `time` in seconds. */
  cosign(noteText: string, time: number): string
}

export class KeyError extends Error {}

/** A URL without its scheme. No plus and no space: both separate fields in notes and policies. */
export const isName = (name: string): boolean => /^[\x21-\x2a\x2c-\x7e]{1,200}$/.test(name)

/** Creates a file that only its owner can read; never replaces an existing file. */
export function createKey(file: string, name: string): WitnessKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const id = keyIdOf(name, cosignatureType, publicBytes(privateKey))
  const secret = Buffer.concat([Buffer.of(cosignatureType), seed]).toString('base64')
  try {
    writeFileSync(file, `PRIVATE+KEY+${name}+${id}+${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new KeyError(`${file} already exists.`)
    throw error
  }
  return keyOf(name, privateKey)
}

export function readKey(file: string): WitnessKey {
  const text = readFileSync(file, 'utf8').trim()
  const [, name = '', id, secret = ''] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? []
  const bytes = Buffer.from(secret, 'base64')
  if (bytes.length !== 33 || bytes[0] !== cosignatureType) throw new KeyError(`${file} isn't a witness key.`)
  const der = Buffer.from(ed25519Pkcs8(bytes.subarray(1)))
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  if (keyIdOf(name, cosignatureType, publicBytes(privateKey)) !== id) {
    throw new KeyError(`${file} is damaged: its id doesn't match its name and key.`)
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
