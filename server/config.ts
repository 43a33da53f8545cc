/** Settings: the only reader of the environment. Checked once at start, frozen, and secrets do not print. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

export interface Rate {
  readonly limit: number
  readonly seconds: number
}

export interface Config {
  readonly production: boolean
  readonly host: string
  readonly port: number
  readonly metricsPort: number
  readonly role: 'all' | 'api' | 'worker'
  readonly databaseUrl: string
  /** Cell name to database URL. */
  readonly cells: ReadonlyMap<string, string>
  readonly poolSize: number
  readonly redisUrl: string | null
  readonly redisPrefix: string
  readonly publicUrl: string
  readonly schemaUrl: string
  readonly authUrl: string
  readonly lmsUrl: string
  readonly logHost: string
  readonly rates: {
    readonly standard: Rate
    readonly partner: Rate
    readonly public: Rate
    readonly proof: Rate
    readonly login: Rate
  }
  /** First key seals, all open. */
  readonly secretKeys: readonly Buffer[]
  readonly trustedProxies: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly logLevel: string
  /** Requests in progress beyond which new ones are told to come back. */
  readonly maxInFlight: number
  /** Seconds between «not ready» and closing the listener, for load balancers to notice. */
  readonly drainSeconds: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Every setting with its meaning; `.env.example` and the docs are checked against these names. */
export const settingNames = [
  'NODE_ENV',
  'HOST',
  'PORT',
  'METRICS_PORT',
  'ROLE',
  'DATABASE_URL',
  'CELLS',
  'POOL_SIZE',
  'REDIS_URL',
  'REDIS_PREFIX',
  'PUBLIC_URL',
  'SCHEMA_URL',
  'AUTH_URL',
  'LMS_URL',
  'LOG_HOST',
  'RATE_LIMIT_STANDARD',
  'RATE_LIMIT_PARTNER',
  'RATE_LIMIT_PUBLIC',
  'RATE_LIMIT_PROOF',
  'RATE_LIMIT_LOGIN',
  'SECRET_KEY',
  'SECRET_KEY_FILE',
  'TRUSTED_PROXIES',
  'CORS_ORIGINS',
  'LOG_LEVEL',
  'MAX_IN_FLIGHT',
  'DRAIN_SECONDS',
] as const
export type SettingName = (typeof settingNames)[number]

export class ConfigError extends Error {}

export function readConfig(env: Environment = process.env): Readonly<Config> {
  const get = (name: SettingName): string | undefined => env[name]?.trim() || undefined
  const fail = (name: SettingName, hint: string): never => {
    throw new ConfigError(`setting ${name}: ${hint}`)
  }
  const integer = (name: SettingName, fallback: number, least = 0): number => {
    const text = get(name)
    if (text === undefined) return fallback
    return /^\d{1,9}$/.test(text) && Number(text) >= least
      ? Number(text)
      : fail(name, `a whole number from ${least}, not "${text}"`)
  }
  const rate = (name: SettingName, fallback: string): Rate => {
    const [, limit, seconds] =
      /^(\d+)\/(\d+)$/.exec(get(name) ?? fallback) ?? fail(name, 'requests/seconds, for example 100/60')
    return Number(limit) > 0 && Number(seconds) > 0
      ? { limit: Number(limit), seconds: Number(seconds) }
      : fail(name, 'both above 0')
  }
  const list = (name: SettingName): string[] =>
    (get(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)

  const production = get('NODE_ENV') === 'production'
  const port = integer('PORT', 3000)
  const publicUrl = (get('PUBLIC_URL') ?? `http://localhost:${port}`).replace(/\/$/, '')
  if (!URL.canParse(publicUrl)) fail('PUBLIC_URL', 'an address such as https://countersign.example')
  const databaseUrl = get('DATABASE_URL') ?? fail('DATABASE_URL', 'postgres://user@host:5432/database is needed')
  const role = get('ROLE') ?? 'all'
  if (role !== 'all' && role !== 'api' && role !== 'worker') fail('ROLE', 'all, api or worker')

  return Object.freeze({
    production,
    host: get('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port,
    metricsPort: integer('METRICS_PORT', 9464),
    role: role as Config['role'],
    databaseUrl,
    cells: readCells(list('CELLS'), databaseUrl, fail),
    poolSize: integer('POOL_SIZE', 10, 1),
    redisUrl: get('REDIS_URL') ?? null,
    redisPrefix: get('REDIS_PREFIX') ?? 'countersign',
    publicUrl,
    schemaUrl: get('SCHEMA_URL') ?? `${publicUrl}/schema`,
    authUrl: get('AUTH_URL') ?? publicUrl,
    lmsUrl: get('LMS_URL') ?? publicUrl,
    logHost: get('LOG_HOST') ?? new URL(publicUrl).host,
    rates: {
      standard: rate('RATE_LIMIT_STANDARD', '100/60'),
      partner: rate('RATE_LIMIT_PARTNER', '500/60'),
      public: rate('RATE_LIMIT_PUBLIC', '30/60'),
      proof: rate('RATE_LIMIT_PROOF', '1000/60'),
      login: rate('RATE_LIMIT_LOGIN', '5/900'),
    },
    secretKeys: readSecretKeys(get('SECRET_KEY'), get('SECRET_KEY_FILE'), fail),
    trustedProxies: readNetworks(list('TRUSTED_PROXIES'), fail),
    corsOrigins: list('CORS_ORIGINS'),
    logLevel: get('LOG_LEVEL') ?? 'info',
    maxInFlight: integer('MAX_IN_FLIGHT', 2000, 1),
    drainSeconds: integer('DRAIN_SECONDS', production ? 5 : 0),
  })
}

type Fail = (name: SettingName, hint: string) => never

function readCells(entries: string[], databaseUrl: string, fail: Fail): ReadonlyMap<string, string> {
  if (entries.length === 0) return new Map([['main', databaseUrl]])
  return new Map(
    entries.map((entry) => {
      const [, name, url] = /^([a-z0-9-]+)=(.+)$/.exec(entry) ?? fail('CELLS', 'name=url,name=url')
      return [name as string, url as string]
    }),
  )
}

/** Base64 keys of 32 bytes, newest first, separated by commas or lines. */
function readSecretKeys(inline: string | undefined, file: string | undefined, fail: Fail): readonly Buffer[] {
  const text = inline ?? (file && readFileSync(file, 'utf8'))
  if (!text)
    return fail('SECRET_KEY', 'is needed: 32 random bytes in base64 (openssl rand -base64 32), or SECRET_KEY_FILE')
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((key) => Buffer.from(key, 'base64'))
  if (keys.some((key) => key.length !== 32)) fail('SECRET_KEY', 'each key is 32 random bytes in base64')
  // Printed or logged by accident, a key shows nothing.
  for (const key of keys) Object.defineProperty(key, 'toJSON', { value: () => '[secret]' })
  return keys
}

/** Networks, never a hop count: a count can be spoofed by whoever adds a header. */
function readNetworks(entries: string[], fail: Fail): readonly string[] {
  for (const entry of entries) {
    const [address = '', bits = ''] = entry.split('/')
    if (!isIP(address) || !/^\d{1,3}$/.test(bits))
      fail('TRUSTED_PROXIES', `networks such as 10.0.0.0/8, not "${entry}"`)
  }
  return entries
}
