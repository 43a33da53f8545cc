/**
 * The conformance suite of the Model Context Protocol, in both revisions, against the server and the gateway. It sends no
 * credential, so a proxy adds it. Scenarios about tools, prompts and resources of its sample server apply to the
 * gateway only, which has them from a server behind it.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  agents,
  openPlace,
  type Place,
  type RunningGateway,
  startGateway,
} from '../../packages/gateway/test/fixture.ts'
import { freePort } from '../../tools/postgres.ts'
import { type Era, eras, mcpPackages } from '../support/mcp.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { run } from './installed.ts'

const targets = ['server', 'gateway'] as const
type Target = (typeof targets)[number]

let server: TestServer
let place: Place
let gateway: RunningGateway
const proxies: Server[] = []
const ports: Record<Target, number> = { server: 0, gateway: 0 }
let program: string
let work: string

/** Passes `Host` on as it is, because scenarios forge it. */
function addingKey(key: string, target: string): Server {
  return createServer((received, answered) => {
    const headers = { ...received.headers, authorization: `Bearer ${key}` }
    const sent = request(`${target}${received.url}`, { method: received.method, headers }, (answer) => {
      answered.writeHead(answer.statusCode as number, answer.headers)
      answer.pipe(answered)
    })
    sent.on('error', () => answered.destroy())
    answered.on('close', () => sent.destroy())
    received.pipe(sent)
  })
}

beforeAll(async () => {
  program = join(await mcpPackages(), 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  work = await mkdtemp(join(tmpdir(), 'countersign-conformance-'))
  for (const target of targets) ports[target] = await freePort()
  server = await startServer({ env: { PUBLIC_URL: `http://localhost:${ports.server}` } })
  const key = await server.world.key(await server.world.center())
  place = await openPlace(server)
  // What the suite asks for is behind the gateway, under the names that it knows.
  const file = new URL('../../packages/gateway/test/conformance.process.ts', import.meta.url).pathname
  const sample = { command: process.execPath, args: [file], prefix: '' }
  gateway = await startGateway(place, { upstreams: { sample } })
  proxies.push(addingKey(key, server.url).listen(ports.server, '127.0.0.1'))
  proxies.push(addingKey(agents.clerk, gateway.url).listen(ports.gateway, '127.0.0.1'))
}, 600_000)
afterAll(async () => {
  for (const proxy of proxies) {
    proxy.closeAllConnections()
    proxy.close()
  }
  await gateway?.kill()
  place?.close()
  await server.close()
  await rm(work, { recursive: true, force: true })
})

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
}

/** The checks of each scenario that the revision requires, all in one run of the program. */
async function checksOf(target: Target, era: Era): Promise<ReadonlyMap<string, readonly Check[]>> {
  const folder = await mkdtemp(join(work, 'run-'))
  const args = [
    'server',
    '--url',
    `http://localhost:${ports[target]}/mcp`,
    '--requirements',
    era,
    '--output-dir',
    folder,
  ]
  // It exits with 1 after a failed check, which is read from its files.
  await run(process.execPath, [program, ...args, '--timeout', '10000']).catch(() => {})
  const scenarios = new Map<string, readonly Check[]>()
  for (const saved of await readdir(folder)) {
    const [, scenario = saved] = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(saved) ?? []
    scenarios.set(scenario, JSON.parse(await readFile(join(folder, saved, 'checks.json'), 'utf8')))
  }
  return scenarios
}

const statelessExceptions = [
  // They need tools of the sample server.
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  // Subscriptions are refused, because nothing changes that they could tell.
  'sep-2575-server-sends-subscription-ack',
  'sep-2575-server-tags-subscription-id',
]

/** What a server behind the gateway offers, as the gateway offers it. */
const passedOn = Object.fromEntries(
  [
    ...['json-schema-2020-12', 'prompts-list', 'prompts-get-simple', 'prompts-get-with-args'],
    ...['prompts-get-embedded-resource', 'prompts-get-with-image', 'resources-list', 'resources-read-text'],
    ...['resources-read-binary', 'resources-templates-read', 'tools-call-simple-text', 'tools-call-image'],
    ...['tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-error'],
  ].map((scenario) => [scenario, []]),
)

/** Scenarios about the protocol itself, each with its checks that fail. */
const applicable: Record<Target, Record<Era, Record<string, readonly string[]>>> = {
  server: {
    '2025-11-25': {
      ...{ 'server-initialize': [], ping: [], 'tools-list': [] },
      ...{ 'dns-rebinding-protection': [], 'server-session-lifecycle': [] },
    },
    '2026-07-28': {
      ...{ 'tools-list': [], 'http-header-validation': [], 'dns-rebinding-protection': [] },
      ...{ 'server-sse-multiple-streams': [], 'input-required-result-unsupported-methods': [] },
      'input-required-result-validate-input': [],
      // There are no prompts and no resources.
      caching: [
        'sep-2549-prompts-list-caching-hints',
        'sep-2549-resources-list-caching-hints',
        'sep-2549-resources-templates-list-caching-hints',
      ],
      'server-stateless': statelessExceptions,
    },
  },
  gateway: {
    '2025-11-25': {
      ...passedOn,
      ...{ 'server-initialize': [], ping: [], 'tools-list': [], 'server-sse-polling': [] },
      ...{ 'dns-rebinding-protection': [], 'server-session-lifecycle': [], 'server-sse-multiple-streams': [] },
    },
    '2026-07-28': {
      ...passedOn,
      ...{ 'tools-list': [], 'http-header-validation': [], 'dns-rebinding-protection': [], caching: [] },
      ...{ 'server-sse-multiple-streams': [], 'input-required-result-unsupported-methods': [] },
      ...{ 'input-required-result-validate-input': [], 'input-required-result-ignore-extra-params': [] },
      ...{ 'input-required-result-missing-input-response': [], 'sep-2164-resource-not-found': [] },
      'server-stateless': statelessExceptions,
    },
  },
}

it.each(targets.flatMap((target) => eras.map((era) => [target, era] as const)))(
  'the %s meets what the suite asks of the protocol in %s',
  { timeout: 240_000 },
  async (target, era) => {
    const scenarios = await checksOf(target, era)
    const failed = (checks: readonly Check[] = []) =>
      checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
    const expected = applicable[target][era]
    const found = Object.keys(expected).map((name) => [name, failed(scenarios.get(name))])
    expect(Object.fromEntries(found)).toEqual(expected)
    // Every message of the server, in the other scenarios too, has the form that the schema of the revision demands.
    const all = [...scenarios.values()].flat()
    expect(all.filter(({ id, status }) => id === 'wire-schema-valid' && status !== 'SUCCESS')).toEqual([])
    expect(all.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(era === '2025-11-25' ? 30 : 60)
  },
)
