/** Temporal's server, built from source with Go, with PostgreSQL as its store; and its SDK from npm. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl, withClient } from '../../../tools/postgres.ts'
import { entryOf, installed, npmPackages, run } from '../../interop/installed.ts'
import { programIn } from '../../support/programs.ts'

export const temporalVersions = { server: '1.32.1', sdk: '1.24.0' }

/** Some ten minutes of one core, once. */
export const temporalPrograms = (): Promise<string> =>
  installed('temporal-server', temporalVersions.server, 'Go 1.26 and proxy.golang.org', async (folder) => {
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '-p=1 -buildvcs=false' }
    for (const name of ['tools/sql', 'server'])
      await run(
        programIn('go', 'golang'),
        ['install', `go.temporal.io/server/cmd/${name}@v${temporalVersions.server}`],
        {
          env,
        },
      )
  })

const workflow = `
  import { proxyActivities } from '@temporalio/workflow'
  const { collect, weigh, write } = proxyActivities({ startToCloseTimeout: '10s' })
  export async function three(id) {
    const collected = await collect(id)
    const weighed = await weigh(id, collected)
    return await write(id, weighed)
  }`
const sdk = `
  export { NativeConnection, Worker, bundleWorkflowCode } from '@temporalio/worker'
  export { Client, Connection } from '@temporalio/client'`

export interface TemporalServer {
  readonly address: string
  /** Module with the SDK, and the bundled workflow. */
  readonly env: Readonly<Record<string, string>>
  readonly pid: () => number
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** `url` names a database; two others are made beside it. */
export async function openTemporal(url: string): Promise<TemporalServer> {
  const programs = await temporalPrograms()
  const versions = ['client', 'worker', 'workflow', 'activity'].map(
    (name) => `@temporalio/${name}@${temporalVersions.sdk}`,
  )
  const packages = await npmPackages('temporal-sdk', versions, { sdk, workflow })
  const folder = mkdtempSync(join(tmpdir(), 'countersign-temporal-'))
  const { hostname, port: sqlPort, username, password, pathname } = new URL(url)
  const names = { default: `${pathname.slice(1)}_temporal`, visibility: `${pathname.slice(1)}_visibility` }
  const login = { user: username, password: decodeURIComponent(password) || 'none' }
  const tool = (database: string, ...args: string[]) =>
    run(join(programs, 'sql'), [
      ...['--plugin', 'postgres12', '--ep', hostname, '-p', sqlPort, '-u', login.user, '--pw', login.password],
      ...['--db', database, ...args],
    ])
  for (const [kind, name] of Object.entries(names)) {
    await withClient(url, (client) => client.query(`create database ${name}`))
    await tool(name, 'setup-schema', '-v', '0.0')
    await tool(name, 'update-schema', '--schema-name', `postgresql/v12/${kind === 'default' ? 'temporal' : kind}`)
  }
  const ports = await lowPorts(8)
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      ...{ pluginName: 'postgres12', databaseName, connectAddr: `${hostname}:${sqlPort}`, connectProtocol: 'tcp' },
      ...{ ...login, maxConns, maxIdleConns: maxConns, maxConnLifetime: '1h' },
    },
  })
  const service = (at: number) => ({
    rpc: { grpcPort: ports[at], membershipPort: ports[at + 1], bindOnLocalHost: true },
  })
  // JSON is YAML too.
  const settings = {
    log: { stdout: true, level: 'fatal' },
    persistence: {
      ...{ defaultStore: 'main', visibilityStore: 'visibility', numHistoryShards: 4 },
      datastores: { main: store(names.default, 20), visibility: store(names.visibility, 5) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: { frontend: service(0), matching: service(2), history: service(4), worker: service(6) },
    clusterMetadata: {
      ...{ enableGlobalNamespace: false, failoverVersionIncrement: 10 },
      ...{ masterClusterName: 'active', currentClusterName: 'active' },
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: `127.0.0.1:${ports[0]}` },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    namespaceDefaults: { archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } } },
  }
  writeFileSync(join(folder, 'engines.yaml'), JSON.stringify(settings))
  const address = `127.0.0.1:${ports[0]}`
  const sdkModule = entryOf(packages, 'sdk')
  const { bundleWorkflowCode, Connection } = await import(sdkModule)
  const { code } = await bundleWorkflowCode({ workflowsPath: entryOf(packages, 'workflow'), logger: quiet })
  writeFileSync(join(folder, 'bundle.js'), code)

  let child: ChildProcess | null = null
  const reap = () => void child?.kill('SIGKILL')
  process.once('exit', reap)
  const server: TemporalServer = {
    address,
    env: { PACKAGES: sdkModule, BUNDLE: join(folder, 'bundle.js'), TEMPORAL: address },
    pid: () => child?.pid ?? 0,
    async kill() {
      const ended = child && once(child, 'exit')
      child?.kill('SIGKILL')
      await ended
    },
    async start() {
      child = spawn(join(programs, 'server'), ['--root', folder, '--config', '.', '--env', 'engines', 'start'], {
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      for (let tries = 0; ; tries++) {
        const isUp = await register(Connection, address).catch(() => false)
        if (isUp) return
        if (tries === 120 || child.exitCode !== null) throw new Error('Temporal did not start')
        await sleep(500)
      }
    },
    async close() {
      await server.kill()
      process.off('exit', reap)
      rmSync(folder, { recursive: true, force: true })
      for (const name of Object.values(names))
        await withClient(url, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
  await server.start()
  // The services of the server read the list of namespaces every ten seconds.
  await sleep(12_000)
  return server
}

/** Temporal keeps ports in a smallint, so those that the system gives out, from 32768 on, are too high. */
async function lowPorts(count: number): Promise<number[]> {
  const found: number[] = []
  for (let port = 20_000 + Math.floor(Math.random() * 10_000); found.length < count; port++) {
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening').then(
      () => found.push(port),
      () => {},
    )
    server.close()
  }
  return found
}

const quiet = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} }

async function register(
  Connection: { connect(options: object): Promise<Connected> },
  address: string,
): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' })
  try {
    await connection.workflowService.registerNamespace({
      namespace: 'default',
      workflowExecutionRetentionPeriod: { seconds: 86_400 },
    })
    return true
  } catch (error) {
    return /already exists|ALREADY_EXISTS/i.test(String(error))
  } finally {
    await connection.close()
  }
}

interface Connected {
  readonly workflowService: { registerNamespace(request: object): Promise<unknown> }
  close(): Promise<void>
}

/** The bytes of the databases that Temporal writes. */
export async function temporalBytes(url: string): Promise<number> {
  const name = new URL(url).pathname.slice(1)
  return withClient(databaseUrl(url, 'postgres'), async (client) => {
    const { rows } = await client.query(
      'select coalesce(sum(pg_database_size(datname)), 0)::float8 as bytes from pg_database where datname = any($1)',
      [[`${name}_temporal`, `${name}_visibility`]],
    )
    return rows[0].bytes
  })
}
