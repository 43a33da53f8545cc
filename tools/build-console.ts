/**
 * `npm run build:console`: makes `apps/console/dist`, unless it was made from the same sources. Processes that start at
 * the same time build it once. `--force` makes it again; `--check` only fails if it is missing or older than its sources.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { glob, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = new URL('../', import.meta.url).pathname
const folder = `${root}apps/console/`
const dist = `${folder}dist/`
const sources = [
  'apps/console/**/*.{ts,tsx,css,html,js,json}',
  'packages/{design,sdk,proof}/*.{ts,css,json}',
  'packages/contract/*.ts',
  'package-lock.json',
]

/** Of everything that the build reads. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  const files = sources.flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: ['**/node_modules', 'apps/console/dist', '**/test'] }),
  )
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(root + file))
  return hash.digest('hex')
}

const builtFrom = (): Promise<string> => readFile(`${dist}built-from`, 'utf8').catch(() => '')

async function compress(): Promise<void> {
  const most = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  for await (const file of glob('**/*.{js,css,html,svg}', { cwd: `${folder}next/` })) {
    const path = `${folder}next/${file}`
    const content = await readFile(path)
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content, most))
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}

async function bundle(): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: `${folder}vite.config.ts`,
    logLevel: 'warn',
    mode: 'production',
    build: { outDir: `${folder}next`, emptyOutDir: true },
  })
}

async function build(hash: string): Promise<void> {
  await rm(`${folder}next`, { recursive: true, force: true })
  // Vite takes NODE_ENV from its process: that of a test would give the files of a development server.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [import.meta.filename, '--bundle'], { env })
  await compress()
  await writeFile(`${folder}next/built-from`, hash)
  // A server that serves the old files has read their names, and reads the files when they are asked for.
  await rm(dist, { recursive: true, force: true })
  await rename(`${folder}next`, dist)
}

const lock = `${folder}.building`
const patienceMs = 120_000

/** A lock that nobody has removed for two minutes belongs to a process that was killed. */
async function locked(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await mkdir(lock)
      break
    } catch {
      const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > patienceMs) await rm(lock, { recursive: true, force: true })
      await sleep(200)
    }
  }
  try {
    await work()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

/** True: it was built. False: it was there. */
export async function buildConsole({ force = false } = {}): Promise<boolean> {
  const hash = hashOfSources()
  if (!force && (await builtFrom()) === hash) return false
  let built = false
  await locked(async () => {
    if (!force && (await builtFrom()) === hash) return
    await build(hash)
    built = true
  })
  return built
}

async function run(): Promise<void> {
  if (process.argv.includes('--bundle')) return await bundle()
  if (process.argv.includes('--check')) {
    if ((await builtFrom()) === hashOfSources()) return
    process.stderr.write('apps/console/dist is missing or older than its sources. Run npm run build:console.\n')
    process.exitCode = 1
    return
  }
  const started = performance.now()
  const built = await buildConsole({ force: process.argv.includes('--force') })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(built ? `Console    built in ${seconds} s\n` : 'Console    up to date\n')
}

if (import.meta.main) await run()
