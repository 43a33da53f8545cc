import type { ActorRole, CenterStatus, TenantType, Vertical } from '@countersign/contract/enums.ts'
import { firstSandboxId } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import { centerIdOf } from '../../../access/queries.ts'
import type { DirectoryTx, IdentityTx, OperatorTx } from '../../../data/directory.ts'
import { statement } from '../../../data/prepared.ts'
import type { WeekHours } from '../../../verticals/vertical.ts'

export interface CenterRow {
  readonly id: number
  readonly name: string
  readonly domain: string
  readonly tenant_type: TenantType
  readonly status: CenterStatus
  readonly vertical: Vertical
  readonly member_count: number
  readonly settings: unknown
  readonly country: string
  readonly region: string | null
  readonly partner_id: string | null
}

const centerColumns = [
  'id',
  'name',
  'domain',
  'tenant_type',
  'status',
  'vertical',
  'member_count',
  'settings',
  'country',
  'region',
  'partner_id',
] as const

const centerById = statement<CenterRow>(`select ${centerColumns.join(', ')} from directory.centers where id = $1`)

export const ownCenter = async (tx: DirectoryTx): Promise<CenterRow> =>
  (await centerById(tx, tx.caller.centerId))[0] as CenterRow

/** Locked for a change: concurrent patches are applied one after the other. */
export const lockOwnCenter = (tx: DirectoryTx): Promise<CenterRow> =>
  tx.db
    .selectFrom('centers')
    .select(centerColumns)
    .where('id', '=', tx.caller.centerId)
    .forUpdate()
    .executeTakeFirstOrThrow() as Promise<CenterRow>

export const storeSettings = (tx: DirectoryTx, settings: unknown) =>
  tx.db
    .updateTable('centers')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', tx.caller.centerId)
    .execute()

/** By its partner, or by a center that has none. */
export const renameCenter = (own: DirectoryTx, name: string) =>
  own.db.updateTable('centers').set({ name }).where('id', '=', own.caller.centerId).execute()

export const findCenter = (tx: OperatorTx, center: string) => {
  const id = centerIdOf(center)
  return tx.db
    .selectFrom('centers')
    .select(['id', 'name', 'domain'])
    .where((eb) => (id === null ? eb('domain', '=', center) : eb('id', '=', id)))
    .executeTakeFirst()
}

/** Locked: of two concurrent moves the second sees the result of the first. */
export const lockCenterStatus = (
  tx: DirectoryTx | OperatorTx,
  centerId: number,
): Promise<{ status: CenterStatus; suspended_by: string | null } | undefined> =>
  tx.db
    .selectFrom('centers')
    .select(['status', 'suspended_by'])
    .where('id', '=', centerId)
    .forUpdate()
    .executeTakeFirst() as Promise<{ status: CenterStatus; suspended_by: string | null } | undefined>

/** The sandboxes of a center that have not ended, locked. */
export const lockSandboxesOf = (tx: DirectoryTx | OperatorTx, centerId: number): Promise<{ id: number }[]> =>
  tx.db
    .selectFrom('centers')
    .select('id')
    .where('sandbox_of', '=', centerId)
    .where('status', '<>', 'INACTIVE')
    .orderBy('id')
    .forUpdate()
    .execute()

export const setCenterStatus = (tx: DirectoryTx | OperatorTx, centerId: number, status: CenterStatus) =>
  tx.db.updateTable('centers').set({ status }).where('id', '=', centerId).execute()

export const lockPlace = (tx: DirectoryTx | OperatorTx, centerId: number) =>
  tx.db.selectFrom('centers').select(['country', 'region']).where('id', '=', centerId).forUpdate().executeTakeFirst()

export const setPlace = (
  tx: DirectoryTx | OperatorTx,
  centerId: number,
  place: { country: string; region: string | null },
) => tx.db.updateTable('centers').set(place).where('id', '=', centerId).execute()

export const publicCenter = (tx: IdentityTx, center: string): Promise<CenterRow | undefined> => {
  const id = centerIdOf(center)
  return tx.db
    .selectFrom('centers')
    .select(centerColumns)
    .where((eb) => (id === null ? eb('domain', '=', center) : eb('id', '=', id)))
    .where('status', '<>', 'INACTIVE')
    .where('id', '<', firstSandboxId)
    .executeTakeFirst() as Promise<CenterRow | undefined>
}

export const centersById = (tx: IdentityTx, ids: readonly number[]): Promise<CenterRow[]> =>
  tx.db
    .selectFrom('centers')
    .select(centerColumns)
    .where('id', 'in', ids.length > 0 ? ids : [0])
    .orderBy('id')
    .execute() as Promise<CenterRow[]>

export interface InstructorRow {
  readonly id: string
  readonly name: string
  readonly role: ActorRole
  readonly specialties: string[]
  readonly hours: WeekHours | null
}

export async function activeInstructors(tx: DirectoryTx, actorId?: string): Promise<InstructorRow[]> {
  const { rows } = await sql<InstructorRow>`
    select m.actor_id as id, m.name, m.role, coalesce(p.specialties, '{}') as specialties, p.hours
    from directory.memberships m
    left join directory.instructor_profiles p on p.center_id = m.center_id and p.actor_id = m.actor_id
    where m.center_id = ${tx.caller.centerId} and 'INSTRUCTOR' = any (m.roles) and m.status = 'ACTIVE'
      and (${actorId ?? null}::uuid is null or m.actor_id = ${actorId ?? null}::uuid)
    order by m.name, m.actor_id`.execute(tx.db)
  return rows
}

export const storeHours = (tx: DirectoryTx, actorId: string, hours: WeekHours | null, specialties: string[] | null) =>
  sql<{ specialties: string[] }>`
    insert into directory.instructor_profiles (center_id, actor_id, hours, specialties)
    values (${tx.caller.centerId}, ${actorId}, ${hours && JSON.stringify(hours)}::jsonb, coalesce(${specialties}::text[], '{}'))
    on conflict (center_id, actor_id) do update
      set hours = excluded.hours, specialties = coalesce(${specialties}::text[], instructor_profiles.specialties)
    returning specialties`.execute(tx.db)

export interface FoundCenter {
  readonly name: string
  readonly domain: string
  readonly vertical: Vertical
  readonly tenant_type: TenantType
  readonly settings: unknown
}
