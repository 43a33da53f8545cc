/** Claude Code, unchanged, as an agent behind the gateway: set up as the guide says, with a scripted model. */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { buffer as bytes } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  agents,
  decisionOf,
  openPlace,
  type Place,
  type RunningGateway,
  startGateway,
  until,
} from '../../packages/gateway/test/fixture.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { claudeCode, claudeCodeVersion, runClaudeCode, type Script, scriptedModel } from '../support/claude-code.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { run } from './installed.ts'

let server: TestServer
let place: Place
let gateway: RunningGateway
let runs = 0
beforeAll(async () => {
  await claudeCode()
  server = await startServer()
  place = await openPlace(server)
}, 600_000)
afterAll(async () => {
  await gateway?.kill()
  place?.close()
  await server?.close()
})
const ran = (text: string) => place.ran().filter((each) => each.text === text)
const start = async () => {
  gateway = await startGateway(place, { limits: { waitSeconds: 5, callSeconds: 60 } })
}

/** Between Claude Code and the gateway: what Claude Code says it can do. */
interface Recorder {
  readonly url: string
  readonly said: string[]
  close(): void
}
async function recorder(): Promise<Recorder> {
  const said: string[] = []
  const proxy = createServer(async (received, answered) => {
    const body = await bytes(received)
    said.push(body.toString())
    const { method = 'GET', headers } = received
    const sent = request(`${gateway.url}${received.url}`, { method, headers: { ...headers, host: 'localhost' } })
    sent.on('response', (answer) => {
      answered.writeHead(answer.statusCode as number, answer.headers)
      answer.pipe(answered)
    })
    sent.on('error', () => answered.destroy())
    answered.on('close', () => sent.destroy())
    sent.end(body)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  return { url: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`, said, close }
}

/** What the guide gives to the agent, with the address of this gateway. */
function clientFile(folder: string, url: string): string {
  const block = blocksOf(read('docs/guides/gateway.md')).find(({ text }) => text.includes('mcpServers'))?.text ?? ''
  const file = join(folder, 'mcp.json')
  expect(block).toContain('http://127.0.0.1:8090')
  writeFileSync(file, block.replace('http://127.0.0.1:8090', url))
  return file
}

async function claude(script: Script, { url = gateway.url, signal }: { url?: string; signal?: AbortSignal } = {}) {
  const folder = join(place.folder, `claude-${runs++}`)
  mkdirSync(folder)
  const model = await scriptedModel(script)
  try {
    const args = ['--mcp-config', clientFile(folder, url), '--strict-mcp-config', '--allowedTools', 'mcp__db']
    return await runClaudeCode({ model, folder, args, env: { SUPPORT_TOKEN: agents.clerk }, ...(signal && { signal }) })
  } finally {
    model.close()
  }
}
const asked = async (text: string) => (await decisionOf(place, text))?.id
const hold = (text: string) => ({ name: 'mcp__db__notes_hold', input: { text } })
const handleIn = (text: string) => /gw-[\w-]+/.exec(text)?.[0] ?? null
/** Makes the call, asks with the handle for as long as there is one, and keeps what came back. */
function patient(text: string, said: string[]): Script {
  return (answers) => {
    const last = answers.at(-1)
    if (!last) return hold(text)
    said.splice(0, said.length, ...answers.map((each) => each.text))
    const handle = last.isError ? handleIn(last.text) : null
    return handle ? { name: 'mcp__db__countersign_wait', input: { handle, withinSeconds: 20 } } : null
  }
}

it('is the version that was tried', async () => {
  expect(await run(await claudeCode(), ['--version'])).toContain(claudeCodeVersion)
})

it('waits for a person, and its call runs once', { timeout: 240_000 }, async () => {
  await start()
  const said: string[] = []
  const record = await recorder()
  const ended = claude(patient('by claude', said), { url: record.url })
  const id = await until(() => asked('by claude'), 120_000)
  expect(ran('by claude')).toEqual([])
  expect(await place.client.decisions.get(id)).toMatchObject({ actor: { id: 'clerk' } })
  await place.approve(id)
  const { status, output, problems } = await ended
  expect([status, problems]).toEqual([0, ''])
  expect(said.at(-1), output).toContain('noted by claude')
  expect(ran('by claude')).toHaveLength(1)
  expect((await place.client.decisions.get(id)).execution).toMatchObject({ outcome: { status: 'succeeded' } })
  record.close()
  // If it does one day, handles are no longer the best answer to a call that waits.
  expect(record.said.join('\n')).toContain('"name":"claude-code"')
  expect(record.said.join('\n')).not.toContain('io.modelcontextprotocol/tasks')
  expect(record.said.join('\n')).not.toMatch(/"tasks":\{/)
})

it('is told of a refusal, and nothing runs', { timeout: 240_000 }, async () => {
  const said: string[] = []
  const ended = claude(patient('refused to claude', said))
  const id = await until(() => asked('refused to claude'), 120_000)
  await place.approve(id, { result: 'rejected' })
  await ended
  expect(said.at(-1)).toContain('was refused')
  expect(ran('refused to claude')).toEqual([])
})

it('after a kill of both, the same call in another session continues the decision', {
  timeout: 300_000,
}, async () => {
  const killing = new AbortController()
  const ended = claude((answers) => (answers.length === 0 ? hold('killed') : null), { signal: killing.signal })
  const id = await until(() => asked('killed'), 120_000)
  await gateway.kill()
  killing.abort()
  await ended
  await place.approve(id)
  await start()
  const said: string[] = []
  await claude(patient('killed', said))
  expect(said.at(-1)).toContain('noted killed')
  expect(ran('killed')).toHaveLength(1)
  const { data } = await place.client.decisions.list({ limit: 50 })
  // One for each test of this file.
  expect(data).toHaveLength(3)
})
