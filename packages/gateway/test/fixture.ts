/** A center whose policies hold the tool `hold`, a small server behind a gateway, and agents in front of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Countersign, type Decision } from '@countersign/sdk'
import { type ClientOptions, type McpClient, overHttp, overStdio, type ToolResult } from '../../../tests/support/mcp.ts'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import type { TestServer } from '../../../tests/support/server.ts'
import { freePort } from '../../../tools/postgres.ts'

const main = new URL('../main.ts', import.meta.url).pathname
export const upstreamFile = new URL('upstream.process.ts', import.meta.url).pathname

export interface Place {
  readonly fixture: ProofFixture
  readonly folder: string
  readonly client: Countersign
  /** A member of the center approves, or refuses with `result`. */
  approve(eventId: string, overrides?: { readonly result: 'approved' | 'rejected' }): Promise<void>
  /** Writes the configuration, with these changes, and returns its file. */
  configure(changes?: Record<string, unknown>): string
  /** What the server behind the gateway has run. */
  ran(): readonly Record<string, unknown>[]
  /** What the server behind the gateway offers from now on. */
  offer(tools: readonly object[]): void
  /** The variables that the configuration names. */
  secrets(): Record<string, string>
  env(): Record<string, string | undefined>
  close(): void
}

export const agents = {
  clerk: 'clerk-token-clerk-token-clerk-token',
  night: 'night-token-night-token-night-token',
} as const

/** What only the gateway and its server know. */
export const upstreamToken = 'upstream-token-upstream-token'

export async function openPlace(server: TestServer): Promise<Place> {
  const fixture = await openProofFixture(server)
  await fixture.policy(
    { humanReview: true },
    {
      match: { actionTypes: ['notes.hold'] },
      approval: { identity: 'session' },
    },
  )
  await fixture.policy(
    { humanReview: true },
    { name: 'Changed tools', match: { actionTypes: ['gateway.*'] }, approval: { identity: 'session' } },
  )
  const keyOf = (id: string) =>
    server.world.key(fixture.center, { scopes: ['decide'], boundTo: { id, type: 'ai_agent' } })
  const keys = {
    CLERK_KEY: await keyOf('clerk'),
    NIGHT_KEY: await keyOf('night'),
    PINS_KEY: await keyOf('the-gateway'),
  }
  const folder = mkdtempSync(join(tmpdir(), 'countersign-gateway-'))
  const { body } = await server.call('GET', '/.well-known/countersign-log.json')
  writeFileSync(join(folder, 'countersign.trust'), body.policy)
  const ledger = join(folder, 'ledger')
  const tools = join(folder, 'tools.json')
  const usual = {
    countersign: { url: server.url, trust: { trustFile: 'countersign.trust', center: fixture.center.id } },
    state: 'state',
    upstreams: {
      notes: {
        command: process.execPath,
        args: [upstreamFile],
        env: { LEDGER: ledger, TOOLS: tools, UPSTREAM_TOKEN: { env: 'UPSTREAM_TOKEN' } },
        protocol: '2026-07-28',
      },
    },
    agents: {
      clerk: { key: { env: 'CLERK_KEY' }, token: { env: 'CLERK_TOKEN' }, name: 'Clerk' },
      night: { key: { env: 'NIGHT_KEY' }, token: { env: 'NIGHT_TOKEN' }, tools: ['notes_note', 'notes_hold'] },
    },
    limits: { waitSeconds: 40, callSeconds: 30 },
  }
  const secrets = () => ({
    ...{ CLERK_TOKEN: agents.clerk, NIGHT_TOKEN: agents.night, UPSTREAM_TOKEN: upstreamToken },
    ...keys,
  })
  return {
    ...{ fixture, folder },
    client: new Countersign({ baseUrl: server.url, apiKey: fixture.key }),
    async approve(eventId, overrides) {
      const { status, body } = await fixture.approveAsMember(eventId, overrides)
      if (status !== 200) throw new Error(`the approval of ${eventId} got ${status}: ${JSON.stringify(body)}`)
    },
    configure(changes = {}) {
      const file = join(folder, 'gateway.json')
      writeFileSync(file, JSON.stringify({ ...usual, ...changes }))
      return file
    },
    ran: () =>
      existsSync(ledger)
        ? readFileSync(ledger, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [],
    offer: (offered) => writeFileSync(tools, JSON.stringify(offered)),
    secrets,
    env: () => ({ PATH: process.env.PATH, HOME: folder, ...secrets() }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const stdioClient = (place: Place, file: string, options: ClientOptions, agent = 'clerk'): Promise<McpClient> =>
  overStdio(
    {
      command: process.execPath,
      args: [main, 'stdio', '--agent', agent, '--config', file],
      env: place.env(),
      cwd: place.folder,
    },
    options,
  )

export interface RunningGateway {
  readonly url: string
  readonly metricsUrl: string
  readonly process: ChildProcess
  readonly output: string[]
  client(agent: keyof typeof agents, options: ClientOptions): Promise<McpClient>
  kill(): Promise<void>
  stop(): Promise<number | null>
}

export interface StartOptions {
  /** Runs the gateway by way of this shell script, as `"$@"`. */
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
}

export async function startGateway(
  place: Place,
  changes: Record<string, unknown> = {},
  { shell, env = {} }: StartOptions = {},
): Promise<RunningGateway> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const file = place.configure({ listen: { port }, metrics: { port: metricsPort }, ...changes })
  const program = [process.execPath, main, 'run', '--config', file]
  const [command = '', ...args] = shell ? ['bash', '-c', shell, 'bash', ...program] : program
  const child = spawn(command, args, {
    ...{ cwd: place.folder, env: { ...place.env(), ...env }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  })
  // A test that ends early must not leave the process running.
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  child.once('exit', () => process.off('exit', reap))
  const output: string[] = []
  child.stderr?.on('data', (data) => output.push(String(data)))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  await Promise.race([
    once(child, 'message'),
    exited.then((code) => Promise.reject(new Error(`the gateway ended with ${code}:\n${output.join('')}`))),
  ])
  const url = `http://127.0.0.1:${port}`
  return {
    ...{ url, metricsUrl: `http://127.0.0.1:${metricsPort}`, process: child, output },
    client: (agent, options) => overHttp(url, agents[agent], options),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

/** A call of the revision of 2026-07-28, as a program writes it that doesn't use the official client. */
export async function rawCall(
  url: string,
  token: string,
  params: { readonly name: string; readonly arguments?: object },
): Promise<string> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } }),
  })
  return answer.text()
}

