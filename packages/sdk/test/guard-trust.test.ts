/** Whose approvals a guard accepts: of which center, of which people, and by which passkeys. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AsMember, open } from '../../../tests/support/approving.ts'
import { countingPasskey, type Registered } from '../../../tests/support/passkeys.ts'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { Countersign } from '../countersign.ts'
import { type GuardOptions, guard, parseTrust, type TrustPolicy } from '../guard.ts'
import { guarding } from '../guarding.ts'

interface Refund {
  readonly won: number
}

let server: TestServer
let fixture: ProofFixture
let trust: TrustPolicy
let passkey: Registered
let ran: number[]
let calls = 0

const rules = {
  match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/won', op: 'gt', value: 100_000 }] },
  approval: { identity: 'session' },
}

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  await fixture.policy({ humanReview: true }, rules)
  await fixture.policy({ dualApproval: true }, { ...rules, match: { actionTypes: ['payout'] } })
  trust = parseTrust((await server.call('GET', '/.well-known/countersign-log.json')).body.policy)
  passkey = await countingPasskey(server, fixture.instructor, fixture.center, fixture.admin)
})
afterAll(() => server.close())
beforeEach(() => {
  ran = []
})

const clientOf = (apiKey: string) => new Countersign({ baseUrl: server.url, apiKey })
const newCall = () => ({ callId: `trust/call-${++calls}` })
const optionsOf = (change: Partial<GuardOptions> = {}): GuardOptions => ({
  ...{ client: clientOf(fixture.key), trust, center: fixture.center.id, agent: { id: 'refund-agent' }, withinMs: 0 },
  ...change,
})
const refundOf = (change: Partial<GuardOptions> = {}, action = 'refund.issue') =>
  guard<Refund, string>(
    {
      action,
      run: ({ won }) => {
        ran.push(won)
        return 'paid'
      },
    },
    optionsOf(change),
  )

/** A call that waits is asked for, approved as `approve` does it, and made again. */
async function approved(change: Partial<GuardOptions>, approve: (id: string) => Promise<unknown>, action?: string) {
  const call = newCall()
  const refund = refundOf(change, action)
  const asked = await refund.ask({ won: 820_000 }, call)
  expect(asked.state).toBe('waiting')
  await approve(asked.eventId ?? '')
  return refund({ won: 820_000 }, call)
}
const byAdmin = async (id: string) => expect((await fixture.approveAsMember(id)).status).toBe(200)
async function byPasskey(id: string) {
  const as = { token: fixture.instructorToken }
  const path = `/api/decisions/${id}/approvals`
  const ask: AsMember = async (method, at, body) =>
    (await server.call(method, at, { ...as, ...(body && { body }) })).body.data
  const body = { result: 'approved', ...(await open(ask, id)) }
  const { publicKey } = (await server.call('POST', `${path}/challenge`, { ...as, body })).body.data
  const assertion = passkey.device.answer(publicKey.challenge)
  expect((await server.call('POST', path, { ...as, body: { ...body, assertion } })).status).toBe(200)
}
const unverified = (part: string) => ({ reason: 'unverified', message: expect.stringContaining(part) })

describe('the center', () => {
  it('is the one that the program names: a key of another center runs nothing, although its ADMIN approves', async () => {
    const other = await openProofFixture(server)
    await other.policy({ humanReview: true }, rules)
    const byOther = async (id: string) => expect((await other.approveAsMember(id)).status).toBe(200)
    await expect(approved({ client: clientOf(other.key), requires: 'session' }, byOther)).rejects.toMatchObject(
      unverified(`center ${fixture.center.id}`),
    )
    await expect(refundOf({ client: clientOf(other.key) })({ won: 1 }, newCall())).rejects.toMatchObject(
      unverified(`center ${fixture.center.id}`),
    )
    expect(ran).toEqual([])
  })

  it('is a sandbox only where the program says so', async () => {
    const sandbox = await server.world.sandbox(fixture.center, fixture.admin)
    const client = clientOf(await server.world.key(sandbox))
    await expect(refundOf({ client })({ won: 1 }, newCall())).rejects.toMatchObject({ reason: 'unverified' })
    expect(() => refundOf({ client, center: sandbox.id })).toThrow('sandbox: true')
    expect(ran).toEqual([])
    await refundOf({ client, center: sandbox.id, sandbox: true })({ won: 1 }, newCall())
    expect(ran).toEqual([1])
  })

  it('is not left out, and is not guessed', () => {
    for (const center of [undefined, null, Number.NaN, 0, -1, 1.5, '42'] as never[]) {
      expect(() => refundOf({ center })).toThrow('center')
    }
  })
})

