import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProofFixture, startProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { newId } from '../../../../lib/ids.ts'
import { approved, consume, newExecutor, refused, report, type SealedDecision } from './fixture.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const boundKey = () => fixture.server.world.key(fixture.center, { boundTo: { id: 'agent-7', type: 'ai_agent' } })
/** Without the output, which has tests of its own. */
async function outcomeOf({ id }: { id: string }) {
  const { outcome } = (await fixture.v1('GET', `/api/v1/decision-events/${id}`)).body.data.execution
  const { output: _, ...rest } = outcome ?? {}
  return outcome && rest
}

async function consumed(token = fixture.key): Promise<{ event: SealedDecision; executor: string }> {
  const event = await approved(fixture)
  const executor = newExecutor()
  const { status, text } = await consume(fixture, event, executor, { token })
  if (status !== 200) throw new Error(text)
  return { event, executor }
}

describe('200', () => {
  it.each(['succeeded', 'failed', 'unknown'])(
    'seals the outcome "%s" once; the same report is answered again',
    async (status) => {
      const { event, executor } = await consumed()
      const body = { executor, status, output: { steps: [1, 2.5], text: '송금' } }
      const first = await report(fixture, event, body)
      expect([first.status, first.body.data]).toEqual([
        200,
        {
          eventId: event.id,
          status,
          reportedAt: expect.stringMatching(/Z$/),
          chainHash: expect.stringMatching(/^sha256:/),
        },
      ])
      const reordered = { ...body, output: { text: '송금', steps: [1, 2.5] } }
      expect((await report(fixture, event, reordered)).body.data).toEqual(first.body.data)
      expect(await outcomeOf(event)).toEqual({ status, reportedAt: first.body.data.reportedAt })
    },
  )

  it.each([
    ['its executor', async () => ({ token: fixture.key, own: true })],
    ['a later process with the key that recorded it', async () => ({ token: fixture.key, own: false })],
    ['a later process with a key bound to its actor', async () => ({ token: await boundKey(), own: false })],
  ])('after "unknown" takes one more outcome, from %s', async (_, caller) => {
    const { event, executor } = await consumed()
    const unknown = await report(fixture, event, { executor, status: 'unknown' })
    const { token, own } = await caller()
    const later = { executor: own ? executor : newExecutor(), status: 'failed', output: { found: 'nothing' } }
    const { status, body } = await report(fixture, event, later, token)
    expect([status, body.data.status]).toEqual([200, 'failed'])
    expect(await outcomeOf(event)).toEqual({ status: 'failed', reportedAt: body.data.reportedAt })
    expect((await report(fixture, event, later, token)).body.data).toEqual(body.data)
    expect((await report(fixture, event, { executor, status: 'unknown' })).body.data).toEqual(unknown.body.data)
    const third = await report(fixture, event, { executor, status: 'succeeded' })
    expect([...refused(third), third.body.error.details]).toEqual([409, 'CONFLICT', { status: 'failed' }])
    const proof = await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)
    expect(verifyExport(proof.body)).toMatchObject({ valid: true })
    expect(proof.body.evidence.history).toHaveLength(3)
  })

  it('takes the first outcome from a bound key that consumed the decision', async () => {
    const token = await boundKey()
    const { event, executor } = await consumed(token)
    expect(refused(await report(fixture, event, { executor, status: 'succeeded' }))).toEqual([409, 'CONFLICT'])
    expect((await report(fixture, event, { executor, status: 'succeeded' }, token)).status).toBe(200)
  })
})

