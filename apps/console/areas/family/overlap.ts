/** An appointment as a client or a guardian sees it, whichever list it comes from, and what it overlaps. Pure. */
import type { FamilyAppointment } from '@countersign/sdk'

export type Appointment = Pick<
  FamilyAppointment,
  | 'id'
  | 'centerDomain'
  | 'centerName'
  | 'childId'
  | 'childName'
  | 'instructorId'
  | 'instructorName'
  | 'startsAt'
  | 'endsAt'
  | 'status'
  | 'reason'
>

type Span = Pick<Appointment, 'startsAt' | 'endsAt'>

const meet = (one: Span, other: Span): boolean =>
  Date.parse(one.startsAt) < Date.parse(other.endsAt) && Date.parse(other.startsAt) < Date.parse(one.endsAt)

/** The appointments of the person that take place during this time, except the one that is being moved. */
export const clashesOf = (
  span: Span,
  childId: string,
  appointments: readonly Appointment[],
  moved?: string,
): readonly Appointment[] =>
  appointments.filter(
    (each) => each.childId === childId && each.status === 'booked' && each.id !== moved && meet(span, each),
  )

/** Appointments of one child that overlap one in another center: no center knows of the other's. */
export const overlapsOf = (appointments: readonly Appointment[]): ReadonlyMap<string, readonly Appointment[]> =>
  new Map(
    appointments
      .filter(({ status }) => status === 'booked')
      .map((one) => [
        one.id,
        clashesOf(one, one.childId, appointments, one.id).filter(
          ({ centerDomain }) => centerDomain !== one.centerDomain,
        ),
      ]),
  )
