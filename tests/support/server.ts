/** A real server on a real port over a fresh database; checks every answer against the contract. */
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeApp } from '@countersign/server/app.ts'
import { type Config, type Environment, readConfig } from '@countersign/server/config/config.ts'
import type { Definition } from '@countersign/server/features/automation/workflows/definition.ts'
import { startJobs } from '@countersign/server/jobs.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { untilCounting } from '@countersign/server/lib/redis.ts'
import { openServices, type Services } from '@countersign/server/services.ts'
import { inject } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { type Client, openClient } from './client.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'
import { type Pooler, through } from './pgbouncer.ts'
import { openWorld, type World } from './world.ts'

export interface TestServer extends Client {
  readonly services: Services
  readonly world: World
  readonly databases: readonly TestDatabase[]
  /** All log lines so far. */
  readonly logs: string[]
  close(): Promise<void>
}

/** Limits of callers are effectively off; tests of limits set their own. */
const generous: Environment = {
  RATE_LIMIT_STANDARD: '1000000/60',
  RATE_LIMIT_PARTNER: '1000000/60',
  RATE_LIMIT_PUBLIC: '1000000/60',
  RATE_LIMIT_PROOF: '1000000/60',
  RATE_LIMIT_LOGIN: '1000000/900',
  RATE_LIMIT_BYTES_PER_CENTER: '999999999/1',
  MAX_IN_FLIGHT_PER_CENTER: '2000',
}

export const testRedis = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** On a slow machine a server sheds load during its own start, so the helper waits until it accepts requests. */
async function untilCalm(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/openapi.json`)
    // The body is read to its end: an unread answer keeps its connection open and prevents the server from closing.
    await response.text()
    if (response.status !== 503) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** In transaction mode the next statement may run on another connection, which has not prepared it. */
const throughPooler = (config: Config, pooler: Pooler): Config => ({
  ...config,
  databaseUrl: through(pooler, config.databaseUrl),
  cells: new Map([...config.cells].map(([name, url]) => [name, through(pooler, url)])),
  preparedStatements: pooler.mode === 'session',
})

export interface ServerOptions {
  readonly env?: Environment
  /** Names of cells, each with a separate database; by default one cell shares the database of the directory. */
  readonly cells?: readonly string[]
  /** Uses the databases and the secret of another server, as a second process would. */
  readonly beside?: TestServer
  readonly jobs?: boolean
  /** The server reaches its databases through it; the test itself does not. */
  readonly pooler?: Pooler
  /** With a fence store. Without one a server remembers by itself what it has signed, which starts faster. */
  readonly fence?: boolean
  /** Workflows that replace the built-in ones. */
  readonly definitions?: readonly Definition[]
  /** The authority of the certificates of centers' domains, in PEM. */
  readonly siteAuthority?: string
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { env = {}, cells, beside, jobs = false, fence = false, definitions, siteAuthority } = options
  const { pooler = inject('pooler') } = options
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT)
  const databases = beside ? [] : await Promise.all([cloneDatabase(), ...(cells ?? []).map(() => cloneDatabase())])
  const shared = beside?.services.config
  const folder = fence ? mkdtempSync(join(tmpdir(), 'countersign-fence-')) : shared?.log.fence?.at
  const databaseUrl = shared?.databaseUrl ?? (databases[0] as TestDatabase).url
  const cellSetting = shared
    ? [...shared.cells].map(([name, url]) => `${name}=${url}`).join(',')
    : (cells ?? []).map((name, index) => `${name}=${(databases[index + 1] as TestDatabase).url}`).join(',')
  const config = readConfig({
    ...generous,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    CELLS: cellSetting,
    REDIS_URL: testRedis,
    REDIS_PREFIX: shared?.redisPrefix ?? `test-${randomBytes(6).toString('hex')}`,
    PUBLIC_URL: shared?.publicUrl ?? 'http://countersign.test',
    SECRET_KEY: (shared?.secretKeys ?? [randomBytes(32)]).map((key) => key.toString('base64')).join(','),
    POOL_SIZE: '4',
    LOG_LEVEL: 'debug',
    ROLE: jobs ? 'all' : 'api',
    TLOG_FENCE: folder,
    // The key of the example in RFC 8291.
    VAPID_PRIVATE_KEY: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
    // In production the log key is not derived from the secret, a fence must be named or declined, and the address is https.
    ...(env.NODE_ENV === 'production' && {
      ...{ TLOG_KEY: hash('sha256', 'log key', 'base64'), TLOG_FENCE: 'none' },
      PUBLIC_URL: (shared?.publicUrl ?? 'http://countersign.test').replace('http:', 'https:'),
    }),
    ...env,
  })
  const logs: string[] = []
  const log = makeLog(config, { write: (line) => void logs.push(line) })
  const pooled = pooler ? throughPooler(config, pooler) : config
  const services = {
    ...openServices(pooled, log, { ...(definitions && { definitions }), ...(siteAuthority && { siteAuthority }) }),
    config,
  }
  const app = await makeApp(services)
  if (jobs) await startJobs(services)
  await app.http.listen({ port, host: '127.0.0.1' })
  await untilCounting(services.redis)
  await untilCalm(port)
  const world = beside?.world ?? (await openWorld(databaseUrl))

  return {
    ...openClient(`http://127.0.0.1:${port}`),
    services,
    world,
    databases,
    logs,
    async close() {
      await app.http.close()
      await services.close()
      if (!beside) await world.close()
      await Promise.all(databases.map((database) => database.drop()))
      if (fence && folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
