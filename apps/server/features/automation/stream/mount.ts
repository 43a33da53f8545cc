/**
 * `GET /api/console/stream`: server-sent events that say what changed in the center of the session, and
 * `GET /api/v1/decision-events/{id}/stream`: that one decision changed, for a program that waits for it. They are not in the list of
 * operations, because their answers do not end.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { callerIn, isVisibleTo, type KeyPrincipal, type MemberPrincipal } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Admission } from '../../../http/admission.ts'
import { type Entry, identify } from '../../../http/identify.ts'
import { isOwnOrigin } from '../../../http/origin.ts'
import type { RateLimits } from '../../../http/rate-limit.ts'
import { recordUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { decisionOf, unknownEvent } from '../../evidence/decision-events/api.ts'
import { keyReader, memberReader, type Reader } from './readers.ts'
import type { Outlet, Streams } from './streams.ts'

interface StreamMountNeeds {
  readonly config: Pick<Config, 'production' | 'publicUrl' | 'authUrl'>
  readonly limits: RateLimits
  readonly admission: Admission
  readonly authenticate: Authenticator
  readonly centers: CenterProfiles
  readonly cells: Cells
  readonly streams: Streams
}

const ofMember: Entry = {
  spec: { surface: 'platform', access: { kind: 'actor', center: 'required' } },
  rate: 'caller',
}

const ofKey: Entry = {
  spec: { surface: 'proof', access: { kind: 'key', scope: 'proof:read', bound: true } },
  rate: 'caller',
}

/** Unsent bytes of one stream; a client that reads has none. */
const mostUnsent = 64 * 1024

export function mountStream(http: FastifyInstance, needs: StreamMountNeeds): void {
  const { admission, authenticate, cells, config, streams } = needs
  const whoMay = identify(needs)

  function open(request: FastifyRequest, reply: FastifyReply, reader: Reader): void {
    const { raw } = reply
    const outlet = outletOf(raw)
    const forget = streams.open(reader, outlet)
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
  }

  http.addHook('preClose', () => streams.stop())
  http.route({
    method: 'GET',
    url: '/api/console/stream',
    config: { longLived: true },
    onRequest: async (request, reply) => {
      request.principal = await whoMay(ofMember, request, reply)
      const { origin, 'sec-fetch-site': site } = request.headers
      // Browsers send the cookie with requests of other origins of the same site too.
      if ((origin !== undefined && !isOwnOrigin(config, request)) || (site !== undefined && site !== 'same-origin')) {
        throw new Problem(
          'FORBIDDEN',
          "Only this server's pages can open an event stream. Open the console on this server.",
        )
      }
    },
    handler: (request, reply) => open(request, reply, memberReader(authenticate, request.principal as MemberPrincipal)),
  })
  http.route({
    method: 'GET',
    url: '/api/v1/decision-events/:id/stream',
    config: { longLived: true },
    onRequest: async (request, reply) => {
      request.principal = await whoMay(ofKey, request, reply)
    },
    handler: async (request, reply) => {
      const principal = request.principal as KeyPrincipal
      const uuid = recordUuid((request.params as { id: string }).id)
      const caller = callerIn(principal, request.id)
      const read = cells
        .of(principal.cell)
        .inTenant(caller, async (tx) => (uuid === null ? null : await decisionOf(tx, uuid, principal.center)), 'read')
      const known = await read
      if (!known || !isVisibleTo(principal, known.event)) throw unknownEvent()
      const apiKey = request.headers.authorization?.replace(/^Bearer +/i, '') ?? ''
      open(request, reply, keyReader(authenticate, apiKey, principal, typedId('decisionEvent', known.event.id)))
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
