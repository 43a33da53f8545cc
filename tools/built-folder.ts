/**
 * Makes a folder of files for browsers, unless it was made from the same sources. Processes that start at the same time
 * build it once.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { cp, glob, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export const root = new URL('../', import.meta.url).pathname

export interface BuiltFolder {
  /** As the command prints it. */
  readonly name: string
  /** The command that makes it. */
  readonly command: string
  /** The workspace, which gets `dist`, and `next` while it is built. Ends with a slash. */
  readonly folder: string
  /** Patterns of everything that the build reads, and the folders and files among them that it does not. */
  readonly sources: readonly string[]
  readonly exclude: readonly string[]
  /** The file whose process makes `next` when it is called with `--bundle`. */
  readonly program: string
  /** Files that are also stored compressed, and how hard brotli tries. */
  readonly compressed: { readonly files: string; readonly quality: number }
  /** Keep the newest build beside the packages too: a copy of the repository that shares them does not build again. */
  readonly kept?: true
}

function hashOfSources({ sources, exclude }: BuiltFolder): string {
  const hash = createHash('sha256')
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: [...exclude] }))
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(root + file))
  return hash.digest('hex')
}

const builtFrom = ({ folder }: BuiltFolder): Promise<string> =>
  readFile(`${folder}dist/built-from`, 'utf8').catch(() => '')

async function compress({ folder, compressed }: BuiltFolder): Promise<void> {
  const most = { params: { [constants.BROTLI_PARAM_QUALITY]: compressed.quality } }
  for await (const file of glob(compressed.files, { cwd: `${folder}next/` })) {
    const path = `${folder}next/${file}`
    const content = await readFile(path)
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content, most))
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}

const cacheOf = ({ name }: BuiltFolder): string => `${root}node_modules/.cache/countersign-${name.toLowerCase()}/`

/** Into `next`; false where the newest build is of other sources. */
async function restore(target: BuiltFolder, hash: string): Promise<boolean> {
  const cache = cacheOf(target)
  if (!target.kept || (await readFile(`${cache}built-from`, 'utf8').catch(() => '')) !== hash) return false
  await rm(`${target.folder}next`, { recursive: true, force: true })
  await cp(cache, `${target.folder}next`, { recursive: true })
  return true
}

async function make(target: BuiltFolder, hash: string, signal?: AbortSignal): Promise<void> {
  const { folder, program } = target
  await rm(`${folder}next`, { recursive: true, force: true })
  // Vite takes these from its process: those of a test would give the files of a development server at another address.
  const foreign = /^(BASE_URL|DEV|MODE|PROD|SSR|VITEST.*)$/
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const env = { ...Object.fromEntries(own), NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [program, '--bundle'], {
    ...{ env, maxBuffer: 64 * 1024 * 1024 },
    ...(signal && { signal }),
  })
  await compress(target)
  await writeFile(`${folder}next/built-from`, hash)
  if (!target.kept) return
  await rm(cacheOf(target), { recursive: true, force: true })
  await cp(`${folder}next`, cacheOf(target), { recursive: true })
}

async function publish({ folder }: BuiltFolder): Promise<void> {
  // A server that serves the old files has read their names, and reads the files when they are asked for.
  await rm(`${folder}dist`, { recursive: true, force: true })
  await rename(`${folder}next`, `${folder}dist`)
}

/** Whether the process that made the lock is gone, as after Ctrl+C. A lock without a number is being made. */
async function isAbandoned(lock: string): Promise<boolean> {
  const pid = Number(await readFile(`${lock}/pid`, 'utf8').catch(() => ''))
  if (pid === 0) {
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }))
    return Date.now() - mtimeMs > 10_000
  }
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

async function locked(lock: string, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await mkdir(lock)
      await writeFile(`${lock}/pid`, String(process.pid))
      break
    } catch {
      if (await isAbandoned(lock)) await rm(lock, { recursive: true, force: true })
      await sleep(200)
    }
  }
  try {
    await work()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

/** True: it was built. False: it was there, or kept from an earlier build. */
export async function buildFolder(
  target: BuiltFolder,
  { force = false, signal }: { readonly force?: boolean; readonly signal?: AbortSignal } = {},
): Promise<boolean> {
  const hash = hashOfSources(target)
  if (!force && (await builtFrom(target)) === hash) return false
  let built = false
  await locked(`${target.folder}.building`, async () => {
    if (!force && (await builtFrom(target)) === hash) return
    built = force || !(await restore(target, hash))
    if (built) await make(target, hash, signal)
    await publish(target)
  })
  return built
}

/** The command: `--force` makes it again; `--check` only fails if it is missing or older than its sources; `--background` does not wait. */
export async function runBuild(target: BuiltFolder, bundle: () => Promise<void>): Promise<void> {
  if (process.argv.includes('--bundle')) return await bundle()
  if (process.argv.includes('--check')) {
    if ((await builtFrom(target)) === hashOfSources(target)) return
    const dist = `${target.folder}dist`.replace(root, '')
    process.stderr.write(`${dist} is missing or older than its sources. Run ${target.command}.\n`)
    process.exitCode = 1
    return
  }
  if (process.argv.includes('--background')) {
    spawn(process.execPath, [target.program], { detached: true, stdio: 'ignore' }).unref()
    return
  }
  const started = performance.now()
  const built = await buildFolder(target, { force: process.argv.includes('--force') })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${target.name.padEnd(10)} ${built ? `built in ${seconds} s` : 'up to date'}\n`)
}
