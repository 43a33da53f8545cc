/** A minimal log: leaves, a key, and checkpoints and proofs for each of its sizes. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import { toBase64 } from '@countersign/proof/base64.ts'
import { checkpointText } from '@countersign/proof/checkpoint.ts'
import { keyIdOf, signatureLine, vkeyOf } from '@countersign/proof/signed-note.ts'
import { consistencyProof, emptyFrontier, grow, leafHash, nodeHash } from '@countersign/proof/tree.ts'

export interface HostKey {
  readonly vkey: string
  /** Signs a text as the log of that name. */
  note(origin: string, text: string): string
}

export function hostKey(host: string, pem?: string): HostKey {
  const privateKey: KeyObject = pem ? createPrivateKey(pem) : generateKeyPairSync('ed25519').privateKey
  const publicKey = new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32))
  return {
    vkey: vkeyOf(host, 1, publicKey),
    note: (origin, text) =>
      `${text}\n${signatureLine(origin, keyIdOf(origin, 1, publicKey), sign(null, Buffer.from(text), privateKey))}`,
  }
}

export interface LittleLog {
  readonly origin: string
  note(size: number): string
  proof(oldSize: number, size: number): readonly Uint8Array[]
  /** The body of a request to a witness. */
  submission(oldSize: number, size: number): string
}

/** `story` makes the leaves: two logs with the same name and key and different stories are a split view. */
export function littleLog(key: HostKey, origin: string, story: string, length: number): LittleLog {
  const leaves = Array.from({ length }, (_, at) => leafHash(hash('sha256', `${story} ${at}`, 'hex')))
  const nodeAt = (height: number, index: number): Uint8Array =>
    height === 0
      ? (leaves[index] as Uint8Array)
      : nodeHash(nodeAt(height - 1, 2 * index), nodeAt(height - 1, 2 * index + 1))
  const rootAt = (size: number) => grow(emptyFrontier, leaves.slice(0, size)).root
  const note = (size: number) => key.note(origin, checkpointText(origin, size, rootAt(size)))
  const proof = (oldSize: number, size: number) => consistencyProof(oldSize, size, nodeAt)
  return {
    origin,
    note,
    proof,
    submission: (oldSize, size) => requestOf(oldSize, oldSize > size ? [] : proof(oldSize, size), note(size)),
  }
}

export const requestOf = (oldSize: number | string, proof: readonly Uint8Array[], note: string): string =>
  `old ${oldSize}\n${proof.map((each) => `${toBase64(each)}\n`).join('')}\n${note}`
