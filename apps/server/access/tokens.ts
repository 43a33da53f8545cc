/**
 * Access tokens: ES256 JWTs whose keys are in the directory, private keys encrypted. A new key is published some
 * minutes before it signs, and an old one is accepted until its last token has expired, so rotation invalidates no token.
 */
import {
  type CryptoKey,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { LRUCache } from 'lru-cache'
import { audit } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import type { Caller, Directory, IdentityTx } from '../data/directory.ts'
import { now, nowMs, secondsFromNow } from '../lib/clock.ts'
import { newUuid } from '../lib/ids.ts'
import { Problem } from '../lib/problem.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { insertSigningKey, loadSigningKeys, retireSigningKeys } from './signing-key-queries.ts'

export const accessTokenSeconds = 900
const algorithm = 'ES256'
const tokenType = 'at+jwt'
/** How long a key is published before it signs: longer than any process or verifier caches the key set. */
const publishAheadSeconds = 600
const reloadMs = 30_000
const maxTokenLength = 8192
/** The clock of the process that issued the token may be ahead of this one. */
const clockSkewMs = 60_000

export interface AccessClaims {
  readonly sid: string
  readonly actorId: string
  readonly centerId: number | null
}

export interface TokenClaims extends AccessClaims {
  readonly email: string
  readonly centerDomain: string | null
  readonly role: string
  readonly authorizedDomains: readonly string[]
}

interface LoadedKey {
  readonly kid: string
  readonly useFrom: number
  readonly publicJwk: JWK
  readonly verify: CryptoKey
  /** Decrypted only when it signs: an old key may be encrypted with a secret that is no longer configured. */
  readonly sign: () => Promise<CryptoKey>
}

export interface Tokens {
  issue(claims: TokenClaims): Promise<string>
  verify(token: string): Promise<AccessClaims>
  jwks(): Promise<{ keys: JWK[] }>
  /** A new key that signs after ten minutes, or at once. */
  rotate(options?: { atOnce?: boolean; by?: Caller }): Promise<void>
  /** After a leak: no existing key is accepted any longer, and the next process that signs makes a new one. */
  retireAll(by: Caller): Promise<number>
  rotateIfOlderThan(days: number): Promise<boolean>
}

const caller: Caller = { requestId: 'signing-keys', actorId: null, centerId: 0 }

const traceOf = (tx: IdentityTx, action: 'signing-key added' | 'signing-keys retired', id: string): Promise<void> =>
  audit(tx, { type: 'settings.updated', action, target: { type: 'signing_key', id } })

export function tokens(config: Config, directory: Directory, box: SecretBox): Tokens {
  const issuer = config.authUrl
  const audience = config.publicUrl
  let loaded: readonly LoadedKey[] = []
  let loadedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | null = null
  // A verified token is not verified again; `authenticate` checks on every request whether its session is valid.
  const verified = new LRUCache<string, { claims: AccessClaims; expiresAt: number }>({ max: 20_000 })

  async function load(): Promise<void> {
    const rows = await directory.identity(caller, loadSigningKeys)
    if (rows.length === 0) {
      await addKey({ atOnce: true, onlyIfNone: true })
      return
    }
    loaded = await Promise.all(
      rows.map(async (row) => ({
        kid: row.kid,
        useFrom: row.use_from.getTime(),
        publicJwk: { ...(row.public_jwk as JWK), kid: row.kid, alg: algorithm, use: 'sig' },
        verify: (await importJWK(row.public_jwk as JWK, algorithm)) as CryptoKey,
        sign: onDemand(() => importJWK(JSON.parse(box.open(row.private_sealed, row.kid).toString()), algorithm)),
      })),
    )
    verified.clear()
    loadedAt = nowMs()
  }

  /** Concurrent callers share one load; `force` is for an unknown key, at most once a second. */
  async function fresh(force = false): Promise<void> {
    if (loaded.length > 0 && nowMs() - loadedAt < (force ? 1000 : reloadMs)) return
    loading ??= load().finally(() => {
      loading = null
    })
    await loading
  }

  async function addKey({ atOnce = false, onlyIfNone = false, by = caller }): Promise<void> {
    const pair = await generateKeyPair(algorithm, { extractable: true })
    const kid = newUuid()
    const row = {
      kid,
      public_jwk: JSON.stringify(await exportJWK(pair.publicKey)),
      private_sealed: box.seal(JSON.stringify(await exportJWK(pair.privateKey)), kid),
      use_from: atOnce ? now() : secondsFromNow(publishAheadSeconds),
    }
    await directory.identity(by, async (tx) => {
      if (await insertSigningKey(tx, row, { onlyIfNone })) await traceOf(tx, 'signing-key added', kid)
    })
    await load()
  }

  /** Keys in use, future keys, and keys whose last tokens may still be valid. */
  function living(): readonly LoadedKey[] {
    const inUse = loaded.filter((key) => key.useFrom <= nowMs())
    const current = inUse.at(-1)
    return loaded.filter((key) => {
      const successor = inUse.find((other) => other.useFrom > key.useFrom)
      return key === current || !successor || successor.useFrom + (accessTokenSeconds + 60) * 1000 > nowMs()
    })
  }

  async function keyFor(header: {
    kid?: unknown
    jwk?: unknown
    jku?: unknown
    x5u?: unknown
    x5c?: unknown
  }): Promise<CryptoKey> {
    // Only the server's own keys count: a key inside the token is never used.
    if (header.jwk || header.jku || header.x5u || header.x5c || typeof header.kid !== 'string')
      throw new Error('foreign key')
    const find = () => living().find((key) => key.kid === header.kid)
    if (!find()) await fresh(true)
    const key = find()
    if (!key) throw new Error('unknown key')
    return key.verify
  }

  return {
    async rotate(options) {
      await fresh()
      // A process that cannot decrypt the newest key has another SECRET_KEY; the others could not sign with a key that it makes.
      await loaded.at(-1)?.sign().catch(otherSecret)
      await addKey(options ?? {})
    },
    retireAll: (by) =>
      directory.identity(by, async (tx) => {
        const retired = await retireSigningKeys(tx)
        if (retired > 0) await traceOf(tx, 'signing-keys retired', 'all')
        return retired
      }),
    async rotateIfOlderThan(days) {
      await fresh()
      const newest = loaded.at(-1)
      if (newest && newest.useFrom > nowMs() - days * 86_400_000) return false
      await addKey({})
      return true
    },
    async jwks() {
      await fresh()
      return { keys: living().map((key) => key.publicJwk) }
    },
    async issue({ sid, ...claims }) {
      await fresh()
      // The first key may begin in the near future when the clock of this process is behind.
      const key = loaded.findLast((candidate) => candidate.useFrom <= nowMs()) ?? (loaded[0] as LoadedKey)
      const issuedAt = Math.floor(nowMs() / 1000)
      return new SignJWT({ ...claims, sid })
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.kid })
        .setSubject(claims.actorId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setJti(newUuid())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(await key.sign())
    },
    async verify(token) {
      const known = verified.get(token)
      if (known && known.expiresAt > nowMs()) return known.claims
      if (token.length > maxTokenLength || !isCompact(token)) throw invalidToken()
      await fresh()
      try {
        const { payload } = await jwtVerify(token, keyFor, {
          algorithms: [algorithm],
          typ: tokenType,
          issuer,
          audience,
          requiredClaims: ['exp', 'iat', 'sub', 'sid', 'jti'],
          currentDate: now(),
        })
        const claims = issuedByUs(payload)
        verified.set(token, { claims, expiresAt: (payload.exp as number) * 1000 })
        return claims
      } catch (error) {
        if (error instanceof errors.JWTExpired) {
          throw new Problem(
            'TOKEN_EXPIRED',
            'The access token has expired. Exchange your refresh token for a new pair of tokens.',
          )
        }
        if (error instanceof Problem) throw error
        throw invalidToken(error)
      }
    },
  }
}

