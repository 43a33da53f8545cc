/**
 * The failures that agents are known for, for the guard and for each adapter of both languages. In the end there is always one
 * decision, and the tool has run at most once; only an approval that can no longer be used is asked for again.
 */
import { spawn } from 'node:child_process'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitingDecisionsJob } from '../../../apps/server/features/evidence/decisions/waiting-decisions.job.ts'
import { useClock } from '../../../apps/server/lib/clock.ts'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { openWire, type Wire } from '../../../tests/support/tcp-proxy.ts'
import { Countersign } from '../countersign.ts'
import { type GuardOptions, parseTrust } from '../guard.ts'
import type { Framework, Outcome, Refund, Scene } from './agents/attempt.ts'
import { programOf } from './agents/one-attempt.ts'

let server: TestServer
let fixture: ProofFixture
let wire: Wire
let policyText: string
let ran: number[]
let runs = 0
/** How many decisions the agent of a test has made in the end. */
let decisions: number
let runId: string

const prepare = async () => {
  server = await startServer()
  wire = await openWire(server.url)
  fixture = await openProofFixture(server)
  await fixture.policy(
    { humanReview: true },
    {
      match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/won', op: 'gt', value: 50_000 }] },
      approval: { identity: 'session', expiresAfterSeconds: 120, usableForSeconds: 60 },
    },
  )
  policyText = (await server.call('GET', '/.well-known/countersign-log.json')).body.policy
}
const agentId = () => `agent-of-${runId}`
/** Its pauses are short, so that a test of an absent server does not wait for seconds. */
const clock = {
  now: Date.now,
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms > 10_000 ? ms : ms / 20)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}
const newClient = () => new Countersign({ baseUrl: wire.url.replace(/\/$/, ''), apiKey: fixture.key, clock })
const sceneOf = (won: number, change: Partial<GuardOptions> = {}, more: Partial<Scene> = {}): Scene => ({
  runId,
  won,
  run: (input: Refund) => {
    ran.push(input.won)
    return { refunded: input.won }
  },
  options: {
    ...{
      client: newClient(),
      trust: parseTrust(policyText),
      center: fixture.center.id,
      agent: { id: agentId() },
      withinMs: 0,
    },
    ...change,
  },
  server: { url: wire.url.replace(/\/$/, ''), key: fixture.key, policy: policyText },
  ...more,
})
const onlyEvent = async (asked = 0) => {
  const { data } = await newClient().decisions.list({ actorId: agentId() })
  return newClient().decisions.get(data.toSorted((one, other) => (one.id < other.id ? -1 : 1))[asked]?.id ?? '')
}
const decide = async (result: 'approved' | 'rejected', asked = 0) => {
  const { status } = await fixture.approveAsMember((await onlyEvent(asked)).id, { result })
  expect(status).toBe(200)
}

export function failureTable(frameworks: readonly Framework[], packages: () => Promise<unknown>): void {
  beforeAll(async () => {
    await packages()
    await prepare()
  }, 600_000)
  afterAll(async () => {
    await wire.close()
    await server.close()
  })
  beforeEach(() => {
    ran = []
    decisions = 1
    runId = `run-${++runs}`
  })
  afterEach(async () => {
    const { pagination } = await newClient().decisions.list({ actorId: agentId() })
    expect(pagination.total).toBe(decisions)
    expect(ran.length).toBeLessThanOrEqual(1)
  })
  describe.each(frameworks)('$name', (framework) => failuresOf(framework, frameworks.indexOf(framework)))
}

