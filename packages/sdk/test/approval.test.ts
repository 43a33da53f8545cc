import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { Countersign } from '../countersign.ts'
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts'

const open = { body: { data: { id: 'evt_1', status: 'recorded', waiting: null } } }
const sealed = { body: { data: { id: 'evt_1', status: 'sealed' } } }
const withinMs = 30_000

describe('waitForApproval', () => {
  let server: ScriptedServer
  let client: Countersign
  beforeAll(async () => {
    server = await startScriptedServer()
    client = new Countersign({ baseUrl: server.url, clock: server.clock, apiKey: 'csk_test_x' })
  })
  afterAll(() => server.close())

  it('pauses longer after each reading, up to 15 seconds', async () => {
    server.script(...Array.from({ length: 11 }, () => open), sealed)
    const [states, told]: [string[], string[]] = [[], []]
    const wait = client.decisions.waitForApproval('evt_1', {
      withinMs,
      onRead: ({ status }) => states.push(status),
      onWaiting: ({ id }) => told.push(id),
    })
    expect(await wait).toEqual(sealed.body.data)
    const { waits } = server.clock
    expect(waits.slice(0, 3)).toEqual([500, 750, 1125])
    expect(waits.at(-1)).toBe(15_000)
    expect([states.length, server.seen.length, told]).toEqual([11, 12, ['evt_1']])
  })

  it('goes on after the first of two approvals', async () => {
    server.script({ body: { data: { id: 'evt_1', status: 'approved' } } }, sealed)
    expect(await client.decisions.waitForApproval('evt_1', { withinMs })).toEqual(sealed.body.data)
  })

  it('outlasts a server that is away', async () => {
    server.script(open, ...Array.from({ length: 9 }, () => ({ status: 503 })), sealed)
    expect(await client.decisions.waitForApproval('evt_1', { withinMs })).toEqual(sealed.body.data)
  })

  it('ends at its deadline with the decision as it was last read', async () => {
    server.script(open, open, { instead: 'hang' })
    await expect(client.decisions.waitForApproval('evt_1', { withinMs })).rejects.toMatchObject({
      name: 'ApprovalPendingError',
      decision: open.body.data,
    })
  })

  it('reads once when there is no time to wait', async () => {
    server.script(sealed)
    const none = new Countersign({ baseUrl: server.url, apiKey: 'csk_test_x' })
    expect(await none.decisions.waitForApproval('evt_1', { withinMs: 0 })).toEqual(sealed.body.data)
    server.script(open)
    await expect(none.decisions.waitForApproval('evt_1', { withinMs: 0 })).rejects.toMatchObject({
      decision: open.body.data,
    })
    expect(server.seen).toHaveLength(1)
  })

  it('ends with the reason of its signal, and with a refusal of the server', async () => {
    const reason = new Error('shutting down')
    await expect(
      client.decisions.waitForApproval('evt_1', { withinMs, signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    server.script({ status: 404 })
    await expect(client.decisions.waitForApproval('evt_1', { withinMs })).rejects.toMatchObject({ status: 404 })
  })
})

describe('a real server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  it.each([
    ['approved', 'sealed'],
    ['rejected', 'rejected'],
  ])('lets a program wait until a person has %s', async (result, status) => {
    const fixture = await openProofFixture(server)
    await fixture.policy({ humanReview: true }, { approval: { identity: 'session' } })
    const client = new Countersign({ baseUrl: server.url, apiKey: fixture.key })
    const { id } = await client.decisions.record({
      type: 'agent_execution',
      actor: { id: 'agent-7', type: 'ai_agent' },
      action: { type: 'refund.issue', input: { won: 82_000 } },
    })
    let asked = ''
    const decided = await client.decisions.waitForApproval(id, {
      withinMs: 30_000,
      onWaiting({ waiting }) {
        if (asked === '') void fixture.approveAsMember(id, { result, reason: 'Looked at it.' })
        asked = waiting?.approvalUrl ?? ''
      },
    })
    expect(asked).toMatch(new RegExp(`/approve/${id}$`))
    expect(decided).toMatchObject({ status, approvals: [{ result, identity: { level: 'session' } }] })
  })

  /** What a client asks the server, and a stream that it can be cut off from. */
  async function watched(lasts = true) {
    const fixture = await openProofFixture(server)
    await fixture.policy({ humanReview: true }, { approval: { identity: 'session' } })
    const asked: string[] = []
    const counting: typeof fetch = async (input, init) => {
      const { pathname } = new URL(String(input))
      asked.push(
        `${init?.method} ${pathname
          .split('/')
          .at(-1)
          ?.replace(/^evt_.*/, 'one')}`,
      )
      const answer = await fetch(input, init)
      if (!pathname.endsWith('/stream') || lasts) return answer
      await answer.body?.cancel()
      return new Response('retry: 2000\n\nevent: ready\ndata: {}\n\n', { headers: answer.headers })
    }
    const client = new Countersign({ baseUrl: server.url, apiKey: fixture.key, fetch: counting })
    const { id } = await client.decisions.record({
      type: 'agent_execution',
      actor: { id: 'agent-7', type: 'ai_agent' },
      action: { type: 'refund.issue', input: { won: 82_000 } },
    })
    asked.length = 0
    return { fixture, client, id, asked }
  }

  it('is not asked again and again while a person decides: its stream says when', { timeout: 30_000 }, async () => {
    const { fixture, client, id, asked } = await watched()
    const waiting = client.decisions.waitForApproval(id, { withinMs: 25_000 })
    await sleep(6000)
    const before = asked.length
    expect((await fixture.approveAsMember(id)).status).toBe(200)
    const at = performance.now()
    expect(await waiting).toMatchObject({ status: 'sealed' })
    expect(performance.now() - at).toBeLessThan(3000)
    // Once at first, once when the stream was open, and for the changes that the approval brought.
    expect(asked.filter((each) => each === 'GET stream')).toHaveLength(1)
    expect(before).toBeLessThanOrEqual(4)
    expect(asked.length - before).toBeLessThanOrEqual(3)
  })

  it('whose streams break is asked as before', { timeout: 30_000 }, async () => {
    const { fixture, client, id, asked } = await watched(false)
    const waiting = client.decisions.waitForApproval(id, { withinMs: 25_000 })
    await sleep(1500)
    expect((await fixture.approveAsMember(id)).status).toBe(200)
    expect(await waiting).toMatchObject({ status: 'sealed' })
    expect(asked.filter((each) => each === 'GET one').length).toBeGreaterThan(2)
  })
})
