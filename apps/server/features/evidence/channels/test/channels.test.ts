import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { chat as chatTransport } from '../../../../delivery/transports/chat.ts'
import { useClock } from '../../../../lib/clock.ts'
import { secretBox } from '../../../../lib/secret-box.ts'
import { waitingDecisionsJob } from '../../decisions/waiting-decisions.job.ts'
import { keepChannels } from '../api.ts'
import { notifyChannelsJob } from '../notify-channels.job.ts'

interface Post {
  readonly path: string
  /** In the query of the URL, because jobs of one test also serve the channels of others. */
  readonly center: number
  readonly type: string | undefined
  readonly body: { readonly text?: string; readonly attachments?: readonly unknown[] }
}

/** Speaks as the incoming webhooks of Slack and Teams do; the path says what it answers. */
const answers: Readonly<Record<string, readonly [status: number, body: string, headers?: Record<string, string>]>> = {
  '/services/T/B/ok': [200, 'ok'],
  '/powerautomate/automations/direct/workflows/1': [202, ''],
  '/services/T/B/payload': [400, 'invalid_payload'],
  '/services/T/B/gone': [404, 'no_service'],
  '/services/T/B/archived': [410, 'channel_is_archived'],
  '/services/T/B/forbidden': [403, 'action_prohibited'],
  '/services/T/B/limited': [429, 'rate_limited', { 'retry-after': '1800' }],
  '/services/T/B/broken': [500, '<html>rollup_error</html>'],
  '/services/T/B/moved': [302, '', { location: 'https://evil.example/' }],
}

let chat: Server
const posts: Post[] = []
let origin: string
let server: TestServer
let fixture: ProofFixture

