/** Attempts, timeouts, leases, and the result of an execution. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../../../../../tests/support/server.ts'
import {
  draft,
  startWorkflowFixture,
  step,
  type WorkflowFixture,
  workflow,
  workflowId,
} from '../../../../../../tests/support/workflow-fixture.ts'
import { uuidOf } from '../../../../lib/ids.ts'
import { StepFailure } from '../definition.ts'

/** How often each step ran, by execution. */
const calls = new Map<string, number>()
const counted = (executionId: string, name: string): number => {
  const key = `${executionId} ${name}`
  calls.set(key, (calls.get(key) ?? 0) + 1)
  return calls.get(key) as number
}
const never = (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener('abort', reject))
const held = new Map<string, () => void>()

const definitions = [
  workflow({
    key: 'third-time',
    steps: [
      step('first', async ({ executionId }) => counted(executionId, 'first')),
      step('flaky', async ({ executionId }) => {
        if (counted(executionId, 'flaky') < 3) throw new StepFailure('the server was busy.', { retry: true })
        return 'well'
      }),
      step('write', async ({ outputs }) => draft(JSON.stringify(outputs))),
    ],
  }),
  workflow({
    key: 'hopeless',
    steps: [
      step('first', async () => 1),
      step('refused', async () => {
        throw new StepFailure('the key is wrong. Set AI_API_KEY and execute it again.', { retry: false })
      }),
      step('write', async () => draft('no')),
    ],
  }),
  workflow({
    key: 'astonished',
    steps: [
      step('trip', async ({ executionId }) => {
        counted(executionId, 'trip')
        throw new TypeError('secret internals')
      }),
    ],
  }),
  workflow({
    key: 'late',
    steps: [step('wait', ({ signal }) => never(signal), { timeoutSeconds: 0.05, attempts: 2 })],
  }),
  workflow({
    key: 'deaf',
    steps: [step('sleep', () => sleep(600, draft('too late')), { timeoutSeconds: 0.05, attempts: 1 })],
  }),
  workflow({ key: 'no-draft', steps: [step('write', async () => draft(''))] }),
  workflow({ key: 'unstorable', steps: [step('write', async () => draft('a\u0000b'))] }),
  workflow({ key: 'huge', steps: [step('write', async () => 'x'.repeat(300_000))] }),
  workflow({
    key: 'model',
    steps: [
      step('write', async () =>
        draft('Three of four came.', {
          metadata: { reason: 'Weekly summary.' },
          ai: { model: 'm-1', provider: 'fixture', confidence: 0.7, promptHash: 'a'.repeat(64) },
        }),
      ),
    ],
  }),
  workflow({
    key: 'held',
    steps: [
      step('first', async () => 1),
      step(
        'hold',
        async ({ executionId }) => {
          const time = counted(executionId, 'hold')
          if (time === 1) await new Promise<void>((resolve) => held.set(executionId, resolve))
          return `answer ${time}`
        },
        { timeoutSeconds: 60 },
      ),
      step('write', async ({ outputs }) => draft(String(outputs.hold))),
    ],
  }),
  workflow({
    key: 'reader',
    steps: [
      step('count', async ({ read }) =>
        draft(`units: ${(await read((tx) => tx.db.selectFrom('dpus').select('id').execute())).length}`),
      ),
    ],
  }),
  workflow({
    key: 'writer',
    steps: [
      step(
        'write',
        async ({ read }) => {
          await read((tx) => tx.db.deleteFrom('bookings').execute())
          return draft('no')
        },
        { attempts: 1 },
      ),
    ],
  }),
]
let fixture: WorkflowFixture
beforeAll(async () => {
  fixture = await startWorkflowFixture({ definitions })
})
afterAll(() => fixture.close())

const dpuOf = async (dpuId: string | null) => (await fixture.platform('GET', `/api/dpu/${dpuId}`)).body.data
const ended = async (key: string) => fixture.ended(await fixture.run(key))

describe('a step that fails', () => {
  it('is retried alone; later steps see the recorded outputs', async () => {
    const { status, steps, dpuId, executionId } = await ended('third-time')
    expect(status).toBe('COMPLETED')
    expect(steps.map(({ attempts }) => attempts)).toEqual([1, 3, 1])
    expect(steps[1]?.error).toBe('the server was busy.')
    expect(calls.get(`${executionId} first`)).toBe(1)
    expect((await dpuOf(dpuId)).content).toBe('{"first":1,"flaky":"well"}')
  })

  it('is not retried where that would not help, and the failure says what to do', async () => {
    const { status, failure, steps, completedAt } = await ended('hopeless')
    expect(status).toBe('FAILED')
    expect(completedAt).not.toBeNull()
    expect(failure).toBe('The step "refused" failed: the key is wrong. Set AI_API_KEY and execute it again.')
    expect(steps.map(({ status: each }) => each)).toEqual(['COMPLETED', 'FAILED', 'CANCELED'])
  })

  it('is tried as often as the definition says; an unexpected error is in the log and not in the response', async () => {
    const { status, failure, executionId } = await ended('astonished')
    expect([status, calls.get(`${executionId} trip`)]).toEqual(['FAILED', 3])
    expect(failure).toMatch(/^The step "trip" failed, after 3 attempts: an unexpected error/)
    expect(failure).not.toContain('secret internals')
    expect(fixture.server.logs.some((line) => line.includes('secret internals') && line.includes(executionId))).toBe(
      true,
    )
  })

  it('is aborted at its timeout', async () => {
    const { failure, steps } = await ended('late')
    expect(failure).toBe(
      'The step "wait" failed, after 2 attempts: it took longer than 0.05 seconds and was abandoned.',
    )
    expect(steps[0]).toMatchObject({ status: 'FAILED', attempts: 2 })
  })

  it('and ignores its signal is abandoned, and its later output is not recorded', async () => {
    const { status, executionId, dpuId } = await ended('deaf')
    expect(status).toBe('FAILED')
    await sleep(800)
    expect(await fixture.watch(executionId)).toMatchObject({ status: 'FAILED', dpuId })
  })

  it.each([
    ['no-draft', /valid draft: content must NOT have fewer than 1 characters. Contact the operator/],
    ['unstorable', /characters that cannot be stored/],
    ['huge', /more than 262144 characters/],
    ['writer', /The request failed because of a storage error, so nothing was changed/],
  ])('%s fails with a reason', async (key, reason) => {
    const { status, failure } = await ended(key)
    expect(status).toBe('FAILED')
    expect(failure).toMatch(reason)
  })
})

