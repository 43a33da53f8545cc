import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookie } from './route.ts'

/** Their names are public: programs of others read and write them. */
const unprefixed: readonly Cookie['name'][] = ['auth_token', 'last_tenant']

/**
 * Browsers accept a name with `__Host-` only from this very host, over TLS and for all its paths, so no other host of the
 * site can plant one. They refuse it without `Secure`, which development over http does not have.
 */
const nameOf = (name: Cookie['name'], secure: boolean): string =>
  secure && !unprefixed.includes(name) ? `__Host-${name}` : name

export function readCookie(request: FastifyRequest, name: Cookie['name'], secure: boolean): string | undefined {
  const header = request.headers.cookie
  if (header === undefined) return undefined
  const cookies = parseCookie(header)
  const found = cookies[nameOf(name, secure)]
  // A browser that signed in before the prefix has the session under the bare name, until its next refresh.
  return found ?? (name === 'refresh_token' ? cookies[name] : undefined)
}

/**
 * Not readable by scripts, not sent from another site, and only over TLS outside development. The refresh token is not sent
 * with a link from another site either, and in development only to operations that use it.
 */
export function writeCookie(reply: FastifyReply, { name, value, maxAge }: Cookie, secure: boolean): void {
  const isRefresh = name === 'refresh_token'
  const sent = nameOf(name, secure)
  const sameSite = isRefresh ? 'strict' : 'lax'
  const onlyAuth = { path: '/api/auth', sameSite, httpOnly: true, secure } as const
  const where = isRefresh && sent === name ? onlyAuth : { ...onlyAuth, path: '/' }
  reply.header('set-cookie', stringifySetCookie({ name: sent, value, ...where, maxAge }))
  if (isRefresh && sent !== name)
    reply.header('set-cookie', stringifySetCookie({ name, value: '', ...onlyAuth, maxAge: 0 }))
}
