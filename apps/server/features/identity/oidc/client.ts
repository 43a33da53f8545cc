/**
 * The protocol, by openid-client: authorization code with PKCE, state and nonce. Every request to a provider goes through
 * the outbound guard. The signature of an ID token is always checked, although it comes over TLS from the token endpoint.
 */
import type { providerProblems } from '@countersign/contract/sign-in-providers.ts'
import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import type { Logger } from 'pino'
import { OutboundFailure } from '../../../lib/guarded-connect.ts'
import type { OutboundFetch } from '../../../lib/outbound-fetch.ts'
import { Problem } from '../../../lib/problem.ts'

/** What openid-client is asked about: a provider with its secret in plain text. */
export interface KnownProvider {
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  /** Changes with the secret. */
  readonly version: string
}

/** The secrets of one sign-in. */
export interface Challenge {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The provider asks the person again, although they are signed in there. */
  readonly again?: boolean
}

export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  /** Null unless the provider states that it has verified the address. */
  readonly email: string | null
}

export type ProviderProblem = (typeof providerProblems)[number]

export interface OidcClient {
  authorizationUrl(provider: KnownProvider, challenge: Challenge): Promise<string>
  /** `query` is what the provider sent back with the browser. */
  identity(provider: KnownProvider, challenge: Challenge, query: string): Promise<ProvenIdentity>
  /** Reads what the provider publishes anew. Null where nothing stands in the way. */
  check(provider: KnownProvider): Promise<ProviderProblem | null>
}

const keptMs = 600_000
const timeoutSeconds = 5
/** Of `auth_time`, where the provider was to ask again. */
const askedWithinSeconds = 300

export const newChallenge = (again = false): Challenge => ({
  again,
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
})

export function oidcClient(outbound: OutboundFetch, log: Logger): OidcClient {
  const known = new LRUCache<string, oidc.Configuration>({ max: 500, ttl: keptMs })

  async function configured(provider: KnownProvider, anew = false): Promise<oidc.Configuration> {
    const key = `${provider.id} ${provider.version}`
    const kept = anew ? undefined : known.get(key)
    if (kept) return kept
    const server = new URL(provider.issuer)
    const execute = [oidc.enableNonRepudiationChecks]
    // The guard lets http through only to networks that the operator allows.
    if (server.protocol === 'http:') execute.push(oidc.allowInsecureRequests)
    const config = await oidc.discovery(server, provider.clientId, {}, secretOf(provider), {
      [oidc.customFetch]: (url, { method, headers, body }) => outbound.fetch(url, { method, headers, body }),
      timeout: timeoutSeconds,
      execute,
    })
    known.set(key, config)
    return config
  }

  /** Says nothing about the cause to whoever sent the request; the log has it. */
  function explain(provider: KnownProvider, error: unknown, isBack: boolean): Problem {
    const outside = causesOf(error).find((each) => each instanceof OutboundFailure)
    const { message } = outside ?? (error as Error)
    log.info({ provider: provider.id, code: (error as { code?: string }).code, reason: message }, 'sign-in was refused')
    const unreachable = 'The sign-in provider returned an invalid response. Try again, or use your password or passkey.'
    return outside || !isBack
      ? new Problem('SERVICE_UNAVAILABLE', unreachable, { retryAfter: 5, cause: error })
      : new Problem('UNAUTHORIZED', "The sign-in provider didn't confirm who you are. Sign in again.", {
          cause: error,
        })
  }

  async function authorizationUrl(
    provider: KnownProvider,
    { state, nonce, verifier, again }: Challenge,
  ): Promise<string> {
    const url = oidc.buildAuthorizationUrl(await configured(provider), {
      redirect_uri: provider.redirectUri,
      scope: 'openid email',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...(again && { prompt: 'login', max_age: '0' }),
    })
    // A browser opens it: a provider must not name a script or a file.
    const refusal = outbound.guard.refusalOfUrl(url.origin + url.pathname)
    if (refusal !== null) throw new OutboundFailure('blocked_address', refusal)
    return url.href
  }

  async function identity(
    provider: KnownProvider,
    { state, nonce, verifier, again }: Challenge,
    query: string,
  ): Promise<ProvenIdentity> {
    const config = await configured(provider)
    const returned = new URL(provider.redirectUri)
    returned.search = query
    const tokens = await oidc.authorizationCodeGrant(config, returned, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...(again && { maxAge: askedWithinSeconds }),
    })
    const claims = tokens.claims()
    // openid-client accepts other issuers for some vendors; an account is linked to exactly one.
    if (!claims || new URL(claims.iss).href !== new URL(provider.issuer).href) throw new Error('another issuer')
    const stated =
      claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
        ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
        : claims
    const { email, email_verified: isVerified } = stated
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: typeof email === 'string' && isVerified === true ? email : null,
    }
  }

  async function check(provider: KnownProvider): Promise<ProviderProblem | null> {
    try {
      const {
        authorization_endpoint: page,
        token_endpoint: tokens,
        jwks_uri: keys,
      } = (await configured(provider, true)).serverMetadata()
      if (!page || !tokens || !keys || outbound.guard.refusalOfUrl(page) !== null) return 'incomplete'
      const answer = await outbound.fetch(keys, { method: 'GET', headers: { accept: 'application/json' } })
      const set = answer.ok ? ((await answer.json().catch(() => null)) as { keys?: unknown } | null) : null
      return Array.isArray(set?.keys) && set.keys.length > 0 ? null : 'noKeys'
    } catch (error) {
      return problemOf(error)
    }
  }

  return {
    check,
    authorizationUrl: (provider, challenge) =>
      authorizationUrl(provider, challenge).catch((error: unknown) => {
        throw explain(provider, error, false)
      }),
    identity: (provider, challenge, query) =>
      identity(provider, challenge, query).catch((error: unknown) => {
        throw explain(provider, error, true)
      }),
  }
}

/** As the provider's discovery document asks; by the specification `client_secret_basic` is what it means by silence. */
const secretOf =
  ({ clientSecret }: KnownProvider): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const send = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    return send(clientSecret)(server, client, body, headers)
  }

/** Nothing else of an answer is told: whoever names an issuer would read other servers with it. */
function problemOf(error: unknown): ProviderProblem {
  const causes = causesOf(error)
  const outside = causes.find((each) => each instanceof OutboundFailure)
  if (outside?.kind === 'tls') return 'insecure'
  if (outside?.kind === 'blocked_address') return 'blocked'
  if (outside && outside.kind !== 'bad_response') return 'unreachable'
  const isOther = causes.some((each) => (each as { code?: string }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
  return isOther ? 'otherIssuer' : 'noDocument'
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let each = error; each instanceof Error && causes.length < 8; each = each.cause) causes.push(each)
  return causes
}