describe('the result of an execution', () => {
  it('is a DRAFT in the chain that names its origin and has a proof', async () => {
    const { dpuId, executionId } = await ended('model')
    expect(await dpuOf(dpuId)).toMatchObject({
      content: 'Three of four came.',
      evidenceLevel: 'DRAFT',
      domain: 'dpu',
      referenceType: 'workflow_execution',
      referenceId: executionId,
      createdBy: workflowId('model'),
      tags: ['test'],
      metadata: { reason: 'Weekly summary.' },
    })
    const verdict = (await fixture.platform('GET', `/api/dpu/${dpuId}/verify`)).body.data
    expect(verdict).toMatchObject({ valid: true, brokenAt: null })
    const { who, how } = (await fixture.platform('GET', `/api/dpu/${dpuId}/responsibility`)).body.data
    expect(who).toEqual({ id: workflowId('model'), name: 'Test of model', role: 'SYSTEM', type: 'system' })
    expect(how).toEqual({
      method: 'workflow',
      workflowId: workflowId('model'),
      model: 'm-1',
      provider: 'fixture',
      confidence: 0.7,
      promptHash: 'a'.repeat(64),
      evidenceLevel: 'DRAFT',
    })
    const { evidence } = (await fixture.platform('GET', `/api/dpu/${dpuId}/export`)).body
    expect(evidence.responsibility).toMatchObject({ method: 'workflow', model: 'm-1', promptHash: 'a'.repeat(64) })
    const chain = (await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')).body.data
    expect(chain.allValid).toBe(true)
  })

  it('is reviewed by the person who raises its level, also where a policy requires human review', async () => {
    await fixture.policy({ humanReview: true })
    const { dpuId } = await ended('model')
    expect((await fixture.raise(dpuId as string, 'DOCUMENTED', fixture.instructorToken)).status).toBe(200)
    const byKey = await fixture.v1('PUT', `/api/dpu/${dpuId}`, { evidenceLevel: 'AUDIT_READY' })
    expect(byKey.status).toBe(401)
    expect((await dpuOf(dpuId)).evidenceLevel).toBe('DOCUMENTED')
  })

  it('is made from data of its own center only', async () => {
    const { dpuId } = await ended('reader')
    const [{ count }] = (await fixture.server.world.query(
      'select count(*)::int as count from cell.dpus where center_id = $1 and id <> $2',
      [fixture.center.id, uuidOf('dpu', dpuId as string)],
    )) as [{ count: number }]
    expect((await dpuOf(dpuId)).content).toBe(`units: ${count}`)
  })
})

describe('a worker that has lost its lease', () => {
  it('records nothing, whatever its step returns: the worker that took over decides', async () => {
    const id = await fixture.run('held')
    await fixture.until(id, () => held.has(id))
    // As if this worker had been unresponsive for longer than its lease.
    const away = `update cell.executions set next_at = now() - interval '1 second'
      where id = $1 and lease_epoch = 1 returning id`
    // Again until another take has raised the epoch: a renewal may come between.
    const expire = () => fixture.server.world.query(away, [uuidOf('execution', id)])
    await expect.poll(async () => (await expire()).length, { timeout: 10_000 }).toBe(0)
    const { dpuId, status, steps } = await fixture.ended(id)
    expect([status, steps[1]?.attempts]).toEqual(['COMPLETED', 1])
    held.get(id)?.()
    await sleep(300)
    expect((await dpuOf(dpuId)).content).toBe('answer 2')
    const rows = await fixture.server.world.query('select losses, lease_epoch from cell.executions where id = $1', [
      uuidOf('execution', id),
    ])
    expect(rows).toEqual([{ losses: 1, lease_epoch: 2 }])
  })

  it('releases its leases when it stops, and another worker resumes after the last recorded step', async () => {
    const own = await startWorkflowFixture({ definitions, resting: true })
    try {
      const [one, two] = [own.server, await startServer({ beside: own.server, definitions })]
      one.services.workflows.start()
      const id = await own.run('held')
      await own.until(id, () => held.has(id))
      await one.services.workflows.stop()
      expect((await own.watch(id)).steps.map(({ status }) => status)).toEqual(['COMPLETED', 'PENDING', 'PENDING'])
      two.services.workflows.start()
      expect(await own.ended(id)).toMatchObject({
        status: 'COMPLETED',
        steps: [{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }],
      })
      await two.close()
    } finally {
      await own.close()
    }
  })
})
