/** One Python environment for all tests of the package, prepared once in the cache folder from pinned versions. */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const folder = new URL('../../python/', import.meta.url).pathname
const requirements = join(folder, 'requirements-dev.txt')

/** What is missing to make one; null if nothing is. */
export function missingPython(): string | null {
  const program = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  const { status } = spawnSync('python3', ['-c', program], { stdio: 'ignore' })
  return status === 0 ? null : 'Python 3.10 or newer with venv (Debian: python3 python3-venv)'
}

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'countersign-python')
/** What is compiled is kept outside of the repository: compiling a framework takes longer than importing it. */
export const compiled = { PYTHONPYCACHEPREFIX: join(cache, 'compiled') }

/** The program of the environment with everything in requirements-dev.txt. */
export async function python(): Promise<string> {
  const missing = missingPython()
  if (missing !== null) throw new Error(`The tests of the Python package need ${missing}.`)
  const { stdout } = await run('python3', ['-c', 'import sys; print(sys.version, sys.base_prefix)'])
  const digest = createHash('sha256').update(readFileSync(requirements)).update(stdout).digest('hex').slice(0, 16)
  const target = join(cache, digest)
  const ready = join(target, 'ready')
  if (existsSync(ready)) return join(target, 'bin/python')
  await mkdir(cache, { recursive: true })
  const lock = await locked(join(cache, `${digest}.lock`), ready)
  if (!lock) return join(target, 'bin/python')
  try {
    rmSync(target, { recursive: true, force: true })
    await run('python3', ['-m', 'venv', target])
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check', '-r', requirements]
    await run(join(target, 'bin/python'), pip, { maxBuffer: 2 ** 24 })
    writeFileSync(`${ready}.new`, '')
    renameSync(`${ready}.new`, ready)
    return join(target, 'bin/python')
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Null: another process has made it meanwhile. A lock that is older than ten minutes is of a process that was killed. */
async function locked(path: string, ready: string): Promise<string | null> {
  for (let tries = 0; ; tries++) {
    try {
      await mkdir(path)
      return path
    } catch {
      if (existsSync(ready)) return null
      if (tries > 600) rmSync(path, { recursive: true, force: true })
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

/** What a test measured, for `npm run chaos` to keep. */
export function note(found: object): void {
  if (process.env.TEST_FOUND) appendFileSync(process.env.TEST_FOUND, `${JSON.stringify(found)}\n`)
}

export const temporary = (): Promise<string> => mkdtemp('/tmp/countersign-python-')
