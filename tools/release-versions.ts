/** The places that name the version of a release, and what each of them says. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  name?: string
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const manifests = (root: string): string[] => [
  'package.json',
  ...globSync('{packages,apps}/*/package.json', { cwd: root }),
]
const chartFile = 'deploy/helm/countersign/Chart.yaml'
const pages = ['docs/one-machine.md']

const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8')
const readManifest = (root: string, file: string): Manifest => JSON.parse(read(root, file))
const groups = ['dependencies', 'devDependencies'] as const

export const versionOf = (root: string): string => readManifest(root, 'package.json').version

/** What names another version than the root: empty when a release can be made. */
export function disagreements(root: string): string[] {
  const version = versionOf(root)
  const own = manifests(root).flatMap((file) => {
    const manifest = readManifest(root, file)
    const others = groups.flatMap((group) => Object.entries(manifest[group] ?? {}))
    const wrong = others.filter(([name, wanted]) => name.startsWith('@countersign/') && wanted !== version)
    return [
      ...(manifest.version === version ? [] : [`${file} has the version ${manifest.version}`]),
      ...wrong.map(([name, wanted]) => `${file} wants ${name} ${wanted}`),
    ]
  })
  const chart = ['version', 'appVersion'].filter((name) => !read(root, chartFile).includes(`\n${name}: ${version}\n`))
  const archives = pages.filter((page) =>
    [...read(root, page).matchAll(/countersign-(\d[\w.-]*?)(?:\.tar\.gz| )/g)].some(([, named]) => named !== version),
  )
  return [
    ...own,
    ...chart.map((name) => `${chartFile} has another ${name}`),
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
    manifest.version = version
    for (const group of groups) {
      const list = manifest[group] ?? {}
      for (const name of Object.keys(list)) if (name.startsWith('@countersign/')) list[name] = version
    }
    write(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
  write(chartFile, read(root, chartFile).replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`))
  for (const page of pages) write(page, read(root, page).replaceAll(`countersign-${before}`, `countersign-${version}`))
  if (sectionOf(root, version) === null) {
    write(
      'CHANGELOG.md',
      read(root, 'CHANGELOG.md').replace('## Unreleased\n', `## Unreleased\n\n## ${version} - ${date}\n`),
    )
  }
}
