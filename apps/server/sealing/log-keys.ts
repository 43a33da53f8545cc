/**
 * The keys that sign checkpoints. They are kept outside the database, so that an attacker who rewrites its rows cannot
 * sign the result. One key signs for all logs of this host; the signed text includes the name of the log.
 */

import { createPrivateKey, createPublicKey, sign as signWith } from 'node:crypto'
import type * as contract from '@countersign/contract/transparency.ts'
import { checkpointText, parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { ed25519Pkcs8 } from '@countersign/proof/der.ts'
import {
  checkNote,
  keyIdOf,
  keyNamed,
  MalformedNote,
  parseNote,
  signatureLine,
  type VerifierKey,
  vkeyOf,
} from '@countersign/proof/signed-note.ts'
import { LRUCache } from 'lru-cache'
import type { Static } from 'typebox'
import { key32 } from '../config/key-file.ts'
import { nowMs } from '../lib/clock.ts'
import { confirmedOf, type Fence, type Signed } from './fence/fence.ts'

/** The interface that a key management service implements to replace a key in a file. One call signs a whole batch. */
export interface Signer {
  readonly publicKey: Uint8Array
  sign(messages: readonly Uint8Array[]): readonly Uint8Array[] | Promise<readonly Uint8Array[]>
}

export interface LogKey {
  /** Named after the host; `packages/proof/trust-policy.ts` defines how a host key applies to the logs of the host. */
  readonly vkey: string
  readonly publicKey: Uint8Array
  readonly from: string
  /** When the next key begins to sign. */
  readonly until: string | null
  /** The signature of the previous key over `endorsementText`, in base64. */
  readonly endorsement: string | null
  /** From when on its signatures prove nothing; null for a key that was not stolen. */
  readonly stolenAt: string | null
}

export interface LogKeys {
  /** Newest first. */
  readonly all: readonly LogKey[]
  /** The key that signs now. Throws where none may. */
  signing(): LogKey
  /** Returns one signature line for the note of each checkpoint. */
  signLines(checkpoints: readonly { origin: string; text: string }[]): Promise<readonly string[]>
  /** The keys under the name of a log, to verify its notes. */
  verifiersOf(origin: string): readonly VerifierKey[]
  /** Whether a line under a checkpoint was made with a key that was stolen. */
  isByStolenKey(line: string): boolean
}

export class LogKeyError extends Error {}

/** The text that a key signs to endorse its successor. */
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
    // Small batches are signed here; large ones on other threads, to keep the event loop free.
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
 * One key per line, newest first: `private <seed> <from> [endorsement]` or, for a key that no longer signs, `public
 * <key> <from> [endorsement]`, all in base64. A seed alone is a key that is valid from the beginning. `#stolen` at the end of a
 * line, a comment for earlier versions, says that the key was stolen when the next one began to sign.
 *
 * The newest key whose time has come signs. A later key is published before its time: processes and witnesses that do
 * not know a key when it begins to sign reject its signatures.
 */
export function readLogKeys(text: string, host: string): LogKeys {
  const lines = parseLogKeyLines(text).map((line) => withSigner(line, host))
  if (!lines[0]?.signer) {
    throw new LogKeyError('the first key must be a private key: 32 random bytes in base64 (openssl rand -base64 32)')
  }
  const all = lines.map(({ signer: _, isStolen, ...key }, at) => {
    const until = lines[at - 1]?.from ?? null
    return { ...key, until, stolenAt: isStolen ? until : null }
  })
  if (all.some(({ from, until }) => until !== null && Date.parse(from) >= Date.parse(until))) {
    throw new LogKeyError('keys must be listed newest first, each with the time when it starts signing')
  }
  if (lines[0]?.isStolen) throw new LogKeyError('the first key was stolen; add a new one before it')
  const signing = (): KeyLine & { readonly signer: Signer } => {
    const key = lines.find(({ from }) => Date.parse(from) <= nowMs())
    if (!key?.signer || key.isStolen)
      throw new LogKeyError(
        'no private key is signing yet; the newest key that has started signing must be a private one',
      )
    return { ...key, signer: key.signer }
  }
  signing()
  /** Caches the key id of each log, which every batch needs. */
  const ids = new LRUCache<string, string>({ max: mostIds })
  const idOf = (origin: string, { vkey, publicKey }: KeyLine): string => {
    const known = `${vkey} ${origin}`
    const id = ids.get(known) ?? keyIdOf(origin, signatureType, publicKey)
    ids.set(known, id)
    return id
  }
  return {
    all,
    signing: () => all[lines.findIndex(({ vkey }) => vkey === signing().vkey)] as LogKey,
    async signLines(checkpoints) {
      const key = signing()
      const signatures = await key.signer.sign(checkpoints.map((each) => encoder.encode(each.text)))
      return checkpoints.map(({ origin }, at) => signatureLine(origin, idOf(origin, key), signatures[at] as Uint8Array))
    },
    verifiersOf: (origin) => all.map(({ publicKey }) => keyNamed(origin, signatureType, publicKey)),
    isByStolenKey(line) {
      const [, origin = '', signature = ''] = line.trim().split(' ')
      const id = Buffer.from(signature, 'base64').subarray(0, 4).toString('hex')
      return lines.some((key) => key.isStolen && idOf(origin, key) === id)
    },
  }
}

type KeyLine = Omit<LogKey, 'until' | 'stolenAt'> & { readonly signer: Signer | null; readonly isStolen: boolean }

const beginning = '1970-01-01T00:00:00.000Z'

/** A line of the key file, as it is written. */
export interface LogKeyLine {
  readonly kind: 'private' | 'public'
  /** The seed of a private key, or the public key. */
  readonly bytes: Buffer
  readonly from: string
  readonly endorsement: string | null
  readonly isStolen: boolean
}

export const stolenMark = '#stolen'

export const parseLogKeyLines = (text: string): readonly LogKeyLine[] =>
  text
    .split('\n')
    .map((line) => ({ line: line.replace(/#.*/, '').trim(), isStolen: line.trimEnd().endsWith(` ${stolenMark}`) }))
    .filter(({ line }) => line !== '')
    .map(({ line, isStolen }) => parseLine(line, isStolen))

function parseLine(line: string, isStolen: boolean): LogKeyLine {
  const words = line.split(/\s+/)
  const [kind, key = '', from = '', endorsement = null] =
    words.length === 1 ? ['private', words[0], beginning] : (words as [string, string?, string?, string?])
  const bytes = key32(key)
  if ((kind !== 'private' && kind !== 'public') || !bytes) {
    throw new LogKeyError(
      'each line must be `private` or `public`, 32 bytes in base64, and the time when it starts signing',
    )
  }
  if (Number.isNaN(Date.parse(from)))
    throw new LogKeyError('the time when a key starts signing must be in ISO 8601 format')
  return { kind, bytes, from, endorsement, isStolen }
}

function withSigner({ kind, bytes, from, endorsement, isStolen }: LogKeyLine, host: string): KeyLine {
  const signer = kind === 'private' ? localSigner(bytes) : null
  const publicKey = signer?.publicKey ?? bytes
  return { vkey: vkeyOf(host, signatureType, publicKey), publicKey, from, endorsement, signer, isStolen }
}

/** The receipt of a seal. Its holder can prove the seal to a third party without this database. */
export type Receipt = Static<typeof contract.Receipt>

/** Uses a Buffer for speed: a receipt has about twenty hashes, and every seal has a receipt. */
export const inBase64 = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64')

export const inHex = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex')

/**
 * Our signature lines under checkpoints. With a fence store, a checkpoint is signed only after the fence has confirmed it.
 * A line may be missing in the database; then the newest confirmed checkpoint is signed where it is read. Every process
 * makes the same line, because Ed25519 is deterministic.
 */
/** A row of `cell.signatures`. */
export interface SignatureRow {
  readonly center_id: number
  readonly domain: string
  readonly size: number
  readonly line: string
}

/** Takes signatures of confirmed sizes that no batch has written. */
export interface SignatureKeeper {
  keep(cell: string, rows: readonly SignatureRow[]): void
}

export const textOf = (log: string, { size, root }: Signed): string =>
  checkpointText(log, size, Buffer.from(root, 'hex'))

/** A note without a signature, as the database keeps it in answers and messages. */
export const unsignedNote = (text: string): string => `${text}\n`

/** The checkpoint of a note without a signature; null for any other text. */
export function unsignedCheckpoint(note: unknown): (Signed & { readonly log: string }) | null {
  if (typeof note !== 'string' || !note.endsWith('\n\n')) return null
  try {
    const { origin, size, root } = parseCheckpoint(note.slice(0, -1))
    return { log: origin, size, root: inHex(root) }
  } catch (error) {
    if (error instanceof MalformedNote) return null
    throw error
  }
}

/**
 * The line under a checkpoint if the fence has confirmed exactly it; null otherwise, and where the stored line is the only
 * one that may be shown. Nothing else from the database is ever signed.
 */
export async function lineIfConfirmed(fence: Fence, keys: LogKeys, log: string, seen: Signed): Promise<string | null> {
  if (!fence.knowsDatabases) return null
  const confirmed = await confirmedOf(fence, log)
  if (confirmed?.size !== seen.size || confirmed.root !== seen.root) return null
  return (await keys.signLines([{ origin: log, text: textOf(log, seen) }]))[0] as string
}

const mostLines = 20_000

/** A batch, its answer, the next batch and readers need the same line: it is made once. */
export function rememberLines(keys: LogKeys): LogKeys {
  const lines = new LRUCache<string, string>({ max: mostLines })
  return {
    ...keys,
    async signLines(checkpoints) {
      const known = checkpoints.map(({ text }) => lines.get(text))
      const unknown = checkpoints.filter((_, at) => known[at] === undefined)
      const made = unknown.length > 0 ? [...(await keys.signLines(unknown))] : []
      for (const [at, { text }] of unknown.entries()) lines.set(text, made[at] as string)
      return known.map((line) => line ?? (made.shift() as string))
    },
  }
}

/** Caches verified notes: every proof needs the newest one of a log, and verifying a signature is the costliest step. */
const verified = new WeakMap<LogKeys, LRUCache<string, true>>()
const mostVerified = 5000

/** Whether a line is our signature over this size and root. */
export function isSigned(log: string, keys: LogKeys, line: string | null | undefined, { size, root }: Signed): boolean {
  if (!line) return false
  const known = verified.get(keys) ?? new LRUCache({ max: mostVerified })
  verified.set(keys, known)
  try {
    const note = `${textOf(log, { size, root })}\n${line}`
    if (known.has(note)) return true
    const { signedBy, bad } = checkNote(parseNote(note), keys.verifiersOf(log))
    if (signedBy.length === 0 || bad.length > 0) return false
    known.set(note, true)
    return true
  } catch (error) {
    if (error instanceof MalformedNote) return false
    throw error
  }
}
