/** For browsers: the digest of WebCrypto is asynchronous, and absent from pages opened from a file. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

export const sha256Hex = (data: string | Uint8Array): string =>
  bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data))

export const sha256Bytes = (bytes: Uint8Array): Uint8Array => sha256(bytes)
