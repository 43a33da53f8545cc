/**
 * The console: one document for all its addresses, and files whose names change with their content. `npm run
 * build:console` makes them; without them every address names that command.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'
import { builtFile } from './built-files.ts'
import { notFound } from './failures.ts'
import { showLimit } from './identify.ts'
import type { RateLimits } from './rate-limit.ts'
import type { HtmlPage } from './route.ts'

const addresses = [
  '/login',
  '/choose',
  '/waiting',
  '/onboarding',
  '/c/:center',
  '/c/:center/*',
  '/p',
  '/p/*',
  '/me',
  '/me/*',
  '/operator',
  '/operator/*',
]

/** `countersign` is the only policy: it makes the addresses of workers, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types countersign',
].join('; ')

/** A worker has the policy of its own file, and not that of the page: it reads entries of a chain, and nothing else. */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'"

/** The service worker that shows push messages: it loads nothing and asks for nothing. */
const pushPolicy = "default-src 'none'"

const built = new URL('../../console/dist/', import.meta.url)
const forever = 'public, max-age=31536000, immutable'
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  png: 'image/png',
}

const notBuilt = (): Problem =>
  new Problem('SERVICE_UNAVAILABLE', 'The console is not built. Run npm run build:console and open the page again.')

/** Read each time: a build while the server runs is served at once. */
export async function consolePage(folder: URL = built): Promise<HtmlPage> {
  const html = await readFile(new URL('index.html', folder), 'utf8').catch(() => {
    throw notBuilt()
  })
  return { html, contentSecurityPolicy }
}

export function mountConsole(http: FastifyInstance, limits: RateLimits): void {
  async function sendDocument(_request: FastifyRequest, reply: FastifyReply) {
    showLimit(reply, limits.untouched('public'))
    const { html } = await consolePage()
    return reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(html)
  }
  for (const address of addresses) http.get(address, sendDocument)
  // Without Service-Worker-Allowed its scope is /console/, where no page is. Its name never changes, so that browsers find a newer one.
  http.get('/console/push.js', async ({ headers }, reply) => {
    showLimit(reply, limits.untouched('public'))
    const file = await builtFile('push.js', headers['accept-encoding'] ?? '', built)
    if (!file) throw notBuilt()
    if (file.encoding) reply.header('content-encoding', file.encoding)
    return reply
      .header('content-security-policy', pushPolicy)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
      .type(types.js as string)
      .send(file.content)
  })
  http.get<{ Params: { file: string } }>('/console/:file', async ({ params, headers }, reply) => {
    showLimit(reply, limits.untouched('public'))
    const [, kind] = /^[\w-]+-[\w-]{8,}\.(js|css|svg|woff2|png)$/.exec(params.file) ?? []
    const file = kind ? await builtFile(params.file, headers['accept-encoding'] ?? '', built) : null
    if (!file) throw notFound()
    if (file.encoding) reply.header('content-encoding', file.encoding)
    if (kind === 'js') reply.header('content-security-policy', workerPolicy)
    return reply
      .header('cache-control', forever)
      .header('vary', 'accept-encoding')
      .type(types[kind as string] as string)
      .send(file.content)
  })
}
