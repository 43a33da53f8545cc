/**
 * The portable proof that an entry is in a log (c2sp.org/tlog-proof): its index, the hashes from its leaf up to the
 * root, and the signed checkpoint that names the root. A verifier that trusts the signatures needs nothing else.
 */
import { fromBase64, toBase64 } from './base64.ts'

export class MalformedProof extends Error {}

export interface TlogProof {
  readonly index: number
  /** From the leaf's sibling up to the root's child. */
  readonly hashes: readonly Uint8Array[]
  /** The signed checkpoint, as it was issued. */
  readonly note: string
}

const firstLine = 'c2sp.org/tlog-proof@v1'

export const writeTlogProof = (index: number, hashes: readonly Uint8Array[], note: string): string =>
  `${firstLine}\nindex ${index}\n${hashes.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`

/** The format allows a line of extra data, which no signature covers; this library neither writes nor accepts one. */
export function parseTlogProof(text: string): TlogProof {
  const blank = text.indexOf('\n\n')
  const [first, second = '', ...lines] = text.slice(0, Math.max(0, blank)).split('\n')
  if (first !== firstLine) throw new MalformedProof(`A proof must start with the line ${firstLine}.`)
  const index = /^index (0|[1-9]\d{0,15})$/.exec(second)?.[1]
  if (index === undefined || !Number.isSafeInteger(Number(index))) {
    throw new MalformedProof('The second line of a proof must be "index" and a number.')
  }
  const hashes = lines.map((line) => {
    const hash = fromBase64(line)
    if (hash?.length !== 32) throw new MalformedProof(`This isn't a 32-byte hash: ${line.slice(0, 100)}`)
    return hash
  })
  return { index: Number(index), hashes, note: text.slice(blank + 2) }
}
