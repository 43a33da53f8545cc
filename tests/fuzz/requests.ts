/**
 * Valid and mutated requests from the contract, against a real server. Every answer arrives within five seconds, is not a
 * server error, conforms to the contract and exposes no internals. A failure is shrunk to the smallest request that still
 * fails; the seed repeats a run.
 */
import { randomBytes } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { makePlace, startProcess } from '../bench/place.ts'
import { openClient, parsedBody } from '../support/client.ts'
import { type Answer, assertKeepsContract, operationFor } from '../support/contract-check.ts'
import { openWorld } from '../support/world.ts'
import { type Callers, makeCallers, type Target } from './callers.ts'
import { anyRequest, type FuzzRequest } from './generate.ts'

const patienceMs = 5000
export interface FuzzOptions {
  readonly count: number
  readonly seed?: number
}

export interface FuzzReport {
  readonly seed: number
  readonly requests: number
  readonly byStatus: Readonly<Record<number, number>>
  /** How often each operation answered with each status. */
  readonly reached: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Null without a failure. */
  readonly failure: string | null
}

/** Replaces live names with their current values; a number loses the quotes around its name. */
function fill(text: string, callers: Callers): string {
  return text
    .replaceAll(/"«(\w+)»"/g, (_, name: string) => JSON.stringify(callers.value(name)))
    .replaceAll(/«(\w+)»|%C2%AB(\w+)%C2%BB/g, (_, plain?: string, encoded?: string) =>
      String(callers.value(plain ?? encoded ?? '')),
    )
}

function send(
  url: string,
  agent: Agent,
  { method, target, body, headers }: Omit<FuzzRequest, 'caller'>,
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) }
  const path = target.replaceAll(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char.toWellFormed()))
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: { ...headers, ...length },
        signal: AbortSignal.timeout(patienceMs),
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const received = new Headers()
          for (const [name, value] of Object.entries(incoming.headers)) received.set(name, String(value))
          const status = incoming.statusCode ?? 0
          try {
            const body = parsedBody(incoming.headers['content-type'] ?? '', text)
            resolve({ status, headers: received, text, body })
          } catch (error) {
            reject(error)
          }
        })
      },
    )
    outgoing.on('error', (error) =>
      reject(
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? new Error(`no answer within ${patienceMs} ms`)
          : error,
      ),
    )
    outgoing.end(body === null ? undefined : body)
  })
}

/** The path as the router decodes it, when that matches an operation; otherwise as sent. */
function routedPath(method: string, target: string): string {
  const path = target.split(/[?#]/)[0] as string
  try {
    return operationFor(method, decodeURI(path)) ? decodeURI(path) : path
  } catch {
    return path
  }
}

function judge(method: string, target: string, answer: Answer): void {
  if (answer.status >= 500) throw new Error(`answered ${answer.status}: ${answer.text.slice(0, 300)}`)
  // The answer to an address above 16 KiB comes from the parser, which does not know the surface.
  const path = answer.status === 431 ? '/unread' : routedPath(method, target)
  if (method !== 'HEAD') assertKeepsContract(method, path, answer)
  else if (answer.text !== '') throw new Error('a HEAD with a body')
}

export async function fuzz(
  target: Target,
  { count, seed = Date.now() & 0x7fffffff }: FuzzOptions,
): Promise<FuzzReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const byStatus: Record<number, number> = {}
  const reached = new Map<string, Map<number, number>>()
  let requests = 0
  const callers = await makeCallers(target)
  const property = fc.asyncProperty(anyRequest, async ({ method, target: address, caller, headers, body }) => {
    requests++
    const path = fill(address, callers)
    const filled = {
      method,
      target: path,
      headers: { ...(body !== null && { 'content-type': 'application/json' }), ...callers.headers(caller), ...headers },
      body: typeof body === 'string' ? fill(body, callers) : body,
    }
    let answer = await send(target.url, agent, filled)
    // An overloaded machine may shed load, and a client retries; a request that itself causes 503 causes it again.
    for (let tries = 1; answer.status === 503 && answer.headers.has('retry-after') && tries < 4; tries++) {
      await sleep(500 * tries)
      answer = await send(target.url, agent, filled)
    }
    judge(method, path, answer)
    const operation = operationFor(method, routedPath(method, path))
    byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1
    if (operation) {
      const seen = reached.get(operation.id) ?? new Map<number, number>()
      reached.set(operation.id, seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1))
    }
    await callers.learn(operation?.id, answer)
  })
  const details = await fc.check(property, { numRuns: count, seed })
  agent.destroy()
  const failure = details.failed ? `${fc.defaultReportMessage(details)}\n\n${details.errorInstance}` : null
  return { seed, requests, byStatus, reached, failure }
}

/** Fuzzes a server in a separate process over a separate database. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const publicUrl = 'http://countersign.test'
  const unlimited = '1000000/60'
  const server = await startProcess('../../apps/server/main.ts', {
    ROLE: 'api',
    DATABASE_URL: place.url,
    REDIS_URL: '',
    PUBLIC_URL: publicUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_STANDARD: unlimited,
    RATE_LIMIT_PARTNER: unlimited,
    RATE_LIMIT_PUBLIC: unlimited,
    RATE_LIMIT_PROOF: unlimited,
    RATE_LIMIT_LOGIN: unlimited,
  })
  try {
    return await fuzz({ ...openClient(server.url), world, publicUrl }, options)
  } finally {
    await server.stop()
    await world.close()
    await place.close()
  }
}
