/** Fonts of our own: no page asks another host. A file is read when it is asked for, since few of them are. */
import { fontFiles, fontStyles } from '@countersign/design/fonts.ts'
import type { FastifyInstance } from 'fastify'
import { sendBuilt } from './built-files.ts'
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
  http.get<{ Params: { '*': string } }>('/assets/fonts/*', async (request, reply) => {
    showLimit(reply, limits.untouched('public'))
    const file = files.get(request.params['*'])
    const sent = file && (await sendBuilt(request, reply, { file, keep: 'forever' }))
    if (!sent) throw notFound()
    return sent
  })
}
