/**
 * The status changes of a membership, a center and a subscription. Server, documentation and tests use these tables.
 * Any move that is not here is refused with 409 CONFLICT and changes nothing. In a table each state is reached by one
 * move, so that naming the state names the move.
 */
import type { BookingStatus, CenterStatus, GuardianshipStatus, MembershipStatus, SubscriptionStatus } from './enums.ts'

export interface Move<Status, By> {
  readonly from: readonly Status[]
  readonly to: Status
  readonly by: By
  readonly meaning: string
}

export const membershipMoves = {
  accept: { from: ['INVITED'], to: 'PENDING', by: 'the member', meaning: 'Accept an invitation' },
  approve: {
    from: ['PENDING'],
    to: 'ACTIVE',
    by: 'an ADMIN of the center',
    meaning: 'Admit a person who accepted; the membership takes a seat',
  },
  suspend: {
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    by: 'an ADMIN of the center',
    meaning: 'Suspend a member; access ends at once and the seat is free',
  },
  reinstate: {
    from: ['SUSPENDED'],
    to: 'ACTIVE',
    by: 'an ADMIN of the center',
    meaning: 'Reinstate a suspended member; the membership takes a seat',
  },
  end: {
    from: ['ACTIVE'],
    to: 'ENDED',
    by: 'an ADMIN of the center',
    meaning: 'End a membership; only another invitation starts it again',
  },
  reject: {
    from: ['INVITED', 'PENDING'],
    to: 'REJECTED',
    by: 'an ADMIN of the center',
    meaning: 'Withdraw an invitation or reject a person who accepted',
  },
  reinvite: {
    from: ['INVITED', 'REJECTED', 'ENDED'],
    to: 'INVITED',
    by: 'an ADMIN of the center',
    meaning: 'Invite a person again: earlier links stop working, and an ended membership starts again',
  },
} as const satisfies Record<string, Move<MembershipStatus, 'the member' | 'an ADMIN of the center'>>

export type MembershipMove = keyof typeof membershipMoves

/** In one center: a child of several centers has a guardianship in each. */
export const guardianshipMoves = {
  invite: {
    from: ['INVITED', 'ENDED'],
    to: 'INVITED',
    by: 'an ADMIN of the center',
    meaning: 'Invite a person by email to be the guardian of a child, also again',
  },
  accept: { from: ['INVITED'], to: 'ACTIVE', by: 'the parent', meaning: 'Accept a guardianship' },
  end: {
    from: ['INVITED', 'ACTIVE'],
    to: 'ENDED',
    by: 'the parent or an ADMIN of the center',
    meaning: 'End a guardianship, or withdraw its invitation; access ends at once',
  },
} as const satisfies Record<string, Move<GuardianshipStatus, string>>

export type GuardianshipMove = keyof typeof guardianshipMoves

/** An appointment that has begun was attended or missed; staff may correct which. */
export const bookingMoves = {
  attended: {
    from: ['booked', 'no_show'],
    to: 'attended',
    by: 'an ADMIN or INSTRUCTOR',
    meaning: 'Note that the client came; not before the appointment begins',
  },
  no_show: {
    from: ['booked', 'attended'],
    to: 'no_show',
    by: 'an ADMIN or INSTRUCTOR',
    meaning: 'Note that the client did not come; not before the appointment begins',
  },
  cancel: {
    from: ['booked'],
    to: 'canceled',
    by: 'the client or a guardian, or an ADMIN or INSTRUCTOR',
    meaning: 'Cancel an appointment; the slot is free again',
  },
} as const satisfies Record<string, Move<BookingStatus, string>>

export type BookingMove = keyof typeof bookingMoves

export const centerMoves = {
  suspend: {
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    by: 'a PARTNER_ADMIN or the operator',
    meaning: 'Members cannot enter and its API keys are refused; no data is lost',
  },
  reinstate: {
    from: ['SUSPENDED'],
    to: 'ACTIVE',
    by: 'a PARTNER_ADMIN or the operator',
    meaning: 'The center is open again',
  },
  end: { from: ['ACTIVE', 'SUSPENDED'], to: 'INACTIVE', by: 'the operator', meaning: 'The center has ended, for good' },
} as const satisfies Record<string, Move<CenterStatus, 'a PARTNER_ADMIN or the operator' | 'the operator'>>

export type CenterMove = keyof typeof centerMoves

const billing = 'the billing system or the operator'

export const subscriptionMoves = {
  activate: {
    from: ['TRIAL', 'PAST_DUE'],
    to: 'ACTIVE',
    by: billing,
    meaning: 'The first payment has arrived, or the one that was overdue',
  },
  lapse: {
    from: ['TRIAL', 'ACTIVE'],
    to: 'PAST_DUE',
    by: 'the billing system, the end of a trial or the operator',
    meaning: 'The trial is over or a payment is overdue; all goes on',
  },
  suspend: {
    from: ['PAST_DUE'],
    to: 'SUSPENDED',
    by: billing,
    meaning: 'It was not paid: no member is activated and the features of the plan stop; evidence stays readable',
  },
  cancel: {
    from: ['TRIAL', 'ACTIVE', 'PAST_DUE', 'SUSPENDED'],
    to: 'CANCELED',
    by: billing,
    meaning: 'It is over, for good: no member is activated and the features of the plan stop; evidence stays readable',
  },
} as const satisfies Record<string, Move<SubscriptionStatus, string>>

export type SubscriptionMove = keyof typeof subscriptionMoves

/** The name of the move that leads from one state to the other; undefined when there is none. */
export function moveBetween<Name extends string, Status>(
  table: Readonly<Record<Name, Pick<Move<Status, unknown>, 'from' | 'to'>>>,
  from: Status,
  to: Status,
): Name | undefined {
  return (Object.keys(table) as Name[]).find((name) => table[name].to === to && table[name].from.includes(from))
}

/** A message for users: why the change is refused. */
export function noMove<Status extends string>(
  what: string,
  table: Readonly<Record<string, Pick<Move<Status, unknown>, 'from' | 'to'>>>,
  from: Status,
  to: Status,
): string {
  const open = Object.values(table).flatMap((move) => (move.from.includes(from) ? [move.to] : []))
  const instead = open.length > 0 ? `It can become ${open.join(' or ')}.` : 'That status is final.'
  return `A ${what} with the status ${from} can't become ${to}. ${instead}`
}
