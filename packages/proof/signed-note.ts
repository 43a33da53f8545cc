/**
 * Signed notes (c2sp.org/signed-note): a short text, a blank line, and one line for each signature. Keys are written as
 * `<name>+<key id>+<base64 of type and public key>`. Type 1 signs the text; type 4, a witness, signs it with a time
 * (c2sp.org/tlog-cosignature).
 */
import { ed25519Verify } from '#ed25519'
import { sha256Hex } from '#sha256'
import { fromBase64, toBase64 } from './base64.ts'

export class MalformedNote extends Error {}

export type KeyType = 1 | 4

export interface VerifierKey {
  readonly name: string
  /** 8 hex digits: enough to find a key, not to trust it. */
  readonly keyId: string
  readonly type: KeyType
  readonly publicKey: Uint8Array
  readonly vkey: string
}

export interface NoteSignature {
  readonly name: string
  readonly keyId: string
  /** The bytes after the key id. */
  readonly signature: Uint8Array
}

export interface Note {
  /** What is signed; ends in a line feed. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

const encoder = new TextEncoder()
/** Neither space nor plus: both separate names from what follows. */
const namePattern = /^[^\s+\p{Cc}]+$/u
/** More than a genuine note has; bounds the work that a hostile note can cause. */
const maxSignatures = 100
/** The end of the year 9999: later times cannot be written as a date. */
const lastSecond = 253_402_300_799

export function keyIdOf(name: string, type: KeyType, publicKey: Uint8Array): string {
  const prefix = encoder.encode(`${name}\n`)
  const bytes = new Uint8Array(prefix.length + 1 + publicKey.length)
  bytes.set(prefix)
  bytes[prefix.length] = type
  bytes.set(publicKey, prefix.length + 1)
  return sha256Hex(bytes).slice(0, 8)
}

export const vkeyOf = (name: string, type: KeyType, publicKey: Uint8Array): string =>
  `${name}+${keyIdOf(name, type, publicKey)}+${toBase64(Uint8Array.of(type, ...publicKey))}`

/** A public key under a name; the id depends on both. */
export function keyNamed(name: string, type: KeyType, publicKey: Uint8Array): VerifierKey {
  return { name, keyId: keyIdOf(name, type, publicKey), type, publicKey, vkey: vkeyOf(name, type, publicKey) }
}

export function verifierKey(vkey: string): VerifierKey {
  // Base64 may contain a plus; the name and the id may not.
  const [, name = '', keyId = '', rest = ''] = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(vkey) ?? []
  const bytes = fromBase64(rest)
  const type = bytes?.[0]
  if (!namePattern.test(name) || bytes?.length !== 33 || (type !== 1 && type !== 4)) {
    throw new MalformedNote(`This isn't an Ed25519 or cosignature verifier key: ${vkey.slice(0, 200)}`)
  }
  const key = keyNamed(name, type, bytes.slice(1))
  if (key.keyId !== keyId) throw new MalformedNote(`This verifier key's id doesn't match its name and key: ${vkey}`)
  return key
}

export function parseNote(note: string): Note {
  if (!note.isWellFormed() || /[^\P{Cc}\n]/u.test(note)) {
    throw new MalformedNote('A note must be UTF-8 without control characters other than line feeds.')
  }
  const blank = note.lastIndexOf('\n\n')
  if (blank < 0) throw new MalformedNote('A note must have a blank line between its text and its signatures.')
  const lines = note.slice(blank + 2).split('\n')
  if (lines.pop() !== '' || lines.length === 0) throw new MalformedNote('A note must end with one line per signature.')
  if (lines.length > maxSignatures) throw new MalformedNote(`A note can have at most ${maxSignatures} signatures.`)
  return { text: note.slice(0, blank + 1), signatures: lines.map(parseSignature) }
}

function parseSignature(line: string): NoteSignature {
  const [dash, name = '', data = '', ...more] = line.split(' ')
  const bytes = fromBase64(data)
  if (dash !== '—' || !namePattern.test(name) || more.length > 0 || bytes === null || bytes.length < 5) {
    throw new MalformedNote(`This isn't a signature line: ${line.slice(0, 200)}`)
  }
  return { name, keyId: hex(bytes.subarray(0, 4)), signature: bytes.slice(4) }
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The line with its line feed. `bytes` is the signature; for a cosignature, the time and the signature. */
export function signatureLine(name: string, keyId: string, bytes: Uint8Array): string {
  const id = [0, 2, 4, 6].map((at) => Number.parseInt(keyId.slice(at, at + 2), 16))
  return `— ${name} ${toBase64(Uint8Array.of(...id, ...bytes))}\n`
}

/** The text that a witness signs at `time`, in seconds since 1970. */
export const cosignatureMessage = (time: number, noteText: string): Uint8Array =>
  encoder.encode(`cosignature/v1\ntime ${time}\n${noteText}`)

/** The bytes after the key id in the line of a cosignature. */
export function cosignatureBytes(time: number, signature: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + signature.length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time))
  bytes.set(signature, 8)
  return bytes
}

export interface CheckedNote {
  readonly signedBy: readonly VerifierKey[]
  readonly cosignedBy: readonly { readonly key: VerifierKey; readonly time: number }[]
  /** Known keys whose signatures do not verify. The caller must refuse such a note as a whole. */
  readonly bad: readonly VerifierKey[]
}

/** Signatures by unknown keys are ignored. */
export function checkNote(note: Note, keys: readonly VerifierKey[]): CheckedNote {
  const signedBy = new Set<VerifierKey>()
  const cosignedBy = new Map<VerifierKey, number>()
  const bad = new Set<VerifierKey>()
  for (const { name, keyId, signature } of note.signatures) {
    for (const key of keys) {
      if (key.name !== name || key.keyId !== keyId) continue
      const time = key.type === 4 ? cosignedAt(key, signature, note.text) : null
      const holds = key.type === 4 ? time !== null : ed25519Verify(key.publicKey, encoder.encode(note.text), signature)
      if (!holds) bad.add(key)
      else if (time === null) signedBy.add(key)
      else cosignedBy.set(key, time)
    }
  }
  return {
    signedBy: [...signedBy],
    cosignedBy: Array.from(cosignedBy, ([key, time]) => ({ key, time })),
    bad: [...bad],
  }
}

function cosignedAt(key: VerifierKey, bytes: Uint8Array, text: string): number | null {
  if (bytes.length !== 72) return null
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0))
  if (time > lastSecond) return null
  return ed25519Verify(key.publicKey, cosignatureMessage(time, text), bytes.subarray(8)) ? time : null
}
