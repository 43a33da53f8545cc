/** The Next.js example: its routes in Node, and the whole application as its README starts it. */
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignPlatform } from '@countersign/sdk'
import { agentPackages } from '../../packages/sdk/test/agents/packages.ts'
import { opened } from '../../tools/demo-agent/approver.ts'
import type { Demo } from '../../tools/demo-data.ts'
import { root } from '../docs/blocks.ts'
import { inShell, type Shell } from './shell.ts'

/** Serves the routes as Next would. */
const serve = `import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as runs from './app/api/runs/[run]/route.ts'
import * as webhook from './app/api/webhook/route.ts'
createServer(async (incoming, outgoing) => {
  const { method, url, headers } = incoming
  const closed = new AbortController()
  outgoing.on('close', () => closed.abort())
  const body = method === 'POST' ? await buffer(incoming) : undefined
  const request = new Request('http://a.example' + url, { method, headers, body, signal: closed.signal })
  const route = url === '/api/webhook' ? webhook : runs
  const response = await route[method](request, { params: Promise.resolve({ run: url.split('/').at(-1) }) })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) Readable.fromWeb(response.body).on('error', () => {}).pipe(outgoing)
  else outgoing.end()
}).listen(process.env.PORT, '127.0.0.1', () => console.log('Ready'))
`

/** A copy of the example in which Node finds its packages: the frameworks of the cache, and the SDK of the workspace. */
export async function exampleForNode(home: string): Promise<string> {
  const folder = copied(home)
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@countersign'), { recursive: true })
  for (const name of ['ai', 'zod']) symlinkSync(join(await agentPackages(), 'node_modules', name), join(modules, name))
  symlinkSync(`${root}packages/sdk`, join(modules, '@countersign/sdk'))
  writeFileSync(join(folder, 'serve.mjs'), serve)
  return folder
}

interface Happening {
  readonly text?: string
  readonly approvalUrl?: string
  readonly ended?: true
}

/** The events of a stream as they come. */
export async function followed(url: string) {
  const end = new AbortController()
  const { body } = await fetch(url, { signal: end.signal })
  const happenings: Happening[] = []
  let rest = ''
  const reading = (async () => {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${rest}${chunk}`.split('\n\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ')) happenings.push(JSON.parse(line.slice('data: '.length)))
    }
  })()
  reading.catch(() => {})
  return {
    last: (): Happening => happenings.at(-1) ?? {},
    text: () => happenings.map(({ text = '' }) => text).join(''),
    close: () => end.abort(),
  }
}

/** A copy of the example with our packages from this tree, as its README installs them. */
export async function exampleToInstall(home: string, env: Shell['env']): Promise<string> {
  const folder = copied(home)
  await inShell({ folder: root, env }, `npm run --silent pack -- --into '${folder}' sdk`)
  return folder
}

function copied(home: string): string {
  const folder = mkdtempSync(join(home, 'next-agent-'))
  cpSync(`${root}examples/next-agent`, folder, { recursive: true })
  return folder
}

/** Approves as the instructor of the demo center. */
export async function approveAsInstructor(baseUrl: string, { accounts }: Demo, approvalUrl: string): Promise<void> {
  const { email = '', password = '' } = accounts.instructor ?? {}
  const platform = new CountersignPlatform({ baseUrl })
  await platform.auth.login({ email, password })
  const eventId = approvalUrl.split('/').at(-1) ?? ''
  await platform.decisions.approve(eventId, { result: 'approved', ...(await opened(platform, eventId)) })
}
