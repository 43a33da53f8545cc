/** Servers behind a gateway, over HTTP and stdio, in both eras, without a gateway in front of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tool } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eras } from '../../../tests/support/mcp.ts'
import { freePort } from '../../../tools/postgres.ts'
import { boundedFetch } from '../bounded-fetch.ts'
import type { Limits, UpstreamSettings } from '../config.ts'
import { NoAnswerError, openUpstream, type Upstream, UpstreamAwayError } from '../upstream.ts'
import { upstreamFile } from './fixture.ts'

let folder: string
let port: number
let child: ChildProcess
const opened: Upstream[] = []
const limits: Limits = {
  ...{ waitMs: 1000, callMs: 5000, answerBytes: 50_000 },
  ...{ callsPerAgent: 10, keepMs: 1000, refreshMs: 60_000 },
}
const env = () => ({ LEDGER: join(folder, 'ledger'), PATH: process.env.PATH ?? '', UPSTREAM_TOKEN: 'secret' })
async function startUpstream(): Promise<void> {
  child = spawn(process.execPath, [upstreamFile], {
    env: { ...env(), PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-upstream-'))
  port = await freePort()
  await startUpstream()
}, 60_000)
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())))
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const open = (settings: Partial<UpstreamSettings>): Upstream => {
  const shared = { name: 'notes', prefix: 'notes_', protocol: 'auto', secrets: ['secret wrong-token'] } as const
  const upstream = openUpstream({ ...shared, ...settings } as UpstreamSettings, { limits, onLists() {}, say() {} })
  opened.push(upstream)
  return upstream
}
const overHttp = (protocol: UpstreamSettings['protocol'] = 'auto', token = 'secret') =>
  open({ url: new URL(`http://127.0.0.1:${port}/mcp`), headers: { authorization: `Bearer ${token}` }, protocol })
const tool = (name: string): Tool => ({ name, inputSchema: { type: 'object' } })
const ran = () => (existsSync(join(folder, 'ledger')) ? readFileSync(join(folder, 'ledger'), 'utf8') : '')

describe('over HTTP', { timeout: 180_000 }, () => {
  it.each(['auto', ...eras] as const)('with %s it is listed, called and read', async (protocol) => {
    const upstream = overHttp(protocol)
    await upstream.ready(60_000)
    expect(upstream.lists()).toMatchObject({ prompts: [{ name: 'greet' }], resources: [{ uri: 'note://first' }] })
    expect(await upstream.call(tool('note'), { text: protocol }, {})).toMatchObject({
      content: [{ text: `noted ${protocol}` }],
    })
    expect(await upstream.read('note://by/kim')).toMatchObject({ contents: [{ text: 'content of note://by/kim' }] })
  })

  it('an answer that is too large or too late is no answer', async () => {
    const upstream = overHttp()
    await upstream.ready(60_000)
    await expect(upstream.call(tool('huge'), { bytes: 60_000 }, {})).rejects.toThrow(NoAnswerError)
    await upstream.ready(60_000)
    await expect(upstream.call(tool('huge'), { bytes: 10_000_000 }, {})).rejects.toThrow(NoAnswerError)
    await upstream.ready(60_000)
    await expect(upstream.call(tool('slow'), { text: 'late', ms: 20_000 }, {})).rejects.toThrow(NoAnswerError)
  })

  it('a resource that is too large or too late is not read, and the next one is', async () => {
    const upstream = overHttp()
    for (const name of ['huge', 'slow']) {
      await upstream.ready(60_000)
      await expect(upstream.read(`note://by/${name}`)).rejects.toThrow(/didn't answer/)
    }
    expect(await upstream.read('note://by/kim')).toMatchObject({ contents: [{ text: 'content of note://by/kim' }] })
  })

  it('a call that fails takes no other with it', async () => {
    const upstream = overHttp()
    await upstream.ready(60_000)
    const slow = upstream.call(tool('slow'), { text: 'beside', ms: 2000 }, {})
    await expect(upstream.call(tool('huge'), { bytes: 10_000_000 }, {})).rejects.toThrow(NoAnswerError)
    expect(await slow).toMatchObject({ content: [{ text: 'noted beside' }] })
  })

  it('without its credential it is away', async () => {
    const upstream = overHttp('auto', 'wrong-token')
    await expect(upstream.ready(1500)).rejects.toThrow(UpstreamAwayError)
    expect(upstream.problem()).not.toContain('wrong-token')
  })

  it('that goes away was not reached by what comes next, and is reached again when it is back', async () => {
    const upstream = overHttp()
    await upstream.ready(60_000)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect(upstream.call(tool('note'), { text: 'while away' }, {})).rejects.toThrow(UpstreamAwayError)
    await startUpstream()
    await upstream.ready(60_000)
    expect(await upstream.call(tool('note'), { text: 'back' }, {})).toMatchObject({ content: [{ text: 'noted back' }] })
    expect(ran()).not.toContain('while away')
  })

  it('that never ends its answer loses the connection', async () => {
    let closed = 0
    const dripping: Server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => response.write(': \n\n'), 50)
      response.on('close', () => {
        clearInterval(timer)
        closed++
      })
    })
    await once(dripping.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(dripping.address() as { port: number }).port}/mcp`
    const answer = await boundedFetch({ mostBytes: 1_000_000, withinMs: 500 })(url, { method: 'POST', body: '{}' })
    await expect(answer.text()).rejects.toThrow()
    await expect.poll(() => closed, { timeout: 10_000 }).toBe(1)
    dripping.close()
  })

  it('does not take its credential to another host', async () => {
    const asked: (string | undefined)[] = []
    const other: Server = createServer(({ headers }, response) => {
      asked.push(headers.authorization)
      response.end('{}')
    })
    const redirecting: Server = createServer((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${(other.address() as { port: number }).port}/mcp` }).end()
    })
    for (const each of [other, redirecting]) await once(each.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(redirecting.address() as { port: number }).port}/mcp`
    const sent = boundedFetch({ mostBytes: 1000, withinMs: 5000 })(url, {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer secret' },
    })
    await expect(sent).rejects.toThrow()
    expect(asked).toEqual([])
    for (const each of [other, redirecting]) each.close()
  })
})

it.each(eras)(
  'over stdio in %s, one that ends is started again, and its call has no answer',
  { timeout: 180_000 },
  async (protocol) => {
    const { PATH, LEDGER } = env()
    const upstream = open({
      command: process.execPath,
      args: [upstreamFile],
      env: { PATH, LEDGER },
      cwd: folder,
      protocol,
    } as never)
    await upstream.ready(60_000)
    await expect(upstream.call(tool('die'), { text: `dies in ${protocol}` }, {})).rejects.toThrow(NoAnswerError)
    await upstream.ready(60_000)
    expect(await upstream.call(tool('note'), { text: 'again' }, {})).toMatchObject({
      content: [{ text: 'noted again' }],
    })
    expect(ran().split(`dies in ${protocol}`)).toHaveLength(2)
  },
)
