/** The only reader of the environment. Settings are checked once at start and frozen; secrets are never printed. */
import { isAbsolute } from 'node:path'
import type { EnvironmentName, TargetApp } from '@countersign/contract/enums.ts'
import type { Rate, Setting } from './setting-kinds.ts'
import {
  type Fail,
  readCells,
  readLogKeys,
  readSecretFile,
  readSecretKeys,
  readWorkerCells,
  requireClosed,
  requireStrongKeys,
} from './setting-values.ts'
import { type SettingName, type SettingValue, settings } from './settings.ts'
import type { PerCenter } from './settings-limits.ts'
import { readTelemetry, type TelemetryConfig } from './settings-telemetry.ts'
import { type TextAccount, textAccount } from './text-account.ts'

/** Passwords are functions, so that printing the settings does not print them. Null: none is sent. */
export interface Logins {
  readonly password: (() => string) | null
  readonly operatorPassword: (() => string) | null
}

export type DurabilityMode = 'off' | 'warn' | 'strict'

export interface FencePlace {
  /** A folder, or the URL of a database. */
  readonly at: string
  /** The folder of a copy. */
  readonly copy: string | null
}

export interface Config {
  readonly production: boolean
  /** What people call this installation. */
  readonly environment: EnvironmentName
  readonly host: string
  readonly port: number
  readonly metricsPort: number
  readonly metricsHost: string
  /** Of a worker, which does not listen on `port`. */
  readonly healthPort: number
  readonly role: 'all' | 'api' | 'worker'
  readonly databaseUrl: string
  /** Cell name to database URL. */
  readonly cells: ReadonlyMap<string, string>
  /** Those whose background work this process does, if it is a worker. */
  readonly workerCells: ReadonlySet<string>
  /** The passwords of the database roles. */
  readonly logins: Logins
  /** False where a pooler gives each transaction another connection. */
  readonly preparedStatements: boolean
  /** What happens at the start when a database may lose what it has acknowledged. */
  readonly durability: DurabilityMode
  readonly poolSize: number
  readonly redisUrl: string | null
  readonly redisPrefix: string
  readonly publicUrl: string
  readonly schemaUrl: string
  readonly authUrl: string
  /** The host that centers' own domains lead to. */
  readonly siteTarget: string
  /** Where the companion applications are; null where the operator set none. */
  readonly apps: Readonly<Record<TargetApp, string | null>>
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
    /** Networks that the SSRF guard permits, and for which http is allowed. */
    readonly allowedNetworks: readonly string[]
    /** Name servers for the hosts of webhook URLs; those of the system when empty. */
    readonly dnsServers: readonly string[]
  }
  /** Public keys of the billing system, in base64. */
  readonly billingKeys: readonly string[]
  /** Where ADMINs pay and change the plan; null where the operator has named no page. */
  readonly billingUrl: string | null
  /** Hosts of chat programs beside those of Slack and Teams. */
  readonly notificationHosts: readonly string[]
  /** The private key of push messages; a function, so that printing the settings does not print it. */
  readonly vapidKey: (() => string) | null
  /** Transparency: the keys that sign checkpoints, the witnesses, and the fence of what was signed. */
  readonly log: {
    /** A function, so that printing the settings does not print it. sealing/log-keys.ts defines the format. */
    readonly keys: () => string
    /** Where the fence stores are; null keeps what was signed for the life of the process. */
    readonly fence: FencePlace | null
    /** Lines `witness`, `group` and `quorum` of a trust policy; empty without witnesses. */
    readonly policy: string
    /** A time-stamping authority (RFC 3161). */
    readonly tsaUrl: string | null
  }
  /** The model that writes drafts, at an OpenAI-compatible URL; null without one. */
  readonly ai: {
    readonly baseUrl: string
    readonly model: string
    /** The provider of the model, for the records. */
    readonly provider: string
    /** A function, so that printing the settings does not print it. */
    readonly apiKey: (() => string) | null
    readonly timeoutSeconds: number
    readonly maxTokens: number
  } | null
  /** The first key encrypts; all keys decrypt. */
  readonly secretKeys: readonly Buffer[]
  readonly trustedProxies: readonly string[]
  readonly corsOrigins: readonly string[]
  /** Names under which `/mcp` is reached, beside those of its own addresses. */
  readonly mcpHosts: readonly string[]
  /** Without it messages are written to the log in development and refused in production. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** What the SPF record of a domain includes before mail is sent from it; null: from none but that of `mailFrom`. */
  readonly mailSpf: string | null
  /** Null: text messages are written to the log in development and refused in production. */
  readonly text: { readonly account: () => TextAccount; readonly from: string } | null
  /** Spans and metrics for an OpenTelemetry collector; null without one. */
  readonly telemetry: TelemetryConfig | null
  readonly logLevel: string
  readonly logSuccesses: number
  /** Requests in progress beyond which the server refuses new ones. */
  readonly maxInFlight: number
  /** Bytes of bodies that are held at a time, of those large enough to be metered. */
  readonly maxBodyBytes: number
  readonly signUp: 'open' | 'invited' | 'closed'
  /** Null: no limit. */
  readonly centersPerPerson: number | null
  /** What one center may have or use. */
  readonly perCenter: PerCenter
  /** How long a change that loosens policies waits before the one who asked may approve it alone. */
  readonly rulesWaitSeconds: number
  /** Days after its end until a workflow execution is deleted. */
  readonly executionRetentionDays: number
  /** Seconds between "not ready" and closing the listener, in which load balancers notice. */
  /** From when a new right to approve counts. */
  readonly eligibilitySeconds: number
  readonly drainSeconds: number
  /** The point at which a test ends the process; see lib/failpoint.ts. */
  readonly failpoint: string | null
}

