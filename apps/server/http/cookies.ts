import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookie } from './route.ts'

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const header = request.headers.cookie
  return header === undefined ? undefined : parseCookie(header)[name]
}

/** Not readable by scripts, not sent from another site, and only over TLS outside development. */
export function writeCookie(reply: FastifyReply, { name, value, maxAge }: Cookie, secure: boolean): void {
  reply.header(
    'set-cookie',
    stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge }),
  )
}
