/** A real OpenID provider (oidc-provider) on loopback, and a browser that signs in at it. */
import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Claims } from 'oidc-provider'

export interface TestProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The people that sign in there, by subject. */
  readonly people: Map<string, Claims>
  /** Begins to serve; the client may redirect only to these addresses. */
  serve(redirectUris: readonly string[]): void
  /** Signs in at the authorization URL as this subject. Returns the address that the provider redirects to. */
  signIn(authorizationUrl: string, subject: string): Promise<URL>
  close(): Promise<void>
}

export async function startProvider(): Promise<TestProvider> {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end()
  const http = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const people = new Map<string, Claims>()
  const [clientId, clientSecret] = ['countersign', randomBytes(24).toString('base64url')]

  function serve(redirect_uris: readonly string[]): void {
    const provider: Provider = new Provider(issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris }],
      cookies: { keys: [randomBytes(16).toString('hex')] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      findAccount: (_: unknown, subject: string) => {
        const person = people.get(subject)
        return person && { accountId: subject, claims: () => person }
      },
      // Nobody is asked for consent.
      async loadExistingGrant(ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
        const { client, session } = ctx.oidc
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
        grant.addOIDCScope('openid email')
        await grant.save()
        return grant
      },
    })
    handle = provider.callback()
  }

  async function signIn(authorizationUrl: string, subject: string): Promise<URL> {
    const cookies = new Map<string, string>()
    let next = new URL(authorizationUrl)
    let form: URLSearchParams | null = null
    for (let steps = 0; steps < 10 && next.origin === issuer; steps++) {
      const response: Response = await fetch(next, {
        method: form ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form && { body: form }),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      const text = await response.text()
      const location = response.headers.get('location')
      form = location === null ? new URLSearchParams({ prompt: 'login', login: subject, password: 'any' }) : null
      if (location === null && response.status !== 200)
        throw new Error(`the provider answered ${response.status}: ${text}`)
      next = new URL(location ?? next, next)
    }
    return next
  }

  return {
    issuer,
    clientId,
    clientSecret,
    people,
    serve,
    signIn,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections()
        http.close(() => resolve())
      }),
  }
}
