/** What an administrator can do with a membership, by its status. The server refuses everything else. */
import type { ListedMember } from '@countersign/sdk'

/** Asked about first. */
export type Grave = 'suspend' | 'end' | 'reject'
export type Move = Grave | 'approve' | 'reinstate' | 'reinvite'

/** A suspended membership can't be ended: it is reinstated first, and the page says so. */
export const moves: Readonly<Record<ListedMember['status'], readonly Move[]>> = {
  INVITED: ['reinvite', 'reject'],
  PENDING: ['approve', 'reject'],
  ACTIVE: ['suspend', 'end'],
  SUSPENDED: ['reinstate'],
  REJECTED: ['reinvite'],
  ENDED: ['reinvite'],
}

/** An invitation needs an address; a client without one is admitted again without an invitation. */
type Return = 'reinvite' | 'readmit' | 'none'

export function returnOf({
  status,
  email,
  role,
  actorId,
}: Pick<ListedMember, 'status' | 'email' | 'role' | 'actorId'>): Return | null {
  if (status !== 'REJECTED' && status !== 'ENDED') return null
  if (email !== '') return 'reinvite'
  return role === 'CHILD' && actorId !== null ? 'readmit' : 'none'
}

export const offered = (member: Parameters<typeof returnOf>[0]): readonly Move[] =>
  moves[member.status].filter((move) => move !== 'reinvite' || (returnOf(member) ?? 'reinvite') === 'reinvite')

export const grave: readonly Grave[] = ['suspend', 'end', 'reject']
