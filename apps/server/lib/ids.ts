/** UUIDv7, and typed ids: prefix, underscore, the UUID in Crockford base32 (TypeID 0.3). */
import { randomFillSync } from 'node:crypto'
import { type IdKind, idPrefixes, recordKinds } from '@countersign/contract/ids.ts'
import { nowMs } from './clock.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const digitValue = new Int8Array(128).fill(-1)
for (const [value, char] of [...alphabet].entries()) digitValue[char.charCodeAt(0)] = value

// Two digits at a time: an id takes thirteen lookups.
const pairs: string[] = []
for (const high of alphabet) for (const low of alphabet) pairs.push(high + low)

// Random bytes are drawn in bulk: one system call serves a few hundred ids.
const pool = Buffer.alloc(4096)
let drawn = pool.length

function draw(bytes: number): string {
  if (drawn + bytes > pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += bytes
  return pool.toString('hex', drawn - bytes, drawn)
}

/** For one commitment: 16 random bytes. */
export const newSalt = (): string => draw(16)

/** For the digest of one action: 32 random bytes. */
export const newActionSalt = (): string => Buffer.from(draw(32), 'hex').toString('base64url')

export function newUuid(at: number = nowMs()): string {
  const random = draw(10)
  const variant = '89ab'[(pool[drawn - 1] as number) & 3]
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(3, 6)}-${random.slice(6, 18)}`
}

/** The lowest UUID of this time: those of rows rise with time. Times before 1970 give the first. */
export function firstUuidAt(at: number): string {
  const time = Math.max(at, 0).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The creation time, in milliseconds. */
export const timeOfUuid = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)

const hexValue = (code: number): number => (code <= 57 ? code - 48 : (code | 32) - 87)

/** 128 bits as 26 digits of 5 bits, with two zero bits in front. */
function base32(uuid: string): string {
  let text = ''
  let bits = 0
  let count = 2
  for (let i = 0; i < uuid.length; i++) {
    const code = uuid.charCodeAt(i)
    if (code === 45) continue
    bits = (bits << 4) | hexValue(code)
    count += 4
    if (count >= 10) {
      count -= 10
      text += pairs[bits >> count]
      bits &= (1 << count) - 1
    }
  }
  return text
}

export const typedId = (kind: IdKind, uuid: string): string => `${idPrefixes[kind]}_${base32(uuid)}`

/** Ids of the same UUID, for a record that has ids of several kinds. */
export function typedIds<const Kinds extends readonly IdKind[]>(
  uuid: string,
  ...kinds: Kinds
): { [K in keyof Kinds]: string } {
  const digits = base32(uuid)
  return kinds.map((kind) => `${idPrefixes[kind]}_${digits}`) as { [K in keyof Kinds]: string }
}

/** The UUID behind a typed id, or null when it is not an id of this kind. */
export function uuidOf(kind: IdKind, id: string): string | null {
  const prefix = idPrefixes[kind]
  if (id.length !== prefix.length + 27 || !id.startsWith(`${prefix}_`)) return null
  let hex = ''
  let bits = 0
  let count = -2
  for (let i = prefix.length + 1; i < id.length; i++) {
    const value = digitValue[id.charCodeAt(i) & 127] as number
    if (value < 0 || id.charCodeAt(i) > 127 || (count === -2 && value > 7)) return null
    bits = (bits << 5) | value
    count += 5
    while (count >= 4) {
      count -= 4
      hex += ((bits >> count) & 15).toString(16)
      bits &= (1 << count) - 1
    }
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The UUID that the event, decision, evidence and unit of one record share, of any of their ids. */
export function recordUuid(id: string): string | null {
  for (const kind of recordKinds) {
    const uuid = uuidOf(kind, id)
    if (uuid !== null) return uuid
  }
  return null
}

export const newId = (kind: IdKind): string => typedId(kind, newUuid())
