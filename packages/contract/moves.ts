/**
 * The status changes of a membership, a center and a subscription. Server, documentation and tests use these tables.
 * Any other move is refused with 409 CONFLICT and changes nothing. In a table each state is reached by one
 * move, so that the state identifies the move; of a membership, who moves it tells the two ways apart.
 */
import type { BookingStatus, CenterStatus, GuardianshipStatus, MembershipStatus, SubscriptionStatus } from './enums.ts'

export interface Move<Status, By> {
  readonly from: readonly Status[]
  readonly to: Status
  readonly by: By
  /** What is done, as an instruction. */
  readonly summary: string
  /** What happens then, in sentences. */
  readonly effect: string
}

export const membershipMoves = {
  accept: {
    from: ['INVITED'],
    to: 'PENDING',
    by: 'the member',
    summary: 'Accept a membership',
    effect:
      "Accepts an invitation to a center. An ADMIN must then approve you, unless the invitation was approved in advance; in that case, you're ACTIVE at once.",
  },
  approve: {
    from: ['PENDING'],
    to: 'ACTIVE',
    by: 'an ADMIN of the center',
    summary: 'Approve a member',
    effect: 'Admits a person who accepted their invitation. The membership takes a seat.',
  },
  suspend: {
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    by: 'an ADMIN of the center',
    summary: 'Suspend a member',
    effect:
      "Ends the member's access at once and frees the seat. To undo this, reinstate the member. The center's last ACTIVE ADMIN can't be suspended.",
  },
  reinstate: {
    from: ['SUSPENDED'],
    to: 'ACTIVE',
    by: 'an ADMIN of the center',
    summary: 'Reinstate a member',
    effect: 'Gives a suspended member access again. The membership takes a seat.',
  },
  end: {
    from: ['ACTIVE'],
    to: 'ENDED',
    by: 'an ADMIN of the center',
    summary: 'End a membership',
    effect:
      "Ends the membership; only another invitation starts it again. The center's last ACTIVE ADMIN can't be removed.",
  },
  reject: {
    from: ['INVITED', 'PENDING'],
    to: 'REJECTED',
    by: 'an ADMIN of the center',
    summary: 'Decline a member',
    effect: 'Revokes an invitation, or declines a person who accepted it.',
  },
  leave: {
    from: ['ACTIVE'],
    to: 'ENDED',
    by: 'the member',
    summary: 'Leave a center',
    effect:
      "Ends your own membership, and your access at once. Sealed records keep your name. Only another invitation starts it again. The center's last ACTIVE ADMIN can't leave.",
  },
  decline: {
    from: ['INVITED', 'PENDING'],
    to: 'REJECTED',
    by: 'the member',
    summary: 'Decline an invitation',
    effect: 'Declines an invitation to a center, also after you accepted it, until an ADMIN approves you.',
  },
  reinvite: {
    from: ['INVITED', 'REJECTED', 'ENDED'],
    to: 'INVITED',
    by: 'an ADMIN of the center',
    summary: 'Invite a member again',
    effect: 'Sends a new invitation: earlier links stop working, and an ended membership starts again.',
  },
} as const satisfies Record<string, Move<MembershipStatus, 'the member' | 'an ADMIN of the center'>>

export type MembershipMove = keyof typeof membershipMoves

/** Within one center: a child in several centers has a guardianship in each. */
export const guardianshipMoves = {
  invite: {
    from: ['INVITED', 'ENDED'],
    to: 'INVITED',
    by: 'an ADMIN of the center',
    summary: 'Invite a guardian',
    effect: "Invites a person by email to be a child's guardian, or invites them again.",
  },
  accept: {
    from: ['INVITED'],
    to: 'ACTIVE',
    by: 'the parent',
    summary: 'Accept a guardianship',
    effect: "Gives access to the child's appointments and attendance.",
  },
  end: {
    from: ['INVITED', 'ACTIVE'],
    to: 'ENDED',
    by: 'the parent or an ADMIN of the center',
    summary: 'End a guardianship',
    effect: 'Ends a guardianship, or revokes its invitation. The guardian loses access at once.',
  },
} as const satisfies Record<string, Move<GuardianshipStatus, string>>

