/** The last files of an export: the public keys, and the manifest with the hash of every other file. */
import { hash } from 'node:crypto'
import { domains } from '@countersign/proof/chain.ts'
import type { Config } from '../../../config/config.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { notReady } from '../../../lib/problem.ts'
import {
  type ClosingCheckpoint,
  closingCheckpoint,
  logDocument,
  type OpenWatching,
} from '../../evidence/transparency/api.ts'
import { parts, type Reading } from './parts.ts'
import { centerLine, filesOf, type StoredFile } from './queries.ts'
import type { ExportLease, PackedFile } from './worker-queries.ts'

export const manifestName = 'manifest.json'
const format = 'countersign-center-export-v1'

/** Witnesses cosign some seconds after the log has signed. The export waits for them, in attempts a second apart. */
const patience = 20

interface Needs {
  readonly config: Pick<Config, 'logHost'>
  readonly watching: OpenWatching
}

export async function closingFiles(
  { config, watching }: Needs,
  { cell, directory, book, caller, sizes }: Reading,
  { id, requested_at, attempts }: Pick<ExportLease, 'id' | 'requested_at' | 'attempts'>,
): Promise<{ readonly files: readonly PackedFile[]; readonly manifest: PackedFile }> {
  const { center } = await directory.asCenter(caller, centerLine, 'read')
  const { written, logs } = await cell.inTenant(caller, async (tx) => {
    const checkpoints: ClosingCheckpoint[] = []
    for (const domain of domains) checkpoints.push(await closingCheckpoint(tx, watching, domain, sizes[domain] ?? 0))
    if (attempts < patience && checkpoints.some(({ witnessed }) => !witnessed)) {
      throw notReady("Witnesses haven't cosigned the center's last checkpoints yet.")
    }
    return {
      written: await filesOf(tx, id),
      logs: Object.fromEntries(domains.map((name, at) => [name, checkpoints[at]])),
    }
  })
  const keys = textFile('log.json', logDocument(config.logHost, book, watching))
  const files = [...written, described(keys)]
  const manifest = textFile(manifestName, {
    format,
    id: typedId('centerExport', id),
    center,
    requestedAt: requested_at.toISOString(),
    completedAt: now().toISOString(),
    logs,
    parts: Object.fromEntries(parts.map(({ name }) => [name, linesOf(name, files)])),
    files,
  })
  return { files: [keys, manifest], manifest }
}

/** Zero for a part without rows, which has no file. */
const linesOf = (part: string, files: readonly StoredFile[]): number =>
  files.filter(({ name }) => name.replace(/-\d+\.jsonl\.gz$/, '') === part).reduce((sum, { lines }) => sum + lines, 0)

function textFile(name: string, document: object): PackedFile {
  const content = Buffer.from(`${JSON.stringify(document, null, 2)}\n`)
  return { name, lines: 0, sha256: hash('sha256', content, 'hex'), content }
}

const described = ({ name, lines, sha256, content }: PackedFile): StoredFile => ({
  name,
  bytes: content.length,
  lines,
  sha256,
})
