import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { useClock } from '../../lib/clock.ts'
import { type Forge, type Hostile, openForge } from './forge.ts'
import * as contents from './hostile-contents.ts'
import * as signatures from './hostile-signatures.ts'

const path = '/api/auth/me'
let server: TestServer
let otherServer: TestServer
let forge: Forge
let other: contents.OtherSession
let hostile: ReadonlyMap<string, Hostile>

beforeAll(async () => {
  server = await startServer()
  otherServer = await startServer()
  const genuine = await signInPerson(server)
  forge = await openForge(server, genuine.accessToken)
  const otherSession = await signInPerson(server)
  other = decodeJwt(otherSession.accessToken) as unknown as contents.OtherSession
  const credentials = await otherCredentials()
  hostile = new Map(
    Object.entries(kinds).map(([kind, make]) => [kind, make === null ? credentials : make(forge, other)]),
  )
})
afterAll(async () => {
  await server.close()
  await otherServer.close()
})

async function signInPerson(on: TestServer) {
  const person = await on.world.person()
  const center = await on.world.center()
  await on.world.member(person, center)
  return { ...(await on.signIn(person)), person, center }
}

async function otherCredentials(): Promise<Hostile> {
  const { person, center, refreshToken, accessToken } = await signInPerson(server)
  const sso = await server.call('POST', '/api/auth/sso/token', { token: accessToken, body: { targetApp: 'lms' } })
  const ended = await server.signIn(person)
  await server.call('POST', '/api/auth/logout', { token: ended.accessToken })
  const elsewhere = await signInPerson(otherServer)
  return [
    ['a refresh token', refreshToken],
    ['a single-use token', sso.body.data.token],
    ['an API key', await server.world.key(center)],
    ['a password', person.password.replaceAll(' ', '_')],
    ['a session id', String(decodeJwt(accessToken).sid)],
    ['an actor id', person.actorId],
    ['a token of a session that has ended', ended.accessToken],
    ['a token of another installation', elsewhere.accessToken],
    ['the word null', 'null'],
    ['the word undefined', 'undefined'],
  ]
}

const kinds: Record<string, ((forge: Forge, other: contents.OtherSession) => Hostile) | null> = {
  'without an algorithm': signatures.withoutAlgorithm,
  'with the public key as a secret': signatures.publicKeyAsSecret,
  'with a key of the attacker': signatures.keysOfTheAttacker,
  'with the name of another algorithm': signatures.otherAlgorithmNames,
  'with a broken signature': signatures.brokenSignatures,
  'with an unknown kid': contents.keyIds,
  'of another type': contents.types,
  'with critical extensions': contents.extensions,
  'for another audience or by another issuer': contents.audiencesAndIssuers,
  'with invalid times': contents.times,
  'of another actor, or of none': contents.identities,
  'with a field twice': contents.duplicates,
  'in another form': contents.forms,
  'that are other credentials': null,
}

type Refusal = readonly [name: string, status: number, code: string | undefined]

async function notRefused(tokens: Hostile, send: (token: string) => Record<string, string>): Promise<Refusal[]> {
  const letThrough: Refusal[] = []
  for (const [name, token] of tokens) {
    const { status, body } = await server.call('GET', path, { headers: send(token) })
    if (status !== 401) letThrough.push([name, status, body?.error?.code])
  }
  return letThrough
}

describe('an access token', () => {
  it('is accepted when genuine, also when the test signs the same claims again', async () => {
    for (const token of [forge.genuine, forge.ours(), forge.ours({ jti: 'made anew' })]) {
      expect((await server.call('GET', path, { token })).status).toBe(200)
    }
  })

  it.each(Object.keys(kinds))('is refused with 401: tokens %s', async (kind) => {
    const tokens = hostile.get(kind) as Hostile
    expect(await notRefused(tokens, (token) => ({ authorization: `Bearer ${token}` }))).toEqual([])
  })

  it('is refused with 401 in the cookie too', async () => {
    const fit = [...hostile.values()].flat().filter(([, token]) => /^[\w.=~-]{1,3500}$/.test(token))
    expect(await notRefused(fit, (token) => ({ cookie: `auth_token=${token}` }))).toEqual([])
  })

  it('is tested in more than 200 hostile forms', () => {
    const distinct = new Set([...hostile.values()].flat().map(([, token]) => token))
    expect(distinct.size).toBeGreaterThanOrEqual(200)
  })

  it('causes no error in the log', () => {
    const errors = server.logs.filter((line) => JSON.parse(line).level >= 50)
    expect(errors).toEqual([])
  })
})

describe('a token too large for a header', () => {
  it('is refused by the token parser: a kid of 1 MB', async () => {
    const token = forge.ours({}, { kid: 'x'.repeat(1024 * 1024) })
    await expect(server.services.tokens.verify(token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('is refused with 431 before the server reads it', async () => {
    const token = forge.ours({}, { kid: 'x'.repeat(1024 * 1024) })
    const outcome = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } }).then(
      ({ status }) => status,
      () => 'hung up',
    )
    expect([431, 'hung up']).toContain(outcome)
    expect((await server.call('GET', path, { token: forge.genuine })).status).toBe(200)
  })
})

describe('the error code of a 401', () => {
  it('is TOKEN_EXPIRED only for a token that was valid until it expired', async () => {
    const ahead = forge.claims.exp * 1000 + 1000
    const restore = useClock(() => ahead)
    try {
      const [top, payload] = forge.genuine.split('.')
      const codes = async (token: string) => (await server.call('GET', path, { token })).body.error.code
      expect(await codes(forge.genuine)).toBe('TOKEN_EXPIRED')
      expect(await codes(`${top}.${payload}.${'A'.repeat(86)}`)).toBe('UNAUTHORIZED')
      expect(await codes(forge.foreign('ES256'))).toBe('UNAUTHORIZED')
      expect(await codes(forge.ours({ aud: 'elsewhere' }))).toBe('UNAUTHORIZED')
    } finally {
      restore()
    }
  })

  it('is UNAUTHORIZED for a genuine JWT on /api/v1, in the error format of that surface', async () => {
    for (const method of ['GET', 'POST']) {
      const { status, body, headers } = await server.call(method, '/api/v1/decision-events', { token: forge.genuine })
      expect(status).toBe(401)
      expect(body).toEqual({
        error: {
          code: 'UNAUTHORIZED',
          message: expect.stringContaining('API key'),
          requestId: headers.get('x-request-id'),
          details: {},
        },
      })
    }
  })
})
