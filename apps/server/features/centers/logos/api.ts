/** The address at which a logo is shown. Its name is the digest of its content, so that browsers keep it for good. */
import { logoPath } from '@countersign/contract/logos.ts'
import type { FastifyInstance } from 'fastify'
import type { Caller, Directory } from '../../../data/directory.ts'
import { notFound } from '../../../http/failures.ts'
import { addressKey, enforce } from '../../../http/identify.ts'
import type { RateLimits } from '../../../http/rate-limit.ts'
import { findLogo } from './queries.ts'

const anyone: Caller = { requestId: '', actorId: null, centerId: 0 }
/** Opened by itself, the file runs and loads nothing. */
const picturePolicy = "default-src 'none'; sandbox"

export function mountLogos(http: FastifyInstance, limits: RateLimits, directory: Directory): void {
  http.get<{ Params: { file: string } }>(`${logoPath}:file`, async (request, reply) => {
    const [, digest] = /^([0-9a-f]{64})\.png$/.exec(request.params.file) ?? []
    if (digest === undefined) throw notFound()
    enforce(reply, await limits.consume('public', addressKey(request.ip)))
    const png = await directory.identity(anyone, (tx) => findLogo(tx, Buffer.from(digest, 'hex')), 'read')
    if (png === null) throw notFound()
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', picturePolicy)
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/png')
      .send(png)
  })
}
