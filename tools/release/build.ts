/** The files of a release, from a checkout without changes. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { distOf, publishedPackages } from '../build-packages.ts'
import { packOne } from '../pack.ts'
import { signedEnvelope, statementOf } from '../release-provenance.ts'
import { disagreements, versionOf } from '../release-versions.ts'
import { billOf } from './bill.ts'
import { images } from './image.ts'
import { fail, now, root, run, say } from './shared.ts'

/** A release is what a commit says, so that it can be made again. */
export function requireReady(): void {
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
    const file = packOne(name, folder)
    say(`packed ${file}`)
    return file
  })
}

export function build(target: string): void {
  requireReady()
  const [folder, version, startedOn] = [resolve(target), versionOf(root), now()]
  mkdirSync(folder, { recursive: true })
  const packages = packPackages(folder)
  const archive = `countersign-${version}.tar.gz`
  run('deploy/build-release.sh', [folder])
  const built = images()
  say(`built ${archive} and the images ${built.map(({ name, sha256 }) => `${name} (sha256:${sha256})`).join(', ')}`)
  const chart = `countersign-chart-${version}.tgz`
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  run('tar', ['-czf', join(folder, chart), ...same, '-C', join(root, 'deploy/helm'), 'countersign'])
  const bill = `countersign-${version}.cdx.json`
  writeFileSync(join(folder, bill), `${JSON.stringify(billOf(join(folder, archive), version))}\n`)
  const files = [...packages, archive, chart, bill]
  const paths = files.map((name) => join(folder, name))
  const statement = statementOf({
    ...{
      version,
      files: paths,
      images: built,
      lockFile: join(root, 'package-lock.json'),
      startedOn,
      finishedOn: now(),
    },
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
