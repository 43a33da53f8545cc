import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ConfigError, type Environment, readConfig } from '../../config/config.ts'
import type { Setting } from '../../config/setting-kinds.ts'
import { type SettingName, settingNames, settings } from '../../config/settings.ts'

const [secret, logKey] = [hash('sha256', 'secret', 'base64'), hash('sha256', 'log', 'base64')]
const least: Environment = { DATABASE_URL: 'postgres://postgres@127.0.0.1:5432/countersign', SECRET_KEY: secret }
const inProduction = {
  NODE_ENV: 'production',
  TLOG_KEY: logKey,
  TLOG_FENCE: 'none',
  PUBLIC_URL: 'https://countersign.example',
}
const weak = Buffer.from('secret'.padEnd(32, 'x')).toString('base64')
const read = (env: Environment) => readConfig({ ...least, ...env })

describe('production refuses', () => {
  it.each<[SettingName, string]>([
    ['PUBLIC_URL', 'http://countersign.example'],
    ['PUBLIC_URL', 'http://localhost.example'],
    ['PUBLIC_URL', 'http://10.0.0.1'],
    ['AUTH_URL', 'http://auth.example'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,::/0'],
    ['TRUSTED_PROXIES', '0.0.0.0/1,128.0.0.0/1'],
    ['WEBHOOK_ALLOWED_NETWORKS', '0.0.0.0/0'],
    ['WEBHOOK_ALLOWED_NETWORKS', '8.8.8.8/0'],
    ['WEBHOOK_ALLOWED_NETWORKS', '::/0'],
    ['WEBHOOK_ALLOWED_NETWORKS', '::ffff:0:0/96'],
    ['WEBHOOK_ALLOWED_NETWORKS', '2000::/3'],
    ['LMS_URL', 'http://learn.example'],
    ['ERP_URL', 'http://erp.example/{center}'],
  ])('%s=%s, which development accepts', (name, value) => {
    expect(() => read({ [name]: value })).not.toThrow()
    expect(() => read({ ...inProduction, [name]: value })).toThrow(new RegExp(`^setting ${name}: `))
  })

  it.each([
    { PUBLIC_URL: 'http://localhost:3000' },
    { PUBLIC_URL: 'http://127.0.0.1:3000' },
    { PUBLIC_URL: 'http://[::1]:3000' },
    { TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8,203.0.113.0/24' },
    { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fd00::/8' },
  ])('not %o', (env) => {
    expect(() => read({ ...inProduction, ...env })).not.toThrow()
  })
})

describe('an invalid value stops the start with a message that names its setting', () => {
  const bad: [SettingName, string][] = [
    ['NODE_ENV', 'prod'],
    ['ENVIRONMENT_NAME', 'prod'],
    ['HOST', 'not a host'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', '65536'],
    ['METRICS_PORT', '65536'],
    ['METRICS_PORT', 'none'],
    ['METRICS_HOST', 'not a host'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'traces'],
    ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'metrics'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'credential'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'name=%zz'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10'],
    ['OTEL_BSP_SCHEDULE_DELAY', '1h'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_METRICS_EXPORTER', 'prometheus'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '10'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_SERVICE_NAME', 's'.repeat(201)],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production'],
    ['OTEL_SDK_DISABLED', 'yes'],
    ['ROLE', 'server'],
    ['HEALTH_PORT', '65536'],
    ['DATABASE_PASSWORD', 'two words'],
    ['DATABASE_PASSWORD_FILE', '/nowhere/at/all'],
    ['DATABASE_OPERATOR_PASSWORD', 'pass\u00e9'],
    ['DATABASE_OPERATOR_PASSWORD_FILE', '/nowhere/at/all'],
    ['PREPARED_STATEMENTS', 'yes'],
    ['DURABILITY', 'on'],
    ['DATABASE_URL', ''],
    ['DATABASE_URL', 'localhost'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['CELLS', 'one'],
    ['WORKER_CELLS', 'One'],
    ['WORKER_CELLS', 'elsewhere'],
    ['CELLS', 'one='],
    ['CELLS', 'Ümlaut=postgres://localhost/x'],
    ['CELLS', 'one=redis://localhost'],
    ['CELLS', 'one=postgres://localhost/a,one=postgres://localhost/b'],
    ['POOL_SIZE', '0'],
    ['POOL_SIZE', 'many'],
    ['REDIS_URL', 'localhost'],
    ['REDIS_URL', 'http://localhost'],
    ['REDIS_PREFIX', 'with space'],
    ['PUBLIC_URL', 'countersign.example'],
    ['PUBLIC_URL', 'ftp://countersign.example'],
    ['PUBLIC_URL', ''],
    ['SCHEMA_URL', 'schema'],
    ['AUTH_URL', 'auth'],
    ['LMS_URL', 'learn.example'],
    ['CMS_URL', 'ftp://content.example'],
    ['ERP_URL', 'erp'],
    ['TLOG_KEY', ''],
    ['TLOG_KEY', weak],
    ['TLOG_KEY', secret],
    ['TLOG_KEY', `private ${weak} 2026-11-17T00:00:00.000Z`],
    ['SECRET_KEY', weak],
    ['TLOG_KEY_FILE', '/nowhere/key'],
    ['DURABILITY', 'often'],
    ['MAX_INVITATIONS_PER_CENTER', '0'],
    ['SIGN_UP', 'maybe'],
    ['CENTERS_PER_PERSON', '0'],
    ['RULES_WAIT_SECONDS', '-1'],
    ['ELIGIBILITY_SECONDS', '-1'],
    ['TLOG_FENCE', 'somewhere'],
    ['TLOG_FENCE', ''],
    ['TLOG_FENCE_COPY', 'somewhere'],
    ['TLOG_FENCE', 'https://fence.example'],
    ['TLOG_FENCE_COPY', '/without/a/store'],
    ['TLOG_POLICY_FILE', '/nowhere/policy'],
    ['TSA_URL', 'tsa.example'],
    ['TLOG_HOST', 'https://log.example/x'],
    ['RATE_LIMIT_STANDARD', '100'],
    ['RATE_LIMIT_STANDARD', '0/60'],
    ['RATE_LIMIT_PARTNER', '500/0'],
    ['RATE_LIMIT_PUBLIC', '30 per minute'],
    ['RATE_LIMIT_PROOF', '-1/60'],
    ['RATE_LIMIT_LOGIN', '5/'],
    ['RATE_LIMIT_STANDARD_PER_CENTER', '5000'],
    ['RATE_LIMIT_PROOF_PER_CENTER', '0/60'],
    ['MAX_API_KEYS_PER_CENTER', '0'],
    ['MAX_WEBHOOKS_PER_CENTER', '19'],
    ['MAX_POLICIES_PER_CENTER', '1001'],
    ['MAX_OPEN_EXECUTIONS_PER_CENTER', 'all'],
    ['EXECUTION_RETENTION_DAYS', '29'],
    ['RATE_LIMIT_BYTES_PER_CENTER', '600MB/60'],
    ['WEBHOOK_RETRY_DELAYS', '0,soon'],
    ['WEBHOOK_RETRY_DELAYS', '0,-30'],
    ['WEBHOOK_RETRY_DELAYS', '0;30'],
    ['WEBHOOK_RETRY_DELAYS', '0,1e3'],
    ['WEBHOOK_RETRY_DELAYS', '0,0.0001'],
    ['WEBHOOK_ALLOWED_NETWORKS', '127.0.0.1'],
    ['WEBHOOK_ALLOWED_NETWORKS', '127.0.0.0/33'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8,everywhere'],
    ['NOTIFICATION_HOSTS', 'https://chat.example.com'],
    ['NOTIFICATION_HOSTS', 'chat.example.com:8065'],
    ['WEBHOOK_DNS_SERVERS', 'dns.example'],
    ['WEBHOOK_DNS_SERVERS', '10.0.0.2,10.0.0'],
    ['WEBHOOK_DNS_SERVERS', '10.0.0.2:dns'],
    ['WEBHOOK_DNS_SERVERS', '10.0.0.2:99999'],
    ['WEBHOOK_DNS_SERVERS', '999.0.0.2:53'],
    ['WEBHOOK_DNS_SERVERS', '[fd00::2'],
    ['AI_BASE_URL', 'models.example'],
    ['AI_BASE_URL', 'ftp://models.example'],
    ['AI_MODEL', 'm'.repeat(201)],
    ['VAPID_PRIVATE_KEY', 'short'],
    ['VAPID_PRIVATE_KEY', '_'.repeat(43)],
    ['VAPID_PRIVATE_KEY_FILE', '/nowhere/at/all'],
    ['AI_API_KEY', 'two words'],
    ['AI_API_KEY_FILE', '/nowhere/at/all'],
    ['AI_PROVIDER', 'p'.repeat(201)],
    ['AI_TIMEOUT_SECONDS', '0'],
    ['AI_TIMEOUT_SECONDS', '281'],
    ['AI_MAX_TOKENS', 'many'],
    ['SECRET_KEY', ''],
    ['SECRET_KEY', 'short'],
    ['SECRET_KEY', `${secret},short`],
    ['SECRET_KEY', 'A'.repeat(43).concat('é')],
    ['SECRET_KEY_FILE', '/nowhere/at/all'],
    ['TRUSTED_PROXIES', '10.0.0.1'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '::/129'],
    ['TRUSTED_PROXIES', '1'],
    ['TRUSTED_PROXIES', 'true'],
    ['BILLING_KEYS', 'MCowBQYDK2VwAyEA'],
    ['BILLING_URL', 'billing'],
    ['CORS_ORIGINS', '*'],
    ['MCP_HOSTS', 'https://countersign.internal'],
    ['MCP_HOSTS', 'countersign.internal:3000'],
    ['MCP_HOSTS', 'Countersign'],
    ['CORS_ORIGINS', 'console.example'],
    ['CORS_ORIGINS', 'https://console.example/path'],
    ['SMTP_URL', 'mail.example'],
    ['SMTP_URL', 'https://mail.example'],
    ['TEXT_URL', 'twilio://key:secret@api.example'],
    ['TEXT_FROM', 'Haneul'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_SPF', 'include:spf.mail.example'],
    ['SITE_TARGET', 'https://sites.example'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_SUCCESSES', '-1'],
    ['MAX_IN_FLIGHT', '0'],
    ['MAX_IN_FLIGHT_PER_CENTER', '0'],
    ['MAX_BODY_BYTES', '64MB'],
    ['MAX_BODY_BYTES_PER_CENTER', '-1'],
    ['DRAIN_SECONDS', 'soon'],
    ['FAILPOINT', 'provisioning: order'],
  ]

  it.each(bad)('%s=%s', (name, value) => {
    // Some values are invalid in production only.
    const beside = {
      SECRET_KEY_FILE: { SECRET_KEY: '' },
      FAILPOINT: { ...inProduction },
      TLOG_KEY: { ...inProduction },
      SECRET_KEY: { ...inProduction },
      PUBLIC_URL: { ...inProduction },
      TLOG_FENCE: { ...inProduction },
    }
    const env = { ...(name in beside && beside[name as keyof typeof beside]), [name]: value }
    let message = ''
    try {
      read(env)
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      message = (error as Error).message
    }
    expect(message).toMatch(new RegExp(`^setting ${name}: .{5}`))
    expect(message).not.toContain(secret)
  })

  it('every setting has an invalid value above', () => {
    expect(new Set(bad.map(([name]) => name))).toEqual(new Set(settingNames))
  })
})

describe('a valid value', () => {
  it('is required for the database and the secret only', () => {
    expect(read({})).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      metricsPort: 9464,
      role: 'all',
      redisUrl: null,
      publicUrl: 'http://localhost:3000',
      schemaUrl: 'http://localhost:3000/schema',
      logHost: 'localhost:3000',
      drainSeconds: 0,
      trustedProxies: [],
      corsOrigins: [],
    })
    expect(read({}).rates).toEqual({
      standard: { limit: 100, seconds: 60 },
      partner: { limit: 500, seconds: 60 },
      public: { limit: 30, seconds: 60 },
      proof: { limit: 1000, seconds: 60 },
      login: { limit: 5, seconds: 900 },
    })
    expect(read({}).webhooks).toEqual({
      retryDelays: [0, 30, 120, 600, 3600, 21_600, 86_400],
      allowedNetworks: [],
      dnsServers: [],
    })
  })

  it('is read, and an empty value counts as absent', () => {
    const config = read({
      ...inProduction,
      PORT: '8080',
      METRICS_PORT: '',
      ROLE: 'worker',
      CELLS: 'one=postgres://h/a, two=postgresql://h/b',
      REDIS_URL: 'rediss://user:word@redis.example:6380/2',
      PUBLIC_URL: 'https://countersign.example/',
      CORS_ORIGINS: 'https://console.example, http://localhost:5173',
      TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8',
      WEBHOOK_RETRY_DELAYS: '0, 0.25,30',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8, fd00::/8',
      WEBHOOK_DNS_SERVERS: '10.0.0.2, 10.0.0.3:5353,fd00::2,[fd00::3]:53',
      LOG_LEVEL: 'silent',
    })
    expect(read({}).environment).toBe('development')
    expect(read({ ...inProduction, ENVIRONMENT_NAME: 'staging' }).environment).toBe('staging')
    expect(config).toMatchObject({
      production: true,
      environment: 'production',
      host: '0.0.0.0',
      port: 8080,
      metricsPort: 9464,
      role: 'worker',
      publicUrl: 'https://countersign.example',
      logHost: 'countersign.example',
      drainSeconds: 5,
      logLevel: 'silent',
    })
    expect([...config.cells]).toEqual([
      ['one', 'postgres://h/a'],
      ['two', 'postgresql://h/b'],
    ])
    expect(config.corsOrigins).toEqual(['https://console.example', 'http://localhost:5173'])
    expect(config.trustedProxies).toEqual(['10.0.0.0/8', 'fd00::/8'])
    expect(config.webhooks).toEqual({
      retryDelays: [0, 0.25, 30],
      allowedNetworks: ['127.0.0.0/8', 'fd00::/8'],
      dnsServers: ['10.0.0.2', '10.0.0.3:5353', 'fd00::2', '[fd00::3]:53'],
    })
  })

  it('is frozen', () => expect(Object.isFrozen(read({}))).toBe(true))
})

describe('settings of the model', () => {
  const env = { AI_BASE_URL: 'https://models.example/v1/', AI_MODEL: 'small-1' }

  it('are absent by default, and need an address and a name', () => {
    expect(read({}).ai).toBeNull()
    expect(read({ AI_API_KEY: 'sk-1' }).ai).toBeNull()
    expect(() => read({ AI_MODEL: 'small-1' })).toThrow(/^setting AI_BASE_URL: is required/)
    expect(() => read({ AI_BASE_URL: env.AI_BASE_URL })).toThrow(/^setting AI_MODEL: is required/)
    expect(read(env).ai).toEqual({
      baseUrl: 'https://models.example/v1',
      model: 'small-1',
      provider: 'models.example',
      apiKey: null,
      timeoutSeconds: 60,
      maxTokens: 1000,
    })
  })

  it('take the key from the setting or from a file, and do not print it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-config-'))
    const file = join(folder, 'key')
    await writeFile(file, 'sk-in-a-file\n')
    expect(read({ ...env, AI_API_KEY_FILE: file }).ai?.apiKey?.()).toBe('sk-in-a-file')
    await rm(folder, { recursive: true })
    const config = read({ ...env, AI_API_KEY: 'sk-inline' })
    expect(config.ai?.apiKey?.()).toBe('sk-inline')
    expect(JSON.stringify(config) + inspect(config, { depth: 9, showHidden: true })).not.toContain('sk-inline')
  })
})

describe('passwords of the database', () => {
  it('are read for the server and for the operator, and do not appear when the settings are printed', () => {
    expect(read({}).logins).toEqual({ password: null, operatorPassword: null })
    const config = read({ DATABASE_PASSWORD: 'of-the-server', DATABASE_OPERATOR_PASSWORD: 'of-the-operator' })
    const { password, operatorPassword } = config.logins
    expect([password?.(), operatorPassword?.()]).toEqual(['of-the-server', 'of-the-operator'])
    expect(JSON.stringify(config) + inspect(config, { depth: 9, showHidden: true })).not.toMatch(/of-the-/)
  })
})

describe('secret keys', () => {
  const other = Buffer.alloc(32, 9).toString('base64')

  it('are read newest first, from the setting or from a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-config-'))
    const file = join(folder, 'keys')
    await writeFile(file, `${other}\n${secret}\n`)
    const expected = [Buffer.alloc(32, 9), Buffer.from(secret, 'base64')]
    const bytes = (env: Environment) => read(env).secretKeys.map((key) => Buffer.from(key.toString('hex'), 'hex'))
    expect(bytes({ SECRET_KEY: `${other},${secret}` })).toEqual(expected)
    expect(bytes({ SECRET_KEY: '', SECRET_KEY_FILE: file })).toEqual(expected)
    await rm(folder, { recursive: true })
  })

  it('do not appear when the settings are printed', () => {
    const config = read({})
    for (const printed of [JSON.stringify(config), inspect(config, { depth: 9 })]) {
      expect(printed).not.toContain(secret)
      expect(printed).not.toContain('07 07 07')
      expect(printed).not.toContain('7,7,7')
    }
  })
})

it('the server accepts the values of .env.example together with a secret', async () => {
  const text = await readFile(new URL('../../../../.env.example', import.meta.url), 'utf8')
  const shown = Object.fromEntries(
    [...text.matchAll(/^([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  expect(Object.keys(shown).length).toBeGreaterThan(15)
  expect(() => readConfig({ ...least, ...shown })).not.toThrow()
})

it('every setting has documentation, and a default or a description of what applies without a value', () => {
  for (const [name, { doc, default: value, unset }] of Object.entries<Setting<unknown>>(settings)) {
    expect([name, doc.length > 10, value !== undefined || unset !== undefined]).toEqual([name, true, true])
  }
})
