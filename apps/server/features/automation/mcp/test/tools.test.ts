/** The tools over HTTP, called by the official client in both eras of the protocol. */
import { toolSummaries } from '@countersign/mcp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Era, eras, type McpClient, overHttp } from '../../../../../../tests/support/mcp.ts'
import type { ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { call, done, failure, openCenter, refund } from './fixture.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
  fixture = await openCenter(server)
}, 600_000)
afterAll(() => server.close())

const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const meta = (spanId = trace.spanId) => ({ traceparent: `00-${trace.traceId}-${spanId}-01` })

describe.each(eras)('in the revision %s', (era: Era) => {
  let client: McpClient
  beforeAll(async () => {
    client = await overHttp(server.url, fixture.key, { era })
  })
  afterAll(() => client.close())

  it('lists the tools with hints, in a stable order, and none that approves', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(era)
    expect(client.getInstructions()).toContain('Only people can approve')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolSummaries.map(({ name }) => name))
    expect(toolSummaries.flatMap(({ operations }) => operations)).not.toContain('approvals.create')
    expect(tools.find(({ name }) => name === 'get_decision')?.annotations).toEqual({
      ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    })
    expect(tools.find(({ name }) => name === 'record_decision')?.inputSchema).toMatchObject({
      required: ['type', 'actor', 'action'],
      properties: { aiContext: { properties: { confidence: { maximum: 1 } } } },
    })
  })

  it('goes from a request over a person to one execution of exactly what was approved', async () => {
    const asked = await done(client, 'request_approval', refund())
    expect(asked).toMatchObject({ status: 'pending', approvals: [], retryAfterMs: 5000 })
    expect(asked.approvalUrl).toMatch(new RegExp(`/approve/${asked.eventId}$`))
    const { eventId } = asked

    expect(await done(client, 'wait_for_approval', { eventId, withinSeconds: 0 })).toMatchObject({ status: 'pending' })
    const { data } = await done(client, 'list_waiting', { actorId: 'refund-agent' })
    expect(data).toContainEqual(expect.objectContaining({ id: eventId }))
    const { action } = refund()
    const run = { type: action.type, input: action.input }
    expect(await failure(client, 'consume_approval', { eventId, action: run })).toMatch(/^CONFLICT: .*get_decision/)

    const seen: string[] = []
    const waiting = client.callTool(
      { name: 'wait_for_approval', arguments: { eventId, withinSeconds: 30 } },
      { onprogress: ({ message = '' }) => void (seen.push(message) === 1 && fixture.approveAsMember(eventId)) },
    )
    expect((await waiting).structuredContent).toMatchObject({
      status: 'allowed',
      approvals: [{ result: 'approved', identity: { level: 'session' } }],
    })
    expect(seen).toContain(`${eventId} is waiting for approval`)

    const other = { ...run, input: { ...run.input, won: 820_000 } }
    expect(await failure(client, 'consume_approval', { eventId, action: other })).toMatch(
      /^POLICY_VIOLATION: .*it isn't the one that was approved/,
    )
    const taken = await done(client, 'consume_approval', { eventId, action: run })
    expect(taken).toMatchObject({ eventId, replayed: false })
    const second = await failure(client, 'consume_approval', { eventId, action: run })
    expect(second).toContain(`Don't run the action: the attempt ${taken.executor} has already consumed the decision.`)

    const outcome = { eventId, executor: taken.executor, status: 'succeeded', output: { transfer: 'tr-1' } }
    expect(await done(client, 'report_outcome', outcome)).toMatchObject({ status: 'succeeded' })
    expect(await done(client, 'report_outcome', outcome)).toMatchObject({ status: 'succeeded' })
    expect(await done(client, 'get_decision', { eventId })).toMatchObject({
      status: 'sealed',
      execution: { executor: taken.executor, outcome: { status: 'succeeded' } },
    })

    const { receipt, chainHash: hash } = taken
    expect(await done(client, 'verify_receipt', { receipt, hash })).toMatchObject({
      ...{ holds: true, under: 'server', signed: { status: 'yes' } },
    })
    const altered = { receipt: { ...receipt, size: receipt.size + 1 }, hash }
    expect(await done(client, 'verify_receipt', altered)).toMatchObject({ holds: false })
  })

  it('allows at once what no policy holds back, and says who refused', async () => {
    const free = { ...refund(), action: { type: 'note.write', input: { text: 'x' } } }
    expect(await done(client, 'request_approval', free)).toMatchObject({ status: 'allowed', approvalUrl: null })
    const { eventId } = await done(client, 'request_approval', refund())
    await fixture.approveAsMember(eventId, { result: 'rejected', reason: 'Too much.' })
    const refused = await call(client, 'wait_for_approval', { eventId })
    expect(refused.structuredContent).toMatchObject({ status: 'refused' })
    expect(refused.content[0]?.text).toMatch(
      / was refused by .+\. Don't run the action; tell the user\. Reason: "Too much\."$/,
    )
  })

  it('stores the trace of the caller, and a repeated request continues the same decision', async () => {
    const idempotencyKey = `run-7/${era}`
    const args = { ...refund(), aiContext: { model: 'm-1' }, idempotencyKey }
    const first = await client.callTool({ name: 'request_approval', arguments: args, _meta: meta() })
    const again = await client.callTool({ name: 'request_approval', arguments: args, _meta: meta('00f067aa0ba902b8') })
    const { eventId, decisionId } = first.structuredContent
    expect(again.structuredContent).toMatchObject({ eventId, decisionId: idempotencyKey })
    expect(decisionId).toBe(idempotencyKey)
    expect((await done(client, 'get_decision', { eventId })).aiContext).toEqual({ model: 'm-1', ...trace })
    expect(await failure(client, 'request_approval', { ...args, ...refund(1) })).toMatch(/^CONFLICT: /)

    const event = { type: 'ai_recommendation', actor: { id: 'a', type: 'ai_agent' }, action: { type: 'plan.adjust' } }
    const recorded = await client.callTool({ name: 'record_decision', arguments: event, _meta: meta() })
    expect(recorded.structuredContent.aiContext).toEqual(trace)
    const wrong = { traceparent: '00-00000000000000000000000000000000-00f067aa0ba902b7-01' }
    const without = await client.callTool({ name: 'record_decision', arguments: event, _meta: wrong })
    expect(without.structuredContent).not.toHaveProperty('aiContext')
  })

  it('says what is wrong with arguments', async () => {
    expect(await failure(client, 'get_decision', { eventId: 'dec_1' })).toMatch(/eventId.*pattern/)
    expect(await failure(client, 'record_decision', { type: 'guess' })).toMatch(/actor/)
    expect(await failure(client, 'wait_for_approval', { eventId: 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c' })).toMatch(
      /^NOT_FOUND: .*Check the ID/,
    )
  })
})