beforeAll(async () => {
  chat = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const { pathname: path, searchParams } = new URL(request.url ?? '', origin)
      const type = request.headers['content-type']
      posts.push({ path, center: Number(searchParams.get('center')), type, body: JSON.parse(text) })
      const [status, body, headers] = answers[path] ?? [404, 'no_service']
      response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`
  server = await startServer({
    env: {
      ...{ NOTIFICATION_HOSTS: '127.0.0.1', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
      AUTH_URL: 'https://auth.example/x',
    },
  })
  fixture = await openProofFixture(server)
})
afterAll(async () => {
  await server.close()
  chat.closeAllConnections()
  chat.close()
})

type Place = Pick<ProofFixture, 'center' | 'platform' | 'record' | 'policy'>

async function place(): Promise<Place> {
  const own = await openProofFixture(server)
  await own.policy({ humanReview: true })
  return own
}

const channels = ({ center }: Place) => `/api/centers/${center.id}/notification-channels`
const add = (at: Place, path: string, kind = 'slack') =>
  at.platform('POST', channels(at), { kind, name: '#approvals', url: `${origin}${path}?center=${at.center.id}` })
const only = async (at: Place) => (await at.platform('GET', channels(at))).body.data[0]
const sentTo = ({ center }: Place) => posts.filter((each) => each.center === center.id)
const noHosts = () => ({ ...server.services.config, notificationHosts: [] })
const notify = () => notifyChannelsJob(server.services, 'main')

async function tell({ center }: Place): Promise<void> {
  await waitingDecisionsJob(server.services, 'main', { centerId: center.id })
  await notify()
}

async function later<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const restore = useClock(() => Date.now() + seconds * 1000)
  return work().finally(restore)
}

describe('adding', () => {
  it('201 without the URL, which no answer shows and the database holds encrypted', async () => {
    const at = await place()
    const { status, body, text } = await add(at, '/services/T/B/ok')
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      ...{ id: expect.stringMatching(/^nch_/), kind: 'slack', name: '#approvals', host: '127.0.0.1', active: true },
      ...{ disabledReason: null, lastSentAt: null, lastStatus: null, lastMessage: null },
    })
    const listed = await at.platform('GET', channels(at))
    const rows = JSON.stringify(await server.world.query('select * from cell.notification_channels'))
    const traces = JSON.stringify(await server.world.query('select * from cell.audit_entries'))
    for (const shown of [text, listed.text, rows, traces, server.logs.join('')]) expect(shown).not.toContain('/T/B/ok')
    expect(traces).toContain('channel_added')
  })

  it.each([
    ['a host of others', 'slack', 'https://hooks.example.com/services/T/B/x'],
    ['a host that ends like one of Slack', 'slack', 'https://evil-hooks.slack.com/services/T/B/x'],
    ['another path of Slack', 'slack', 'https://hooks.slack.com/workflows/T/B/x'],
    ['plain HTTP', 'slack', 'http://hooks.slack.com/services/T/B/x'],
    ['a password in the URL', 'slack', 'https://u:p@hooks.slack.com/services/T/B/x'],
    ['a host that ends like one of Teams', 'teams', 'https://evilenvironment.api.powerplatform.com/x'],
    ['the retired host of Teams', 'teams', 'https://prod-1.westus.logic.azure.com/workflows/x'],
    ['a Slack URL for Teams', 'teams', 'https://hooks.slack.com/services/T/B/x'],
    ['a Mattermost that the operator does not allow', 'mattermost', 'https://chat.example.com/hooks/x'],
    ['a private address', 'mattermost', 'https://10.0.0.1/hooks/x'],
    ['no URL', 'slack', 'hooks.slack.com'],
  ])('400 VALIDATION_ERROR for %s', async (_, kind, url) => {
    const { status, body } = await fixture.platform('POST', channels(fixture), { kind, name: 'x', url })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.message).not.toContain(url)
  })

  it('accepts the hosts that Slack and Teams use', () => {
    const needs = { ...server.services, guard: server.services.addressGuard, config: noHosts() }
    for (const [kind, url] of [
      ['slack', 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXX'],
      ['slack', 'https://hooks.slack-gov.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXX'],
      [
        'teams',
        'https://default0a.1b.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/0a/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=x',
      ],
    ] as const) {
      expect(chatTransport(kind, needs).refusalOf?.(url)).toBeNull()
    }
  })

  it('409 CONFLICT above ten, also for concurrent requests', async () => {
    const at = await place()
    const all = await Promise.all(Array.from({ length: 14 }, () => add(at, '/services/T/B/ok')))
    expect(all.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), ...Array(4).fill(409)])
  })
})

describe('a decision that waits', () => {
  it('is told once to each channel, with one sentence and one link', async () => {
    const at = await place()
    await add(at, '/services/T/B/ok')
    await add(at, '/powerautomate/automations/direct/workflows/1', 'teams')
    const { id } = await at.record()
    await tell(at)
    await tell(at)
    expect(
      sentTo(at)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['/powerautomate/automations/direct/workflows/1', '/services/T/B/ok'])
    for (const { type, body } of sentTo(at)) {
      expect(type).toContain('application/json')
      const text = JSON.stringify(body)
      expect(text).toContain(`https://auth.example/approve/${id}`)
      expect(text).toContain('승인을 기다리는 결정')
      expect(text).not.toMatch(/csk_|eyJ|"actions"/)
    }
    expect(await only(at)).toMatchObject({ lastStatus: 'success', lastMessage: null, active: true })
  })

  it('is folded into one message in ten minutes, and none is about what was decided meanwhile', async () => {
    const at = await place()
    await add(at, '/services/T/B/ok')
    await at.record()
    await tell(at)
    await at.record()
    const newest = await at.record({
      action: { type: 'plan.adjust', description: '<!channel> see https://evil.example' },
    })
    await tell(at)
    expect(sentTo(at)).toHaveLength(1)
    await later(601, () => tell(at))
    expect(sentTo(at)).toHaveLength(2)
    expect(sentTo(at)[1]?.body.text).toContain('결정 3건')
    expect(sentTo(at)[1]?.body.text).toContain(`<https://auth.example/approve/${newest.id}|`)
    expect(sentTo(at)[1]?.body.text).not.toMatch(/<!|evil\.example/)
    await later(1300, () => tell(at))
    expect(sentTo(at)).toHaveLength(2)
  })

  it('is not told again when its policies change, and not to a channel of another center', async () => {
    const [at, other] = [await place(), await place()]
    await add(at, '/services/T/B/ok')
    await add(other, '/services/T/B/ok')
    await at.record()
    await tell(at)
    await at.policy({ humanReview: true }, { name: 'Another policy' })
    await later(700, () => tell(at))
    expect(sentTo(at)).toHaveLength(1)
    expect(await only(other)).toMatchObject({ lastSentAt: null })
  })

  it('sends nothing where nothing waits any more', async () => {
    const at = await openProofFixture(server)
    await at.policy({ humanReview: true })
    await add(at, '/services/T/B/ok')
    const { id } = await at.record()
    await waitingDecisionsJob(server.services, 'main', { centerId: at.center.id })
    expect((await at.approve(id)).status).toBe(200)
    await notify()
    expect(sentTo(at)).toEqual([])
  })
})

