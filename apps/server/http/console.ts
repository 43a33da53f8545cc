/**
 * The pages for people: one document for all addresses of the console, a small one for the approval page, and files whose
 * names change with their content. They contain nothing of a center, and read everything through the API with the session of
 * the reader. `npm run build:console` makes them; without them every address names that command.
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

/** Addresses in mails and documents, some with a token that works once: no browser keeps them. */
const linked = [
  '/invitations/:token',
  '/signin',
  '/signin/:center',
  '/signin/callback/:provider',
  '/signin/link/:token',
  '/signin/return/:code',
  '/signup',
  '/signup/:token',
  '/password',
  '/password/:token',
  '/account',
  '/account/passkeys',
  '/account/members',
]

const loads = [
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
]
/** Trusted types: not even a mistake of ours can make markup of what a record says. */
const approvalPolicy = [...loads, "trusted-types 'none'"].join('; ')
/** `countersign` makes the addresses of workers, and nothing else. */
const contentSecurityPolicy = [...loads, "worker-src 'self'", "manifest-src 'self'", 'trusted-types countersign'].join(
  '; ',
)

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
async function document(file: string, contentSecurityPolicy: string, folder: URL): Promise<HtmlPage> {
  const html = await readFile(new URL(file, folder), 'utf8').catch(() => {
    throw notBuilt()
  })
  return { html, contentSecurityPolicy }
}

export const consolePage = (folder = built): Promise<HtmlPage> => document('index.html', contentSecurityPolicy, folder)
/** Also for an address that nothing has: it is small. */
export const approvalPage = (folder = built): Promise<HtmlPage> => document('approve.html', approvalPolicy, folder)

export function mountConsole(http: FastifyInstance, limits: RateLimits): void {
  const send = (page: () => Promise<HtmlPage>, cache: string) => async (_: FastifyRequest, reply: FastifyReply) => {
    showLimit(reply, limits.untouched('public'))
    const { html, contentSecurityPolicy } = await page()
    return reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('cache-control', cache)
      .type('text/html; charset=utf-8')
      .send(html)
  }
  for (const address of addresses) http.get(address, send(consolePage, 'no-cache'))
  for (const address of linked) http.get(address, send(consolePage, 'no-store'))
  http.get('/approve/:eventId', send(approvalPage, 'no-store'))
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
