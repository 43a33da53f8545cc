/** What a guardian sees of the own children over all centers: one aggregate each for children, appointments and attendance. */
import type * as contract from '@countersign/contract/families.ts'
import { type GuardianshipMove, guardianshipMoves } from '@countersign/contract/moves.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { isOffered } from '../../../access/promises.ts'
import { familyMemberships } from '../../../access/queries.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory, IdentityTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { isGuarded } from './api.ts'
import {
  type AttendanceRow,
  type BookingRow,
  childrensAttendance,
  childrensBookings,
  mostRows,
} from './cell-queries.ts'
import { moveGuardianship } from './moves.ts'
import { type FamilyRow, familyRows, lockOwnGuardianship, namesIn } from './queries.ts'

export interface AggregateNeeds {
  readonly centers: CenterProfiles
  readonly cells: Cells
  readonly directory: Directory
}

const dayMs = 86_400_000

type OwnMove = Context<typeof contract.acceptGuardianship.spec>

export const moveOwn = (move: GuardianshipMove, { identity, params, principal }: OwnMove) =>
  identity(async (tx) => {
    const id = uuidOf('guardianship', params.id)
    const row = id === null ? undefined : await lockOwnGuardianship(tx, principal.actorId, id)
    if (!row)
      throw new Problem('NOT_FOUND', 'You have no guardianship with this ID. List your children to find the ID.')
    await moveGuardianship(tx, row, move)
    return { id: typedId('guardianship', row.id), centerId: row.center_id, status: guardianshipMoves[move].to }
  })

const placeOf = (row: Pick<FamilyRow, 'center_id' | 'center_name' | 'center_domain'>) => ({
  centerId: row.center_id,
  centerName: row.center_name,
  centerDomain: row.center_domain,
})

export const membershipOfChild = (row: FamilyRow) => ({
  ...placeOf(row),
  id: typedId('membership', row.child.membership_id),
  role: row.child.role,
  roles: [...row.child.roles],
  status: row.child.status,
  invitedAt: new Date(row.child.invited_at).toISOString(),
  endedAt: row.child.ended_at === null ? null : new Date(row.child.ended_at).toISOString(),
})

/** By child; every row of a child is a center. */
export const byChild = (rows: readonly FamilyRow[]): FamilyRow[][] => [
  ...Map.groupBy(
    rows.filter(({ status }) => status === 'ACTIVE'),
    ({ child_id }) => child_id,
  ).values(),
]

/** `offering`: the centers that accept new appointments. */
export const familyOf = (rows: readonly FamilyRow[], offering: ReadonlySet<number>) => ({
  children: byChild(rows).map((centers) => ({
    actorId: (centers[0] as FamilyRow).child_id,
    name: (centers[0] as FamilyRow).child_name,
    centers: centers.map((row) => ({
      ...placeOf(row),
      guardianshipId: typedId('guardianship', row.id),
      membership: membershipOfChild(row),
      canBook: isGuarded(row) && row.child.status === 'ACTIVE' && offering.has(row.center_id),
    })),
  })),
  invitations: rows
    .filter(({ status }) => status === 'INVITED')
    .map((row) => ({
      ...placeOf(row),
      id: typedId('guardianship', row.id),
      invitedAt: row.invited_at?.toISOString() ?? null,
    })),
})

/** Centers whose plan, switches and subscription let members book. */
export async function centersOffering({ centers }: AggregateNeeds, rows: readonly FamilyRow[]): Promise<Set<number>> {
  const ids = [...new Set(rows.filter(isGuarded).map(({ center_id }) => center_id))]
  const found = await Promise.all(ids.map(async (id) => ({ id, standing: await centers.profile(id) })))
  return new Set(found.filter(({ standing }) => isOffered('booking', standing)).map(({ id }) => id))
}

interface Span {
  readonly from: Date
  readonly to: Date
}

function spanOf(query: { from?: string; to?: string }, usual: (now: number) => [number, number]): Span {
  const given = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text.toUpperCase()))
  const [first, last] = usual(nowMs())
  const from = given(query.from) ?? (query.to === undefined ? first : (given(query.to) as number) - (last - first))
  const to = given(query.to) ?? from + (last - first)
  if (to <= from || to - from > 366 * dayMs) {
    throw new Problem(
      'VALIDATION_ERROR',
      '"to" must be after "from", and at most 366 days later. Correct the dates and try again.',
      { details: { reason: 'period', field: 'to' } },
    )
  }
  return { from: new Date(from), to: new Date(to) }
}

type Query = { from?: string; to?: string; childId?: string }
type Asked = Pick<Context<typeof contract.listFamilyAppointments.spec>, 'principal' | 'identity' | 'requestId'> & {
  readonly query: Query
}

/** A client in a center: a child, or the signed-in person. */
type PlaceRow = Pick<FamilyRow, 'center_id' | 'center_name' | 'center_domain' | 'cell' | 'child_id' | 'child_name'>

