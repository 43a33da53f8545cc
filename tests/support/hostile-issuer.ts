/** An issuer of a stranger: it signs whatever a test says. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export interface HostileIssuer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What the next ID token states, beside a valid issuer, audience and time. */
  claims: Record<string, unknown>
  /** Makes the next ID token itself, in place of a valid signature. */
  forge: ((claims: JWTPayload) => Promise<string>) | null
  /** Members of the discovery document. */
  discovery: Record<string, unknown>
  /** Bodies of the requests for tokens. */
  readonly asked: URLSearchParams[]
  close(): Promise<void>
}

export const unsigned = (claims: JWTPayload): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`
}

export async function startHostileIssuer(): Promise<HostileIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const http = createServer(async (request, response) => {
    const send = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/.well-known/openid-configuration') {
      const { issuer } = own
      return send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
        ...own.discovery,
      })
    }
    if (request.url === '/jwks') return send({ keys: [jwk] })
    let body = ''
    for await (const chunk of request) body += chunk
    own.asked.push(new URLSearchParams(body))
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: own.issuer, aud: own.clientId, iat: now, exp: now + 60, ...own.claims } as JWTPayload
    const sign = (payload: JWTPayload) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey)
    const id_token = await (own.forge ?? sign)(claims)
    return send({ access_token: 'any', token_type: 'Bearer', id_token })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const own: HostileIssuer = {
    issuer: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    clientId: 'countersign',
    clientSecret: 'a secret',
    claims: {},
    forge: null,
    discovery: {},
    asked: [],
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections()
        http.close(() => resolve())
      }),
  }
  return own
}
