/** The image that deploy/build-release.sh has built, by the digest of its manifest. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fail, run } from './shared.ts'

export interface Image {
  readonly name: string
  /** Of the manifest, in hex: a push that compresses the layers makes another one. */
  readonly sha256: string
}

const name = 'localhost/countersign'

/** The digest in what `buildah inspect --type image` says; null where it names none. */
export const digestIn = (inspected: string): string | null =>
  /^sha256:([0-9a-f]{64})$/.exec(
    String((JSON.parse(inspected) as { FromImageDigest?: unknown }).FromImageDigest),
  )?.[1] ?? null

export function imageOf(): Image {
  const cache = process.env.COUNTERSIGN_IMAGE_CACHE ?? join(homedir(), '.cache/countersign-image')
  const storage = ['--root', join(cache, 'storage'), '--runroot', join(cache, 'run'), '--storage-driver', 'vfs']
  const sha256 = digestIn(run('buildah', [...storage, 'inspect', '--type', 'image', name]))
  if (sha256 === null) fail(`buildah names no digest of ${name}. Look at it with: buildah ${storage.join(' ')} images`)
  return { name, sha256 }
}