export type Environment = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {}

const fail: Fail<SettingName> = (name, reason) => {
  throw new ConfigError(`setting ${name}: ${reason}`)
}

const times = (factor: number, { limit, seconds }: Rate): Rate => ({ limit: limit * factor, seconds })

export function readConfig(env: Environment = process.env): Readonly<Config> {
  const text = (name: SettingName): string | undefined => env[name]?.trim() || undefined
  /** Undefined where neither the environment has a value nor the table a default. */
  function value<N extends SettingName>(name: N): SettingValue<N> | undefined {
    const setting = settings[name] as Setting<SettingValue<N>>
    const given = text(name) ?? setting.default
    return given === undefined ? undefined : (setting.parse(given) ?? fail(name, `must be ${setting.form}`))
  }
  const required = <N extends SettingName>(name: N): SettingValue<N> =>
    value(name) ?? fail(name, `is required: ${settings[name].form}`)

  /** A word, or a file that holds one. */
  function word(
    name: 'AI_API_KEY' | 'DATABASE_PASSWORD' | 'DATABASE_OPERATOR_PASSWORD' | 'VAPID_PRIVATE_KEY',
  ): (() => string) | null {
    const file = `${name}_FILE` as const
    const found = value(name) ?? readSecretFile(file, value(file), fail).trim()
    if (found === '') return null
    if (settings[name].parse(found) === undefined) fail(file, `must contain ${settings[name].form}`)
    return () => found
  }

  const ai = (): Config['ai'] => {
    const baseUrl = value('AI_BASE_URL')
    const model = value('AI_MODEL')
    const provider = value('AI_PROVIDER')
    const apiKey = word('AI_API_KEY')
    const timeoutSeconds = required('AI_TIMEOUT_SECONDS')
    const maxTokens = required('AI_MAX_TOKENS')
    if (baseUrl === undefined && model === undefined) return null
    if (baseUrl === undefined) return fail('AI_BASE_URL', 'is required if AI_MODEL is set')
    return {
      baseUrl,
      model: model ?? fail('AI_MODEL', 'is required if AI_BASE_URL is set'),
      provider: provider ?? new URL(baseUrl).hostname,
      apiKey,
      timeoutSeconds,
      maxTokens,
    }
  }

  const fence = (): Config['log']['fence'] => {
    const [at, copy = null] = [value('TLOG_FENCE'), value('TLOG_FENCE_COPY')]
    if (at === undefined && production) {
      fail(
        'TLOG_FENCE',
        'is required in production: a folder on a local disk, the URL of a database on another PostgreSQL server, or "none" to do without it',
      )
    }
    if (copy !== null && !isAbsolute(at ?? 'none')) fail('TLOG_FENCE_COPY', 'requires TLOG_FENCE to be a folder')
    if (copy !== null && copy === at) fail('TLOG_FENCE_COPY', 'must be a different folder from TLOG_FENCE')
    return at === undefined || at === 'none' ? null : { at, copy }
  }

  function texts(): Config['text'] {
    const [account, from] = [textAccount(value('TEXT_URL') ?? ''), value('TEXT_FROM')]
    if (account === null) return null
    if (production && account.origin.startsWith('http:')) fail('TEXT_URL', 'must not use http in production')
    // A function, so that printing the settings does not print the secret.
    return { account: () => account, from: from ?? fail('TEXT_FROM', 'is required if TEXT_URL is set') }
  }

  const production = required('NODE_ENV') === 'production'
  const port = required('PORT')
  const publicUrl = value('PUBLIC_URL') ?? (production ? required('PUBLIC_URL') : `http://localhost:${port}`)
  const databaseUrl = required('DATABASE_URL')
  const cells = readCells(required('CELLS'), databaseUrl, fail)
  const secretKeys = readSecretKeys(text('SECRET_KEY'), text('SECRET_KEY_FILE'), fail)
  const logKeys = readLogKeys(text('TLOG_KEY'), text('TLOG_KEY_FILE'), production ? null : secretKeys, fail)
  const authUrl = value('AUTH_URL') ?? publicUrl
  const apps = { lms: value('LMS_URL') ?? null, cms: value('CMS_URL') ?? null, erp: value('ERP_URL') ?? null }
  const trustedProxies = required('TRUSTED_PROXIES')
  const allowedNetworks = required('WEBHOOK_ALLOWED_NETWORKS')
  if (production) {
    requireStrongKeys(secretKeys, logKeys(), fail)
    const networks = { TRUSTED_PROXIES: trustedProxies, WEBHOOK_ALLOWED_NETWORKS: allowedNetworks }
    const known = Object.entries({ LMS_URL: apps.lms, CMS_URL: apps.cms, ERP_URL: apps.erp })
    const set = known.filter((each): each is [string, string] => each[1] !== null)
    requireClosed({ PUBLIC_URL: publicUrl, AUTH_URL: authUrl, ...Object.fromEntries(set) }, networks, fail)
  }
  const failpoint = value('FAILPOINT') ?? null
  if (failpoint !== null && production) fail('FAILPOINT', settings.FAILPOINT.form)

  return Object.freeze({
    production,
    environment: value('ENVIRONMENT_NAME') ?? (production ? 'production' : 'development'),
    host: value('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port,
    metricsPort: required('METRICS_PORT'),
    metricsHost: required('METRICS_HOST'),
    healthPort: required('HEALTH_PORT'),
    role: required('ROLE'),
    databaseUrl,
    cells,
    workerCells: readWorkerCells(required('WORKER_CELLS'), cells, fail),
    logins: { password: word('DATABASE_PASSWORD'), operatorPassword: word('DATABASE_OPERATOR_PASSWORD') },
    preparedStatements: required('PREPARED_STATEMENTS') === 'on',
    durability: value('DURABILITY') ?? (production ? 'warn' : 'off'),
    poolSize: required('POOL_SIZE'),
    redisUrl: value('REDIS_URL') ?? null,
    redisPrefix: required('REDIS_PREFIX'),
    publicUrl,
    schemaUrl: value('SCHEMA_URL') ?? `${publicUrl}/schema`,
    authUrl,
    siteTarget: value('SITE_TARGET') ?? new URL(publicUrl).hostname,
    apps,
    logHost: value('TLOG_HOST') ?? new URL(publicUrl).host,
    rates: {
      standard: required('RATE_LIMIT_STANDARD'),
      partner: required('RATE_LIMIT_PARTNER'),
      public: required('RATE_LIMIT_PUBLIC'),
      proof: required('RATE_LIMIT_PROOF'),
      login: required('RATE_LIMIT_LOGIN'),
    },
    webhooks: {
      retryDelays: required('WEBHOOK_RETRY_DELAYS').map(Number),
      allowedNetworks,
      dnsServers: required('WEBHOOK_DNS_SERVERS'),
    },
    notificationHosts: required('NOTIFICATION_HOSTS').map((host) => host.toLowerCase()),
    vapidKey: word('VAPID_PRIVATE_KEY'),
    ai: ai(),
    log: {
      keys: logKeys,
      fence: fence(),
      policy: readSecretFile('TLOG_POLICY_FILE', text('TLOG_POLICY_FILE'), fail),
      tsaUrl: value('TSA_URL') ?? null,
    },
    secretKeys,
    // Networks, never a hop count: a client can forge a count by adding a header.
    trustedProxies,
    billingKeys: required('BILLING_KEYS'),
    billingUrl: value('BILLING_URL') ?? null,
    corsOrigins: required('CORS_ORIGINS'),
    mcpHosts: required('MCP_HOSTS'),
    smtpUrl: value('SMTP_URL') ?? null,
    text: texts(),
    mailFrom: value('MAIL_FROM') ?? `Countersign <no-reply@${new URL(publicUrl).hostname}>`,
    mailSpf: value('MAIL_SPF') ?? null,
    telemetry: readTelemetry(value as Parameters<typeof readTelemetry>[0]),
    logLevel: required('LOG_LEVEL'),
    logSuccesses: required('LOG_SUCCESSES'),
    maxInFlight: required('MAX_IN_FLIGHT'),
    maxBodyBytes: required('MAX_BODY_BYTES'),
    signUp: required('SIGN_UP'),
    centersPerPerson: value('CENTERS_PER_PERSON') ?? (production ? 3 : null),
    perCenter: {
      rates: {
        centerStandard: value('RATE_LIMIT_STANDARD_PER_CENTER') ?? times(50, required('RATE_LIMIT_STANDARD')),
        centerProof: value('RATE_LIMIT_PROOF_PER_CENTER') ?? times(10, required('RATE_LIMIT_PROOF')),
        bodyBytes: required('RATE_LIMIT_BYTES_PER_CENTER'),
      },
      maxInFlight: required('MAX_IN_FLIGHT_PER_CENTER'),
      maxBodyBytes: required('MAX_BODY_BYTES_PER_CENTER'),
      maxApiKeys: required('MAX_API_KEYS_PER_CENTER'),
      maxWebhooks: required('MAX_WEBHOOKS_PER_CENTER'),
      maxInvitations: required('MAX_INVITATIONS_PER_CENTER'),
      maxPolicies: required('MAX_POLICIES_PER_CENTER'),
      maxOpenExecutions: required('MAX_OPEN_EXECUTIONS_PER_CENTER'),
    },
    rulesWaitSeconds: value('RULES_WAIT_SECONDS') ?? (production ? 259_200 : 0),
    executionRetentionDays: required('EXECUTION_RETENTION_DAYS'),
    eligibilitySeconds: value('ELIGIBILITY_SECONDS') ?? (production ? 86_400 : 0),
    drainSeconds: value('DRAIN_SECONDS') ?? (production ? 5 : 0),
    failpoint,
  })
}
