/** Settings: the only reader of the environment. Checked once at start, frozen, and secrets do not print. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { inspect } from 'node:util'

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
  readonly webhooks: {
    /** Seconds before each attempt, the first included. */
    readonly retryDelays: readonly number[]
    /** Networks that the guard lets through, and for which http is allowed. */
    readonly allowedNetworks: readonly string[]
    /** Asked for the addresses of consumers; the system's when empty. */
    readonly dnsServers: readonly string[]
  }
  /** First key seals, all open. */
  readonly secretKeys: readonly Buffer[]
  readonly trustedProxies: readonly string[]
  readonly corsOrigins: readonly string[]
  /** Without it messages are written to the log in development and refused in production. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  readonly logLevel: string
  /** Requests in progress beyond which new ones are told to come back. */
  readonly maxInFlight: number
  /** Seconds between «not ready» and closing the listener, for load balancers to notice. */
  readonly drainSeconds: number
  /** Where a test wants the process to be killed; see lib/failpoint.ts. */
  readonly failpoint: string | null
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
  'WEBHOOK_RETRY_DELAYS',
  'WEBHOOK_ALLOWED_NETWORKS',
  'WEBHOOK_DNS_SERVERS',
  'SECRET_KEY',
  'SECRET_KEY_FILE',
  'TRUSTED_PROXIES',
  'CORS_ORIGINS',
  'SMTP_URL',
  'MAIL_FROM',
  'LOG_LEVEL',
  'MAX_IN_FLIGHT',
  'DRAIN_SECONDS',
  'FAILPOINT',
] as const
export type SettingName = (typeof settingNames)[number]

