/** Waiting in Python follows the server's stream, as in TypeScript, and asks again where there is none. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Countersign } from '../../packages/sdk/countersign.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { compiled, folder, python } from './environment.ts'

let interpreter: string
let server: TestServer
let fixture: ProofFixture

beforeAll(async () => {
  interpreter = await python()
  server = await startServer()
  fixture = await openProofFixture(server)
  await fixture.policy({ humanReview: true }, { approval: { identity: 'session' } })
}, 600_000)
afterAll(() => server?.close())

interface Ended {
  readonly reads: number
  readonly streams: number
  readonly status: string
  readonly seconds: number
  readonly at: number
  readonly left: string[]
}

/** `whileWaiting` begins when the program has read the decision for the first time. */
async function waited(scene: object, whileWaiting: (id: string) => Promise<void>): Promise<Ended> {
  const { id } = await new Countersign({ baseUrl: server.url, apiKey: fixture.key }).decisions.record({
    type: 'agent_execution',
    actor: { id: 'agent-7', type: 'ai_agent' },
    action: { type: 'refund.issue', input: { won: 82_000 } },
  })
  const SCENE = JSON.stringify({ url: server.url, key: fixture.key, id, within: 60, breaks: false, ...scene })
  const env = { ...process.env, ...compiled, SCENE }
  const child = spawn(interpreter, [join(folder, 'tests/waiting.py')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let ended: Ended | null = null
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line)
    if (said.waiting) await whileWaiting(id)
    else ended = said
  }
  if (!ended) throw new Error('The program ended without a word.')
  return ended
}
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(['plain', 'asynchronous'])('a program that is %s', (kind) => {
  const asynchronous = kind === 'asynchronous'
  it('is told by the stream when to read again', { timeout: 120_000 }, async () => {
    let decidedAt = 0
    const { reads, streams, status, at, left } = await waited({ asynchronous }, async (id) => {
      await sleep(6000)
      expect((await fixture.approveAsMember(id)).status).toBe(200)
      decidedAt = Date.now() / 1000
    })
    expect([status, streams, left]).toEqual(['sealed', 1, []])
    // Once at first, once or twice until the stream was open, and for the changes that the approval brought.
    expect(reads).toBeLessThanOrEqual(7)
    // A program that only asks would have read it up to 15 seconds later.
    expect(at - decidedAt).toBeLessThan(8)
  })

  it('asks again where the stream breaks', { timeout: 120_000 }, async () => {
    const approve = async (id: string) => {
      await sleep(1500)
      expect((await fixture.approveAsMember(id)).status).toBe(200)
    }
    const { reads, streams, status } = await waited({ asynchronous, breaks: true }, approve)
    expect(status).toBe('sealed')
    expect(streams).toBeGreaterThan(1)
    expect(reads).toBeGreaterThan(2)
  })

  it('ends in time although the stream is open', { timeout: 120_000 }, async () => {
    const { status, seconds, left } = await waited({ asynchronous, within: 3 }, async () => {})
    expect([status, left]).toEqual(['pending', []])
    expect(seconds).toBeLessThan(15)
  })
})
