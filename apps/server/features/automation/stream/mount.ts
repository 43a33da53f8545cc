/**
 * `GET /api/console/stream`: server-sent events that say what changed in the center of the session. It is not in the list
 * of operations, because its answer does not end.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { Admission } from '../../../http/admission.ts'
import { type Entry, identify } from '../../../http/identify.ts'
import { isOwnOrigin } from '../../../http/origin.ts'
import type { RateLimits } from '../../../http/rate-limit.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Outlet, Streams } from './streams.ts'

interface StreamMountNeeds {
  readonly config: Pick<Config, 'production' | 'publicUrl' | 'authUrl'>
  readonly limits: RateLimits
  readonly admission: Admission
  readonly authenticate: Authenticator
  readonly centers: CenterProfiles
  readonly streams: Streams
}

const entry: Entry = {
  spec: { surface: 'platform', access: { kind: 'actor', center: 'required' } },
  rate: 'caller',
}

/** Unsent bytes of one stream; a client that reads has none. */
const mostUnsent = 64 * 1024

export function mountStream(http: FastifyInstance, needs: StreamMountNeeds): void {
  const { admission, streams, config } = needs
  const whoMay = identify(needs)
  http.addHook('preClose', () => streams.stop())
  http.route({
    method: 'GET',
    url: '/api/console/stream',
    config: { longLived: true },
    onRequest: async (request, reply) => {
      request.principal = await whoMay(entry, request, reply)
      const { origin, 'sec-fetch-site': site } = request.headers
      // Browsers send the cookie with requests of other origins of the same site too.
      if ((origin !== undefined && !isOwnOrigin(config, request)) || (site !== undefined && site !== 'same-origin')) {
        throw new Problem(
          'FORBIDDEN',
          "Only this server's pages can open an event stream. Open the console on this server.",
        )
      }
    },
    handler: (request, reply) => {
      const { raw } = reply
      const outlet = outletOf(raw)
      const forget = streams.open(request.principal as MemberPrincipal, outlet)
      raw.once('close', forget)
      if (raw.destroyed) forget()
      admission.release(request)
      reply.hijack()
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        // A proxy in front must not collect the events.
        'x-accel-buffering': 'no',
      })
      raw.write('retry: 2000\n\n')
    },
  })
}

const outletOf = (raw: ServerResponse): Outlet => {
  function write(text: string): boolean {
    if (raw.destroyed || raw.writableLength > mostUnsent) return false
    raw.write(text)
    return true
  }
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => write(': \n\n'),
    close: () => void (raw.writableLength > mostUnsent ? raw.destroy() : raw.end()),
  }
}