/** The signed-in person as a client of their centers: no center knows what they have in another. */
async function ownPlaces(tx: IdentityTx, actorId: string): Promise<PlaceRow[]> {
  const entered = (await familyMemberships(tx, actorId)).filter(
    (row) => row.status === 'ACTIVE' && row.center_status === 'ACTIVE',
  )
  const names = await namesIn(
    tx,
    entered.map(({ center_id }) => center_id),
    [actorId],
  )
  return entered.map((row) => ({
    ...{ center_id: row.center_id, center_name: row.center_name, center_domain: row.center_domain },
    ...{ cell: row.center_cell, child_id: actorId },
    child_name: names.find(({ center_id }) => center_id === row.center_id)?.name ?? '',
  }))
}

interface Collected<Row> {
  readonly rows: readonly (Row & { readonly place: PlaceRow })[]
  readonly names: (centerId: number, actorId: string | null) => string | null
  readonly more: boolean
  readonly unavailable: ReturnType<typeof placeOf>[]
}

/** Each center is read as its tenant, for these children only. A cell that is away is named and does not fail the rest. */
async function collect<Row extends { readonly client: string; readonly instructor: string | null }>(
  { cells }: AggregateNeeds,
  { principal, identity, requestId, query }: Asked,
  read: (tx: TenantTx, children: readonly string[]) => Promise<Row[]>,
): Promise<Collected<Row>> {
  const { actorId } = principal
  const wanted = query.childId?.toLowerCase()
  const guarded: readonly PlaceRow[] =
    wanted === actorId
      ? await identity((tx) => ownPlaces(tx, actorId), 'read')
      : (await identity((tx) => familyRows(tx, actorId), 'read')).filter(isGuarded)
  const asked = guarded.filter(({ child_id }) => wanted === undefined || child_id === wanted)
  if (wanted !== undefined && wanted !== actorId && asked.length === 0)
    throw new Problem('NOT_FOUND', 'You have no child with this ID. List your children to find the ID.')
  const centers = [...Map.groupBy(asked, ({ center_id }) => center_id).values()]
  const found: (Row & { readonly place: PlaceRow })[] = []
  const unavailable: PlaceRow[] = []
  let more = false
  for (const own of centers) {
    const [first] = own as [PlaceRow, ...PlaceRow[]]
    const caller: Caller = { requestId, actorId, centerId: first.center_id }
    const children = own.map(({ child_id }) => child_id)
    try {
      const rows = await cells.of(first.cell).inTenant(caller, (tx) => read(tx, children), 'read')
      more ||= rows.length > mostRows
      const places = new Map(own.map((row) => [row.child_id, row]))
      found.push(...rows.slice(0, mostRows).map((row) => ({ ...row, place: places.get(row.client) as PlaceRow })))
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE')) throw error
      unavailable.push(first)
    }
  }
  const people = [...new Set(found.flatMap(({ instructor }) => instructor ?? []))]
  const named = await identity(
    (tx) => namesIn(tx, [...new Set(found.map(({ place }) => place.center_id))], people),
    'read',
  )
  const names = new Map(named.map((each) => [`${each.center_id} ${each.actor_id}`, each.name]))
  return {
    rows: found,
    names: (centerId, actorId) => names.get(`${centerId} ${actorId}`) ?? null,
    more,
    unavailable: unavailable.map(placeOf),
  }
}

export async function appointments(needs: AggregateNeeds, context: Asked) {
  const span = spanOf(context.query, (now) => [now, now + 31 * dayMs])
  const { rows, names, ...rest } = await collect<BookingRow>(needs, context, (tx, ids) =>
    childrensBookings(tx, ids, span),
  )
  return {
    appointments: rows
      .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
      .map(({ place, ...row }) => ({
        ...placeOf(place),
        id: typedId('booking', row.id),
        childId: row.client,
        childName: place.child_name,
        instructorId: row.instructor,
        instructorName: names(place.center_id, row.instructor),
        startsAt: row.startsAt.toISOString(),
        endsAt: row.endsAt.toISOString(),
        status: row.status,
        reason: row.reason,
      })),
    ...rest,
  }
}

export async function attendance(needs: AggregateNeeds, context: Asked) {
  const span = spanOf(context.query, (now) => [now - 92 * dayMs, now])
  const { rows, names, ...rest } = await collect<AttendanceRow>(needs, context, (tx, ids) =>
    childrensAttendance(tx, ids, span),
  )
  return {
    attendance: rows
      .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      .map(({ place, ...row }) => ({
        ...placeOf(place),
        childId: row.client,
        childName: place.child_name,
        kind: row.kind,
        at: row.at.toISOString(),
        bookingId: row.booking === null ? null : typedId('booking', row.booking),
        instructorName: names(place.center_id, row.instructor),
      })),
    counts: [...Map.groupBy(rows, ({ client }) => client)].map(([childId, own]) => ({
      childId,
      attended: own.filter(({ kind }) => kind === 'attended').length,
      noShow: own.filter(({ kind }) => kind === 'no_show').length,
    })),
    ...rest,
  }
}
