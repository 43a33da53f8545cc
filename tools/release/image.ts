/** The images that deploy/build-image.sh builds, by the digests of their manifests. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { versionOf } from '../release-versions.ts'
import { fail, root, run, say } from './shared.ts'

export interface Image {
  readonly name: string
  /** Of the manifest, in hex: a push that compresses the layers makes another one. */
  readonly sha256: string
}

/** As deploy/compose.yaml names the first one. */
export const imageNames = (version: string): readonly string[] =>
  ['countersign', 'countersign-gateway'].map((name) => `localhost/${name}:${version}`)

/** The digest in what `buildah inspect --type image` says; null where it names none. */
export const digestIn = (inspected: string): string | null =>
  /^sha256:([0-9a-f]{64})$/.exec(
    String((JSON.parse(inspected) as { FromImageDigest?: unknown }).FromImageDigest),
  )?.[1] ?? null

function storageOptions(): string[] {
  const cache = process.env.COUNTERSIGN_IMAGE_CACHE ?? join(homedir(), '.cache/countersign-image')
  return ['--root', join(cache, 'storage'), '--runroot', join(cache, 'run'), '--storage-driver', 'vfs']
}

function imageOf(name: string): Image {
  const storage = storageOptions()
  const sha256 = digestIn(run('buildah', [...storage, 'inspect', '--type', 'image', name]))
  if (sha256 === null) fail(`buildah names no digest of ${name}. Look at it with: buildah ${storage.join(' ')} images`)
  return { name, sha256 }
}

export const images = (): readonly Image[] => imageNames(versionOf(root)).map(imageOf)

/** Builds them, and writes them to an archive that `podman load` and `docker load` read, if one is named. */
export function makeImages(archive: string | undefined): void {
  run('deploy/build-image.sh', [])
  for (const { name, sha256 } of images()) say(`built ${name} (sha256:${sha256})`)
  if (archive === undefined) return
  const [server = '', gateway = ''] = imageNames(versionOf(root))
  for (const [name, file] of [
    [server, archive],
    [gateway, archive.replace(/(\.[^./]+)?$/, '-gateway$1')],
  ] as const) {
    const path = resolve(process.env.INIT_CWD ?? '.', file)
    run('buildah', [...storageOptions(), 'push', '--quiet', name, `docker-archive:${path}:${name}`])
    say(`wrote ${path}. Load it with: podman load --input ${file}`)
  }
}
