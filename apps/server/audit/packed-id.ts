/** Ids as the narrow entries of seals store them: `cell.unpacked_id` reads them. Pure. */
import { typedId, uuidOf } from '../lib/ids.ts'

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Each with the byte that it begins with. An id is packed only where this gives exactly it again. */
const typed = [
  ['apiKey', '02'],
  ['request', '03'],
] as const

/** As PostgreSQL reads bytes: the text of an id is found again by equality. */
export function packedId(id: string): string {
  if (isUuid.test(id)) return `\\x01${id.replaceAll('-', '')}`
  for (const [kind, first] of typed) {
    const uuid = uuidOf(kind, id)
    if (uuid !== null && typedId(kind, uuid) === id) return `\\x${first}${uuid.replaceAll('-', '')}`
  }
  return `\\x00${Buffer.from(id).toString('hex')}`
}
