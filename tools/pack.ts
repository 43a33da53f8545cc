/**
 * `npm run pack -- --into FOLDER [PACKAGE …]`: builds the packages of this clone, packs them as they would be published, and
 * installs the archives into another project with npm. Without names, all of them; a named one brings those it needs.
 *
 * The archives stay in the project, in `countersign-packages/`, so that `npm ci` there works without this clone. They have no
 * install scripts.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPackages, distOf, publishedPackages } from './build-packages.ts'

const root = new URL('../', import.meta.url).pathname
const archives = 'countersign-packages'
const usage = `npm run pack -- --into FOLDER [PACKAGE …]

  Builds, packs and installs into FOLDER: ${publishedPackages.join(', ')}.`

class PackError extends Error {}

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

/** The archive of a built package: its file in the folder. */
export function packOne(name: string, folder: string): string {
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], distOf(name)))
  return packed.filename as string
}

/** With the packages that these need, which no registry has. */
function withNeeds(names: readonly string[]): string[] {
  const unknown = names.filter((name) => !(publishedPackages as readonly string[]).includes(name))
  if (unknown.length > 0) throw new PackError(`There is no package "${unknown.join('", "')}".\n${usage}`)
  const wanted = new Set<string>()
  const add = (name: string): void => {
    wanted.add(name)
    const { dependencies = {} } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8'))
    for (const need of Object.keys(dependencies)) {
      if (need.startsWith('@countersign/')) add(need.slice('@countersign/'.length))
    }
  }
  names.forEach(add)
  return publishedPackages.filter((name) => wanted.has(name))
}

/** npm would install into the next folder above that has a package.json. */
function openProject(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (existsSync(manifest)) return
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
  writeFileSync(manifest, `${JSON.stringify({ name, private: true, type: 'module' }, null, 2)}\n`)
}

async function packInto(folder: string, names: readonly string[]): Promise<readonly string[]> {
  if (!relative(root, folder).startsWith('..'))
    throw new PackError(`${folder} is in this clone. Name a folder outside.`)
  const wanted = withNeeds(names.length > 0 ? names : publishedPackages)
  await buildPackages(wanted)
  openProject(folder)
  rmSync(join(folder, archives), { recursive: true, force: true })
  mkdirSync(join(folder, archives))
  const files = wanted.map((name) => `./${archives}/${packOne(name, join(folder, archives))}`)
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', ...files], folder)
  return wanted
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({ options: { into: { type: 'string' } }, allowPositionals: true })
    if (!values.into) throw new PackError(usage)
    // npm runs scripts in the root of the clone; the folder is named from where the person is.
    const folder = resolve(process.env.INIT_CWD ?? '.', values.into)
    const installed = await packInto(folder, positionals)
    process.stdout.write(`Installed in ${folder}:\n${installed.map((name) => `  @countersign/${name}\n`).join('')}`)
  } catch (error) {
    const { stdout, message } = error as { stdout?: string; message: string }
    process.stderr.write(error instanceof PackError ? `${message}\n` : `Nothing was installed: ${stdout || message}\n`)
    process.exitCode = 1
  }
}
