/** The receipt of a seal. Its holder can prove the seal to a third party without this database. */
import type * as contract from '@countersign/contract/transparency.ts'
import type { Static } from 'typebox'

export type Receipt = Static<typeof contract.Receipt>

/** Uses a Buffer for speed: a receipt has about twenty hashes, and every seal has a receipt. */
export const inBase64 = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64')

export const inHex = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex')
