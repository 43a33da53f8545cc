/** What the addresses of this area say beside the center. */
import { auditTypes } from '../../ui/audit/types.ts'

const roles = ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'] as const
const statuses = ['INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED'] as const

type Search = Record<string, unknown>
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const oneOf = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((each) => each === value)

interface MembersSearch {
  readonly q?: string | undefined
  readonly role?: (typeof roles)[number] | undefined
  readonly status?: (typeof statuses)[number] | undefined
  readonly member?: string | undefined
  /** Only the passkeys that wait. */
  readonly show?: 'passkeys' | undefined
  readonly passkey?: string | undefined
}

export const membersSearch = (search: Search): MembersSearch => ({
  q: text(search.q),
  role: oneOf(roles, search.role),
  status: oneOf(statuses, search.status),
  member: text(search.member),
  show: oneOf(['passkeys'], search.show),
  passkey: text(search.passkey),
})
export const familiesSearch = (search: Search) => ({ child: text(search.child) })
export const groupsSearch = (search: Search) => ({ group: text(search.group) })
export const workflowsSearch = (search: Search) => ({ workflow: text(search.workflow), run: text(search.run) })
export const auditSearch = (search: Search) => ({
  who: text(search.who),
  type: oneOf(auditTypes, search.type),
  from: text(search.from),
  to: text(search.to),
})
export { roles, statuses }
