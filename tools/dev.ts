/** `npm run dev`: a database if none is named, migrations, demo data, the server, and the addresses to open. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '@countersign/server/config/config.ts'
import { newLogKey } from '../apps/server/operator/log-key.ts'
import { buildConsole } from './build-console.ts'
import { buildDocs } from './build-docs.ts'
import { type Demo, seedDemo } from './demo-data.ts'
import { sampleProof } from './dev-sample.ts'
import { prepareSchema, terminal } from './dev-schema.ts'
import { devPostgres, type RunningPostgres, withClient } from './postgres.ts'
import { devFolder, devSettingsFile } from './settings.ts'

const say = (line = ''): void => void process.stdout.write(`${line}\n`)

const secretKeyFile = `${devFolder}secret-key`
const logKeyFile = `${devFolder}log-key`
const passwordFile = `${devFolder}database-password`

async function keptIn(file: string, make: () => string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept) return kept.trim()
  const made = make()
  await writeFile(file, `${made}\n`, { mode: 0o600 })
  return made
}

/** One folder per database: a fence store belongs to one database. */
async function fenceFolder(databaseUrl: string): Promise<string> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query(`select (select system_identifier from pg_control_system())::text || oid as identity
      from pg_database where datname = current_database()`),
  )
  return `${devFolder}fence/${createHash('sha256').update(rows[0].identity).digest('hex').slice(0, 16)}`
}

const listening = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 500 })
    const done = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket
      .once('connect', () => done(true))
      .once('error', () => done(false))
      .once('timeout', () => done(false))
  })

async function redisUrl(): Promise<string | undefined> {
  const url = process.env.REDIS_URL
  if (!url) {
    say('Redis      none: rate limits are counted in this process only (set REDIS_URL to share them)')
    return undefined
  }
  const { hostname, port } = new URL(url)
  if (await listening(hostname, Number(port || 6379))) {
    say(`Redis      ${url}`)
    return url
  }
  say(`Redis      ${url} isn't responding: rate limits are counted in this process only`)
  return undefined
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error('the server stopped; see its message above')
    const answer = await fetch(`${url}/health/ready`).catch(() => null)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error("the server wasn't ready within 30 seconds")
}

function welcome(url: string, { accounts, apiKeys }: Demo, proof: string): void {
  const { admin, secondAdmin } = accounts as Record<'admin' | 'secondAdmin', Demo['accounts'][string]>
  const event =
    '{"type":"ai_recommendation","actor":{"id":"agent-7","type":"ai_agent"},"action":{"type":"plan.adjust"},"tags":["demo"]}'
  say(`
Countersign is ready.

  Console        ${url}/
  API            ${url}/api
  Documentation  ${url}/docs
  Health         ${url}/health/ready
  Mail           ${url}/dev/mail
  Sample proof   ${proof}

Sign in as an administrator of the demo center "${admin.centerDomain}". There are two, so that one can confirm the other's passkey:

  ${admin.email.padEnd(32)}${admin.password}
  ${secondAdmin.email.padEnd(32)}${secondAdmin.password}

For all other accounts, run npm run demo.

Record your first decision:

  curl -s ${url}/api/v1/decision-events \\
    -H 'Authorization: Bearer ${apiKeys.write}' \\
    -H 'Content-Type: application/json' \\
    -d '${event}'

For test data, use this key for the center's sandbox. Its proofs are marked as test data:

  ${apiKeys.sandbox}

Stop with Ctrl+C.`)
}

let server: ChildProcess | undefined
let database: RunningPostgres | undefined
let stopping = false
const building = new AbortController()
async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  building.abort()
  // The server stops before the database, because it finishes requests in flight.
  if (server && server.exitCode === null) {
    server.kill('SIGTERM')
    await Promise.race([once(server, 'exit'), sleep(10_000)])
  }
  await rm(devSettingsFile, { force: true })
  await database?.stop()
  process.exit(code)
}

async function run(port: number): Promise<void> {
  say('Starting Countersign for development')
  database = await devPostgres(process.env.DATABASE_URL, devFolder)
  const { url: databaseUrl, embedded } = database
  say(`PostgreSQL ${embedded ? 'embedded, data in .dev/postgres (set DATABASE_URL to use your own)' : databaseUrl}`)
  const redis = await redisUrl()
  await keptIn(logKeyFile, newLogKey)
  // A database that asks its owner for a password asks the roles of the server too.
  const passwords = new URL(databaseUrl).password !== '' && process.env.DATABASE_PASSWORD === undefined
  if (passwords) await keptIn(passwordFile, () => randomBytes(24).toString('base64url'))
  const logins = passwords && {
    DATABASE_PASSWORD_FILE: passwordFile,
    DATABASE_OPERATOR_PASSWORD_FILE: passwordFile,
  }
  const log = {
    TLOG_KEY_FILE: process.env.TLOG_KEY_FILE ?? logKeyFile,
    TLOG_FENCE: process.env.TLOG_FENCE ?? (await fenceFolder(databaseUrl)),
  }
  const environment = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis ?? '',
    SECRET_KEY: process.env.SECRET_KEY ?? (await keptIn(secretKeyFile, () => randomBytes(32).toString('base64'))),
    ...log,
    ...logins,
    // Webhook consumers under development listen on loopback.
    WEBHOOK_ALLOWED_NETWORKS: process.env.WEBHOOK_ALLOWED_NETWORKS ?? '127.0.0.0/8,::1/128',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  }
  const config = readConfig(environment)
  const schema = { target: config, embedded, fenceFolder: log.TLOG_FENCE, ask: terminal }
  say(`Schema     ${await prepareSchema({ ...schema, rebuild: process.argv.includes('--rebuild') })}`)
  say(`Console    ${(await buildConsole()) ? 'built' : 'up to date'}`)
  const demo = await seedDemo(config)
  // `npm run demo` and the other commands in another terminal read the database and its secrets from this file.
  const found = { DATABASE_URL: databaseUrl, PORT: String(port), SECRET_KEY_FILE: secretKeyFile, ...log, ...logins }
  await writeFile(devSettingsFile, JSON.stringify(found), { mode: 0o600 })
  if (stopping) return
  server = spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', new URL('../apps/server/main.ts', import.meta.url).pathname],
    // In a group of its own: with the terminal's Ctrl+C and our SIGTERM the server would see two signals and exit at once.
    { env: environment, stdio: ['ignore', 'inherit', 'inherit'], detached: true },
  )
  server.once('exit', () => setImmediate(() => void stop(1)))
  const url = `http://localhost:${port}`
  await untilReady(`http://127.0.0.1:${port}`, server)
  const proof = await sampleProof(url, demo.apiKeys.write).catch((error: Error) => `none: ${error.message}`)
  if (stopping) return
  welcome(url, demo, proof)
  await documentation()
}

/** Last, because it takes longer than everything else, and the server works without it. */
async function documentation(): Promise<void> {
  const said = await buildDocs({ signal: building.signal }).then(
    (built) => (built ? 'built' : 'up to date'),
    (error: Error) => `not built: ${error.message.split('\n')[0]}`,
  )
  if (!stopping) say(`\nDocs       ${said}`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
await mkdir(devFolder, { recursive: true })
const port = Number(process.env.PORT ?? 3000)
if (await listening('127.0.0.1', port)) {
  process.stderr.write(
    `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=3001 npm run dev\n`,
  )
  process.exit(1)
}
try {
  await run(port)
} catch (error) {
  // Ctrl+C during the start stops the database under a migration or a query; their failures are expected.
  if (!stopping) process.stderr.write(`Countersign couldn't start: ${(error as Error).message}\n`)
  await stop(1)
}
