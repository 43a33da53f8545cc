/** What the owner of a custom domain sees and is told: a real name server, real handshakes, the job and its messages. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../../../../../../tests/support/dns.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { checkDomainsJob } from '../check-domains.job.ts'

const ours = '127.92.0.1'
let dns: DnsServer
let server: TestServer
let front: Server

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  const openssl = (command: string) => execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' })
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  openssl(`req -x509 ${newKey} -keyout ca.key -out ca.crt -days 400 -subj /O=Authority`)
  openssl(`req -new ${newKey} -keyout own.key -out own.csr -subj /CN=own`)
  writeFileSync(join(folder, 'names.cnf'), 'subjectAltName=DNS:*.haneul.example')
  openssl('x509 -req -in own.csr -CA ca.crt -CAkey ca.key -CAcreateserial -extfile names.cnf -days 60 -out own.crt')
  const [cert, key, siteAuthority] = [read('own.crt'), read('own.key'), read('ca.crt')]
  rmSync(folder, { recursive: true, force: true })
  dns = await startDns()
  dns.hosts.set('sites.example', [ours])
  front = createServer({ cert, key }, (socket) => socket.on('error', () => {}))
  front.on('tlsClientError', () => {})
  await new Promise<void>((resolve, reject) => front.once('error', reject).listen(443, ours, resolve))
  server = await startServer({
    siteAuthority,
    env: {
      ...{ WEBHOOK_DNS_SERVERS: dns.address, WEBHOOK_ALLOWED_NETWORKS: '127.92.0.0/16' },
      ...{ SITE_TARGET: 'sites.example', MAIL_SPF: 'spf.mail.example' },
    },
  })
})
afterAll(async () => {
  front?.close()
  await server?.close()
  await dns?.close()
})

async function owner() {
  const [center, admin] = [await server.world.center(), await server.world.person()]
  await server.world.member(admin, center, 'ADMIN')
  const { accessToken: token } = await server.signIn(admin, center.domain)
  return { token, path: `/api/centers/${center.id}/domains`, center }
}
const causes = async (centerId: number) =>
  (
    await server.world.query<{ event: string; of: string }>(
      `select event, facts->'of'->>'domain' as of from directory.message_causes where center_id = $1 order by noted_at`,
      [centerId],
      true,
    )
  ).map(({ event, of }) => `${event} ${of}`)

it('names the record, says step by step what is missing, and tells the administrators when it is live and when it stops', async () => {
  const { token, path, center } = await owner()
  const domain = 'my.haneul.example'
  const added = await server.call('POST', path, { token, body: { purpose: 'site', domain: 'MY.Haneul.example' } })
  expect(added.body.data).toMatchObject({
    site: { record: { type: 'CNAME', name: domain, value: 'sites.example' }, address: null, worksSince: null },
    sender: null,
  })
  const { id, record } = added.body.data
  const check = async () => (await server.call('POST', `${path}/${id}/check`, { token })).body.data
  expect((await check()).site).toMatchObject({ address: { state: 'absent' }, certificate: { state: 'unchecked' } })
  dns.hosts.set(domain, ['10.1.2.3'])
  expect((await check()).site).toMatchObject({ address: { state: 'private', found: ['10.1.2.3'] } })
  dns.hosts.set(domain, { alias: 'sites.example' })
  expect((await check()).site).toMatchObject({
    address: { state: 'right', found: ['sites.example'] },
    certificate: { state: 'valid', issuer: 'Authority' },
    // It leads here, and nobody has proven yet whose it is.
    worksSince: null,
  })
  expect(await causes(center.id)).toEqual([])
  dns.records.set(record.name, [record.value])
  expect(await check()).toMatchObject({ status: 'proven', site: { worksSince: expect.any(String) } })
  await check()
  expect(await causes(center.id)).toEqual([`domainLive ${domain}`])
  const { body } = await server.call('GET', path, { token })
  expect(body.data[0].site.certificate.state).toBe('valid')

  const started = Date.now()
  const at = async (minutes: number) => {
    const restore = useClock(() => started + minutes * 60_000)
    await checkDomainsJob(server.services).finally(restore)
  }
  dns.hosts.set(domain, ['127.92.0.9'])
  await at(61)
  await at(75)
  expect(await causes(center.id)).toEqual([`domainLive ${domain}`])
  await at(125)
  expect(await causes(center.id)).toEqual([`domainLive ${domain}`, `domainStopped ${domain}`])
  dns.hosts.set(domain, { alias: 'sites.example' })
  // 59 days on, the certificate ends tomorrow: told once, however often it is seen.
  await at(59 * 1440)
  await at(59 * 1440 + 65)
  expect((await causes(center.id)).toSorted()).toEqual(
    ['domainExpiring', 'domainLive', 'domainLive', 'domainStopped'].map((event) => `${event} ${domain}`),
  )
})

it('is one domain in capitals, in Korean letters and in the form of the DNS', async () => {
  const { token, path } = await owner()
  const add = async (domain: string) => server.call('POST', path, { token, body: { purpose: 'site', domain } })
  const added = await add('내센터.한국')
  expect(added.body.data.domain).toBe('xn--220bn72ac5l.xn--3e0b707e')
  expect(added.body.data.site.record.name).toBe(added.body.data.domain)
  expect((await add('XN--220BN72AC5L.xn--3e0b707e')).status).toBe(409)
  for (const name of ['*.haneul.example', 'haneul', '127.0.0.1', 'a b.example', 'sites.example']) {
    expect([name, (await add(name)).status]).toEqual([name, 400])
  }
})

it('an email domain lets mail be sent from it once its SPF record includes ours', async () => {
  const { token, path } = await owner()
  const added = await server.call('POST', path, { token, body: { purpose: 'email', domain: 'mail.haneul.example' } })
  const { id, record, sender } = added.body.data
  expect(sender).toMatchObject({ include: 'include:spf.mail.example', state: null })
  const check = async () => (await server.call('POST', `${path}/${id}/check`, { token })).body.data
  dns.records.set(record.name, [record.value])
  expect(await check()).toMatchObject({ status: 'proven', sender: { state: 'absent', worksSince: null } })
  dns.records.set('mail.haneul.example', ['v=spf1 mx -all'])
  expect((await check()).sender).toMatchObject({ state: 'notAllowed', worksSince: null })
  dns.records.set('mail.haneul.example', ['v=spf1 mx include:spf.mail.example -all'])
  expect((await check()).sender).toMatchObject({ state: 'right', worksSince: expect.any(String) })
})
