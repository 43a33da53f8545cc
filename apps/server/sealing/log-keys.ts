/**
 * The keys that sign checkpoints. They are outside the database on purpose: whoever can rewrite the rows must not be
 * able to sign what they became. One key signs for all logs of this host; a log's own name is part of what is signed.
 */
import { createPrivateKey, createPublicKey, sign as signWith } from 'node:crypto'
import { ed25519Pkcs8 } from '@countersign/proof/der.ts'
import { keyIdOf, keyNamed, signatureLine, type VerifierKey, vkeyOf } from '@countersign/proof/signed-note.ts'
import { LRUCache } from 'lru-cache'
import { nowMs } from '../lib/clock.ts'
import { key32 } from '../lib/key-file.ts'

/** What a key management service has to offer to stand in for a key in a file. Batches come in one call. */
export interface Signer {
  readonly publicKey: Uint8Array
  sign(messages: readonly Uint8Array[]): readonly Uint8Array[] | Promise<readonly Uint8Array[]>
}

export interface LogKey {
  /** Under the name of the host; see `packages/proof/trust-policy.ts` for how it stands for its logs. */
  readonly vkey: string
  readonly publicKey: Uint8Array
  readonly from: string
  /** When the next one took over. */
  readonly until: string | null
  /** The signature of the key before over `endorsementText`, in base64. */
  readonly endorsement: string | null
}

export interface LogKeys {
  /** Newest first. */
  readonly all: readonly LogKey[]
  /** A line for the note of each of these checkpoints. */
  signLines(checkpoints: readonly { origin: string; text: string }[]): Promise<readonly string[]>
  /** The keys under the name of a log, to check its notes with. */
  verifiersOf(origin: string): readonly VerifierKey[]
}

export class LogKeyError extends Error {}

/** What a key signs to say that the next one is genuine. */
export const endorsementText = (vkey: string, from: string): string =>
  `countersign.log-key-rotation/v1\n${vkey}\n${from}\n`

const spkiBytes = 12

export function localSigner(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.from(ed25519Pkcs8(seed)), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spkiBytes)
  const elsewhere = (message: Uint8Array) =>
    new Promise<Uint8Array>((resolve, reject) =>
      signWith(null, message, key, (error, signature) => (error ? reject(error) : resolve(signature))),
    )
  return {
    publicKey,
    // A few here; many on other threads, because this one has all the callers to answer.
    sign: (messages) =>
      messages.length < 4
        ? messages.map((message) => signWith(null, message, key))
        : Promise.all(messages.map(elsewhere)),
  }
}

const encoder = new TextEncoder()
const signatureType = 1
const mostIds = 5000

/**
 * One key per line, newest first: `private <seed> <from> [endorsement]` or, for one that signs no more,
 * `public <key> <from> [endorsement]`, all in base64. A seed alone is a key from the beginning.
 *
 * The newest whose time has come signs. One whose time is to come is known and published before: by the time it signs,
 * every process and every witness must know it, or they would take its signature for a stranger's.
 */
export function readLogKeys(text: string, host: string): LogKeys {
  const lines = parseLogKeyLines(text).map((line) => withSigner(line, host))
  if (!lines[0]?.signer) {
    throw new LogKeyError('the first key must be a private one: 32 random bytes in base64 (openssl rand -base64 32)')
  }
  const all = lines.map(({ signer: _, ...key }, at) => ({ ...key, until: lines[at - 1]?.from ?? null }))
  if (all.some(({ from, until }) => until !== null && Date.parse(from) >= Date.parse(until))) {
    throw new LogKeyError('keys stand newest first, each with the time from which it signs')
  }
  const signing = (): KeyLine & { readonly signer: Signer } => {
    const key = lines.find(({ from }) => Date.parse(from) <= nowMs())
    if (!key?.signer) throw new LogKeyError('no private key signs yet; the newest whose time has come must be one')
    return { ...key, signer: key.signer }
  }
  signing()
  /** A hash for each log, and the same with every batch. */
  const ids = new LRUCache<string, string>({ max: mostIds })
  const idOf = (origin: string, { vkey, publicKey }: KeyLine): string => {
    const known = `${vkey} ${origin}`
    const id = ids.get(known) ?? keyIdOf(origin, signatureType, publicKey)
    ids.set(known, id)
    return id
  }
  return {
    all,
    async signLines(checkpoints) {
      const key = signing()
      const signatures = await key.signer.sign(checkpoints.map((each) => encoder.encode(each.text)))
      return checkpoints.map(({ origin }, at) => signatureLine(origin, idOf(origin, key), signatures[at] as Uint8Array))
    },
    verifiersOf: (origin) => all.map(({ publicKey }) => keyNamed(origin, signatureType, publicKey)),
  }
}

type KeyLine = Omit<LogKey, 'until'> & { readonly signer: Signer | null }

const beginning = '1970-01-01T00:00:00.000Z'

/** A line of the key file, as it is written. */
export interface LogKeyLine {
  readonly kind: 'private' | 'public'
  /** The seed of a private key, or the public key. */
  readonly bytes: Buffer
  readonly from: string
  readonly endorsement: string | null
}

export const parseLogKeyLines = (text: string): readonly LogKeyLine[] =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
    .map(parseLine)

function parseLine(line: string): LogKeyLine {
  const words = line.split(/\s+/)
  const [kind, key = '', from = '', endorsement = null] =
    words.length === 1 ? ['private', words[0], beginning] : (words as [string, string?, string?, string?])
  const bytes = key32(key)
  if ((kind !== 'private' && kind !== 'public') || !bytes) {
    throw new LogKeyError('each line is `private` or `public`, 32 bytes in base64 and the time from which it signs')
  }
  if (Number.isNaN(Date.parse(from))) throw new LogKeyError('the time from which a key signs is in ISO 8601')
  return { kind, bytes, from, endorsement }
}

function withSigner({ kind, bytes, from, endorsement }: LogKeyLine, host: string): KeyLine {
  const signer = kind === 'private' ? localSigner(bytes) : null
  const publicKey = signer?.publicKey ?? bytes
  return { vkey: vkeyOf(host, signatureType, publicKey), publicKey, from, endorsement, signer }
}
