import * as contract from '@countersign/contract/center-exports.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import { audit } from '../../../audit/audit.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import { type Route, route } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { archive } from './archive.ts'
import { manifestName } from './manifest.ts'
import { parts } from './parts.ts'
import { beginExport, type ExportRow, fileContent, filesOf, newestExport } from './queries.ts'
import type { ExportWorkers } from './worker.ts'

interface LeavingNeeds {
  readonly cells: Cells
  readonly exports: ExportWorkers
}

const keptDays = 7

type CenterExport = PayloadOf<(typeof contract.getCenterExport)['spec'], 200>

const isExpired = ({ status, expires_at }: ExportRow): boolean => status === 'completed' && expires_at < now()

const exportOf = (row: ExportRow): CenterExport => ({
  id: typedId('centerExport', row.id),
  status: isExpired(row) ? 'expired' : row.status,
  requestedAt: row.requested_at.toISOString(),
  completedAt: row.status === 'completed' ? (row.ended_at as Date).toISOString() : null,
  expiresAt: row.expires_at.toISOString(),
  progress: {
    part: row.status === 'running' ? (parts[row.part]?.name ?? manifestName) : null,
    done: row.part,
    of: parts.length,
    files: row.files,
    lines: row.lines,
    bytes: row.bytes,
  },
  manifestSha256: row.manifest,
  reason: row.reason,
})

async function requireNewest(tx: TenantTx): Promise<ExportRow> {
  const row = await newestExport(tx)
  if (row) return row
  throw new Problem('NOT_FOUND', 'This center has no export. Start one with a POST request to the same address.')
}

async function requireFiles(tx: TenantTx): Promise<ExportRow> {
  const row = await requireNewest(tx)
  if (row.status === 'completed' && !isExpired(row)) return row
  throw new Problem(
    'NOT_FOUND',
    "The newest export has no files to download, because it's still running, failed or has expired. Check its status, or start a new one.",
  )
}

async function* one(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content
}

export const leavingRoutes = ({ cells, exports }: LeavingNeeds): Route[] => [
  route(contract.createCenterExport, async ({ tx, principal }, reply) => {
    const at = now()
    const asked = { id: newUuid(), at, until: new Date(at.getTime() + keptDays * 86_400_000), by: principal.actorId }
    if (!(await beginExport(tx, asked))) {
      throw new Problem(
        'CONFLICT',
        "An export of this center is already running. Wait until it's complete, then download its files.",
        { details: { reason: 'exporting' } },
      )
    }
    await audit(tx, {
      type: 'center.updated',
      action: 'begin-export',
      target: { type: 'center', id: String(tx.caller.centerId) },
      details: { exportId: typedId('centerExport', asked.id) },
    })
    tx.afterCommit(() => exports.wake(tx.cell))
    return reply(202, exportOf(await requireNewest(tx)))
  }),

  route(contract.getCenterExport, async ({ tx }, reply) => reply(200, exportOf(await requireNewest(tx)))),

  route(contract.getCenterExportFile, async ({ tx, params }, reply) => {
    const content = await fileContent(tx, (await requireFiles(tx)).id, params.name)
    if (!content)
      throw new Problem(
        'NOT_FOUND',
        `The export has no file with this name. See ${manifestName} for the list of files.`,
      )
    return reply(200, one(content))
  }),

  route(contract.downloadCenterExport, async ({ tx }, reply) => {
    const { id, ended_at } = await requireFiles(tx)
    const files = await filesOf(tx, id)
    const [first, rest] = [
      files.filter(({ name }) => name === manifestName),
      files.filter(({ name }) => name !== manifestName),
    ]
    const { cell, caller } = tx
    // Each file is read in a transaction of its own, after this one has ended.
    const contentOf = (name: string) => cells.of(cell).inTenant(caller, (own) => fileContent(own, id, name), 'read')
    return reply(200, archive(`center-${caller.centerId}`, [...first, ...rest], ended_at as Date, contentOf))
  }),
]
