import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookie } from './route.ts'

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const header = request.headers.cookie
  return header === undefined ? undefined : parseCookie(header)[name]
}

/**
 * Not readable by scripts, not sent from another site, and only over TLS outside development. The refresh token is sent
 * only to operations that use it, and not with a link from another site either.
 */
export function writeCookie(reply: FastifyReply, { name, value, maxAge }: Cookie, secure: boolean): void {
  const where =
    name === 'refresh_token'
      ? ({ path: '/api/auth', sameSite: 'strict' } as const)
      : ({ path: '/', sameSite: 'lax' } as const)
  reply.header('set-cookie', stringifySetCookie({ name, value, ...where, httpOnly: true, secure, maxAge }))
}
