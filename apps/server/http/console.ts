/**
 * The pages for people: one document for all addresses of the console, a small one for the approval page, and files whose
 * names change with their content. They contain nothing of a center, and read everything through the API with the session of
 * the reader. `npm run build:console` makes them; without them every address names that command.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'
import { sendBuilt } from './built-files.ts'
import { notFound } from './failures.ts'
import { showLimit } from './identify.ts'
import { consolePolicy, pagePolicy, pushPolicy, workerPolicy } from './policies.ts'
import type { RateLimits } from './rate-limit.ts'
import type { HtmlPage } from './route.ts'

const addresses = [
  '/login',
  '/choose',
  '/waiting',
  '/onboarding',
  '/new',
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
  '/account/deleted',
  '/account/passkeys',
  '/account/keys',
  '/account/members',
]

const built = new URL('../../console/dist/', import.meta.url)

const notBuilt = (): Problem =>
  new Problem('SERVICE_UNAVAILABLE', "The console isn't built. Run npm run build:console, then open the page again.")

/** Read each time: a build while the server runs is served at once. */
async function document(file: string, contentSecurityPolicy: string, folder: URL): Promise<HtmlPage> {
  const html = await readFile(new URL(file, folder), 'utf8').catch(() => {
    throw notBuilt()
  })
  return { html, contentSecurityPolicy }
}

export const consolePage = (folder = built): Promise<HtmlPage> => document('index.html', consolePolicy, folder)
/** Also for an address that nothing has: it is small. */
export const approvalPage = (folder = built): Promise<HtmlPage> => document('approve.html', pagePolicy, folder)

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
  http.get('/console/push.js', async (request, reply) => {
    showLimit(reply, limits.untouched('public'))
    const sent = await sendBuilt(request, reply, {
      file: new URL('push.js', built),
      keep: 'unchanged',
      policy: pushPolicy,
    })
    if (!sent) throw notBuilt()
    return sent
  })
  http.get<{ Params: { file: string } }>('/console/:file', async (request, reply) => {
    showLimit(reply, limits.untouched('public'))
    const { file } = request.params
    if (!/^[\w-]+-[\w-]{8,}\.(js|css|svg|woff2|png)$/.test(file)) throw notFound()
    const policy = file.endsWith('.js') ? workerPolicy : undefined
    const sent = await sendBuilt(request, reply, { file: new URL(file, built), keep: 'forever', policy })
    if (!sent) throw notFound()
    return sent
  })
}
