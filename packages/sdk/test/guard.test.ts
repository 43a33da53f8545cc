/** What a guard does beyond the failures that failures.test.ts lists for it and for the adapters. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useClock } from '../../../apps/server/lib/clock.ts'
import { hostKey } from '../../../tests/support/little-log.ts'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { Countersign } from '../countersign.ts'
import { GuardError, type GuardOptions, guard, parseTrust, type TrustPolicy } from '../guard.ts'

interface Refund {
  readonly order: string
  readonly won: number
}

let server: TestServer
let fixture: ProofFixture
let trust: TrustPolicy
let ran: { won: number; eventId: string }[]
let calls = 0

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  await fixture.policy(
    { humanReview: true },
    {
      match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/won', op: 'gt', value: 100_000 }] },
      approval: { identity: 'session' },
    },
  )
  trust = parseTrust((await server.call('GET', '/.well-known/countersign-log.json')).body.policy)
})
afterAll(() => server.close())
beforeEach(() => {
  ran = []
})

/** A guard of its own has no memory of others: it is another process. */
function newProcess(change: Partial<GuardOptions> = {}, tool: object = {}, client = newClient()) {
  return guard<Refund, { receipt: string }>(
    {
      action: 'refund.issue',
      describe: ({ order }) => `Refund order ${order}`,
      async run({ won }, { eventId }) {
        ran.push({ won, eventId })
        return { receipt: `r-${won}` }
      },
      ...tool,
    },
    { client, trust, center: fixture.center.id, agent: { id: 'refund-agent' }, withinMs: 0, ...change },
  )
}
const newClient = () => new Countersign({ baseUrl: server.url, apiKey: fixture.key })
const newCall = () => ({ callId: `run-1/call-${++calls}` })
const small = { order: '1041', won: 82_000 }
const large = { order: '1041', won: 820_000 }

const execution = async (id: string) => (await newClient().decisions.get(id)).execution

