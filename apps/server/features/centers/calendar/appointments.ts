/** The appointments that a person may see now, over all of their centers, and as whom. */
import type { CenterProfiles, KnownCenter } from '../../../access/center-profiles.ts'
import { type FamilyMembership, familyMemberships } from '../../../access/queries.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { familyRows, isGuarded } from '../../identity/families/api.ts'
import { type AppointmentRow, appointmentsOf, maxEvents, namesIn } from './queries.ts'

export interface AppointmentNeeds {
  readonly cells: Cells
  readonly centers: CenterProfiles
  readonly directory: Directory
}

export interface SeenAppointment extends AppointmentRow {
  readonly center: KnownCenter
  readonly domain: string
  /** What the person is in it. A guardian who is also the instructor is there as the instructor. */
  readonly as: 'instructor' | 'client' | 'guardian'
  readonly instructorName: string | null
  readonly clientName: string | null
}

/** Who isn't staff anymore sees no appointments of others, also where their name is still in them. */
const isStaff = ({ roles }: FamilyMembership): boolean =>
  roles.some((role) => role === 'ADMIN' || role === 'INSTRUCTOR')

/**
 * Rights are those of this moment. Each center is read as its own tenant, and all of them or none: a program that gets a part of a
 * calendar would delete the rest.
 */
export async function appointmentsSeen(
  { cells, centers, directory }: AppointmentNeeds,
  { requestId, actorId }: { readonly requestId: string; readonly actorId: string },
): Promise<readonly SeenAppointment[]> {
  const outside = { requestId, actorId, centerId: 0 }
  const { memberships, children } = await directory.identity(
    outside,
    async (tx) => ({
      memberships: await familyMemberships(tx, actorId),
      children: (await familyRows(tx, actorId)).filter(isGuarded),
    }),
    'read',
  )
  const entered = memberships.filter((row) => row.status === 'ACTIVE' && row.center_status === 'ACTIVE')
  const found: Omit<SeenAppointment, 'instructorName' | 'clientName'>[] = []
  for (const membership of entered) {
    const { center_id: centerId, center_cell: cell, center_domain: domain } = membership
    const instructorId = isStaff(membership) ? actorId : null
    const own = children.filter((row) => row.center_id === centerId).map(({ child_id }) => child_id)
    const rows = await cells
      .of(cell)
      .inTenant(
        { requestId, actorId, centerId },
        (tx) => appointmentsOf(tx, { instructorId, clients: [actorId, ...own] }),
        'read',
      )
    const center = await centers.profile(centerId)
    for (const row of rows) {
      const as = row.instructor_id === instructorId ? 'instructor' : row.booked_for === actorId ? 'client' : 'guardian'
      found.push({ ...row, center, domain, as })
    }
  }
  const shown = found.toSorted((a, b) => a.starts_at.getTime() - b.starts_at.getTime()).slice(0, maxEvents)
  const people = [...new Set(shown.flatMap((row) => [row.instructor_id, row.booked_for]))]
  const names = await directory.identity(
    outside,
    (tx) =>
      namesIn(
        tx,
        entered.map(({ center_id }) => center_id),
        people,
      ),
    'read',
  )
  return shown.map((row) => ({
    ...row,
    instructorName: names.get(`${row.center.centerId} ${row.instructor_id}`) ?? null,
    clientName: names.get(`${row.center.centerId} ${row.booked_for}`) ?? null,
  }))
}
