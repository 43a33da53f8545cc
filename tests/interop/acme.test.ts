/**
 * Certificates for centers' own domains, by the Caddyfile of the guide with other ports: a real Caddy orders one from a real ACME
 * server (Pebble), which looks the domain up in a real name server and validates it, at the first visit and for proven domains only.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { type DnsServer, proveDomain, startDns } from '../support/dns.ts'
import { programIn } from '../support/programs.ts'
import { startServer, type TestServer } from '../support/server.ts'

const proven = 'my.white.example'
const unproven = 'never.white.example'

let folder: string
let dns: DnsServer
let server: TestServer
let ports: {
  readonly acme: number
  readonly manage: number
  readonly http: number
  readonly https: number
  readonly ask: number
  readonly server: number
}
const programs: ChildProcess[] = []
const said: string[] = []

/** Everything that the program says is in a failure's message. */
function start(command: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const output of [child.stdout, child.stderr]) output?.on('data', (data) => said.push(String(data)))
  programs.push(child)
  return child
}

/** One of an authority that only this test has, for Pebble's own address. */
function ownCertificate(): void {
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem']
  execFileSync('openssl', ['req', '-x509', ...key, '-out', 'cert.pem', ...subject], { cwd: folder, stdio: 'ignore' })
}

const pebbleConfig = () => ({
  pebble: {
    ...{ listenAddress: `127.0.0.1:${ports.acme}`, managementListenAddress: `127.0.0.1:${ports.manage}` },
    ...{ certificate: join(folder, 'cert.pem'), privateKey: join(folder, 'key.pem') },
    ...{ httpPort: ports.http, tlsPort: ports.https, ocspResponderURL: '' },
    externalAccountBindingRequired: false,
  },
})

/** As the guide prints it: only ports and the authority are of this test. */
async function caddyfile(): Promise<string> {
  const guide = await readFile(new URL('../../docs/guides/white-label.md', import.meta.url), 'utf8')
  const [, printed] = /```text\n(\{\n\ton_demand_tls[\s\S]*?)```/.exec(guide) ?? []
  if (!printed) throw new Error('the guide has no Caddyfile')
  const options = [
    `admin off`,
    `http_port ${ports.http}`,
    `https_port ${ports.https}`,
    `acme_ca https://127.0.0.1:${ports.acme}/dir`,
    `acme_ca_root ${join(folder, 'cert.pem')}`,
    `storage file_system ${join(folder, 'storage')}`,
  ]
  return printed
    .replace('{\n', `{\n${options.map((line) => `\t${line}\n`).join('')}`)
    .replaceAll(':2020', `:${ports.ask}`)
    .replaceAll(':3001', `:${ports.server}`)
}

async function until(check: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + 20_000
  for (;;) {
    try {
      await check()
      return
    } catch (error) {
      if (Date.now() > end) throw new Error(`${error}\n${said.join('')}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** What a visitor gets: the names of the certificate and the answer to one request. */
async function visit(domain: string, ca: string) {
  const socket = connect({ host: '127.0.0.1', port: ports.https, servername: domain, ca, timeout: 20_000 })
  await once(socket, 'secureConnect')
  const { subjectaltname, issuer } = socket.getPeerCertificate()
  socket.write(`GET /api/whitelabel/${domain}/config HTTP/1.1\r\nHost: ${domain}\r\nConnection: close\r\n\r\n`)
  let answer = ''
  for await (const part of socket) answer += part
  return { subjectaltname, issuer: issuer.CN, status: Number(answer.split(' ')[1]), answer }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-acme-'))
  const [caddy, pebble] = [programIn('caddy', 'caddy'), programIn('pebble', 'pebble')]
  const [acme, manage, http, https, ask] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  ports = { acme, manage, http, https, ask, server: await freePort() }
  dns = await startDns()
  server = await startServer({
    env: { PORT: String(ports.server), WEBHOOK_DNS_SERVERS: dns.address, TRUSTED_PROXIES: '127.0.0.0/8' },
  })
  for (const domain of [proven, unproven]) dns.hosts.set(domain, ['127.0.0.1'])
  const { world } = server
  const center = await world.center({
    name: '하얀센터',
    tenantType: 'WHITE_LABEL',
    partner: await world.partner('white_label'),
  })
  const admin = await world.person()
  await world.member(admin, center)
  const { accessToken: token } = await server.signIn(admin, center.domain)
  const body = { branding: { customDomain: proven } }
  expect((await server.call('PATCH', `/api/centers/${center.id}/settings`, { token, body })).status).toBe(200)
  const path = `/api/centers/${center.id}/domains`
  await proveDomain(server, dns, { token, path, domain: proven, purpose: 'site' })

  ownCertificate()
  await writeFile(join(folder, 'pebble.json'), JSON.stringify(pebbleConfig()))
  await writeFile(join(folder, 'Caddyfile'), await caddyfile())
  start(pebble, ['-config', 'pebble.json', '-dnsserver', dns.address], {
    PEBBLE_VA_NOSLEEP: '1',
    PEBBLE_WFE_NONCEREJECT: '0',
  })
  start(caddy, ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], { HOME: folder })
}, 120_000)
afterAll(async () => {
  for (const each of programs) each.kill()
  await server?.close()
  await dns?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Pebble makes a new root each time it starts. */
async function root(): Promise<string> {
  const dispatcher = new Agent({ connect: { ca: await readFile(join(folder, 'cert.pem'), 'utf8') } })
  let text = ''
  await until(async () => {
    text = await (await fetch(`https://127.0.0.1:${ports.manage}/roots/0`, { dispatcher })).text()
  })
  return text
}

it('the first visit of a proven domain gets a certificate for it and the pages of its center', {
  timeout: 60_000,
}, async () => {
  const ca = await root()
  let seen: Awaited<ReturnType<typeof visit>> | undefined
  await until(async () => {
    seen = await visit(proven, ca)
  })
  expect(seen).toMatchObject({
    subjectaltname: `DNS:${proven}`,
    issuer: expect.stringMatching(/^Pebble Intermediate/),
    status: 200,
  })
  expect(seen?.answer).toContain('하얀센터')
})

it('no certificate is ordered for a domain that nobody has proven, though it leads here', {
  timeout: 60_000,
}, async () => {
  const ca = await root()
  const before = said.length
  await expect(visit(unproven, ca)).rejects.toThrow()
  expect(said.slice(before).join('')).not.toContain(`order for ${unproven}`)
  expect(said.join('')).not.toMatch(new RegExp(`certificate obtained successfully[^\n]*${unproven}`))
})
