/** What a caller takes home: with it the seal can be shown to anybody, whatever becomes of this database. */
import type * as contract from '@countersign/contract/transparency.ts'
import type { Static } from 'typebox'

export type Receipt = Static<typeof contract.Receipt>

/** Through a Buffer: there are twenty hashes in a receipt, and it is made for every seal. */
export const inBase64 = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64')

export const inHex = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex')
