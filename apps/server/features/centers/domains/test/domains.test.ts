import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, proveDomain, startDns } from '../../../../../../tests/support/dns.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { checkDomainsJob } from '../check-domains.job.ts'

let dns: DnsServer
let server: TestServer

beforeAll(async () => {
  dns = await startDns()
  server = await startServer({
    env: { WEBHOOK_DNS_SERVERS: dns.address, SITE_TARGET: 'sites.example', MAIL_SPF: 'spf.mail.example' },
  })
})
afterAll(async () => {
  await server.close()
  await dns.close()
})

interface Owner {
  readonly token: string
  readonly path: string
  readonly body: object
  readonly center: Center | null
}

const owners: [kind: string, make: () => Promise<Owner>][] = [
  [
    'a center',
    async () => {
      const [center, admin] = [await server.world.center(), await server.world.person()]
      await server.world.member(admin, center, 'ADMIN')
      const { accessToken: token } = await server.signIn(admin, center.domain)
      return { token, path: `/api/centers/${center.id}/domains`, body: { purpose: 'email' }, center }
    },
  ],
  [
    'a partner',
    async () => {
      const { accessToken: token } = await server.signIn(await server.world.person({ partner: true }))
      return { token, path: '/api/partner/domains', body: {}, center: null }
    },
  ],
]

describe.each(owners)('%s', (_, make) => {
  it('proves a domain by its record, and removes it', async () => {
    const { token, path, body } = await make()
    const added = await server.call('POST', path, { token, body: { ...body, domain: 'Haneul.Example' } })
    expect(added.status).toBe(201)
    const { id, record } = added.body.data
    expect(added.body.data).toMatchObject({ domain: 'haneul.example', status: 'pending', lastCheck: null })
    expect(record.name).toBe('_countersign.haneul.example')

    const check = async () => (await server.call('POST', `${path}/${id}/check`, { token })).body.data
    dns.records.set(record.name, ['countersign-domain=of-another-owner'])
    expect(await check()).toMatchObject({ status: 'pending', lastCheck: 'absent' })
    dns.failing = true
    expect(await check()).toMatchObject({ status: 'pending', lastCheck: 'error' })
    dns.failing = false
    dns.records.set(record.name, [record.value])
    expect(await check()).toMatchObject({ status: 'proven', lastCheck: 'present' })
    const { body: list } = await server.call('GET', path, { token })
    expect(list.data).toMatchObject([{ id, status: 'proven', lastCheck: null }])

    const again = await server.call('POST', path, { token, body: { ...body, domain: 'haneul.example' } })
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await server.call('DELETE', `${path}/${id}`, { token })).status).toBe(204)
    expect((await server.call('DELETE', `${path}/${id}`, { token })).status).toBe(404)
    expect((await server.call('POST', `${path}/${id}/check`, { token })).status).toBe(404)
  })

  it('is refused a name that is none, and a domain of another owner', async () => {
    const [own, other] = [await make(), await make()]
    const wrong = await server.call('POST', own.path, { token: own.token, body: { ...own.body, domain: '127.0.0.1' } })
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const theirs = await proveDomain(server, dns, { ...other, domain: 'theirs.example', ...other.body })
    for (const [method, path] of [
      ['POST', `${own.path}/${theirs.id}/check`],
      ['DELETE', `${own.path}/${theirs.id}`],
    ] as const) {
      const answer = await server.call(method, path, { token: own.token })
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await server.call('GET', own.path, { token: own.token })).body.data).toEqual([])
  })

  it('loses a domain whose record is absent in three checks over 24 hours', async () => {
    const owner = await make()
    const domain = await proveDomain(server, dns, { ...owner, domain: 'lapsing.example', ...owner.body })
    const status = async () => (await server.call('GET', owner.path, { token: owner.token })).body.data[0].status
    dns.records.delete(domain.record.name)
    const started = Date.now()
    const at = async (hours: number) => {
      const restore = useClock(() => started + hours * 3_600_000)
      await checkDomainsJob(server.services).finally(restore)
    }
    await at(13)
    await at(26)
    dns.failing = true
    await at(39)
    dns.failing = false
    expect(await status()).toBe('proven')
    await at(52)
    expect(await status()).toBe('pending')
  })
})

it('one of three centers that prove a host at once serves it', async () => {
  const [, make] = owners[0] as (typeof owners)[0]
  const all = await Promise.all(Array.from({ length: 3 }, make))
  const checks: string[] = []
  for (const { token, path } of all) {
    const added = await server.call('POST', path, { token, body: { purpose: 'site', domain: 'host.example' } })
    const { id, record } = added.body.data
    dns.records.set(record.name, [...(dns.records.get(record.name) ?? []), record.value])
    checks.push(`${path}/${id}/check`)
  }
  const answers = await Promise.all(
    all.map(({ token }, index) => server.call('POST', checks[index] as string, { token })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  // An address is a claim of each owner about its own people, so several may prove an email domain.
  for (const owner of all.slice(0, 2))
    await proveDomain(server, dns, { ...owner, domain: 'mail.example', purpose: 'email' })
})
