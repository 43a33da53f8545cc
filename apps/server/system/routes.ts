import { openApiDocument } from '@countersign/contract/openapi.ts'
import * as contract from '@countersign/contract/system.ts'
import type { Tokens } from '../access/tokens.ts'
import { consolePage } from '../http/console.ts'
import { pageReply, type Route, route } from '../http/route.ts'
import type { CheckReady } from './readiness.ts'

const home = {
  name: 'Countersign',
  summary:
    "Holds decisions made by AI agents, programs and people until they're approved, seals them, and exports proofs that anyone can verify offline.",
  links: { docs: '/docs', verify: '/verify', openapi: '/openapi.json', health: '/health/ready' },
} as const

interface SystemNeeds {
  readonly tokens: Tokens
}

export const systemRoutes = (needs: SystemNeeds, checkReady: CheckReady): Route[] => {
  // Created on the first request: most processes never need it.
  let document: ReturnType<typeof openApiDocument> | undefined
  return [
    route(contract.home, async ({ wantsPage }, reply) =>
      wantsPage ? pageReply(200, await consolePage()) : reply(200, home),
    ),
    route(contract.live, (_, reply) => reply(200, { status: 'ok' })),
    route(contract.ready, async (_, reply) => {
      await checkReady()
      return reply(200, { status: 'ok' })
    }),
    route(contract.jwks, async (_, reply) => reply(200, (await needs.tokens.jwks()) as never)),
    route(contract.openApi, (_, reply) => {
      document ??= openApiDocument()
      return reply(200, document)
    }),
  ]
}
