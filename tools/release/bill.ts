/** The bill of materials of a release (CycloneDX). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root, run } from './shared.ts'

interface Bill {
  metadata: { component: { name: string } }
  components: { 'bom-ref': string; type: string; name: string; version: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** Name and version of every package in the archive: those of the lock file whose folder is there. */
function packagesIn(archive: string, version: string): Set<string> {
  const names = new Set(run('tar', ['-tzf', archive]).split('\n'))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string; version?: string }>
  }
  const there = Object.entries(packages).filter(
    ([path]) => path !== '' && names.has(`countersign-${version}/app/${path}/package.json`),
  )
  return new Set(there.map(([path, each]) => `${each.name ?? path.split('node_modules/').at(-1)}@${each.version}`))
}

/**
 * The bill of materials of what the archive contains. `npm sbom --omit dev` leaves out a package that a test needs too, so the archive
 * decides.
 */
export function billOf(archive: string, version: string): Bill {
  const known = packagesIn(archive, version)
  // Of optional peers, npm refuses another version than the one wanted; a package of the documentation wants an older ioredis.
  const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--legacy-peer-deps']
  const bill = JSON.parse(run('npm', ['sbom', ...options])) as Bill
  bill.metadata.component.name = 'countersign'
  bill.components = bill.components.filter((each) => known.has(each['bom-ref']))
  const listed = new Set(bill.components.map((each) => each['bom-ref']))
  const left = [...known].filter((each) => !listed.has(each))
  if (left.length > 0 || listed.size < 50) fail(`The bill of materials lacks ${left.join(', ') || 'most packages'}.`)
  // The archive and the image contain the Node that runs this script.
  const { node } = process.versions
  bill.components.push({ 'bom-ref': `node@${node}`, type: 'platform', name: 'node', version: node })
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => listed.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => listed.has(each)) }))
  return bill
}