/** Three parts in canonical base64url: no padding, no unused bits set. */
function isCompact(token: string): boolean {
  const [, signature] = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token) ?? []
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the signed claims as strictly as they are written. */
function issuedByUs({ sid, sub, actorId, centerId, iat, exp }: JWTPayload): AccessClaims {
  if (!Number.isInteger(iat) || !Number.isInteger(exp)) throw new Error('times that are no whole seconds')
  const [begun, ends] = [iat as number, exp as number]
  if (ends - begun > accessTokenSeconds || begun * 1000 > nowMs() + clockSkewMs) throw new Error('times out of bounds')
  if (typeof sid !== 'string' || !uuid.test(sid)) throw new Error('no session')
  if (typeof actorId !== 'string' || actorId !== sub) throw new Error('no actor')
  if (centerId !== null && !Number.isInteger(centerId)) throw new Error('no center')
  return { sid, actorId, centerId: centerId as number | null }
}

function onDemand(load: () => Promise<unknown>): () => Promise<CryptoKey> {
  let key: Promise<CryptoKey> | undefined
  return async () => {
    key ??= load() as Promise<CryptoKey>
    return key
  }
}

const otherSecret = (cause: unknown): never => {
  throw new Problem(
    'CONFLICT',
    "SECRET_KEY differs from the running servers' SECRET_KEY, so no key was created. Set SECRET_KEY to the same value.",
    { cause },
  )
}

const invalidToken = (cause?: unknown): Problem =>
  new Problem('UNAUTHORIZED', "The access token isn't valid. Sign in again.", { cause })
