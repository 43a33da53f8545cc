/** What the drivers share: a model that follows a script, and a program that runs until it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { AgentRun } from './driver.ts'

export interface Model {
  readonly port: number
  close(): void
}

export type Body = Record<string, unknown>

/** The tool call whose turn it is; undefined after the last one. */
export async function turn(commands: AgentRun['commands'], at: number): Promise<string | undefined> {
  const command = commands[at]
  return typeof command === 'function' ? command() : command
}

/** A server on loopback that answers each request of the agent to its model. */
export async function startModel(
  answer: (request: IncomingMessage, body: Body, response: ServerResponse) => void | Promise<void>,
): Promise<Model> {
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? ((await json(request).catch(() => ({}))) as Body) : {}
    await answer(request, body, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Server-sent events, each with its type as a member too. */
export function events(response: ServerResponse, all: readonly (readonly [type: string, data: Body])[]): void {
  response.setHeader('content-type', 'text/event-stream')
  for (const [type, data] of all) response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  response.end()
}

const mostMs = 240_000

export async function ran(
  file: string,
  args: readonly string[],
  options: {
    readonly cwd: string
    readonly env: NodeJS.ProcessEnv
    readonly onStart?: ((agent: ChildProcess) => void) | undefined
  },
): Promise<string> {
  const child = spawn(file, args, { cwd: options.cwd, env: options.env, stdio: ['ignore', 'pipe', 'pipe'] })
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  const timer = setTimeout(reap, mostMs)
  let output = ''
  child.stdout.on('data', (data) => {
    output += String(data)
  })
  child.stderr.on('data', (data) => {
    output += String(data)
  })
  options.onStart?.(child)
  await once(child, 'close')
  clearTimeout(timer)
  process.off('exit', reap)
  return output
}