export class ConfigError extends Error {}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export function readConfig(env: Environment = process.env): Readonly<Config> {
  const get = (name: SettingName): string | undefined => env[name]?.trim() || undefined
  const fail: Fail = (name, hint) => {
    throw new ConfigError(`setting ${name}: ${hint}`)
  }
  /** What is given must fit; the value itself is not repeated, it may hold a password. */
  const fitting = (name: SettingName, fits: (text: string) => boolean, hint: string): string | undefined => {
    const text = get(name)
    return text === undefined || fits(text) ? text : fail(name, hint)
  }
  const oneOf = <T extends string>(name: SettingName, values: readonly T[], fallback: T): T =>
    (fitting(name, (text) => values.includes(text as T), values.join(', ')) ?? fallback) as T
  const integer = (name: SettingName, fallback: number, least = 0, most = 999_999_999): number => {
    const fits = (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most
    return Number(fitting(name, fits, `a whole number from ${least} to ${most}`) ?? fallback)
  }
  const address = (name: SettingName, fallback: string): string =>
    (fitting(name, isUrl('http', 'https'), 'an address such as https://countersign.example') ?? fallback).replace(
      /\/$/,
      '',
    )
  const rate = (name: SettingName, fallback: string): Rate => {
    const [, limit, seconds] =
      /^(\d{1,9})\/(\d{1,9})$/.exec(get(name) ?? fallback) ?? fail(name, 'requests/seconds, for example 100/60')
    return Number(limit) > 0 && Number(seconds) > 0
      ? { limit: Number(limit), seconds: Number(seconds) }
      : fail(name, 'both above 0')
  }
  const list = (name: SettingName, fits: (text: string) => boolean, hint: string): string[] => {
    const items = (get(name) ?? '').split(',').map((item) => item.trim())
    return items.filter(Boolean).map((item) => (fits(item) ? item : fail(name, hint)))
  }

  const delays = (): number[] => {
    const given = list(
      'WEBHOOK_RETRY_DELAYS',
      (text) => /^\d{1,7}(\.\d{1,3})?$/.test(text),
      'seconds, such as 0,30,120',
    )
    return given.length === 0 ? [0, 30, 120, 600, 3600, 21_600, 86_400] : given.map(Number)
  }

  const production = oneOf('NODE_ENV', ['development', 'test', 'production'], 'development') === 'production'
  const port = integer('PORT', 3000, 0, 65_535)
  const publicUrl = address('PUBLIC_URL', `http://localhost:${port}`)
  const databaseHint = 'postgres://user@host:5432/database is needed'
  const databaseUrl = fitting('DATABASE_URL', isDatabase, databaseHint) ?? fail('DATABASE_URL', databaseHint)

  return Object.freeze({
    production,
    host:
      fitting('HOST', (text) => /^[\w.:-]+$/.test(text), 'the address to listen on, for example 0.0.0.0') ??
      (production ? '0.0.0.0' : '127.0.0.1'),
    port,
    metricsPort: integer('METRICS_PORT', 9464, 0, 65_535),
    role: oneOf('ROLE', ['all', 'api', 'worker'], 'all'),
    databaseUrl,
    cells: readCells(list('CELLS', isCell, 'name=postgres://…,name=postgres://…'), databaseUrl, fail),
    poolSize: integer('POOL_SIZE', 10, 1),
    redisUrl: fitting('REDIS_URL', isUrl('redis', 'rediss'), 'redis://host:6379') ?? null,
    redisPrefix:
      fitting('REDIS_PREFIX', (text) => /^[\w:.-]{1,100}$/.test(text), 'letters, digits and _ : . -') ?? 'countersign',
    publicUrl,
    schemaUrl: address('SCHEMA_URL', `${publicUrl}/schema`),
    authUrl: address('AUTH_URL', publicUrl),
    lmsUrl: address('LMS_URL', publicUrl),
    logHost:
      fitting('LOG_HOST', (text) => /^[\w.-]+(:\d+)?$/.test(text), 'a host name, without https:// and path') ??
      new URL(publicUrl).host,
    rates: {
      standard: rate('RATE_LIMIT_STANDARD', '100/60'),
      partner: rate('RATE_LIMIT_PARTNER', '500/60'),
      public: rate('RATE_LIMIT_PUBLIC', '30/60'),
      proof: rate('RATE_LIMIT_PROOF', '1000/60'),
      login: rate('RATE_LIMIT_LOGIN', '5/900'),
    },
    webhooks: {
      retryDelays: delays(),
      allowedNetworks: list('WEBHOOK_ALLOWED_NETWORKS', isNetwork, 'networks such as 10.0.0.0/8'),
      dnsServers: list('WEBHOOK_DNS_SERVERS', isDnsServer, 'addresses such as 10.0.0.2 or 10.0.0.2:53'),
    },
    secretKeys: readSecretKeys(get('SECRET_KEY'), get('SECRET_KEY_FILE'), fail),
    // Networks, never a hop count: a count can be spoofed by whoever adds a header.
    trustedProxies: list('TRUSTED_PROXIES', isNetwork, 'networks such as 10.0.0.0/8'),
    corsOrigins: list('CORS_ORIGINS', isOrigin, 'origins such as https://console.example, without a path'),
    smtpUrl: fitting('SMTP_URL', (text) => /^smtps?:\/\//.test(text), 'smtp://user:password@host:587') ?? null,
    mailFrom:
      fitting(
        'MAIL_FROM',
        (text) => /^[^<>]*<[^@\s<>]+@[^@\s<>]+>$|^[^@\s<>]+@[^@\s<>]+$/.test(text),
        'Name <address@host>',
      ) ?? `Countersign <no-reply@${new URL(publicUrl).hostname}>`,
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    maxInFlight: integer('MAX_IN_FLIGHT', 2000, 1),
    drainSeconds: integer('DRAIN_SECONDS', production ? 5 : 0),
    failpoint: fitting('FAILPOINT', () => !production, 'is for tests, and never for production') ?? null,
  })
}

type Fail = (name: SettingName, hint: string) => never

const isUrl =
  (...schemes: string[]) =>
  (text: string): boolean =>
    schemes.some((scheme) => text.startsWith(`${scheme}://`)) && URL.canParse(text)
const isDatabase = isUrl('postgres', 'postgresql')
const isOrigin = (text: string): boolean => isUrl('http', 'https')(text) && new URL(text).origin === text
const isCell = (text: string): boolean => /^[a-z0-9-]+=/.test(text) && isDatabase(text.slice(text.indexOf('=') + 1))

/** An address, or one with a port: 10.0.0.2:53, [fd00::2]:53. */
function isDnsServer(text: string): boolean {
  const [, ipv4, ipv6, port] = /^(?:([\d.]+)|\[([\da-f:]+)\]):(\d{1,5})$/i.exec(text) ?? []
  return isIP(text) !== 0 || (isIP(ipv4 ?? ipv6 ?? '') === (ipv4 ? 4 : 6) && Number(port) > 0 && Number(port) <= 65_535)
}

function isNetwork(text: string): boolean {
  const [network = '', bits = ''] = text.split('/')
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(network) === 4 ? 32 : isIP(network) === 6 ? 128 : -1)
}

function readCells(entries: readonly string[], databaseUrl: string, fail: Fail): ReadonlyMap<string, string> {
  if (entries.length === 0) return new Map([['main', databaseUrl]])
  const cells = new Map(
    entries.map((entry): [string, string] => {
      const at = entry.indexOf('=')
      return [entry.slice(0, at), entry.slice(at + 1)]
    }),
  )
  return cells.size === entries.length ? cells : fail('CELLS', 'each name only once')
}

/** Base64 keys of 32 bytes, newest first, separated by commas or lines. */
function readSecretKeys(inline: string | undefined, file: string | undefined, fail: Fail): readonly Buffer[] {
  const name = inline === undefined && file !== undefined ? 'SECRET_KEY_FILE' : 'SECRET_KEY'
  const words = (inline ?? readKeyFile(file, fail)).split(/[\s,]+/).filter(Boolean)
  if (words.length === 0)
    fail(name, 'is needed: 32 random bytes in base64 (openssl rand -base64 32), or SECRET_KEY_FILE')
  return words.map((word) => {
    const key = Buffer.from(word, 'base64')
    if (key.length !== 32 || key.toString('base64') !== word) fail(name, 'each key is 32 random bytes in base64')
    // Printed or logged by accident, a key shows nothing.
    for (const way of ['toJSON', inspect.custom]) Object.defineProperty(key, way, { value: () => '[secret]' })
    return key
  })
}

function readKeyFile(file: string | undefined, fail: Fail): string {
  try {
    return file === undefined ? '' : readFileSync(file, 'utf8')
  } catch (error) {
    return fail('SECRET_KEY_FILE', `cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
