/** One process: API, workers or both. It starts, serves, and shuts down without dropping a request. */
import closeWithGrace from 'close-with-grace'
import { requireSecretKey } from './access/secret-key-check.ts'
import { makeApp } from './app.ts'
import { ConfigError, readConfig } from './config/config.ts'
import { NotDurable } from './data/durability.ts'
import { MigrationError } from './data/migration-status.ts'
import { requireSchemas } from './data/schema-check.ts'
import { requirePasskeyHost } from './features/identity/passkeys/host.ts'
import { startJobs } from './jobs.ts'
import { armFailpoint } from './lib/failpoint.ts'
import { makeLog } from './lib/log.ts'
import { untilCounting } from './lib/redis.ts'
import { requireOwnKey } from './sealing/key-watch.ts'
import { openServices } from './services.ts'
import { listenForHealth } from './system/health-server.ts'

async function run(): Promise<void> {
  const config = readConfig()
  armFailpoint(config.failpoint)
  const log = makeLog(config)
  const services = openServices(config, log)
  const app = await makeApp(services)
  const schemas = await requireSchemas(config, services.cells, log)
  // A start with the wrong keys would serve until the first person signs in, or the first seal. Before anything is written.
  await requireSecretKey(services.directory, services.box)
  await services.logKeys.look()
  await services.clock.look()
  requireOwnKey(services.logBook.keys)
  await requirePasskeyHost(config, services.directory, log)
  const metrics = await services.metrics.listen(config.metricsPort, config.metricsHost)
  await startJobs(services)
  await untilCounting(services.redis)
  const isWorker = config.role === 'worker'
  const health = isWorker ? await listenForHealth(config.healthPort, config.host, app.checkReady) : null
  if (!isWorker) await app.http.listen({ port: config.port, host: config.host })
  log.info({ port: config.port, role: config.role, cells: [...config.cells.keys()] }, 'ready')
  const logger = { error: (message: unknown) => log.error({ err: message }, 'while closing') } as never
  const closing = closeWithGrace({ delay: 25_000, logger, skip: [...stopSignals] }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'unexpected; closing')
    if (signal) log.info({ signal }, 'shutting down: no longer ready')
    app.drain()
    // Load balancers notice first; then the listener closes, and requests in progress finish.
    if (!err) await new Promise((resolve) => setTimeout(resolve, config.drainSeconds * 1000))
    await app.http.close()
    await schemas.stop()
    await services.close()
    metrics.close()
    health?.close()
  })
  onStopSignal((signal) => {
    log.info({ signal }, 'shutting down: no longer ready')
    void closing.close()
  })
  // For a parent process that waits until the server is ready: from now on it may send signals.
  process.send?.('ready')
}

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** A signal to a process group comes twice where npm hands it on; it must not cut off the requests in progress. */
const sameSignalMs = 3000

function onStopSignal(close: (signal: string) => void): void {
  let first: number | null = null
  for (const each of stopSignals)
    process.on(each, (signal) => {
      if (first === null) {
        first = performance.now()
        close(signal)
      } else if (performance.now() - first > sameSignalMs) process.exit(1)
    })
}

/** What a start needs and did not get, in words that need no stack. */
function plainly(error: Error & { code?: string; port?: number; address?: string }): string | null {
  if ([ConfigError, MigrationError, NotDurable].some((kind) => error instanceof kind)) return error.message
  if (error.code === 'EADDRINUSE' || error.code === 'EACCES') {
    const why = error.code === 'EACCES' ? "can't be used by this user" : 'is in use by another program'
    return `port ${error.port} on ${error.address} ${why}. Change PORT, METRICS_PORT or HEALTH_PORT, or stop that program`
  }
  return null
}

run().catch((error: unknown) => {
  process.stderr.write(`Countersign couldn't start: ${plainly(error as Error) ?? (error as Error).stack}\n`)
  process.exit(1)
})
