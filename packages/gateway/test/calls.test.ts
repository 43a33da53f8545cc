/** Calls through a gateway as agents make them: the official client in both eras, over stdio and HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { read } from '../../../tests/docs/blocks.ts'
import { eras, type McpClient } from '../../../tests/support/mcp.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import {
  heldCall,
  heldOf,
  openPlace,
  type Place,
  type RunningGateway,
  resultOf,
  startGateway,
  stdioClient,
  textOf,
  until,
  untilAsked,
} from './fixture.ts'

let server: TestServer
let place: Place
const open: McpClient[] = []
beforeAll(async () => {
  server = await startServer()
  place = await openPlace(server)
}, 600_000)
afterAll(async () => {
  for (const client of open) await client.close().catch(() => {})
  place.close()
  await server.close()
})
const [oldEra, newEra] = eras
const execution = async (eventId: string) => (await place.client.decisions.get(eventId)).execution
const ran = (text: string) => place.ran().filter((each) => each.text === text)

interface Reading {
  listResources(): Promise<object>
  listPrompts(): Promise<object>
  readResource(params: object): Promise<object>
  getPrompt(params: object): Promise<object>
}

it.each(eras)('over stdio in %s: calls, pages, resources and prompts', { timeout: 120_000 }, async (era) => {
  const text = `held in ${era}`
  const client = await stdioClient(place, place.configure({ state: `state-${era}` }), {
    era,
    async onUrl(url) {
      expect(ran(text)).toEqual([])
      await place.approve(url.split('/').at(-1) as string)
      return 'accept'
    },
  })
  open.push(client)
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('notes_note')
  // What no policy holds is decided, forwarded and reported.
  const result = await client.callTool({ name: 'notes_note', arguments: { text: era } })
  expect([result.isError ?? false, textOf(result)]).toEqual([false, `noted ${era}`])
  const { data } = await place.client.decisions.list({ limit: 1 })
  expect(data[0]?.action.type).toBe('notes.note')
  expect(await execution(data[0]?.id as string)).toMatchObject({ outcome: { status: 'succeeded' } })
  // What a policy holds sends the user to the page; the same call then returns the result.
  expect(textOf(await client.callTool({ name: 'notes_hold', arguments: { text } }))).toBe(`noted ${text}`)
  expect(ran(text)).toEqual([{ name: 'hold', text }])
  const reading = client as unknown as Reading
  expect(await reading.listResources()).toMatchObject({ resources: [{ uri: 'note://first' }] })
  expect(await reading.readResource({ uri: 'note://by/kim' })).toMatchObject({
    contents: [{ text: 'content of note://by/kim' }],
  })
  expect(await reading.listPrompts()).toMatchObject({ prompts: [{ name: 'notes_greet' }] })
  expect(await reading.getPrompt({ name: 'notes_greet' })).toMatchObject({ messages: [{ role: 'user' }] })
  await expect(reading.readResource({ uri: 'other://x' })).rejects.toThrow(/no resource/)
})

describe('over HTTP', { timeout: 120_000 }, () => {
  let gateway: RunningGateway
  beforeAll(async () => {
    gateway = await startGateway(place, { limits: { waitSeconds: 3, callSeconds: 30 } })
  }, 120_000)
  afterAll(() => gateway.kill())
  const clientOf = async (...given: Parameters<RunningGateway['client']>) => {
    const client = await gateway.client(...given)
    open.push(client)
    return client
  }
  it.each(eras)(
    'in %s, a held call has a handle, runs once when it is approved, and its result is kept',
    async (era) => {
      const client = await clientOf('clerk', { era })
      const progress: number[] = []
      const text = `later in ${era}`
      const call = { name: 'notes_hold', arguments: { text } }
      const begun = await client.callTool(call, { onprogress: (each) => progress.push(each.progress) })
      const first = await untilAsked(client, begun)
      expect(first.isError).toBe(true)
      const { handle, eventId, approvalUrl } = heldOf(first)
      expect(textOf(first)).toContain(approvalUrl)
      expect(progress.length).toBeGreaterThan(0)
      expect(ran(text)).toEqual([])
      // The same call continues the same decision.
      expect(heldOf(await client.callTool(call)).handle).toBe(handle)
      await place.approve(eventId)
      await until(() => ran(text).length > 0)
      const picked = { name: 'countersign_wait', arguments: { handle } }
      expect(textOf(await client.callTool(picked))).toBe(`noted ${text}`)
      expect(textOf(await client.callTool(picked))).toBe(`noted ${text}`)
      expect(await execution(eventId)).toMatchObject({ outcome: { status: 'succeeded' } })
      expect(ran(text)).toHaveLength(1)
    },
  )

  it('a refused call is not forwarded, and says so', async () => {
    const client = await clientOf('clerk', { era: newEra })
    const { handle, eventId } = await heldCall(client, 'notes_hold', { text: 'no' })
    await place.approve(eventId, { result: 'rejected' })
    const result = await client.callTool({ name: 'countersign_wait', arguments: { handle } })
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('refused')])
    expect(ran('no')).toEqual([])
  })

  it('after an outcome, the same call is a new decision', async () => {
    const client = await clientOf('clerk', { era: newEra })
    const call = { name: 'notes_hold', arguments: { text: 'again' } }
    const first = await heldCall(client, call.name, call.arguments)
    await place.approve(first.eventId)
    await until(async () => (await execution(first.eventId))?.outcome)
    expect(textOf(await resultOf(client, call.name, call.arguments))).toBe('noted again')
    const second = await heldCall(client, call.name, call.arguments)
    expect(second.eventId).not.toBe(first.eventId)
    expect(ran('again')).toHaveLength(1)
    // Also when the result was picked up by its handle.
    await place.approve(second.eventId)
    const wait = { name: 'countersign_wait', arguments: { handle: second.handle, withinSeconds: 50 } }
    expect(textOf(await client.callTool(wait))).toBe('noted again')
    const third = await heldCall(client, call.name, call.arguments)
    expect(third.eventId).not.toBe(second.eventId)
    await place.approve(third.eventId, { result: 'rejected' })
    expect(ran('again')).toHaveLength(2)
  })

  it('an agent sees its own tools, and needs its own token', async () => {
    const night = await clientOf('night', { era: oldEra })
    const names = (await night.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(['notes_note', 'notes_hold', 'countersign_wait'])
    await expect(night.callTool({ name: 'notes_fail', arguments: {} })).rejects.toThrow(/no tool/)
    for (const authorization of [undefined, 'Bearer wrong', `Bearer ${place.env().CLERK_KEY}`]) {
      const headers = authorization ? { authorization } : {}
      const answer = await fetch(`${gateway.url}/mcp`, { method: 'POST', headers })
      expect(answer.status).toBe(401)
    }
  })

  it('a failure of the server is reported as failed, and a lost answer as unknown', async () => {
    const client = await clientOf('clerk', { era: newEra })
    const outcomeOf = async (type: string) => {
      const { data } = await place.client.decisions.list({ limit: 20 })
      const found = data.find(({ action }) => action.type === type)
      return (await execution(found?.id as string))?.outcome?.status
    }
    expect(textOf(await resultOf(client, 'notes_fail', {}))).toBe('It failed.')
    expect(await outcomeOf('notes.fail')).toBe('failed')
    const lost = await resultOf(client, 'notes_die', { text: 'dying' })
    expect([lost.isError, textOf(lost)]).toEqual([true, expect.stringContaining('may or may not have taken effect')])
    expect(await outcomeOf('notes.die')).toBe('unknown')
    // The server is started again, and the call is not repeated.
    expect(textOf(await resultOf(client, 'notes_note', { text: 'after' }))).toBe('noted after')
    expect(ran('dying')).toHaveLength(1)
  })

  it("goes on with the agent's trace, or begins one, and records it with the decision", async () => {
    const client = await clientOf('clerk', { era: newEra })
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const _meta = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    for (const more of [{ _meta }, {}]) {
      const seen = textOf(await client.callTool({ name: 'notes_trace', arguments: {}, ...more }))
      expect(seen).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
      expect(seen.includes(traceId)).toBe('_meta' in more)
      expect(seen).not.toContain('00f067aa0ba902b7')
      const { data } = await place.client.decisions.list({ limit: 1 })
      const recorded = JSON.stringify(await place.client.decisions.get(data[0]?.id as string))
      expect(recorded).toContain(seen.slice(3, 35))
    }
  })

  it('tells how it is', async () => {
    expect((await fetch(`${gateway.metricsUrl}/health`)).status).toBe(200)
    await until(async () => (await fetch(`${gateway.metricsUrl}/ready`)).status === 200)
    const text = await (await fetch(`${gateway.metricsUrl}/metrics`)).text()
    expect(text).toMatch(/^countersign_gateway_calls_total\{upstream="notes",outcome="succeeded"\} \d+$/m)
    // Everything that the README names exists, also what an alert asks for before it has ever happened.
    const named = read('packages/gateway/README.md').matchAll(/`[^`]*(countersign_gateway_\w+)(\{\w+="\w+"\})?[^`]*`/g)
    const missing = [...named].filter(
      ([, metric = '', label = '']) =>
        !text.split('\n').some((line) => line.startsWith(metric) && line.includes(label.slice(1, -1))),
    )
    expect(missing.map(([all]) => all)).toEqual([])
    expect(text).toContain('outcome="unknown"')
    expect(text).toMatch(/^countersign_gateway_upstream_ready\{upstream="notes"\} 1$/m)
    expect(text).toMatch(/^countersign_gateway_call_seconds_bucket\{upstream="notes",le="\+Inf"\} \d+$/m)
  })
})