function failuresOf(framework: Framework, position: number): void {
  const attempt = (...args: Parameters<typeof sceneOf>): Promise<Outcome> => framework.attempt(sceneOf(...args))

  /** A process of its own, killed when it says so. */
  async function killed(won: number, when: 'waiting' | 'running'): Promise<void> {
    const { command, args, env } = (framework.program ?? programOf)(framework.name, {
      ...{ url: server.url, key: fixture.key, policy: policyText, center: fixture.center.id },
      ...{ agentId: agentId(), runId, won },
    })
    const child = spawn(command, [...args], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
    let said = ''
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data) => {
          said += data
          if (said.includes(when)) child.kill('SIGKILL')
        })
      }
      child.on('exit', (_, signal) => (signal === 'SIGKILL' ? resolve() : reject(new Error(said))))
    })
  }

  it('runs what was approved after a person has approved, once', async () => {
    expect(await attempt(82_000)).toBe('waiting')
    await decide('approved')
    expect(await attempt(82_000)).toBe('ran')
    expect(await attempt(82_000, { onDone: 'throw' }, { forgets: true })).toBe('done')
    expect(ran).toEqual([82_000])
    expect((await onlyEvent()).execution).toMatchObject({ outcome: { status: 'succeeded' } })
  })

  it('gives the result of an earlier run again, without running', async () => {
    const results: unknown[] = []
    const seen = { onResult: (result: unknown) => results.push(result) }
    expect(await attempt(42_000, {}, seen)).toBe('ran')
    expect(await attempt(42_000, { onDone: 'replay' }, { ...seen, forgets: true })).toBe('ran')
    expect([ran, results]).toEqual([[42_000], [{ refunded: 42_000 }, { refunded: 42_000 }]])
  })

  it('does not run 820,000 after the approval of 82,000', async () => {
    expect(await attempt(82_000)).toBe('waiting')
    await decide('approved')
    expect(await attempt(820_000)).toBe('changed')
    expect(ran).toEqual([])
  })

  it('does not run while a program claims an approval that no person gave', async () => {
    expect(await attempt(82_000)).toBe('waiting')
    expect(await attempt(82_000)).toBe('waiting')
    expect(ran).toEqual([])
    await decide('approved')
    expect(await attempt(82_000)).toBe('ran')
  })

  it('finds the approval again in a process that has lost everything else', async () => {
    expect(await attempt(82_000)).toBe('waiting')
    await decide('approved')
    expect(await attempt(82_000, { withinMs: 0 }, { forgets: true })).toBe('ran')
    expect(ran).toEqual([82_000])
  })

  it('goes on after its process was killed while it waited', async () => {
    await killed(82_000, 'waiting')
    await decide('approved')
    expect(await attempt(82_000)).toBe('ran')
    expect(ran).toEqual([82_000])
  })

  it('does not run again after its process was killed while it ran', async () => {
    await killed(42_000, 'running')
    expect(await attempt(42_000)).toBe('unknown')
    expect(await attempt(42_000)).toBe('unknown')
    expect(ran).toEqual([])
    expect((await onlyEvent()).execution).toMatchObject({ outcome: { status: 'unknown' } })
  })

  it('does not run after a refusal', async () => {
    expect(await attempt(82_000)).toBe('waiting')
    await decide('rejected')
    expect(await attempt(82_000)).toBe('refused')
    expect(ran).toEqual([])
  })

  it('does not run after an expiry', async () => {
    expect(await attempt(82_000)).toBe('waiting')
    const restore = useClock(() => Date.now() + 121_000)
    await waitingDecisionsJob(server.services, 'main', { centerId: fixture.center.id }).finally(restore)
    expect(await attempt(82_000)).toBe('expired')
    expect(ran).toEqual([])
  })

  it('does not run with an approval whose time has passed: it asks again, and runs after the new approval', async () => {
    expect(await attempt(82_000)).toBe('waiting')
    await decide('approved')
    // The log's time never goes back, and an expiry was sealed in the future.
    const late = Date.parse((await onlyEvent()).usableUntil ?? '') + 1000
    const restore = useClock(() => late)
    try {
      expect(await attempt(82_000)).toBe('waiting')
      expect(ran).toEqual([])
      await decide('approved', 1)
      expect(await attempt(82_000)).toBe('ran')
    } finally {
      restore()
    }
    expect(ran).toEqual([82_000])
    decisions = 2
  })

  it('does not run with an approval that is too little since a policy has changed: it asks again, for what is needed now', async () => {
    const won = 90_000 + position
    expect(await attempt(won)).toBe('waiting')
    await decide('approved')
    const match = { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/won', op: 'eq', value: won }] }
    await fixture.policy({ dualApproval: true }, { match, approval: { identity: 'session' } })
    expect(await attempt(won)).toBe('waiting')
    await decide('approved', 1)
    expect(await attempt(won)).toBe('waiting')
    expect(ran).toEqual([])
    const second = { result: 'approved' as const }
    expect((await fixture.approveAsMember((await onlyEvent(1)).id, second, fixture.instructorToken)).status).toBe(200)
    expect(await attempt(won)).toBe('ran')
    expect(ran).toEqual([won])
    decisions = 2
  })

  it('does not run while its agent is stopped, and goes on when the stop is lifted', async () => {
    expect(await attempt(82_000)).toBe('waiting')
    await decide('approved')
    const body = { actorId: agentId(), reason: 'The same refund three times' }
    const { id } = (await fixture.platform('POST', '/api/freezes', body)).body.data
    expect(await attempt(82_000)).toBe('frozen')
    expect(ran).toEqual([])
    await fixture.platform('POST', `/api/freezes/${id}/lift`, { reason: 'Fixed' })
    expect(await attempt(82_000, {}, { forgets: true })).toBe('ran')
  })

  it('does not run a request that was withdrawn', async () => {
    expect(await attempt(82_000)).toBe('waiting')
    await newClient().decisions.withdraw((await onlyEvent()).id, { reason: 'Canceled.' })
    expect(await attempt(82_000)).toBe('withdrawn')
    expect(ran).toEqual([])
  })

  it('goes on when the server was away while it waited', async () => {
    let readings = 0
    const onWaiting = async () => {
      if (readings++ > 0) return
      await wire.cut()
      setTimeout(() => void wire.mend().then(() => decide('approved')), 300)
    }
    expect(await attempt(82_000, { withinMs: 30_000, onWaiting })).toBe('ran')
    expect(ran).toEqual([82_000])
  })

  it('does not run again when the server was away while it ran', async () => {
    const unreported: string[] = []
    const run = async ({ won }: Refund) => {
      ran.push(won)
      await wire.cut()
    }
    const onUnreported = (_: unknown, eventId: string) => unreported.push(eventId)
    expect(await attempt(42_000, { onUnreported }, { run })).toBe('ran')
    await wire.mend()
    expect(unreported).toHaveLength(1)
    expect(await attempt(42_000, {}, { forgets: true })).toBe('unknown')
    expect(ran).toEqual([42_000])
  })

  it('does not run without a passkey where the program requires one, although a person has approved', async () => {
    expect(await attempt(82_000, { requires: 'passkey' })).toBe('waiting')
    await decide('approved')
    expect(await attempt(82_000, { requires: 'passkey' })).toBe('unverified')
    expect(ran).toEqual([])
  })
}