describe('a guarded tool', () => {
  it('runs at once where no policy asks for a person, and reports its outcome', async () => {
    expect(await newProcess()(small, newCall())).toEqual({ receipt: 'r-82000' })
    expect(await execution(ran[0]?.eventId ?? '')).toMatchObject({ outcome: { status: 'succeeded' } })
  })

  it('waits in one call for as long as it may', async () => {
    let asked = false
    const onWaiting = ({ id }: { id: string }) => {
      if (!asked) void fixture.approveAsMember(id)
      asked = true
    }
    await newProcess({ withinMs: 30_000, onWaiting, requires: 'session' })(large, newCall())
    expect(ran).toHaveLength(1)
  })

  it('runs what was approved, although the caller changes its object meanwhile', async () => {
    const input = { ...small }
    const result = newProcess()(input, newCall())
    input.won = 820_000
    await result
    expect(ran.map(({ won }) => won)).toEqual([82_000])
  })

  it('does not run twice: not in the same process, not in another', async () => {
    const call = newCall()
    const run = newProcess()
    const both = await Promise.all([run(small, call), run(small, call)])
    expect(both).toEqual([{ receipt: 'r-82000' }, { receipt: 'r-82000' }])
    await expect(newProcess()(small, call)).rejects.toMatchObject({ reason: 'done' })
    expect(ran).toHaveLength(1)
  })

  it('gives the output of an earlier success where it is told to, from the proof', async () => {
    const call = newCall()
    const first = await newProcess()(small, call)
    const client = newClient()
    // A server that says something else beside the proof changes nothing.
    const get = async (id: string) => {
      const { execution, ...rest } = await newClient().decisions.get(id)
      const outcome = execution?.outcome && { ...execution.outcome, output: { receipt: 'forged' } }
      return { ...rest, execution: execution && { ...execution, outcome } }
    }
    Object.assign(client.decisions, { get })
    expect(await newProcess({ onDone: 'replay' }, {}, client)(small, call)).toEqual(first)
    expect(ran).toHaveLength(1)
    await expect(newProcess({ onDone: 'replay' })({ ...small, won: 1 }, call)).rejects.toMatchObject({
      reason: 'changed',
    })
  })

  it.each([
    ['text', 'paid', 'paid'],
    ['nothing', undefined, undefined],
    ['null', null, null],
    ['a list', [1, { a: 2 }], [1, { a: 2 }]],
    ['an object with the name of a mark', { result: 5 }, { result: 5 }],
    ['an object with the name of the other mark', { omitted: 'x' }, { omitted: 'x' }],
  ])('replays %s as it was', async (_, output, expected) => {
    const call = newCall()
    const tool = { onDone: 'replay', run: () => output }
    await newProcess({}, tool)(small, call)
    expect(await newProcess({}, { ...tool, run: () => 'again' })(small, call)).toEqual(expected)
  })

  it('says that a call is done where its output cannot be given', async () => {
    const whole = newCall()
    const large = { onDone: 'replay', run: () => 'x'.repeat(20_000) }
    await newProcess({}, large)(small, whole)
    await expect(newProcess({}, large)(small, whole)).rejects.toMatchObject({ reason: 'done' })
    const part = newCall()
    const reporting = { onDone: 'replay', report: ({ receipt }: { receipt: string }) => receipt }
    await newProcess({}, reporting)(small, part)
    await expect(newProcess({}, reporting)(small, part)).rejects.toMatchObject({ reason: 'done' })
    const restore = (receipt: unknown, { order }: Refund) => ({ receipt, order })
    expect(await newProcess({}, { ...reporting, restore })(small, part)).toEqual({ receipt: 'r-82000', order: '1041' })
  })

  it('holds each call to the terms of its tool and arguments', async () => {
    const seen: number[] = []
    const requires = ({ won }: Refund) => {
      seen.push(won)
      return won > 100_000 ? ('session' as const) : null
    }
    const process = (more: object = {}) =>
      newProcess({ requires: 'passkey', withinMs: 60_000 }, { requires, withinMs: 0, ...more })
    expect(await process()(small, newCall())).toEqual({ receipt: 'r-82000' })
    const call = newCall()
    const { eventId } = await process().ask(large, call)
    await fixture.approveAsMember(eventId ?? '')
    expect(await process()(large, call)).toEqual({ receipt: 'r-820000' })
    expect(new Set(seen)).toEqual(new Set([82_000, 820_000]))
    const other = { center: ({ won }: Refund) => (won > 100_000 ? fixture.center.id + 1 : fixture.center.id) }
    await expect(process({ ...other, onDone: 'replay' })(large, call)).rejects.toMatchObject({ reason: 'unverified' })
    await expect(process({ requires: () => {} })(small, newCall())).rejects.toThrow('requires returned no value')
    await expect(process({ requires: () => 'passkeys' })(small, newCall())).rejects.toThrow('requires is passkeys')
    await expect(process({ withinMs: () => Number.NaN })(small, newCall())).rejects.toThrow('withinMs is NaN')
  })

  it('tells of a decision that waits once, with the texts of its tool', async () => {
    const told: { id: string; reason: string | null }[] = []
    const call = newCall()
    const run = newProcess(
      { withinMs: 1200, onWaiting: ({ id, reason }) => void told.push({ id, reason }) },
      { reason: ({ order }: Refund) => `Order ${order} was lost.` },
    )
    await expect(run(large, call)).rejects.toMatchObject({ reason: 'waiting' })
    const { eventId, approvalUrl } = await run.ask(large, call)
    expect(told).toEqual([{ id: eventId, reason: 'Order 1041 was lost.' }])
    expect(approvalUrl).toBe(`http://countersign.test/approve/${eventId}`)
  })

  it('gives the words of the person who refused', async () => {
    const call = newCall()
    const { eventId } = await newProcess().ask(large, call)
    await fixture.approveAsMember(eventId ?? '', { result: 'rejected', reason: 'Too much.' })
    const refusal = { by: expect.any(String), reason: 'Too much.' }
    expect(await newProcess().ask(large, call)).toMatchObject({ state: 'refused', refusal })
    await expect(newProcess()(large, call)).rejects.toMatchObject({
      ...{ reason: 'refused', refusal },
      message: expect.stringMatching(/ refused the call\. The reason: "Too much\."$/),
    })
  })

  it('runs once among ten processes at the same time', async () => {
    const call = newCall()
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => newProcess()(small, call)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(ran).toHaveLength(1)
    expect(await execution(ran[0]?.eventId ?? '')).toMatchObject({ outcome: { status: 'succeeded' } })
  })

  it('does not run while its agent is stopped, says why, and goes on with the same id after the lifting', async () => {
    const own = await openProofFixture(server)
    await own.policy(
      { humanReview: true },
      {
        match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/won', op: 'gt', value: 100_000 }] },
        approval: { identity: 'session' },
      },
    )
    const client = new Countersign({ baseUrl: server.url, apiKey: own.key })
    const process = () => newProcess({ center: own.center.id }, {}, client)
    const stop = async () => {
      const body = { actorId: 'refund-agent', reason: 'The same refund three times' }
      return (await own.platform('POST', '/api/freezes', body)).body.data.id as string
    }
    const lift = (id: string) => own.platform('POST', `/api/freezes/${id}/lift`, { reason: 'Fixed' })
    const [first, waiting] = [newCall(), newCall()]
    const { eventId } = await process().ask(large, waiting)
    const id = await stop()
    await expect(process()(small, first)).rejects.toMatchObject({ name: 'GuardError', reason: 'frozen' })
    expect(await process().ask(small, first)).toMatchObject({
      state: 'frozen',
      message: expect.stringContaining('stopped'),
    })
    await lift(id)
    await process()(small, first)
    // Approved before the stop, and taken during it.
    await own.approveAsMember(eventId ?? '')
    const second = await stop()
    await expect(process()(large, waiting)).rejects.toMatchObject({ reason: 'frozen' })
    expect(ran).toHaveLength(1)
    await lift(second)
    await process()(large, waiting)
    expect(ran).toHaveLength(2)
  })

  it('does not run where a policy refuses, and the refusal is recorded', async () => {
    const strict = await openProofFixture(server)
    await strict.policy({ policyRequired: true })
    const client = new Countersign({ baseUrl: server.url, apiKey: strict.key })
    const error = await newProcess(
      { center: strict.center.id },
      {},
      client,
    )(small, newCall()).catch((each: unknown) => each)
    expect(error).toMatchObject({ reason: 'refused', eventId: expect.stringMatching(/^evt_/) })
    const { status } = await client.decisions.get((error as { eventId: string }).eventId)
    expect([status, ran]).toEqual(['rejected', []])
  })

  it('runs once when the answer to its consumption is lost', async () => {
    let lost = 0
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (String(input).endsWith('/consume') && lost++ === 0) throw new TypeError('the connection was lost')
      return response
    }
    const client = new Countersign({ baseUrl: server.url, apiKey: fixture.key, fetch: losing })
    expect(await newProcess({}, {}, client)(small, newCall())).toEqual({ receipt: 'r-82000' })
    expect([ran.length, lost]).toEqual([1, 2])
  })

  it('reports a failure, and throws what the tool threw', async () => {
    const call = newCall()
    let eventId = ''
    const failing = {
      run(_: Refund, given: { eventId: string }) {
        eventId = given.eventId
        throw new Error('the bank is closed')
      },
    }
    await expect(newProcess({}, failing)(small, call)).rejects.toThrow('the bank is closed')
    expect(await execution(eventId)).toMatchObject({ outcome: { status: 'failed' } })
    await expect(newProcess({}, failing)(small, call)).rejects.toMatchObject({ reason: 'done' })
  })

  it('reports an outcome as unknown if the tool says that it cannot tell', async () => {
    let eventId = ''
    const lost = {
      run(_: Refund, call: { eventId: string }) {
        eventId = call.eventId
        throw new GuardError('unknown', 'No answer from the bank', call.eventId)
      },
    }
    await expect(newProcess({}, lost)(small, newCall())).rejects.toMatchObject({ reason: 'unknown' })
    expect(await execution(eventId)).toMatchObject({ outcome: { status: 'unknown' } })
  })

  it('runs nothing that an unknown log vouches for', async () => {
    const stranger = parseTrust(`log ${hostKey('countersign.test').vkey}\nquorum none\n`)
    await expect(newProcess({ trust: stranger })(small, newCall())).rejects.toMatchObject({ reason: 'unverified' })
    expect(ran).toEqual([])
  })

  it('runs nothing without a person where the program requires one', async () => {
    await expect(newProcess({ requires: 'session' })(small, newCall())).rejects.toMatchObject({ reason: 'unverified' })
    expect(ran).toEqual([])
  })
})

