/**
 * Workers write exports, one file per transaction. An export is read for a second and then waits behind those of other
 * centers; a process reads one at a time in each cell, so memory holds one page. After a crash another worker goes on
 * with the next file, when the lease has ended.
 */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Logger } from 'pino'
import { type LeaseEnd, leaseWorker } from '../../../concurrency/leases.ts'
import { loops, type Startable } from '../../../concurrency/loop.ts'
import type { Config } from '../../../config/config.ts'
import type { Cell, Cells, TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import type { DueWork } from '../../../jobs/due-work.ts'
import { now } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { noteCellCause } from '../../../mail/causes.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import type { OpenWatching } from '../../evidence/transparency/api.ts'
import { closingFiles } from './manifest.ts'
import { type Part, parts, type Reading } from './parts.ts'
import {
  advance,
  deleteFormerFiles,
  type ExportLease,
  endExport,
  exportLeases,
  type PackedFile,
  type Place,
  writeFile,
} from './worker-queries.ts'

export interface ExportWorkerNeeds {
  readonly cells: Cells
  readonly config: Pick<Config, 'logHost'>
  readonly due: DueWork
  readonly directory: Directory
  readonly book: LogBook
  readonly watching: OpenWatching
  readonly log: Logger
}

const turnMs = 1000
/** Compressed. One export of a center is stored at a time. */
const maxBytes = 16 * 1024 ** 3
/** Leases without a new file: a page that cannot be read stays so. */
const maxAttempts = 200

const job = 'export-center'

export interface ExportWorkers extends Startable {
  wake(cell: string): void
}

export function exportWorkers(needs: ExportWorkerNeeds): ExportWorkers {
  const workers = new Map(needs.cells.worked.map((cell) => [cell.name, workerOf(needs, cell)]))
  const wake = (cell: string) => workers.get(cell)?.wake()
  const told = needs.cells.worked.map((cell) => needs.due.tell(cell, 'export', () => wake(cell.name)))
  return { ...loops([...told, ...workers.values()]), wake }
}

const workerOf = (needs: ExportWorkerNeeds, cell: Cell) =>
  leaseWorker({
    name: 'export',
    store: exportLeases(cell),
    most: 1,
    work: (lease, stop) => workOn({ ...needs, cell }, lease, stop),
    takenOver: () => needs.log.warn({ cell: cell.name }, 'an export is continued after its worker'),
    log: needs.log,
    fields: (lease) => ({ cell: cell.name, ...(lease && { centerId: lease.center_id, exportId: lease.id }) }),
  })

interface Work extends ExportWorkerNeeds {
  readonly cell: Cell
}

/** What of a lease changes with each file. */
type Progress = Pick<ExportLease, 'part' | 'place' | 'sizes' | 'bytes'>

async function workOn(work: Work, lease: ExportLease, stop: AbortSignal): Promise<LeaseEnd> {
  const unfit = unfitness(lease)
  if (unfit !== null) return fail(work, lease, unfit)
  if (lease.part === 0) await inCenter(work, lease, (tx) => deleteFormerFiles(tx, lease.id))
  const until = performance.now() + turnMs
  let progress: Progress = lease
  while (!stop.aborted && performance.now() < until) {
    const part = parts[progress.part]
    if (!part) return complete(work, lease, progress)
    const next = await step(work, lease, progress, part)
    if (next === null) return 'lost'
    progress = next
    if (progress.bytes > maxBytes) return fail(work, lease, 'It is larger than an export may be. Ask the operator.')
    failpoint('export.written')
  }
  return 'unfinished'
}

function unfitness({ attempts, expires_at }: ExportLease): string | null {
  if (attempts > maxAttempts) return 'Its data could not be read. Ask the operator, whose log says why.'
  return expires_at < now() ? 'It was not complete before its files expired. Begin another one.' : null
}

const inCenter = <T>({ cell }: Work, { center_id }: ExportLease, work: (tx: TenantTx) => Promise<T>): Promise<T> =>
  cell.inTenantJob(center_id, job, work)

const readingOf = ({ cell, directory, book }: Work, lease: ExportLease, { sizes }: Progress): Reading => ({
  cell,
  directory,
  book,
  caller: { requestId: job, actorId: lease.requested_by, centerId: lease.center_id },
  sizes,
})

/** Null where another worker holds the lease. */
async function step(work: Work, lease: ExportLease, progress: Progress, part: Part): Promise<Progress | null> {
  const { number, after } = progress.place ?? { number: 1, after: null }
  const page = await part.read(readingOf(work, lease, progress), after)
  const files = page.lines.length === 0 ? [] : [await packed(fileName(part, number), page.lines)]
  const place: Place | null = page.after === null ? null : { number: number + files.length, after: page.after }
  const sizes = page.size === undefined ? progress.sizes : { ...progress.sizes, [part.domain as string]: page.size }
  const at = { part: progress.part + (place === null ? 1 : 0), place, sizes }
  const bytes = files.reduce((sum, { content }) => sum + content.length, progress.bytes)
  const kept = await keep(work, lease, files, (tx) => advance(tx, lease, { ...at, files }))
  return kept ? { ...at, bytes } : null
}

async function keep(
  work: Work,
  lease: ExportLease,
  files: readonly PackedFile[],
  move: (tx: TenantTx) => Promise<boolean>,
): Promise<boolean> {
  return inCenter(work, lease, async (tx) => {
    // First: it locks the row, and a worker that lost its lease writes nothing.
    if (!(await move(tx))) return false
    for (const file of files) await writeFile(tx, lease, file)
    return true
  })
}

const fileName = ({ name }: Part, number: number): string => `${name}-${String(number).padStart(6, '0')}.jsonl.gz`

const compress = promisify(gzip)

async function packed(name: string, lines: readonly string[]): Promise<PackedFile> {
  const content = await compress(lines.join(''))
  return { name, lines: lines.length, sha256: hash('sha256', content, 'hex'), content }
}

/** The keys and the manifest, in the transaction that completes the export. */
async function complete(work: Work, lease: ExportLease, progress: Progress): Promise<LeaseEnd> {
  const { files, manifest } = await closingFiles(work, readingOf(work, lease, progress), lease)
  const kept = await keep(work, lease, files, async (tx) => {
    if (!(await advance(tx, lease, { part: progress.part, place: null, sizes: progress.sizes, files }))) return false
    const facts = { person: lease.requested_by }
    await noteCellCause(tx, { id: `export ${lease.id}`, event: 'exportReady', facts })
    return endExport(tx, lease, { at: now(), manifest: manifest.sha256 })
  })
  return kept ? 'done' : 'lost'
}

async function fail(work: Work, lease: ExportLease, reason: string): Promise<LeaseEnd> {
  const kept = await inCenter(work, lease, (tx) => endExport(tx, lease, { at: now(), reason }))
  return kept ? 'done' : 'lost'
}
