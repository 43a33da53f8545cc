/** Fonts of our own: no page asks another host. A file is read when it is asked for, since few of them are. */
import { readFile } from 'node:fs/promises'
import { fontFiles, fontStyles } from '@countersign/design/fonts.ts'
import type { FastifyInstance } from 'fastify'
import { notFound } from './failures.ts'
import { showLimit } from './identify.ts'
import type { RateLimits } from './rate-limit.ts'

export function mountFonts(http: FastifyInstance, limits: RateLimits): void {
  const files = fontFiles()
  const styles = fontStyles('/assets/fonts/')
  http.get('/assets/fonts.css', (_request, reply) => {
    showLimit(reply, limits.untouched('public'))
    return reply.header('cache-control', 'public, max-age=86400').type('text/css; charset=utf-8').send(styles)
  })
  http.get<{ Params: { '*': string } }>('/assets/fonts/*', async ({ params }, reply) => {
    showLimit(reply, limits.untouched('public'))
    const file = files.get(params['*'])
    if (!file) throw notFound()
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('font/woff2')
      .send(await readFile(file))
  })
}
