/** `/mcp`: the tools of packages/mcp for clients with an API key. No request depends on an earlier one. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { KeyPrincipal } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { Admission } from '../../../http/admission.ts'
import { type Entry, identify } from '../../../http/identify.ts'
import type { RateLimits } from '../../../http/rate-limit.ts'
import { Problem } from '../../../lib/problem.ts'
import { inProcessClient } from './in-process.ts'
import { type HostConfig, ownHost } from './own-host.ts'

interface McpNeeds {
  readonly config: HostConfig & Pick<Config, 'production'>
  readonly limits: RateLimits
  readonly admission: Admission
  readonly authenticate: Authenticator
  readonly centers: CenterProfiles
  readonly log: Logger
}

/** Any key that may read; what a tool needs beyond that is checked when it calls the API. */
const entry: Entry = {
  spec: { surface: 'proof', access: { kind: 'key', scope: 'proof:read', bound: true } },
  rate: 'caller',
}

/** Messages in one request, which protocol versions before 2025-06-18 allow: each may have a long answer. */
const mostMessages = 16

export function mountMcp(http: FastifyInstance, needs: McpNeeds): void {
  const { config, admission, log } = needs
  const whoMay = identify(needs)
  const refuseForeign = ownHost(config)
  const stopping = new AbortController()
  http.addHook('preClose', async () => stopping.abort())
  const makeHandler = async () =>
    (await import('@countersign/mcp')).mcpHandler({
      clientFor: ({ token, extra }) => inProcessClient(http, { apiKey: token, address: String(extra?.address) }),
      stopping: stopping.signal,
      onDefect: (err) => log.error({ err }, 'an MCP tool failed'),
      onRefused: (err) => log.debug({ err }, 'an MCP request was refused'),
    })
  // Made at the first request: its schemas would slow the start of every process.
  let handler: ReturnType<typeof makeHandler> | undefined
  http.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    onRequest: async (request, reply) => {
      reply.header('www-authenticate', 'Bearer')
      request.principal = await whoMay(entry, request, reply)
      reply.removeHeader('www-authenticate')
      refuseForeign(request)
      await admission.admitBody(request, reply)
    },
    handler: async (request, reply) => {
      const { body, ip, principal, headers } = request
      if (Array.isArray(body) && body.length > mostMessages) {
        throw new Problem(
          'BAD_REQUEST',
          `A request can have at most ${mostMessages} messages. Split it into several requests.`,
        )
      }
      const { actorId, scopes } = principal as KeyPrincipal
      const token = /\S+$/.exec(headers.authorization as string)?.[0] as string
      handler ??= makeHandler()
      const response = await (await handler).fetch(webRequest(request, reply), {
        ...(body !== undefined && { parsedBody: body }),
        authInfo: { token, clientId: actorId, scopes: [...scopes], extra: { address: ip } },
      })
      return reply.send(response)
    },
  })
}

/** Without the body, which is parsed, and without the credential, which belongs to this server alone. */
function webRequest({ method, headers }: FastifyRequest, reply: FastifyReply): Request {
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  const kept = Object.entries(headers).filter(([name]) => !/^(authorization|cookie|content-length)$/.test(name))
  return new Request('http://in-process.invalid/mcp', {
    method,
    headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
    signal: left.signal,
  })
}