it('a wait goes on after the first of two approvals', async () => {
  const both = await openCenter(server)
  await both.policy({ dualApproval: true }, { match: { actionTypes: ['refund.*'] }, approval: { identity: 'session' } })
  const client = await overHttp(server.url, both.key, { era: '2026-07-28' })
  const { eventId } = await done(client, 'request_approval', refund())
  await both.approveAsMember(eventId)
  expect(await done(client, 'wait_for_approval', { eventId, withinSeconds: 0 })).toMatchObject({
    ...{ status: 'pending', approvals: [{ result: 'approved' }] },
  })
  await both.approveAsMember(eventId, {}, both.instructorToken)
  expect(await done(client, 'wait_for_approval', { eventId })).toMatchObject({ status: 'allowed' })
  await client.close()
})

describe('a client that can show a URL', () => {
  it.each([
    ['approves', 'allowed'],
    ['refuses', 'refused'],
  ])('sends its user to the page, and a user who %s there ends the same call', async (what, status) => {
    const shown: string[] = []
    const client = await overHttp(server.url, fixture.key, {
      era: '2026-07-28',
      async onUrl(url, message) {
        shown.push(url, message)
        const result = what === 'approves' ? 'approved' : 'rejected'
        // As people do: after the client has said that the page is open.
        setTimeout(() => void fixture.approveAsMember(url.split('/').at(-1) as string, { result }), 300)
        return 'accept'
      },
    })
    const { structuredContent } = await call(client, 'request_approval', refund())
    expect(structuredContent).toMatchObject({ status, approvals: [{ identity: { level: 'session' } }] })
    expect(shown).toEqual([
      expect.stringMatching(new RegExp(`/approve/${structuredContent.eventId}$`)),
      'Approve or refuse: Refund order 1041',
    ])
    await client.close()
  })

  it('gets the pending decision if its user declines, and records it once', async () => {
    const client = await overHttp(server.url, fixture.key, { era: '2026-07-28', onUrl: async () => 'decline' })
    const args = { ...refund(), tags: ['declined'] }
    expect(await done(client, 'request_approval', args)).toMatchObject({ status: 'pending' })
    expect((await done(client, 'list_waiting', { tag: 'declined' })).pagination.total).toBe(1)
    await client.close()
  })

  it('of the revision 2025-11-25 gets the pending decision, because a single request does not say what it can', async () => {
    const client = await overHttp(server.url, fixture.key, { era: '2025-11-25', onUrl: async () => 'accept' })
    expect(await done(client, 'request_approval', refund())).toMatchObject({ status: 'pending' })
    await client.close()
  })
})
