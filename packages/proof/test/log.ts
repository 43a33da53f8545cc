/** A log and its witnesses with published private keys, for tests and for the vectors in docs/formats. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { checkpointText } from '../checkpoint.ts'
import type { ExportDocument } from '../export.ts'
import {
  cosignatureBytes,
  cosignatureMessage,
  type KeyType,
  keyNamed,
  signatureLine,
  type VerifierKey,
} from '../signed-note.ts'
import { writeTlogProof } from '../tlog-proof.ts'
import { emptyFrontier, grow, leafHash, rootOf } from '../tree.ts'

export interface Signer {
  readonly key: VerifierKey
  readonly sign: (message: Uint8Array) => Uint8Array
  /** The same key under another name. */
  readonly as: (name: string) => Signer
}

/** The private key is one byte, 32 times. */
export function signer(name: string, type: KeyType, seedByte: number): Signer {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seedByte)])
  return named(name, type, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

function named(name: string, type: KeyType, privateKey: KeyObject): Signer {
  const { x } = privateKey.export({ format: 'jwk' })
  return {
    key: keyNamed(name, type, new Uint8Array(Buffer.from(x as string, 'base64url'))),
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
    as: (other) => named(other, type, privateKey),
  }
}

export const host = signer('proof.example', 1, 7)
export const witnesses = [
  signer('witness.example/w1', 4, 9),
  signer('witness.example/w2', 4, 10),
  signer('witness.example/w3', 4, 11),
] as const
export const cosignedAt = 1_767_323_101

export const policyText = `# Whom these tests believe.
log ${host.key.vkey}
witness one ${witnesses[0].key.vkey}
witness two ${witnesses[1].key.vkey} https://witness.example/w2/
witness three ${witnesses[2].key.vkey}
group quorum-of-two 2 one two three
quorum quorum-of-two
`

/** The same, and the host where passkeys sign. */
export const passkeyPolicyText = `${policyText}#passkeys localhost http://localhost:3000\n`

export function signedCheckpoint(
  origin: string,
  size: number,
  root: Uint8Array,
  cosigners: readonly Signer[] = witnesses.slice(0, 2),
  by: Signer = host,
): string {
  const text = checkpointText(origin, size, root)
  const { key, sign } = by.as(origin)
  const lines = cosigners.map((witness) => {
    const signature = witness.sign(cosignatureMessage(cosignedAt, text))
    return signatureLine(witness.key.name, witness.key.keyId, cosignatureBytes(cosignedAt, signature))
  })
  return `${text}\n${signatureLine(key.name, key.keyId, sign(Buffer.from(text)))}${lines.join('')}`
}

interface Entry {
  readonly log: string
  readonly chain: { readonly index: number; readonly hash: string }
}

/** Proofs for entries of one log; the rest of the tree holds filler leaves. */
export function proofsOf(entries: readonly Entry[], after = 3, cosigners?: readonly Signer[], by?: Signer): string[] {
  const size = Math.max(...entries.map(({ chain }) => chain.index)) + 1 + after
  const leaves = Array.from({ length: size }, (_, at) => leafHash(at.toString(16).padStart(64, '0')))
  for (const { chain } of entries) leaves[chain.index] = leafHash(chain.hash)
  const { frontier, inclusion } = grow(emptyFrontier, leaves)
  return entries.map(({ log, chain }) => {
    const note = signedCheckpoint(log, size, rootOf(frontier), cosigners, by)
    return writeTlogProof(chain.index, inclusion(chain.index), note)
  })
}

/** The export with the proofs of its log. */
export function anchored(
  document: ExportDocument,
  { after = 3, cosigners, by }: { after?: number; cosigners?: readonly Signer[]; by?: Signer } = {},
): ExportDocument {
  const evidence = document.evidence as unknown as Entry & { history?: readonly Entry[]; bindings?: readonly Entry[] }
  const [tlogProof] = proofsOf([evidence], after, cosigners, by)
  const { history = [], bindings = [] } = evidence
  const inHistory = [...history, ...bindings]
  const proofs = inHistory.length > 0 ? proofsOf(inHistory, after, cosigners, by) : []
  const verification = {
    ...document.verification,
    anchoring: 'witnessed',
    tlogProof: tlogProof as string,
    ...(history.length > 0 && { historyProofs: proofs.slice(0, history.length) }),
    ...(bindings.length > 0 && { bindingProofs: proofs.slice(history.length) }),
  }
  return { ...document, verification }
}