describe('a process that was killed while it ran the tool', () => {
  /** It took the decision, and nothing more is known of it. */
  async function killed(call: { callId: string }): Promise<string> {
    let eventId = ''
    const dying = newClient()
    const { decisions } = dying
    const client = {
      ...{ agents: dying.agents, evidence: dying.evidence },
      decisions: { ...decisions, reportOutcome: () => Promise.reject(new Error('killed')) as never },
    }
    const run = (_: Refund, given: { eventId: string }) => {
      eventId = given.eventId
      return { receipt: 'lost' }
    }
    await newProcess({}, { run }, client as unknown as Countersign)(small, call)
    return eventId
  }

  it('leaves a tool that is idempotent to the next process', async () => {
    const call = newCall()
    const eventId = await killed(call)
    expect(await newProcess({}, { idempotent: true })(small, call)).toEqual({ receipt: 'r-82000' })
    expect(ran).toEqual([{ won: 82_000, eventId }])
    expect(await execution(eventId)).toMatchObject({ outcome: { status: 'succeeded' } })
  })
})

describe('an approval that can no longer be used', () => {
  const failed = (run: Promise<unknown>) => run.catch((error: unknown) => error as { reason: string; eventId: string })
  const waiting = async (callId: string) => {
    const error = (await failed(newProcess()(large, { callId }))) as { reason: string; eventId: string }
    expect(error.reason).toBe('waiting')
    return error.eventId
  }
  const move = (seconds: number) => {
    const start = Date.now()
    return useClock(() => start + seconds * 1000)
  }

  it('is asked for anew when its time has passed, and the new one runs once', async () => {
    const { callId } = newCall()
    const first = await waiting(callId)
    await fixture.approveAsMember(first)
    const restore = move(8 * 86_400)
    const second = await waiting(callId)
    restore()
    expect(second).not.toBe(first)
    expect((await newClient().decisions.get(second)).decisionId).toBe(`${callId}~1`)
    expect(
      await newProcess({ clock: { now: () => Date.now() + 8 * 86_400_000, sleep: async () => {} } }).ask(large, {
        callId,
      }),
    ).toMatchObject({
      state: 'waiting',
      eventId: second,
    })
    await fixture.approveAsMember(second)
    const again = move(8 * 86_400)
    // The second approval was given eight days earlier by this clock, too.
    expect(await waiting(callId)).not.toBe(second)
    again()
    expect(ran).toEqual([])
    expect(await newProcess()(large, { callId })).toEqual({ receipt: 'r-820000' })
    expect(ran.map(({ eventId }) => eventId)).toEqual([first])
  })

  it('is not used by the clock of the program either, whatever the server would allow', async () => {
    const { callId } = newCall()
    const first = await waiting(callId)
    await fixture.approveAsMember(first)
    const clock = { now: () => Date.now() + 8 * 86_400_000, sleep: async () => {} }
    const error = (await failed(newProcess({ clock })(large, { callId }))) as { reason: string; eventId: string }
    expect([error.reason, error.eventId === first, ran]).toEqual(['waiting', false, []])
  })

  it('is asked for anew when a policy asks for more, and no longer runs as it was given', async () => {
    const own = await openProofFixture(server)
    const client = new Countersign({ baseUrl: server.url, apiKey: own.key })
    const process = () => newProcess({ center: own.center.id }, {}, client)
    const { callId } = newCall()
    expect(await process().ask(small, { callId })).toMatchObject({ state: 'ready' })
    await own.policy({ humanReview: true }, { match: { actionTypes: ['refund.*'] }, approval: { identity: 'session' } })
    const error = (await failed(process()(small, { callId }))) as { reason: string; eventId: string }
    expect([error.reason, ran]).toEqual(['waiting', []])
    await own.approveAsMember(error.eventId)
    await process()(small, { callId })
    expect(ran.map(({ eventId }) => eventId)).toEqual([error.eventId])
  })
})

it('a request that was withdrawn runs nothing, and says so', async () => {
  const call = newCall()
  const error = (await newProcess()(large, call).catch((each: unknown) => each)) as { eventId: string }
  await newClient().decisions.withdraw(error.eventId, { reason: 'Canceled.' })
  await expect(newProcess()(large, call)).rejects.toMatchObject({ reason: 'withdrawn', eventId: error.eventId })
  expect(await newProcess().ask(large, call)).toMatchObject({ state: 'withdrawn' })
  expect(ran).toEqual([])
})
