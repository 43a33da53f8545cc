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

export const grave: readonly Grave[] = ['suspend', 'end', 'reject']
