/** Packages that a test installs with their own package manager, once, into a cache of the user. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const cache = join(homedir(), '.cache/countersign-test-packages')
/** A package manager that does not end, such as npm with versions that exclude each other, must not outlive its test. */
const mostMs = 600_000
const installing = new Map<string, Promise<string>>()

export const needsPip = 'pip (Debian: python3-pip) and the Python package index'

export async function run(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    const { stdout, stderr } = await exec(file, args, { maxBuffer: 64 * 1024 * 1024, timeout: mostMs, ...options })
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string }
    throw new Error(`${message}\n${stdout}${stderr}`.slice(0, 5000))
  }
}

/**
 * The folder in which `install` ran once for this name and these versions. An existing folder is complete, because it
 * is renamed at the end. A failed installation is not repeated in this process.
 */
export function installed(
  name: string,
  versions: string,
  needs: string,
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(cache, `${name}-${createHash('sha256').update(versions).digest('hex').slice(0, 16)}`)
  const begun =
    installing.get(folder) ??
    installInto(folder, install).catch((error: unknown) => {
      throw new Error(`${name} could not be installed. This test needs ${needs}. ${error}`)
    })
  installing.set(folder, begun)
  return begun
}

async function installInto(folder: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(join(cache, 'installing-'))
  try {
    await install(fresh)
    await rename(fresh, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
    return folder
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/**
 * Exact versions from npm. Each entry is a module that exports what a test imports of them; `entryOf` names its file.
 * `overrides` are versions of what these packages need, where the newest one does not fit.
 */
export function npmPackages(
  name: string,
  packages: readonly string[],
  entries: Readonly<Record<string, string>> = {},
  overrides: Readonly<Record<string, string>> = {},
): Promise<string> {
  const versions = JSON.stringify([packages, entries, overrides])
  return installed(name, versions, 'the npm registry', async (folder) => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }))
    await run('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages], { cwd: folder })
    await mkdir(join(folder, 'node_modules/entries'))
    for (const [entry, text] of Object.entries(entries)) await writeFile(entryOf(folder, entry), text)
  })
}

export const entryOf = (folder: string, entry: string): string => join(folder, 'node_modules/entries', `${entry}.mjs`)
