/**
 * `node tools/release.ts COMMAND`:
 *
 *   prepare VERSION   writes the version to every manifest, the chart, the pages and the changelog; look at it and commit it
 *   build FOLDER      on a clean checkout: checks the versions, packs and dry-publishes every package, builds the archive and the image,
 *                     and writes the bill of materials (CycloneDX), checksums and provenance; signed with RELEASE_KEY_FILE
 *   tag               tags the commit with the text of the changelog; pushing the tag is up to you
 *   rehearse FOLDER   all of it in a clone of the last commit, and leaves this checkout as it is
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { distOf, publishedPackages } from './build-packages.ts'
import { signedEnvelope, statementOf } from './release-provenance.ts'
import { disagreements, prepare, sectionOf, versionOf } from './release-versions.ts'

const root = new URL('../', import.meta.url).pathname
const run = (file: string, args: readonly string[], cwd = root): string =>
  execFileSync(file, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const now = (): string => new Date().toISOString()

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** A release is what a commit says, so that it can be made again. */
function requireReady(): void {
  const changed = run('git', ['status', '--porcelain']).trim()
  if (changed !== '') fail(`The checkout has changes that are not committed:\n${changed}`)
  const found = disagreements(root)
  if (found.length > 0) fail(`The versions do not agree with ${versionOf(root)}:\n${found.join('\n')}`)
}

/** What npm would correct by itself would be published otherwise than it was tested. */
function dryPublish(name: string): void {
  const options = ['publish', '--dry-run', '--tag', 'latest', '--loglevel', 'warn']
  const { status, stderr } = spawnSync('npm', options, { cwd: distOf(name), encoding: 'utf8' })
  if (status !== 0 || stderr.includes('auto-corrected')) fail(`npm publish --dry-run of ${name}:\n${stderr}`)
}

function packPackages(folder: string): string[] {
  run('npm', ['run', '--silent', 'build'])
  return publishedPackages.map((name) => {
    dryPublish(name)
    const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], distOf(name)))
    say(`packed ${packed.filename}`)
    return packed.filename as string
  })
}

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
function billOf(archive: string, version: string): Bill {
  const known = packagesIn(archive, version)
  const bill = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'])) as Bill
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

function build(target: string): void {
  requireReady()
  const [folder, version, startedOn] = [resolve(target), versionOf(root), now()]
  mkdirSync(folder, { recursive: true })
  const packages = packPackages(folder)
  const archive = `countersign-${version}.tar.gz`
  run('deploy/build-release.sh', [folder])
  say(`built ${archive} and the image localhost/countersign`)
  const chart = `countersign-chart-${version}.tgz`
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  run('tar', ['-czf', join(folder, chart), ...same, '-C', join(root, 'deploy/helm'), 'countersign'])
  const bill = `countersign-${version}.cdx.json`
  writeFileSync(join(folder, bill), `${JSON.stringify(billOf(join(folder, archive), version))}\n`)
  const files = [...packages, archive, chart, bill]
  const paths = files.map((name) => join(folder, name))
  const statement = statementOf({
    ...{ version, files: paths, lockFile: join(root, 'package-lock.json'), startedOn, finishedOn: now() },
    commit: run('git', ['rev-parse', 'HEAD']).trim(),
    source: process.env.RELEASE_SOURCE ?? 'https://git.example.org/countersign',
    builder: process.env.RELEASE_BUILDER ?? 'https://git.example.org/countersign/tools/release.ts',
  })
  const keyFile = process.env.RELEASE_KEY_FILE
  const provenance = keyFile ? signedEnvelope(statement, readFileSync(keyFile, 'utf8')) : statement
  writeFileSync(join(folder, `countersign-${version}.intoto.json`), `${JSON.stringify(provenance)}\n`)
  const sums = paths.map(
    (path, at) => `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${files[at]}\n`,
  )
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  say(`${files.length} files, their checksums and ${keyFile ? 'signed' : 'unsigned'} provenance are in ${folder}`)
}

function tag(): void {
  requireReady()
  const version = versionOf(root)
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Countersign ${version}\n\n${sectionOf(root, version)}`])
  say(`v${version} is tagged. Push it with git push origin v${version}.`)
}

function rehearse(target: string): void {
  const clone = mkdtempSync(join(tmpdir(), 'countersign-release-'))
  try {
    const version = versionOf(root)
    run('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
    say(`cloned the last commit to rehearse ${version}`)
    prepare(clone, version, now().slice(0, 10))
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent'], clone)
    const author = ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@localhost']
    run('git', [...author, 'commit', '--quiet', '--all', '--message', `chore: release ${version}`], clone)
    const node = (...args: string[]) => run(process.execPath, ['tools/release.ts', ...args], clone)
    process.stdout.write(node('build', resolve(target)))
    run('git', ['config', 'user.name', 'Rehearsal'], clone)
    run('git', ['config', 'user.email', 'rehearsal@localhost'], clone)
    process.stdout.write(node('tag'))
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

const [command, argument] = process.argv.slice(2)
if (command === 'prepare' && /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(argument ?? ''))
  prepare(root, argument as string, now().slice(0, 10))
else if (command === 'build' && argument) build(argument)
else if (command === 'tag') tag()
else if (command === 'rehearse' && argument) rehearse(argument)
else fail('node tools/release.ts prepare VERSION | build FOLDER | tag | rehearse FOLDER')
