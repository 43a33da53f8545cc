/** SQL of workers that write exports: leases, and files with the progress that belongs to them. */
import { sql } from 'kysely'
import type { Lease, LeaseStore } from '../../../concurrency/leases.ts'
import type { Cell, TenantTx } from '../../../data/cells.ts'

/** Where the next file begins: its number in the part, and what precedes it. */
export interface Place {
  readonly number: number
  readonly after: unknown
}

export interface ExportLease extends Lease {
  readonly center_id: number
  readonly id: string
  readonly epoch: number
  readonly attempts: number
  readonly requested_by: string
  readonly requested_at: Date
  readonly expires_at: Date
  readonly part: number
  readonly place: Place | null
  readonly sizes: Readonly<Record<string, number>>
  readonly bytes: number
}

export const exportLeases = (cell: Cell): LeaseStore<ExportLease> => ({
  take: (at, until, most) =>
    cell.asJobs(async (db) => {
      const { rows } = await sql<ExportLease>`select * from cell.lease_exports(${at}, ${until}, ${most})`.execute(db)
      return rows
    }),
  renew: (leases, until) =>
    cell.asJobs(async (db) => {
      const { rows } = await sql<{ id: string }>`
        update cell.center_exports e set next_at = ${until}
        from json_to_recordset(${JSON.stringify(leases)}) as l (center_id integer, id uuid, epoch bigint)
        where e.center_id = l.center_id and e.id = l.id and e.lease_epoch = l.epoch and e.status = 'running'
        returning e.id`.execute(db)
      return leases.filter(({ id }) => rows.some((row) => row.id === id))
    }),
  release: ({ center_id, id, epoch }, at) =>
    cell.asJobs(async (db) => {
      await sql`
        update cell.center_exports set next_at = ${at}, leased = false
        where center_id = ${center_id} and id = ${id} and lease_epoch = ${epoch} and status = 'running'`.execute(db)
    }),
})

/** Of other exports of the center. */
export async function deleteFormerFiles(tx: TenantTx, exportId: string): Promise<void> {
  await sql`
    delete from cell.center_export_files
    where center_id = ${tx.caller.centerId} and export_id <> ${exportId}`.execute(tx.db)
}

export interface PackedFile {
  readonly name: string
  readonly lines: number
  readonly sha256: string
  readonly content: Buffer
}

export async function writeFile(tx: TenantTx, { id, expires_at }: ExportLease, file: PackedFile): Promise<void> {
  await sql`
    insert into cell.center_export_files (center_id, export_id, name, lines, sha256, content, expires_at)
    values (${tx.caller.centerId}, ${id}, ${file.name}, ${file.lines}, ${file.sha256}, ${file.content},
      ${expires_at})`.execute(tx.db)
}

interface Advance {
  readonly part: number
  readonly place: Place | null
  readonly sizes: Readonly<Record<string, number>>
  readonly files: readonly PackedFile[]
}

/** False where another worker holds the lease by now; then nothing of the transaction may be kept. */
export async function advance(tx: TenantTx, { id, epoch }: ExportLease, step: Advance): Promise<boolean> {
  const lines = step.files.reduce((sum, file) => sum + file.lines, 0)
  const bytes = step.files.reduce((sum, file) => sum + file.content.length, 0)
  const { rows } = await sql`
    update cell.center_exports set part = ${step.part}, place = ${step.place && JSON.stringify(step.place)},
      sizes = ${JSON.stringify(step.sizes)}, files = files + ${step.files.length}, lines = lines + ${lines},
      bytes = bytes + ${bytes}, attempts = 0
    where center_id = ${tx.caller.centerId} and id = ${id} and lease_epoch = ${epoch} and status = 'running'
    returning 1`.execute(tx.db)
  return rows.length === 1
}

/** The same. */
export async function endExport(
  tx: TenantTx,
  { id, epoch }: ExportLease,
  end: { readonly at: Date; readonly manifest: string } | { readonly at: Date; readonly reason: string },
): Promise<boolean> {
  const [manifest, reason] = 'manifest' in end ? [end.manifest, null] : [null, end.reason]
  const { rows } = await sql`
    update cell.center_exports set status = ${manifest === null ? 'failed' : 'completed'}, ended_at = ${end.at},
      manifest = ${manifest}, reason = ${reason}, leased = false
    where center_id = ${tx.caller.centerId} and id = ${id} and lease_epoch = ${epoch} and status = 'running'
    returning 1`.execute(tx.db)
  return rows.length === 1
}