describe('the people', () => {
  it('are those whom the program names', async () => {
    const approvers = [fixture.instructor.actorId]
    await expect(approved({ approvers }, byAdmin)).rejects.toMatchObject(unverified('approver'))
    expect(await approved({ approvers: [fixture.admin.actorId] }, byAdmin)).toBe('paid')
  })

  it('are asked for, where the program names them and the center does not ask', async () => {
    const approvers = [fixture.admin.actorId]
    await expect(refundOf({ approvers })({ won: 1 }, newCall())).rejects.toMatchObject({ reason: 'unverified' })
    expect(ran).toEqual([])
  })

  it('are all named, of two that approved', async () => {
    const both = async (id: string) => {
      const first = await fixture.approveAsMember(id, {}, fixture.instructorToken)
      expect(first.status).toBeLessThan(300)
      await byAdmin(id)
    }
    const { actorId } = fixture.admin
    await expect(approved({ approvers: [actorId] }, both, 'payout')).rejects.toMatchObject(unverified('approver'))
    const approvers = [actorId, fixture.instructor.actorId]
    expect(await approved({ approvers }, both, 'payout')).toBe('paid')
    await expect(approved({ requires: 'passkey' }, both, 'payout')).rejects.toMatchObject({ reason: 'unverified' })
  })

  it('are all shown: an earlier approval that is not shown counts for nothing', async () => {
    const hiding: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes('/export')) return response
      const shown = JSON.parse(await response.text())
      delete shown.evidence.prior0
      delete shown.evidence.disclosures?.prior0
      return Response.json(shown)
    }
    const client = new Countersign({ baseUrl: server.url, apiKey: fixture.key, fetch: hiding })
    const both = async (id: string) => {
      await fixture.approveAsMember(id, {}, fixture.instructorToken)
      await byAdmin(id)
    }
    await expect(approved({ client, requires: 'session' }, both, 'payout')).rejects.toMatchObject(unverified('earlier'))
    expect(ran).toEqual([])
  })
})

describe('the passkeys', () => {
  it('were bound before the time that the program names', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000)
    expect(await approved({ boundBefore: tomorrow }, byPasskey)).toBe('paid')
    const boundBefore = new Date('2020-01-01')
    await expect(approved({ boundBefore }, byPasskey)).rejects.toMatchObject(unverified('registered'))
    await expect(approved({ boundBefore: tomorrow }, byAdmin)).rejects.toMatchObject(unverified('passkey'))
    expect(() => refundOf({ boundBefore: new Date('never') })).toThrow('boundBefore')
  })

  it('were confirmed in a way that the program names', async () => {
    expect(await approved({ confirmedBy: ['admin'] }, byPasskey)).toBe('paid')
    await expect(approved({ confirmedBy: ['partner', 'operator'] }, byPasskey)).rejects.toMatchObject(
      unverified('confirmed'),
    )
  })
})

describe('calls in progress', () => {
  it('give the result of one tool to no other, although id and arguments are the same', async () => {
    const steps = guarding(optionsOf())
    const tool = (action: string) => ({ action, run: async () => action })
    const call = newCall()
    const [read, close] = await Promise.allSettled([
      steps.run(tool('account.read'), { id: 7 }, call),
      steps.run(tool('account.close'), { id: 7 }, call),
    ])
    const results = [read, close].flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(new Set(results).size).toBe(results.length)
    expect([read, close].find(({ status }) => status === 'rejected')).toMatchObject({ reason: { reason: 'changed' } })
  })

  it('are the same with the same arguments in another order', async () => {
    const steps = guarding(optionsOf())
    const tool = { action: 'account.read', run: async () => ran.push(1) }
    const call = newCall()
    const both = [steps.run(tool, { id: 7, of: 1 }, call), steps.run(tool, { of: 1, id: 7 }, call)]
    expect(await Promise.all(both)).toEqual([1, 1])
  })
})