/** Waits for a condition, because the machine may be busy. */
export async function until<T>(what: () => T | Promise<T>, withinMs = 30_000): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs
  for (;;) {
    const found = await what()
    if (found) return found as NonNullable<T>
    if (Date.now() > end) throw new Error(`it didn't happen within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Also of a call that took longer than the gateway waits, on a busy machine. */
export async function resultOf(client: McpClient, name: string, args: object): Promise<ToolResult> {
  const result = await client.callTool({ name, arguments: args })
  const held = heldOf(result)
  return held ? waitFor(client, held.handle) : result
}

/** Asks with the handle until the call has ended. */
export async function waitFor(client: McpClient, handle: string): Promise<ToolResult> {
  for (;;) {
    const result = await client.callTool({ name: 'countersign_wait', arguments: { handle, withinSeconds: 20 } })
    if (!heldOf(result)) return result
  }
}

/** On a busy machine, a call may be held before its decision has been asked for. */
export async function untilAsked(client: McpClient, first: ToolResult): Promise<ToolResult> {
  let result = first
  while (heldOf(result) && !heldOf(result).eventId) {
    const { handle } = heldOf(result)
    result = await client.callTool({ name: 'countersign_wait', arguments: { handle, withinSeconds: 1 } })
  }
  return result
}

/** Makes a call that a person has to decide. */
export const heldCall = async (client: McpClient, name: string, args: object): Promise<HeldMeta> =>
  heldOf(await untilAsked(client, await client.callTool({ name, arguments: args })))

/** The decision about the call with this text; what lists show of an action may be cut. */
export async function decisionOf({ client }: Place, text: string): Promise<Decision | null> {
  const { data } = await client.decisions.list({ limit: 50 })
  for (const { id } of data) {
    const decision = await client.decisions.get(id)
    if (decision.action.input?.text === text) return decision
  }
  return null
}

export const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join('\n')

export interface HeldMeta {
  readonly handle: string
  readonly eventId: string
  readonly approvalUrl: string
}
export const heldOf = (result: ToolResult): HeldMeta =>
  (result as unknown as { _meta?: { 'countersign/held'?: HeldMeta } })._meta?.['countersign/held'] as HeldMeta