describe('409', () => {
  it('for a decision that nobody has consumed', async () => {
    const event = await approved(fixture)
    const answer = await report(fixture, event, { executor: newExecutor(), status: 'unknown' })
    expect(refused(answer)).toEqual([409, 'CONFLICT'])
  })

  it('for a first outcome from another executor or another key; `details.executor` consumed it', async () => {
    const { event, executor } = await consumed()
    for (const [name, token] of [
      [newExecutor(), fixture.key],
      [executor, await boundKey()],
    ] as const) {
      const answer = await report(fixture, event, { executor: name, status: 'unknown' }, token)
      expect([...refused(answer), answer.body.error.details]).toEqual([409, 'CONFLICT', { executor }])
    }
    expect(await outcomeOf(event)).toBeNull()
  })

  it.each([
    ['another status', { status: 'failed' }],
    ['another output', { output: { won: 820_000 } }],
    ['no output', { output: undefined }],
    ['another executor', { executor: 'another' }],
  ])('for a second report with %s', async (_, change) => {
    const { event, executor } = await consumed()
    const first = { executor, status: 'succeeded', output: { won: 82_000 } }
    await report(fixture, event, first)
    expect(refused(await report(fixture, event, { ...first, ...change }))).toEqual([409, 'CONFLICT'])
    expect((await report(fixture, event, first)).status).toBe(200)
  })

  it('for "unknown" after "unknown" from another executor', async () => {
    const { event, executor } = await consumed()
    await report(fixture, event, { executor, status: 'unknown' })
    expect(refused(await report(fixture, event, { executor: newExecutor(), status: 'unknown' }))).toEqual([
      409,
      'CONFLICT',
    ])
  })
})

describe('422', () => {
  it.each([
    ['no status', { executor: 'e' }],
    ['an unknown status', { executor: 'e', status: 'done' }],
    ['no executor', { status: 'failed' }],
    ['an output that is no object', { executor: 'e', status: 'failed', output: 'text' }],
    ['an output of 16,385 bytes', { executor: 'e', status: 'failed', output: { text: 'x'.repeat(16_374) } }],
  ])('VALIDATION_ERROR for %s', async (_, body) => {
    const answer = await fixture.v1('POST', `/api/v1/decision-events/${newId('decisionEvent')}/outcome`, body)
    expect(refused(answer)).toEqual([422, 'VALIDATION_ERROR'])
  })

  it('not for an output of 16,384 bytes', async () => {
    const { event, executor } = await consumed()
    const output = { text: 'x'.repeat(16_373) }
    expect((await report(fixture, event, { executor, status: 'succeeded', output })).status).toBe(200)
  })
})

it('403 for another key of the center, even with the name of the executor', async () => {
  const { event, executor } = await consumed()
  const token = await fixture.server.world.key(fixture.center)
  for (const status of ['succeeded', 'unknown']) {
    expect(refused(await report(fixture, event, { executor, status }, token))).toEqual([403, 'FORBIDDEN'])
  }
})

describe('the output is read back', () => {
  const outcomeFor = async (event: SealedDecision, token = fixture.key) => {
    const { body } = await fixture.server.call('GET', `/api/v1/decision-events/${event.id}`, { token })
    return body.data.execution.outcome
  }

  it('by the key that reported it and by members, and by no other key', async () => {
    const event = await approved(fixture)
    const executor = newExecutor()
    await consume(fixture, event, executor)
    const output = { transfer: 'tr-9', parts: [1, { two: '이' }] }
    await report(fixture, event, { executor, status: 'succeeded', output })
    expect(await outcomeFor(event)).toMatchObject({ status: 'succeeded', output })
    const shown = await fixture.platform('GET', `/api/decisions/${event.id}`)
    expect(shown.body.data.execution.outcome.output).toEqual(output)
    const other = await fixture.server.world.key(fixture.center, { scopes: ['proof:read'] })
    expect(await outcomeFor(event, other)).not.toHaveProperty('output')
  })

  it('of the last report, and not without one', async () => {
    const event = await approved(fixture)
    const executor = newExecutor()
    await consume(fixture, event, executor)
    await report(fixture, event, { executor, status: 'unknown', output: { lost: true } })
    expect((await outcomeFor(event)).output).toEqual({ lost: true })
    await report(fixture, event, { executor, status: 'failed' })
    expect(await outcomeFor(event)).not.toHaveProperty('output')
  })

  it('until it is redacted', async () => {
    const event = await approved(fixture)
    const executor = newExecutor()
    await consume(fixture, event, executor)
    await report(fixture, event, { executor, status: 'succeeded', output: { name: 'Kim' } })
    const body = { paths: ['output'], reason: 'asked for' }
    expect((await fixture.platform('POST', `/api/dpu/${event.evidence.id}/redactions`, body)).status).toBe(201)
    expect(await outcomeFor(event)).toMatchObject({ status: 'succeeded' })
    expect(await outcomeFor(event)).not.toHaveProperty('output')
  })
})
