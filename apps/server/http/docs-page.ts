/**
 * The documentation at /docs: static pages, their Markdown, and files whose names change with their content. `npm run
 * build:docs` makes them; without them every address names that command. Nothing comes from another host.
 */
import { createHash } from 'node:crypto'
import { access } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'
import { builtFile } from './built-files.ts'
import { notFound } from './failures.ts'
import { showLimit } from './identify.ts'
import type { RateLimits } from './rate-limit.ts'

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const built = new URL('../../docs/dist/', import.meta.url)
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}
/** A page changes with the version of the server, and the tag of an unchanged one costs no body. */
const minutes = 'public, max-age=300'
const forever = 'public, max-age=31536000, immutable'

/** The file of an address; null for one that no build makes, so that no other file of the machine can be named. */
function fileOf(address: string): { name: string; kind: string } | null {
  if (address === '') return { name: 'index.html', kind: 'html' }
  if (!/^[a-z0-9_-][\w.-]*(\/[a-z0-9_-][\w.-]*)*$/i.test(address)) return null
  const [, kind = ''] = /\.([a-z]+)$/.exec(address) ?? []
  if (kind !== 'html' && Object.hasOwn(types, kind)) return { name: address, kind }
  return { name: `${address}/index.html`, kind: 'html' }
}

const tagOf = (content: Buffer): string => `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** A server of a repository in which nothing was built answers with the command, not with 404. */
async function missing(): Promise<Problem> {
  const isBuilt = await access(new URL('built-from', built)).then(
    () => true,
    () => false,
  )
  if (isBuilt) return notFound()
  return new Problem(
    'SERVICE_UNAVAILABLE',
    'The documentation is not built. Run npm run build:docs and open the page again.',
  )
}

export function mountDocs(http: FastifyInstance, limits: RateLimits): void {
  async function send(address: string, { headers }: FastifyRequest, reply: FastifyReply) {
    showLimit(reply, limits.untouched('public'))
    const named = fileOf(address)
    if (!named) throw notFound()
    const file = await builtFile(named.name, headers['accept-encoding'] ?? '', built)
    if (!file) throw await missing()
    const tag = tagOf(file.content)
    reply.header('cache-control', named.name.startsWith('_astro/') ? forever : minutes)
    reply.header('vary', 'accept-encoding').header('etag', tag)
    if (named.kind === 'html') reply.header('content-security-policy', contentSecurityPolicy)
    if (headers['if-none-match'] === tag) return reply.code(304).send()
    if (file.encoding) reply.header('content-encoding', file.encoding)
    return reply.type(types[named.kind] as string).send(file.content)
  }
  http.get('/docs', (request, reply) => send('', request, reply))
  http.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => send(request.params['*'], request, reply))
}
