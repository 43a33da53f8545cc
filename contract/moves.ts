/**
 * The states and moves of a membership: this table is the rule, the documentation and the test.
 * Any move that is not here is refused with 409 CONFLICT and changes nothing.
 */
import type { MembershipStatus } from './enums.ts'

export interface Move {
  readonly from: readonly MembershipStatus[]
  readonly to: MembershipStatus
  readonly by: 'the member' | 'an ADMIN of the center'
  readonly meaning: string
}

export const membershipMoves = {
  accept: { from: ['INVITED'], to: 'PENDING', by: 'the member', meaning: 'The invited person says yes' },
  approve: {
    from: ['PENDING'],
    to: 'ACTIVE',
    by: 'an ADMIN of the center',
    meaning: 'The center lets them in; takes a seat',
  },
  suspend: {
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    by: 'an ADMIN of the center',
    meaning: 'Access stops at once; frees the seat',
  },
  reinstate: {
    from: ['SUSPENDED'],
    to: 'ACTIVE',
    by: 'an ADMIN of the center',
    meaning: 'Access is back; takes a seat',
  },
  end: { from: ['ACTIVE'], to: 'ENDED', by: 'an ADMIN of the center', meaning: 'The membership is over, for good' },
  reject: {
    from: ['INVITED', 'PENDING'],
    to: 'REJECTED',
    by: 'an ADMIN of the center',
    meaning: 'The center takes the invitation back',
  },
} as const satisfies Record<string, Move>

export type MembershipMove = keyof typeof membershipMoves
