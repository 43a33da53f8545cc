/** Accidents around the gateway: another trust policy, a changed configuration, clocks that jump, a full disk. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { hostKey } from '../../../tests/support/little-log.ts'
import { eras, type McpClient } from '../../../tests/support/mcp.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import {
  decisionOf,
  heldCall,
  heldOf,
  openPlace,
  type Place,
  type RunningGateway,
  resultOf,
  type StartOptions,
  startGateway,
  textOf,
  until,
  waitFor,
} from './fixture.ts'

let server: TestServer
let place: Place
let gateway: RunningGateway
const open: McpClient[] = []
beforeAll(async () => {
  server = await startServer()
  place = await openPlace(server)
}, 600_000)
afterEach(() => gateway?.kill())
afterAll(async () => {
  for (const client of open) await client.close().catch(() => {})
  place.close()
  await server.close()
})
const ran = (text: string) => place.ran().filter((each) => each.text === text)
const limits = { waitSeconds: 2, callSeconds: 60 }
async function start(changes: object = {}, options: StartOptions = {}): Promise<McpClient> {
  gateway = await startGateway(place, { limits, ...changes }, options)
  const client = await gateway.client('clerk', { era: eras[1] })
  open.push(client)
  return client
}
const trust = (changes: object) => ({
  countersign: {
    url: server.url,
    trust: { trustFile: 'countersign.trust', center: place.fixture.center.id, ...changes },
  },
})
/** The clock of a gateway, moved by this much. */
const clock = (ms: number): StartOptions => {
  const text = `const now = Date.now; Date.now = () => now() + (${ms})`
  return { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(text)}` } }
}

it('what the policies let pass is not forwarded if the trust policy requires a person', {
  timeout: 60_000,
}, async () => {
  const client = await start(trust({ requires: 'session' }))
  const result = await resultOf(client, 'notes_note', { text: 'nobody approved' })
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining("wasn't run")])
  expect(ran('nobody approved')).toEqual([])
})

it('nothing is forwarded on the word of another log', { timeout: 60_000 }, async () => {
  writeFileSync(join(place.folder, 'other.trust'), `log ${hostKey('countersign.test').vkey}\nquorum none\n`)
  const client = await start(trust({ trustFile: 'other.trust' }))
  const result = await resultOf(client, 'notes_note', { text: 'other log' })
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining("wasn't run")])
  expect(ran('other log')).toEqual([])
})

it('a call that was forwarded stays unknown when the configuration changes', { timeout: 120_000 }, async () => {
  const client = await start()
  const handles: string[] = []
  for (const text of ['renamed', 'removed']) {
    const { handle } = heldOf(await client.callTool({ name: 'notes_slow', arguments: { text, ms: 60_000 } }))
    handles.push(handle)
    await until(() => ran(text).length === 1)
  }
  await gateway.kill()
  const [renamed = '', removed = ''] = handles
  const night = { key: { env: 'NIGHT_KEY' }, token: { env: 'NIGHT_TOKEN' } }
  // The agent has another name, and its server is gone.
  const clerk = { key: { env: 'CLERK_KEY' }, token: { env: 'CLERK_TOKEN' }, name: 'Another name' }
  const again = await start({ agents: { clerk, night }, upstreams: { other: { command: 'no-such-program' } } })
  for (const handle of [renamed, removed]) {
    expect(textOf(await waitFor(again, handle))).toContain('may or may not have taken effect')
  }
  for (const text of ['renamed', 'removed']) {
    expect((await decisionOf(place, text))?.execution).toMatchObject({ outcome: { status: 'unknown' } })
    expect(ran(text)).toHaveLength(1)
  }
})

it('a call that nobody approved is not run long after it was made', { timeout: 120_000 }, async () => {
  const client = await start({ countersign: { ...trust({}).countersign, url: 'http://127.0.0.1:9' } })
  const { handle } = heldOf(await client.callTool({ name: 'notes_note', arguments: { text: 'late' } }))
  await gateway.kill()
  const again = await start({}, clock(3_600_000))
  expect(textOf(await waitFor(again, handle))).toContain('long after it was made')
  expect(ran('late')).toEqual([])
})

it.each([3_600_000, -86_400_000])(
  'an approved call runs once when the clock jumps by %i ms',
  {
    timeout: 120_000,
  },
  async (ms) => {
    const client = await start()
    const text = `clock ${ms}`
    const { handle, eventId } = await heldCall(client, 'notes_hold', { text })
    await gateway.kill()
    const again = await start({}, clock(ms))
    await place.approve(eventId)
    expect(textOf(await waitFor(again, handle))).toBe(`noted ${text}`)
    expect(ran(text)).toHaveLength(1)
    const metrics = await (await fetch(`${gateway.metricsUrl}/metrics`)).text()
    expect(metrics).not.toMatch(/_sum\S* -/)
  },
)

it('on a full disk nothing is forwarded, and what has run is not run again', { timeout: 240_000 }, async () => {
  const state = 'full-disk'
  const client = await start({ state }, { shell: 'ulimit -f 300; exec "$@"' })
  let refused = ''
  let calls = 0
  for (; calls < 60 && !refused; calls++) {
    const result = await resultOf(client, 'notes_note', { text: `disk ${calls}`, filling: 'x'.repeat(8000) })
    if (result.isError) refused = textOf(result)
  }
  expect(refused).toContain("wasn't run")
  await gateway.kill()
  const again = await start({ state })
  expect(textOf(await resultOf(again, 'notes_note', { text: 'space again' }))).toBe('noted space again')
  for (let n = 0; n < calls; n++) expect(ran(`disk ${n}`).length, `disk ${n}`).toBeLessThanOrEqual(1)
  expect(ran(`disk ${calls - 1}`)).toEqual([])
})