export type GuardianshipMove = keyof typeof guardianshipMoves

/** An appointment that has started is attended or missed; staff can correct which. */
export const bookingMoves = {
  attended: {
    from: ['booked', 'no_show'],
    to: 'attended',
    by: 'an ADMIN or INSTRUCTOR',
    summary: 'Mark an appointment as attended',
    effect: 'Records that the client came. The appointment must have started.',
  },
  no_show: {
    from: ['booked', 'attended'],
    to: 'no_show',
    by: 'an ADMIN or INSTRUCTOR',
    summary: 'Mark an appointment as a no-show',
    effect: "Records that the client didn't come. The appointment must have started.",
  },
  cancel: {
    from: ['booked'],
    to: 'canceled',
    by: 'the client or a guardian, or an ADMIN or INSTRUCTOR',
    summary: 'Cancel an appointment',
    effect: 'Cancels the appointment with a reason. The slot is free again.',
  },
} as const satisfies Record<string, Move<BookingStatus, string>>

export type BookingMove = keyof typeof bookingMoves

export const centerMoves = {
  suspend: {
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    by: 'a PARTNER_ADMIN or the operator',
    summary: 'Suspend a center',
    effect: "Members can't sign in, and API keys stop working. No data is lost.",
  },
  reinstate: {
    from: ['SUSPENDED'],
    to: 'ACTIVE',
    by: 'a PARTNER_ADMIN or the operator',
    summary: 'Reinstate a center',
    effect: 'The center is open again.',
  },
  end: {
    from: ['ACTIVE', 'SUSPENDED'],
    to: 'INACTIVE',
    by: 'the operator',
    summary: 'Close a center',
    effect: 'The center is closed for good.',
  },
} as const satisfies Record<string, Move<CenterStatus, 'a PARTNER_ADMIN or the operator' | 'the operator'>>

export type CenterMove = keyof typeof centerMoves

const billing = 'the billing system or the operator'

export const subscriptionMoves = {
  activate: {
    from: ['TRIAL', 'PAST_DUE', 'SUSPENDED', 'CANCELED'],
    to: 'ACTIVE',
    by: billing,
    summary: 'Activate a subscription',
    effect:
      'A payment was received, or the operator reactivated the subscription. Everything in the plan works again. After CANCELED, this is a new subscription, on the latest version of the plan.',
  },
  lapse: {
    from: ['TRIAL', 'ACTIVE'],
    to: 'PAST_DUE',
    by: 'the billing system, the end of a trial or the operator',
    summary: 'Mark a subscription as past due',
    effect: 'The trial is over or a payment is overdue. Everything keeps working.',
  },
  suspend: {
    from: ['PAST_DUE'],
    to: 'SUSPENDED',
    by: billing,
    summary: 'Suspend a subscription',
    effect:
      "The payment wasn't received: no members can be activated, and the plan's features stop working. Evidence stays readable.",
  },
  cancel: {
    from: ['TRIAL', 'ACTIVE', 'PAST_DUE', 'SUSPENDED'],
    to: 'CANCELED',
    by: billing,
    summary: 'Cancel a subscription',
    effect:
      "The subscription has ended: no members can be activated, and the plan's features stop working. Evidence stays readable.",
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

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** A message for the caller: why the change is refused. */
export function noMove<Status extends string>(
  what: string,
  table: Readonly<Record<string, Pick<Move<Status, unknown>, 'from' | 'to'>>>,
  from: Status,
  to: Status,
): string {
  const open = Object.values(table).flatMap((move) => (move.from.includes(from) ? [move.to] : []))
  const why =
    open.length > 0
      ? `. It can only be changed to ${either.format(open)}.`
      : `, because ${from} is final. Set up a new ${what} instead.`
  return `A ${what} with the status ${from} can't be changed to ${to}${why}`
}
