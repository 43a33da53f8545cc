/** A real server on a real port over a fresh database; every answer is held against the contract. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { makeApp } from '@countersign/server/app.ts'
import { type Environment, readConfig } from '@countersign/server/config.ts'
import { startJobs } from '@countersign/server/jobs.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { openServices, type Services } from '@countersign/server/services.ts'
import { freePort } from '../../scripts/postgres.ts'
import { type Answer, assertKeepsContract } from './contract-check.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'
import { openWorld, type Person, type World } from './world.ts'

export interface Call {
  readonly body?: unknown
  /** Sent as it is, with the content type application/json. */
  readonly raw?: string | Uint8Array
  readonly token?: string
  readonly headers?: Record<string, string>
}

export interface SignedIn {
  readonly accessToken: string
  readonly refreshToken: string
  readonly answer: Answer
}

export interface TestServer {
  readonly url: string
  readonly services: Services
  readonly world: World
  readonly databases: readonly TestDatabase[]
  /** All log lines so far. */
  readonly logs: string[]
  call(method: string, path: string, call?: Call): Promise<Answer>
  signIn(person: Person, centerDomain?: string): Promise<SignedIn>
  close(): Promise<void>
}

/** Limits out of the way; tests of limits set their own. */
const generous: Environment = {
  RATE_LIMIT_STANDARD: '1000000/60',
  RATE_LIMIT_PARTNER: '1000000/60',
  RATE_LIMIT_PUBLIC: '1000000/60',
  RATE_LIMIT_PROOF: '1000000/60',
  RATE_LIMIT_LOGIN: '1000000/900',
}

export const testRedis = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

export interface ServerOptions {
  readonly env?: Environment
  /** Names of cells, each with a database of its own; by default one that shares the directory's. */
  readonly cells?: readonly string[]
  /** Join another server's databases and secret, as a second process would. */
  readonly beside?: TestServer
  readonly jobs?: boolean
}

/** Until Redis answers, a process counts for itself: a test of a limit would see its first request uncounted. */
async function untilCounting({ redis }: Services): Promise<void> {
  if (!redis || redis.status === 'ready') return
  await once(redis, 'ready', { signal: AbortSignal.timeout(1000) }).catch(() => {})
}

export async function startServer({ env = {}, cells, beside, jobs = false }: ServerOptions = {}): Promise<TestServer> {
  const port = await freePort()
  const databases = beside ? [] : await Promise.all([cloneDatabase(), ...(cells ?? []).map(() => cloneDatabase())])
  const shared = beside?.services.config
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
    ...env,
  })
  const logs: string[] = []
  const services = openServices(config, makeLog(config, { write: (line) => void logs.push(line) }))
  const app = await makeApp(services)
  if (jobs) await startJobs(services)
  await app.http.listen({ port, host: '127.0.0.1' })
  await untilCounting(services)
  const world = beside?.world ?? (await openWorld(databaseUrl))
  const url = `http://127.0.0.1:${port}`

  async function call(method: string, path: string, { body, raw, token, headers }: Call = {}): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : null,
    }
    assertKeepsContract(method, path, answer)
    return answer
  }

  return {
    url,
    services,
    world,
    databases,
    logs,
    call,
    async signIn({ email, password }, centerDomain) {
      const answer = await call('POST', '/api/auth/login', {
        body: { email, password, ...(centerDomain && { centerDomain }) },
      })
      if (answer.status !== 200) throw new Error(`could not sign in: ${answer.text}`)
      return { accessToken: answer.body.data.accessToken, refreshToken: answer.body.data.refreshToken, answer }
    },
    async close() {
      await app.http.close()
      await services.close()
      if (!beside) await world.close()
      await Promise.all(databases.map((database) => database.drop()))
    },
  }
}
