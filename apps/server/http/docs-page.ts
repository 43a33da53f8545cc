/**
 * The documentation at /docs: static pages, their Markdown, and files whose names change with their content. `npm run
 * build:docs` makes them; without them every address names that command. Nothing comes from another host.
 */
import { access } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'
import { isServed, sendBuilt } from './built-files.ts'
import { notFound } from './failures.ts'
import { showLimit } from './identify.ts'
import { pagePolicy } from './policies.ts'
import type { RateLimits } from './rate-limit.ts'

const built = new URL('../../docs/dist/', import.meta.url)

/** The file of an address; null for one that no build makes, so that no other file of the machine can be named. */
function fileOf(address: string): string | null {
  if (address === '') return 'index.html'
  if (!/^[a-z0-9_-][\w.-]*(\/[a-z0-9_-][\w.-]*)*$/i.test(address)) return null
  return isServed(address) && !address.endsWith('.html') ? address : `${address}/index.html`
}

/** A server of a repository in which nothing was built answers with the command, not with 404. */
async function missing(): Promise<Problem> {
  const isBuilt = await access(new URL('built-from', built)).then(
    () => true,
    () => false,
  )
  if (isBuilt) return notFound()
  return new Problem(
    'SERVICE_UNAVAILABLE',
    "The documentation isn't built. Run npm run build:docs, then open the page again.",
  )
}

export function mountDocs(http: FastifyInstance, limits: RateLimits): void {
  async function send(address: string, request: FastifyRequest, reply: FastifyReply) {
    showLimit(reply, limits.untouched('public'))
    if (/^[^/].*\/$/.test(address)) return reply.redirect(`/docs/${address.replace(/\/+$/, '')}`, 308)
    const name = fileOf(address)
    if (name === null) throw notFound()
    const sent = await sendBuilt(request, reply, {
      file: new URL(name, built),
      keep: name.startsWith('_astro/') ? 'forever' : 'minutes',
      policy: name.endsWith('.html') ? pagePolicy : undefined,
    })
    if (!sent) throw await missing()
    return sent
  }
  http.get('/docs', (request, reply) => send('', request, reply))
  // Where programs look first: https://llmstxt.org.
  for (const file of ['llms.txt', 'llms-full.txt']) http.get(`/${file}`, (request, reply) => send(file, request, reply))
  http.get('/docs/', (_, reply) => {
    showLimit(reply, limits.untouched('public'))
    return reply.redirect('/docs', 308)
  })
  http.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => send(request.params['*'], request, reply))
}
