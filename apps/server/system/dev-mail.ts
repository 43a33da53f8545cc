/** /dev/mail: mails as people read them, in development only. The addresses do not exist in production. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { notFound } from '../http/failures.ts'
import { showLimit } from '../http/identify.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import type { Mail } from '../mail/mail.ts'
import { previewList, samplePage } from '../mail/preview.ts'

/** A mail has its styles inside; it runs and loads nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

interface DevMailNeeds {
  readonly config: Pick<Config, 'production'>
  readonly mail: Pick<Mail, 'previews'>
}

export function mountDevMail(http: FastifyInstance, limits: RateLimits, { config, mail }: DevMailNeeds): void {
  if (config.production) return
  http.get('/dev/mail', (_request, reply) => {
    showLimit(reply, limits.untouched('public'))
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(previewList(mail.previews))
  })
  http.get<{ Params: { name: string } }>('/dev/mail/:name', ({ params: { name } }, reply) => {
    showLimit(reply, limits.untouched('public'))
    const html = /^\d{1,2}$/.test(name) ? mail.previews[Number(name)]?.html : samplePage(name)
    if (html === undefined) throw notFound()
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
  })
}
