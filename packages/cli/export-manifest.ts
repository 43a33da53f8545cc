/** Whether the files of an export are those that its manifest names. */
import { createHash } from 'node:crypto'
import { type Domain, domains, parseExactly } from '@countersign/proof'
import { type FileSet, linesIn } from './export-files.ts'

export interface ManifestLog {
  readonly log: string
  readonly size: number
  /** The signed checkpoint; null for an empty log. */
  readonly note: string | null
}

interface ListedFile {
  readonly name: string
  readonly bytes: number
  readonly lines: number
  readonly sha256: string
}

export interface Manifest {
  readonly center: { readonly id: number; readonly domain: string; readonly name: string }
  readonly completedAt: string
  readonly logs: Readonly<Record<Domain, ManifestLog>>
  readonly parts: Readonly<Record<string, number>>
  readonly files: readonly ListedFile[]
  readonly sha256: string
}

export class NotAnExport extends Error {}

const manifestName = 'manifest.json'
const format = 'countersign-center-export-v1'
const mostManifest = 256 * 1024 * 1024

export async function readManifest(files: FileSet): Promise<Manifest> {
  if (!files.names.includes(manifestName)) throw new NotAnExport(`${manifestName} is missing`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of files.read(manifestName)) {
    bytes += chunk.length
    if (bytes > mostManifest) throw new NotAnExport(`${manifestName} is too large`)
    chunks.push(chunk)
  }
  const content = Buffer.concat(chunks)
  const read = parsed(content.toString('utf8'))
  if (read.format !== format) throw new NotAnExport(`${manifestName} doesn't have the format ${format}`)
  const { center, logs, parts, files: listed } = read
  const isWhole =
    Number.isSafeInteger(center?.id) &&
    Array.isArray(listed) &&
    typeof parts === 'object' &&
    domains.every((domain) => Number.isSafeInteger(logs?.[domain]?.size) && typeof logs?.[domain]?.log === 'string')
  if (!isWhole) throw new NotAnExport(`${manifestName} is incomplete`)
  return { ...(read as Manifest), sha256: createHash('sha256').update(content).digest('hex') }
}

function parsed(text: string): Partial<Manifest> & { readonly format?: unknown } {
  try {
    return (parseExactly(text) ?? {}) as Partial<Manifest>
  } catch (error) {
    throw new NotAnExport(`${manifestName}: ${(error as Error).message}`)
  }
}

/** The files of a part, in their order. */
export const filesOfPart = ({ files }: Manifest, part: string): readonly string[] =>
  files.map(({ name }) => name).filter((name) => partOf(name) === part)

const partOf = (name: string): string => name.replace(/-\d{6,}\.jsonl\.gz$/, '')

/** The first difference, in words that name the file; null where all agree. */
export async function filesFault(
  files: FileSet,
  manifest: Manifest,
  checked: (done: number) => void,
): Promise<string | null> {
  const listed = new Set(manifest.files.map(({ name }) => name))
  if (listed.size !== manifest.files.length) return `${manifestName} lists a file twice`
  const added = files.names.find((name) => name !== manifestName && !listed.has(name))
  if (added !== undefined) return `${added} isn't in the manifest`
  const lines: Record<string, number> = {}
  for (const [at, file] of manifest.files.entries()) {
    const fault = await fileFault(files, file)
    if (fault !== null) return `${file.name} ${fault}`
    lines[partOf(file.name)] = (lines[partOf(file.name)] ?? 0) + file.lines
    checked(at + 1)
  }
  const wrong = Object.keys(manifest.parts).find((part) => manifest.parts[part] !== (lines[part] ?? 0))
  return wrong === undefined
    ? null
    : `${wrong} has ${lines[wrong] ?? 0} lines, but the manifest says ${manifest.parts[wrong]}`
}

async function fileFault(files: FileSet, { name, bytes, lines, sha256 }: ListedFile): Promise<string | null> {
  if (!files.names.includes(name)) return 'is missing'
  const hash = createHash('sha256')
  let length = 0
  for await (const chunk of files.read(name)) {
    hash.update(chunk)
    length += chunk.length
  }
  if (length !== bytes) return `has ${length} bytes instead of ${bytes}`
  if (hash.digest('hex') !== sha256) return "has a SHA-256 that doesn't match the manifest"
  if (!name.endsWith('.gz')) return null
  let found = 0
  for await (const _ of linesIn(files, [name])) found++
  return found === lines ? null : `has ${found} lines instead of ${lines}`
}
