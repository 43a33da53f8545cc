/** A real HTTP server that answers as a script says, and a clock that is turned instead of waited for. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../clock.ts'

export interface Step {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** `hang`: no answer. `cut`: the connection ends without one. `part`: it ends in the middle of the body. */
  readonly instead?: 'hang' | 'cut' | 'part'
}

export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A sleep of this length or longer is a limit, of an attempt or of a whole wait: it ends when `runOut` is called. */
const shortestLimitMs = 20_000

export interface TurnedClock extends Clock {
  /** The waits between attempts, in order. */
  readonly waits: number[]
  /** Lets every limit run out. */
  runOut(): void
}

export function turnedClock(): TurnedClock {
  let now = Date.parse('2026-11-16T09:00:00.000Z')
  const waits: number[] = []
  const limits = new Set<() => void>()
  return {
    waits,
    now: () => now,
    sleep(ms, signal) {
      if (ms >= shortestLimitMs) {
        return new Promise((resolve, reject) => {
          limits.add(resolve)
          signal?.addEventListener('abort', () => {
            limits.delete(resolve)
            reject(signal.reason)
          })
        })
      }
      waits.push(ms)
      now += ms
      return signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve()
    },
    runOut() {
      for (const resolve of limits) resolve()
    },
  }
}

function follow(step: Step, response: ServerResponse, clock: TurnedClock): void {
  const { status = 200, headers = {}, body = { data: {} }, instead } = step
  if (instead === undefined || instead === 'part') {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_header', ...headers })
  }
  if (instead === 'hang') clock.runOut()
  else if (instead === 'cut') response.socket?.destroy()
  else if (instead === 'part') response.write('{"da', () => response.socket?.destroy())
  else response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export interface ScriptedServer {
  readonly url: string
  readonly seen: Seen[]
  readonly clock: TurnedClock
  /** The answers to come; the last one is repeated. */
  script(...steps: Step[]): void
  close(): Promise<void>
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const seen: Seen[] = []
  const clock = turnedClock()
  let steps: Step[] = [{}]
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    // An older server: it knows no stream of a decision.
    if (url.endsWith('/stream')) return void response.writeHead(404).end('{}')
    seen.push({ method, url, headers, body })
    follow((steps.length > 1 ? steps.shift() : steps[0]) as Step, response, clock)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    clock,
    script(...next) {
      steps = next
      seen.length = 0
      clock.waits.length = 0
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
