/** Settings: the only reader of the environment. Checked once at start, frozen, and secrets do not print. */

import { isAbsolute } from 'node:path'
import {
  type Fail,
  isCell,
  isDatabase,
  isDnsServer,
  isNetwork,
  isOrigin,
  isUrl,
  readCells,
  readLogKeys,
  readSecretFile,
  readSecretKeys,
} from './config-values.ts'

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
  /** Transparency: who signs checkpoints, who witnesses them, and where they are remembered. */
  readonly log: {
    /** A function, so that nothing that prints settings prints it. The format is in chain/log-keys.ts. */
    readonly keys: () => string
    /** Where this server remembers what it signed; for the life of the process when null. */
    readonly memoryDir: string | null
    /** Lines `witness`, `group` and `quorum` of a trust policy; empty without witnesses. */
    readonly policy: string
    /** A time-stamping authority (RFC 3161). */
    readonly tsaUrl: string | null
  }
  /** The model that words drafts, at an OpenAI-compatible address; null where there is none. */
  readonly ai: {
    readonly baseUrl: string
    readonly model: string
    /** Whose model it is, for the records. */
    readonly provider: string
    /** A function, so that nothing that prints settings prints it. */
    readonly apiKey: (() => string) | null
    readonly timeoutSeconds: number
    readonly maxTokens: number
  } | null
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
  'TLOG_HOST',
  'TLOG_KEY',
  'TLOG_KEY_FILE',
  'TLOG_MEMORY_DIR',
  'TLOG_POLICY_FILE',
  'TSA_URL',
  'RATE_LIMIT_STANDARD',
  'RATE_LIMIT_PARTNER',
  'RATE_LIMIT_PUBLIC',
  'RATE_LIMIT_PROOF',
  'RATE_LIMIT_LOGIN',
  'WEBHOOK_RETRY_DELAYS',
  'WEBHOOK_ALLOWED_NETWORKS',
  'WEBHOOK_DNS_SERVERS',
  'AI_BASE_URL',
  'AI_MODEL',
  'AI_API_KEY',
  'AI_API_KEY_FILE',
  'AI_PROVIDER',
  'AI_TIMEOUT_SECONDS',
  'AI_MAX_TOKENS',
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

  const ai = (): Config['ai'] => {
    const short = (name: SettingName) => fitting(name, (text) => text.length <= 200, 'at most 200 characters')
    const baseUrl = address('AI_BASE_URL', '')
    const model = short('AI_MODEL')
    const provider = short('AI_PROVIDER')
    const key = get('AI_API_KEY') ?? readSecretFile('AI_API_KEY_FILE', get('AI_API_KEY_FILE'), fail).trim()
    if (/[^\x21-\x7e]/.test(key)) fail('AI_API_KEY', 'one word of plain characters')
    const timeoutSeconds = integer('AI_TIMEOUT_SECONDS', 60, 1, 280)
    const maxTokens = integer('AI_MAX_TOKENS', 1000, 1, 1_000_000)
    if (baseUrl === '' && model === undefined) return null
    if (baseUrl === '') return fail('AI_BASE_URL', 'is needed where AI_MODEL is set, as https://models.example/v1')
    return {
      baseUrl,
      model: model ?? fail('AI_MODEL', 'is needed where AI_BASE_URL is set'),
      provider: provider ?? new URL(baseUrl).hostname,
      apiKey: key === '' ? null : () => key,
      timeoutSeconds,
      maxTokens,
    }
  }

  const production = oneOf('NODE_ENV', ['development', 'test', 'production'], 'development') === 'production'
  const port = integer('PORT', 3000, 0, 65_535)
  const publicUrl = address('PUBLIC_URL', `http://localhost:${port}`)
  const databaseHint = 'postgres://user@host:5432/database is needed'
  const databaseUrl = fitting('DATABASE_URL', isDatabase, databaseHint) ?? fail('DATABASE_URL', databaseHint)

  const secretKeys = readSecretKeys(get('SECRET_KEY'), get('SECRET_KEY_FILE'), fail)
  const tsaUrl = address('TSA_URL', '')

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
      fitting('TLOG_HOST', (text) => /^[\w.-]+(:\d+)?$/.test(text), 'a host name, without https:// and path') ??
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
    ai: ai(),
    log: {
      keys: readLogKeys(get('TLOG_KEY'), get('TLOG_KEY_FILE'), production ? null : secretKeys, fail),
      memoryDir: fitting('TLOG_MEMORY_DIR', isAbsolute, 'a folder, from the root: /var/lib/countersign/log') ?? null,
      policy: readSecretFile('TLOG_POLICY_FILE', get('TLOG_POLICY_FILE'), fail),
      tsaUrl: tsaUrl === '' ? null : tsaUrl,
    },
    secretKeys,
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
