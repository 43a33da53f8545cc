/** NATS with JetStream and RabbitMQ, each with a folder and ports of its own, for a test to kill and to start again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../tools/postgres.ts'
import { programIn } from './programs.ts'

export interface Broker {
  readonly host: string
  readonly port: number
  readonly tlsPort: number
  /** kill -9. */
  kill(): Promise<void>
  /** On the same port, with the same data. */
  start(): Promise<void>
  close(): Promise<void>
}

export interface KeyPair {
  readonly cert: string
  readonly key: string
}

/** The tests allow this address; 127.0.0.1 stays forbidden. */
const host = '127.0.0.2'
export const brokerLogin = { user: 'sender', password: 'se:nd@r' }
const longestStartMs = 60_000

function openFolder(name: string, tls: KeyPair): string {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${name}-`))
  writeFileSync(join(folder, 'tls.crt'), tls.cert)
  writeFileSync(join(folder, 'tls.key'), tls.key)
  return folder
}

async function untilListening(port: number, child: ChildProcess, log: () => string): Promise<void> {
  for (const end = Date.now() + longestStartMs; Date.now() < end; ) {
    const socket = connect({ host, port })
    const isOpen = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      sleep(2000).then(() => false),
    ])
    socket.destroy()
    if (isOpen) return
    if (child.exitCode !== null) break
    await sleep(50)
  }
  throw new Error(`the broker did not start:\n${log()}`)
}

/** Runs the program until it is killed; a test that ends early leaves nothing behind. */
function keepRunning(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd: '/' })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(data))
  const ended = once(child, 'exit')
  return { child, ended, log: () => Buffer.concat(output).toString().slice(-4000) }
}

export async function startNats(tls: KeyPair): Promise<Broker> {
  const folder = openFolder('nats', tls)
  const [port, tlsPort] = [await freePort(), await freePort()]
  const program = programIn('nats-server', 'nats-server')
  const settings = (own: number, extra: string) => `
    host: "${host}", port: ${own}
    authorization { user: "${brokerLogin.user}", password: "${brokerLogin.password}" }
    ${extra}`
  // The second server has TLS and stores nothing of the first.
  const configs = [
    [port, settings(port, `jetstream { store_dir: "${folder}/data" }`)],
    [
      tlsPort,
      settings(
        tlsPort,
        `jetstream { store_dir: "${folder}/data-tls" }
         tls { cert_file: "${folder}/tls.crt", key_file: "${folder}/tls.key" }`,
      ),
    ],
  ] as const
  let running: ReturnType<typeof keepRunning>[] = []
  const kill = async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    running = []
  }
  const reap = () => {
    for (const { child } of running) child.kill('SIGKILL')
  }
  process.once('exit', reap)
  const broker: Broker = {
    ...{ host, port, tlsPort, kill },
    async start() {
      for (const [own, text] of configs) {
        const file = join(folder, `${own}.conf`)
        writeFileSync(file, text)
        const one = keepRunning(program, ['-c', file], { PATH: process.env.PATH ?? '' })
        running.push(one)
        await untilListening(own, one.child, one.log)
      }
    },
    async close() {
      await kill()
      process.off('exit', reap)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await broker.start()
  return broker
}

export async function startRabbit(tls: KeyPair): Promise<Broker> {
  const folder = openFolder('rabbitmq', tls)
  for (const name of ['home', 'data', 'log']) mkdirSync(join(folder, name))
  const [port, tlsPort, names, nodes] = [await freePort(), await freePort(), await freePort(), await freePort()]
  // Debian's own command changes to the user of the service; the program below it does not.
  const program = '/usr/lib/rabbitmq/bin/rabbitmq-server'
  programIn('rabbitmq-server', 'rabbitmq-server')
  writeFileSync(
    join(folder, 'rabbitmq.conf'),
    [
      `listeners.tcp.1 = ${host}:${port}`,
      `listeners.ssl.1 = ${host}:${tlsPort}`,
      `ssl_options.cacertfile = ${folder}/tls.crt`,
      `ssl_options.certfile = ${folder}/tls.crt`,
      `ssl_options.keyfile = ${folder}/tls.key`,
      'ssl_options.verify = verify_none',
      `default_user = ${brokerLogin.user}`,
      `default_pass = ${brokerLogin.password}`,
      'log.file.level = warning',
      '',
    ].join('\n'),
  )
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(folder, 'home'),
    ERL_EPMD_PORT: String(names),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `test${port}@localhost`,
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_DIST_PORT: String(nodes),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 -kernel inet_dist_use_interface {127,0,0,1}',
  }
  // In the foreground, so that it ends with the test; Erlang would leave one running.
  const directory = keepRunning(programIn('epmd', 'erlang-base'), ['-port', String(names)], env)
  let running: ReturnType<typeof keepRunning> | null = null
  const killBroker = () => {
    try {
      process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL')
    } catch {
      // It has not started, or has ended.
    }
  }
  const reap = () => {
    killBroker()
    running?.child.kill('SIGKILL')
    directory.child.kill('SIGKILL')
  }
  process.once('exit', reap)
  const kill = async () => {
    killBroker()
    running?.child.kill('SIGKILL')
    await running?.ended
    running = null
  }
  const broker: Broker = {
    ...{ host, port, tlsPort, kill },
    async start() {
      running = keepRunning(program, [], env)
      await untilListening(port, running.child, running.log)
      await untilListening(tlsPort, running.child, running.log)
    },
    async close() {
      await kill()
      directory.child.kill('SIGKILL')
      await directory.ended
      process.off('exit', reap)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await broker.start()
  return broker
}
