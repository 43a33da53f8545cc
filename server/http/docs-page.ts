/** The API reference at /docs. Everything it needs comes from this server: no fonts, no telemetry, no other host. */
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { showLimit } from './identify.ts'
import type { RateLimits } from './rate-limit.ts'

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export async function mountDocs(http: FastifyInstance, limits: RateLimits): Promise<void> {
  await http.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      showLimit(reply, limits.untouched('public'))
      reply.header('content-security-policy', pagePolicy).header('cache-control', 'public, max-age=3600')
    })
    await scope.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        title: 'Countersign API',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      } as never,
    })
  })
}