describe('an answer', () => {
  it.each([
    ['gone', '404 (no_service)'],
    ['archived', '410 (channel_is_archived)'],
    ['forbidden', '403 (action_prohibited)'],
  ])('that the channel is no more disables it: %s', async (path, said) => {
    const at = await place()
    const { body } = await add(at, `/services/T/B/${path}`)
    await at.record()
    await tell(at)
    const reason = `The chat app responded with ${said}.`
    expect(await only(at)).toMatchObject({ active: false, disabledReason: reason, lastStatus: 'failed' })
    await at.record()
    await later(3600, () => tell(at))
    expect(sentTo(at)).toHaveLength(1)
    const audited = await server.world.query(
      `select details ->> 'reason' as reason from cell.audit_entries where target_id = $1 and details ->> 'action' = 'channel_disabled'`,
      [body.data.id],
    )
    expect(audited).toEqual([{ reason }])
  })

  it('that the payload is invalid drops the message and keeps the channel', async () => {
    const at = await place()
    await add(at, '/services/T/B/payload')
    await at.record()
    await tell(at)
    await later(7200, notify)
    expect(sentTo(at)).toHaveLength(1)
    expect(await only(at)).toMatchObject({
      ...{ active: true, lastStatus: 'failed', lastMessage: 'The chat app responded with 400 (invalid_payload).' },
    })
  })

  it('with Retry-After is waited for', async () => {
    const at = await place()
    await add(at, '/services/T/B/limited')
    await at.record()
    await tell(at)
    await later(1700, notify)
    expect(sentTo(at)).toHaveLength(1)
    await later(1801, notify)
    expect(sentTo(at)).toHaveLength(2)
  })

  it.each(['broken', 'moved'])('that passes is tried again, later and later, for five days: %s', async (path) => {
    const at = await place()
    await add(at, `/services/T/B/${path}`)
    await at.record()
    await tell(at)
    const times = [30, 61, 200, 362, 5 * 86_400 + 1]
    const counts: number[] = []
    for (const seconds of times) {
      await later(seconds, notify)
      counts.push(sentTo(at).length)
    }
    expect(counts).toEqual([1, 2, 2, 3, 4])
    expect(await only(at)).toMatchObject({ active: false, disabledReason: expect.stringContaining('for 5 days') })
    expect(JSON.stringify(await only(at))).not.toContain('rollup_error')
  })
})

describe('a test message', () => {
  it('is sent at once, shows its result, and enables a disabled channel again', async () => {
    const at = await place()
    const { id } = (await add(at, '/services/T/B/archived')).body.data
    const test = () => at.platform('POST', `${channels(at)}/${id}/test`)
    expect((await test()).status).toBe(202)
    await notify()
    expect(sentTo(at)[0]?.body.text).toContain('테스트 메시지')
    expect(await only(at)).toMatchObject({ active: false, lastStatus: 'failed' })
    Object.assign(answers, { '/services/T/B/archived': [200, 'ok'] })
    await test()
    await notify()
    await notify()
    Object.assign(answers, { '/services/T/B/archived': [410, 'channel_is_archived'] })
    expect(sentTo(at)).toHaveLength(2)
    expect(await only(at)).toMatchObject({ active: true, disabledReason: null, lastStatus: 'success' })
  })
})

describe('the URL', () => {
  it('goes with the channel', async () => {
    const at = await place()
    const { id } = (await add(at, '/services/T/B/ok')).body.data
    expect((await at.platform('DELETE', `${channels(at)}/${id}`)).status).toBe(204)
    expect((await at.platform('DELETE', `${channels(at)}/${id}`)).body.error.code).toBe('NOT_FOUND')
    expect(await only(at)).toBeUndefined()
    await at.record()
    await tell(at)
    expect(sentTo(at)).toEqual([])
  })

  it('is sealed again with a new key, and a host that the operator no longer allows gets nothing', async () => {
    const at = await place()
    await add(at, '/services/T/B/ok')
    const { box, cells, config } = server.services
    const newer = secretBox([Buffer.alloc(32, 9), ...config.secretKeys])
    await keepChannels(newer, cells.of('main'))
    const [row] = await server.world.query<{ id: string; sealed: Buffer }>(
      'select id, sealed from cell.notification_channels where center_id = $1',
      [at.center.id],
    )
    expect(row?.sealed.subarray(1, 5)).toEqual(newer.keyId)
    expect(() => box.open(row?.sealed as Buffer, `notification channel ${row?.id}`)).toThrow('SECRET_KEY')
    await at.record()
    await waitingDecisionsJob(server.services, 'main', { centerId: at.center.id })
    const needs = { ...server.services, guard: server.services.addressGuard, config: noHosts() }
    const transports = { ...server.services.transports, slack: chatTransport('slack', needs) }
    await notifyChannelsJob({ ...server.services, box: newer, transports }, 'main')
    expect(sentTo(at)).toEqual([])
    expect(await only(at)).toMatchObject({
      active: false,
      disabledReason: expect.stringContaining('ask the operator to allow it'),
    })
  })
})
