/**
 * The pages that people open: approvals, invitations, passwords, passkeys. One document with one script serves every
 * address; it contains nothing of a center, and reads everything through the API with the session of the reader.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fontFiles, fontStyles } from '@countersign/design/fonts.ts'
import type { FastifyInstance } from 'fastify'
import { notFound } from './failures.ts'
import { showLimit } from './identify.ts'
import { pagePolicy } from './policies.ts'
import type { RateLimits } from './rate-limit.ts'
import type { HtmlPage } from './route.ts'

/** Addresses in mails and in `approvalUrl`, and those that these pages link to. */
export const pageAddresses = [
  '/approve/:eventId',
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

const folder = new URL('../../pages/dist/', import.meta.url)
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}
const day = 'public, max-age=86400'
const forever = 'public, max-age=31536000, immutable'

interface Asset {
  readonly content: Buffer
  readonly type: string
}

/** The files that the document names, by the address that it gives them. */
function assetsOf(html: string): ReadonlyMap<string, Asset> {
  const named = [...html.matchAll(/"(\/assets\/[0-9a-f]{16}\/(\w+\.(js|css)))"/g)]
  if (named.length !== 2) throw new Error('apps/pages/dist/pages.html is not what was built; run npm run generate')
  return new Map(
    named.map(([, address, file, kind]) => [
      address as string,
      { content: readFileSync(new URL(file as string, folder)), type: types[kind as string] as string },
    ]),
  )
}

export const pagesDocument = (): HtmlPage => ({
  html: readFileSync(new URL('pages.html', folder), 'utf8'),
  contentSecurityPolicy: pagePolicy,
})

export function mountPages(http: FastifyInstance, limits: RateLimits): void {
  const { html } = pagesDocument()
  const assets = assetsOf(html)
  for (const address of pageAddresses) {
    http.get(address, (_request, reply) => {
      showLimit(reply, limits.untouched('public'))
      return reply.header('content-security-policy', pagePolicy).type('text/html; charset=utf-8').send(html)
    })
  }
  http.get('/assets/*', (request, reply) => {
    showLimit(reply, limits.untouched('public'))
    const asset = assets.get(request.url)
    if (!asset) throw notFound()
    return reply.header('cache-control', forever).type(asset.type).send(asset.content)
  })
  mountFonts(http, limits)
}

/** Fonts of our own: no page asks another host. A file is read when it is asked for, since few of them are. */
function mountFonts(http: FastifyInstance, limits: RateLimits): void {
  const files = fontFiles()
  const styles = fontStyles('/assets/fonts/')
  http.get('/assets/fonts.css', (_request, reply) => {
    showLimit(reply, limits.untouched('public'))
    return reply
      .header('cache-control', day)
      .type(types.css as string)
      .send(styles)
  })
  http.get<{ Params: { '*': string } }>('/assets/fonts/*', async ({ params }, reply) => {
    showLimit(reply, limits.untouched('public'))
    const file = files.get(params['*'])
    if (!file) throw notFound()
    return reply
      .header('cache-control', forever)
      .type('font/woff2')
      .send(await readFile(file))
  })
}
