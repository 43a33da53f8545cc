/**
 * `csk_<env>_<random>_<checksum>`: 256 random bits and a CRC32 in base62. A mistyped or invented key is refused
 * without a database query, and a secret scanner can recognize a leaked key.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isSandboxCenter } from '@countersign/proof/chain.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^csk_(?:live|test)_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/

function base62(value: bigint, width: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text.padStart(width, '0')
}

/** Uses plain numbers because every request with a key computes this. */
function checksum(text: string): string {
  let value = crc32(text)
  let sum = ''
  for (let width = 0; width < 6; width++) {
    sum = digits[value % 62] + sum
    value = Math.floor(value / 62)
  }
  return sum
}

export function newApiKey(environment: 'live' | 'test'): string {
  const body = `csk_${environment}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`
  return `${body}_${checksum(body)}`
}

export function isApiKey(text: string): boolean {
  const match = form.exec(text)
  return match !== null && match[1] === checksum(text.slice(0, -7))
}

/** The environment that a key is for: `test` for sandboxes, `live` for all other centers. */
export const environmentOf = (centerId: number): 'live' | 'test' => (isSandboxCenter(centerId) ? 'test' : 'live')

/** A key of one environment is never admitted in the other, whatever the directory says. */
export const isForCenter = (key: string, centerId: number): boolean => key.startsWith(`csk_${environmentOf(centerId)}_`)

/** No salt: 256 random bits cannot be guessed. */
export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer')
export const apiKeyDigest = (key: string): string => hash('sha256', key, 'base64')

/** Enough to recognize a key in a list; too little to use it. */
export const apiKeyPrefix = (key: string): string => key.slice(0, 13)
