import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server as TlsServer } from 'node:tls'
import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../../../../tests/support/dns.ts'
import { openSiteProbe, type SiteProbe } from '../site-probe.ts'

/** Of loopback addresses, the port is as free as a whole machine's. */
const ours = '127.91.0.1'
const names = ['right', 'wrong', 'self', 'old', 'silent']
const addressOf = (name: string) => `127.91.0.${10 + names.indexOf(name)}`

let dns: DnsServer
let probe: SiteProbe
const servers: (TlsServer | Server)[] = []

interface Pair {
  readonly cert: string
  readonly key: string
}

function certificates() {
  const folder = mkdtempSync(join(tmpdir(), 'site-probe-'))
  const openssl = (command: string) => execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' })
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  const signed = (name: string, of: string, days: number): Pair => {
    openssl(`req -new ${newKey} -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`)
    writeFileSync(join(folder, 'names.cnf'), `subjectAltName=DNS:${of}`)
    const by = '-CA ca.crt -CAkey ca.key -CAcreateserial -extfile names.cnf'
    openssl(`x509 -req -in ${name}.csr ${by} -days ${days} -out ${name}.crt`)
    const read = (kind: string) => readFileSync(join(folder, `${name}.${kind}`), 'utf8')
    return { cert: read('crt'), key: read('key') }
  }
  try {
    openssl(`req -x509 ${newKey} -keyout ca.key -out ca.crt -days 400 -subj /O=Test_Authority/CN=authority`)
    openssl(
      `req -x509 ${newKey} -keyout self.key -out self.crt -days 30 -subj /CN=self -addext subjectAltName=DNS:self.center.example`,
    )
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return {
      ca: read('ca.crt'),
      right: signed('right', '*.center.example', 60),
      wrong: signed('wrong', 'another.example', 60),
      self: { cert: read('self.crt'), key: read('self.key') },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const listen = async (server: TlsServer | Server, address: string) => {
  servers.push(server)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(443, address, resolve))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  const made = certificates()
  dns = await startDns()
  probe = openSiteProbe({
    ...{ allowedNetworks: ['127.91.0.0/16'], dnsServers: [dns.address], target: 'sites.example', ca: made.ca },
  })
  const tls = (pair: Pair) => createServer(pair, (socket) => socket.on('error', () => {}))
  await listen(tls(made.right), ours)
  await listen(tls(made.wrong), addressOf('wrong'))
  await listen(tls(made.self), addressOf('self'))
  await listen(
    createTcp((socket) => socket.on('error', () => {}).end('no TLS here')),
    addressOf('old'),
  )
  await listen(
    createTcp((socket) => socket.on('error', () => {})),
    addressOf('silent'),
  )
  dns.hosts.set('sites.example', [ours])
})
afterAll(async () => {
  probe.close()
  await Promise.all(servers.map((server) => server.close()))
  await dns.close()
})

const at = async (name: string, host?: readonly string[] | { alias: string }) => {
  if (host) dns.hosts.set(name, host)
  return probe.at(name)
}

describe('where a domain leads', () => {
  it.each<[name: string, host: readonly string[] | { alias: string }]>([
    ['an-alias.center.example', { alias: 'sites.example' }],
    ['an-apex.center.example', [ours]],
  ])('%s leads here', async (name, host) => {
    const { address, certificate } = await at(name, host)
    expect(address).toEqual({ state: 'right', found: 'alias' in host ? [host.alias] : host })
    expect(certificate).toMatchObject({ state: 'valid', issuer: 'Test_Authority' })
    const left = Date.parse(certificate.validUntil ?? '') - Date.now()
    expect(Math.round(left / 86_400_000)).toBe(60)
  })

  it('asks with the case of the DNS, which is none', async () => {
    dns.hosts.set('case.example', { alias: 'sites.example' })
    expect((await probe.at('Case.Example')).address.state).toBe('right')
  })

  it('a wildcard of the zone leads every name of it here, and only those', async () => {
    dns.hosts.set('*.zone.example', { alias: 'sites.example' })
    expect((await probe.at('one.zone.example')).address.state).toBe('right')
    expect((await probe.at('one.other-zone.example')).address).toEqual({ state: 'absent', found: [] })
  })

  it('says what it is an alias of when it leads elsewhere, one of two addresses included', async () => {
    dns.hosts.set('parking.example', [addressOf('wrong')])
    expect((await at('elsewhere.example', { alias: 'parking.example' })).address).toEqual({
      ...{ state: 'elsewhere', found: ['parking.example'] },
    })
    expect((await at('half.example', [ours, addressOf('wrong')])).address.state).toBe('elsewhere')
  })

  it.each([['10.0.0.7'], ['127.0.0.1'], ['169.254.169.254']])('asks nothing of the private address %s', async (ip) => {
    let connections = 0
    const canary = createTcp((socket) => {
      connections++
      socket.destroy()
    })
    if (ip === '127.0.0.1') await listen(canary, '127.0.0.1').catch(() => servers.splice(servers.indexOf(canary), 1))
    const { address, certificate } = await at('inside.example', [ip])
    expect([address, certificate.state]).toEqual([{ state: 'private', found: [ip] }, 'unchecked'])
    expect(connections).toBe(0)
  })

  it('a name server that gives no answer says nothing of the domain', async () => {
    dns.failing = true
    const { address, certificate } = await probe.at('silence.example').finally(() => {
      dns.failing = false
    })
    expect([address.state, certificate.state]).toEqual(['error', 'unchecked'])
  })
})

describe('the certificate', () => {
  it.each([
    ['wrong', 'wrongName'],
    ['self', 'untrusted'],
    ['old', 'none'],
    ['silent', 'unreachable'],
    ['right', 'unreachable'],
  ])('at the server "%s" is %s', { timeout: 20_000 }, async (server, state) => {
    const startedAt = performance.now()
    expect((await at(`${server}.center.example`, [addressOf(server)])).certificate.state).toBe(state)
    expect(performance.now() - startedAt).toBeLessThan(8000)
  })

  it('expires soon two weeks before its end', async () => {
    dns.hosts.set('soon.center.example', [ours])
    const restore = useClock(() => Date.now() + 47 * 86_400_000)
    const { certificate } = await probe.at('soon.center.example').finally(restore)
    expect(certificate.state).toBe('expiring')
  })
})
