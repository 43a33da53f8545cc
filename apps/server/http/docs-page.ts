/** The API reference at /docs. All its resources come from this server: no fonts, no telemetry, no other host. */
import { createHash } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { showLimit } from './identify.ts'
import type { RateLimits } from './rate-limit.ts'

const assets = '/docs/assets'
const script = `${assets}/js/scalar.js`

const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}
const start = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)})`

const icon = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M2 8l4 4 8-9' fill='none' stroke='%230a7d4f' stroke-width='3'/></svg>`
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Countersign API</title>
    <link rel="icon" href="data:image/svg+xml,${icon}" />
  </head>
  <body>
    <div id="app"></div>
    <noscript>This page needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="${script}"></script>
    <script>${start}</script>
  </body>
</html>
`

const pagePolicy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(start).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The package has its script of 4 MB in a plugin, so a server that never listens answers for it. Loaded at the first
 * request: it would take a tenth of the start of every process.
 */
async function loadScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const http = Fastify()
  await http.register(scalar, { routePrefix: assets, configuration: configuration as never })
  return (await http.inject(script)).body
}

let loaded: Promise<string> | undefined
const content = (): Promise<string> => {
  loaded ??= loadScript()
  return loaded
}

export async function mountDocs(http: FastifyInstance, limits: RateLimits): Promise<void> {
  await http.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      showLimit(reply, limits.untouched('public'))
      reply.header('content-security-policy', pagePolicy).header('cache-control', 'public, max-age=3600')
    })
    for (const url of ['/docs', '/docs/']) {
      scope.get(url, (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
    }
    scope.get(script, async (_request, reply) =>
      reply.type('application/javascript; charset=utf-8').send(await content()),
    )
  })
}
