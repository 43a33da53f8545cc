/** The places that name the version of a release, and what each of them says. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  name?: string
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

interface LockFile {
  version: string
  packages: Record<string, Manifest>
}

const manifests = (root: string): string[] => [
  'package.json',
  ...globSync('{packages,apps}/*/package.json', { cwd: root }),
]
/** They install the published packages; they have no version of their own. */
const examples = (root: string): string[] => globSync('examples/*/package.json', { cwd: root })
const lockFile = 'package-lock.json'
const chartFile = 'deploy/helm/countersign/Chart.yaml'
const composeFile = 'deploy/compose.yaml'
const pages = ['docs/one-machine.md']

const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8')
const readManifest = (root: string, file: string): Manifest => JSON.parse(read(root, file))
const groups = ['dependencies', 'devDependencies'] as const

/** The entry of a workspace in the lock file says what its manifest says; `npm ci` refuses another version. */
const lockedEntries = (root: string): { lock: LockFile; entries: Manifest[] } => {
  const lock = JSON.parse(read(root, lockFile)) as LockFile
  const names = manifests(root).map((file) => dirname(file).replace(/^\.$/, ''))
  return { lock, entries: names.flatMap((name) => lock.packages[name] ?? []) }
}

const isOwn = (name: string): boolean => name.startsWith('@countersign/')

/** What a manifest, or its entry in the lock file, says otherwise than the version. */
const wrongIn = (manifest: Manifest, version: string, file: string): string[] => [
  ...(manifest.version === version ? [] : [`${file} has the version ${manifest.version}`]),
  ...wrongNeeds(manifest, version, file),
]
const wrongNeeds = (manifest: Manifest, version: string, file: string): string[] =>
  groups
    .flatMap((group) => Object.entries(manifest[group] ?? {}))
    .filter(([name, wanted]) => isOwn(name) && wanted !== version)
    .map(([name, wanted]) => `${file} wants ${name} ${wanted}`)

function setVersion(manifest: Manifest, version: string): void {
  manifest.version = version
  setNeeds(manifest, version)
}

function setNeeds(manifest: Manifest, version: string): void {
  for (const group of groups) {
    const list = manifest[group] ?? {}
    for (const name of Object.keys(list)) if (isOwn(name)) list[name] = version
  }
}

export const versionOf = (root: string): string => readManifest(root, 'package.json').version

/** What names another version than the root: empty when a release can be made. */
export function disagreements(root: string): string[] {
  const version = versionOf(root)
  const own = manifests(root).flatMap((file) => wrongIn(readManifest(root, file), version, file))
  const tried = examples(root).flatMap((file) => wrongNeeds(readManifest(root, file), version, file))
  const locked = lockedEntries(root).entries.flatMap((entry) => wrongIn(entry, version, lockFile))
  const chart = ['version', 'appVersion'].filter((name) => !read(root, chartFile).includes(`\n${name}: ${version}\n`))
  const archives = pages.filter((page) =>
    [...read(root, page).matchAll(/countersign-(\d[\w.-]*?)(?:\.tar\.gz| )/g)].some(([, named]) => named !== version),
  )
  return [
    ...own,
    ...tried,
    ...new Set(locked),
    ...chart.map((name) => `${chartFile} has another ${name}`),
    ...(read(root, composeFile).includes(`\n  image: localhost/countersign:${version}\n`)
      ? []
      : [`${composeFile} names another image`]),
    ...archives.map((page) => `${page} names another archive`),
    ...(sectionOf(root, version) === null ? [`CHANGELOG.md has no section ${version}`] : []),
  ]
}

/** The text of the changelog about a version; null where there is none. */
export function sectionOf(root: string, version: string): string | null {
  const section = read(root, 'CHANGELOG.md')
    .split(/^## /m)
    .find((text) => text.startsWith(`${version} - `))
  return section === undefined ? null : section.slice(section.indexOf('\n')).trim()
}

/** Writes the version to every place, and turns what is unreleased in the changelog into its section. */
export function prepare(root: string, version: string, date: string): void {
  const before = versionOf(root)
  const write = (file: string, text: string): void => writeFileSync(join(root, file), text)
  for (const file of manifests(root)) {
    const manifest = readManifest(root, file)
    setVersion(manifest, version)
    write(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
  for (const file of examples(root)) {
    const manifest = readManifest(root, file)
    setNeeds(manifest, version)
    write(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
  const { lock, entries } = lockedEntries(root)
  for (const entry of entries) setVersion(entry, version)
  lock.version = version
  write(lockFile, `${JSON.stringify(lock, null, 2)}\n`)
  write(chartFile, read(root, chartFile).replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`))
  write(composeFile, read(root, composeFile).replaceAll(/(image: localhost\/countersign):.*$/gm, `$1:${version}`))
  for (const page of pages) write(page, read(root, page).replaceAll(`countersign-${before}`, `countersign-${version}`))
  if (sectionOf(root, version) === null) {
    write(
      'CHANGELOG.md',
      read(root, 'CHANGELOG.md').replace('## Unreleased\n', `## Unreleased\n\n## ${version} - ${date}\n`),
    )
  }
}
