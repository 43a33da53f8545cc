/** What a row of an import says, read without the database. */
import { Email, PlainName } from '@countersign/contract/common.ts'
import { type ActorRole, actorRoles, type ImportReason } from '@countersign/contract/enums.ts'
import { maxGuardians } from '@countersign/contract/member-import.ts'
import { bodyAjv } from '../../../http/validation.ts'

export interface SentRow {
  readonly row: number
  readonly name?: string
  readonly email?: string
  readonly roles?: readonly string[]
  readonly guardians?: readonly string[]
}

export interface ReadRow {
  readonly row: number
  readonly name: string | null
  readonly email: string | null
  /** The highest first; empty where the row doesn't say. */
  readonly roles: readonly ActorRole[]
  readonly guardians: readonly string[]
  readonly refused: { readonly reason: ImportReason; readonly duplicateOf?: number } | null
}

const isEmail = bodyAjv.compile(Email)
const isName = bodyAjv.compile(PlainName)

/** A Korean name that was typed on another system may come in parts of letters. */
const textOf = (sent: string | undefined): string | null => sent?.trim().normalize('NFC') || null
const addressOf = (sent: string | undefined): string | null => textOf(sent)?.toLowerCase() ?? null

const isMailless = ({ email, roles }: ReadRow): boolean => email === null && roles.join() === 'CHILD'

function reasonOf(row: ReadRow, sentRoles: readonly string[], given: ReadonlySet<string>): ImportReason | null {
  const { name, email, roles, guardians } = row
  if (roles.length < new Set(sentRoles).size) return 'roles'
  if (roles.some((role) => !given.has(role))) return 'rolesNotGiven'
  if (email === null && !isMailless(row)) return 'emailMissing'
  if (email !== null && !isEmail(email)) return 'email'
  if (name === null && email === null) return 'nameMissing'
  if (name !== null && !isName(name)) return 'name'
  if (guardians.length > 0 && roles.length > 0 && !roles.includes('CHILD')) return 'guardiansNotForRole'
  if (guardians.length > maxGuardians || !guardians.every((each) => isEmail(each))) return 'guardians'
  return email !== null && guardians.includes(email) ? 'guardianOfSelf' : null
}

/** The same person: by the address, or a child by name and guardians. */
const keyOf = ({ name, email, guardians }: ReadRow): string =>
  JSON.stringify(email === null ? [name, ...guardians.toSorted()] : [email])

export function readRows(sent: readonly SentRow[], given: readonly ActorRole[]): readonly ReadRow[] {
  const first = new Map<string, number>()
  return sent.map((each) => {
    const sentRoles = each.roles ?? []
    const read: ReadRow = {
      row: each.row,
      name: textOf(each.name),
      email: addressOf(each.email),
      roles: actorRoles.filter((role) => sentRoles.includes(role)),
      guardians: [...new Set((each.guardians ?? []).map(addressOf).filter((address) => address !== null))],
      refused: null,
    }
    const reason = reasonOf(read, sentRoles, new Set(given))
    if (reason !== null) return { ...read, refused: { reason } }
    const duplicateOf = first.get(keyOf(read))
    if (duplicateOf !== undefined) return { ...read, refused: { reason: 'duplicate', duplicateOf } }
    first.set(keyOf(read), read.row)
    return read
  })
}
