/**
 * `csk_<env>_<random>_<checksum>`: 256 random bits and a CRC32 in base62. A mistyped or made-up key is refused
 * without asking the database, and a scanner can tell a leaked key from noise.
 */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^csk_(?:live|test)_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/

function base62(value: bigint, width: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text.padStart(width, '0')
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), 6)

export function newApiKey(environment: 'live' | 'test'): string {
  const body = `csk_${environment}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`
  return `${body}_${checksum(body)}`
}

export function isApiKey(text: string): boolean {
  const match = form.exec(text)
  return match !== null && match[1] === checksum(text.slice(0, -7))
}

/** Without salt, and rightly so: there is nothing to guess in 256 random bits. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Enough to recognise a key in a list, far too little to use it. */
export const apiKeyPrefix = (key: string): string => key.slice(0, 13)
