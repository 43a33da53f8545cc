/** The units of executions that failed or were canceled, and the race to end an execution. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import {
  draft,
  startWorkflowFixture,
  step,
  type WorkflowFixture,
  workflow,
  workflowId,
} from '../../../../../../tests/support/workflow-fixture.ts'
import { uuidOf } from '../../../../lib/ids.ts'
import type { Workflow } from '../catalogue.ts'
import { StepFailure } from '../definition.ts'
import { fail, finish, type Leased } from '../finish.ts'
import { executionLeases } from '../runner-queries.ts'

const failing = step('ask', async () => {
  throw new StepFailure('the key is\0 wrong. Set AI_API_KEY.', { retry: false })
})
const definitions = [
  workflow({ key: 'fails', name: 'Weekly summary', names: { ko: '주간 요약' }, steps: [failing] }),
  workflow({ key: 'waits', name: 'Weekly summary', names: { ko: '주간 요약' } }),
]
/** Executions of the key `waits` wait: the runner of this server takes only those that fail. */
let fixture: WorkflowFixture
let beside: TestServer
beforeAll(async () => {
  fixture = await startWorkflowFixture({ definitions, resting: true })
  beside = await startServer({ beside: fixture.server, definitions: definitions.slice(0, 1) })
  beside.services.workflows.start()
})
afterAll(async () => {
  await beside.close()
  await fixture.close()
})

const query = <T extends object>(text: string, values: unknown[]) => fixture.server.world.query<T>(text, values)
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d'

async function started({ platform }: ProofFixture, key: string): Promise<string> {
  const { body } = await platform('POST', `/api/workflows/${workflowId(key)}/execute`, {})
  return body.data.executionId
}
const watched = async ({ platform }: ProofFixture, id: string) =>
  (await platform('GET', `/api/workflows/executions/${id}`)).body.data
async function failed(at: ProofFixture) {
  const id = await started(at, 'fails')
  await expect.poll(async () => (await watched(at, id)).status, { timeout: 15_000 }).toBe('FAILED')
  return watched(at, id)
}
const cancel = ({ platform }: ProofFixture, id: string, headers = {}) =>
  platform('POST', `/api/workflows/executions/${id}/cancel`, undefined, headers)
async function canceled(at: ProofFixture) {
  const { status, body } = await cancel(at, await started(at, 'waits'))
  expect(status).toBe(200)
  return body.data
}

describe('an execution without a result leaves a draft that says so', () => {
  const lines = (text: string) => new RegExp(`^${text.trim().replaceAll(/\n +/g, '\n')}$`)
  const failure = 'The step "ask" failed: the key is\uFFFD wrong. Set AI_API_KEY.'

  it.each([
    {
      outcome: 'FAILED',
      locale: 'en-US',
      end: failed,
      content: lines(`
        Weekly summary: failed
        This workflow execution failed and has no result.

        Started: ${time} \\(Asia/Seoul\\)
        Ended: ${time} \\(Asia/Seoul\\)
        Reason: ${failure}

        This is a draft. It counts only after someone has reviewed it and raised its evidence level.`),
      more: () => ({ reason: failure, step: 'ask' }),
    },
    {
      outcome: 'CANCELED',
      locale: 'ko-KR',
      end: canceled,
      content: lines(`
        주간 요약: 취소됨
        워크플로 실행이 취소되어 결과가 없습니다.

        시작: ${time} \\(Asia/Seoul\\)
        종료: ${time} \\(Asia/Seoul\\)
        취소한 사람: .+ \\(관리자\\)

        이 문서는 초안입니다. 사람이 검토하고 증거 수준을 올려야 인정됩니다.`),
      more: ({ admin }: ProofFixture) => ({
        canceledBy: { id: admin.actorId, name: expect.any(String), role: 'ADMIN' },
      }),
    },
  ])('$outcome', async ({ outcome, locale, end, content, more }) => {
    const at = await openProofFixture(fixture.server)
    await at.platform('PATCH', `/api/centers/${at.center.id}/settings`, { locale, timezone: 'Asia/Seoul' })
    const { executionId, dpuId, status, evidenceLevel, completedAt } = await end(at)
    expect([status, evidenceLevel]).toEqual([outcome, 'DRAFT'])
    const unit = (await at.platform('GET', `/api/dpu/${dpuId}`)).body.data
    expect(unit).toMatchObject({
      content: expect.stringMatching(content),
      referenceType: 'workflow_execution',
      referenceId: executionId,
      metadata: { outcome, startedAt: iso, endedAt: completedAt, ...more(at) },
    })
    const { body } = await at.platform('GET', `/api/dpu/${dpuId}/verify`)
    expect(body.data).toMatchObject({ valid: true, brokenAt: null })
    const entries = await query(
      `select type, details ->> 'action' as action from cell.audit_entries
       where center_id = $1 and target_id in ($2, $3) order by type, action`,
      [at.center.id, executionId, dpuId],
    )
    expect(entries).toEqual([
      { type: 'dpu.changed', action: 'created' },
      ...[outcome.toLowerCase(), 'started'].toSorted().map((action) => ({ type: 'workflow.executed', action })),
    ])
  })
})

describe('an execution ends without a unit where the chain', () => {
  const logged = (id: string) =>
    fixture.server.logs.concat(beside.logs).filter((line) => line.includes(id) && line.includes('without a unit'))
  /** As superuser, past every trigger. */
  const forge = async ({ center, unit }: ProofFixture, forgery: string) => {
    await unit()
    const sql = `${forgery} where center_id = ${center.id} and domain = 'dpu'`
    await fixture.server.world.query(`begin; set local session_replication_role = replica; ${sql}; commit`)
  }
  const deletion = 'delete from cell.chain_entries'
  it.each([
    ['is marked as broken', 'update cell.chain_heads set broken_at = 0'],
    ['has lost its last entry', deletion],
  ])('%s', async (_, forgery) => {
    for (const end of [failed, canceled]) {
      const at = await openProofFixture(fixture.server)
      await forge(at, forgery)
      const { executionId, dpuId, completedAt } = await end(at)
      expect([dpuId, completedAt]).toEqual([null, iso])
      expect(await watched(at, executionId)).toMatchObject({ dpuId: null, evidenceLevel: null })
      await expect.poll(() => logged(executionId).length).toBe(1)
    }
  })

  it('is broken, and a retry with the same Idempotency-Key gets the same answer', async () => {
    const at = await openProofFixture(fixture.server)
    await forge(at, deletion)
    const id = await started(at, 'waits')
    const headers = { 'idempotency-key': 'c-1' }
    const [first, again] = [await cancel(at, id, headers), await cancel(at, id, headers)]
    expect(first.body.data).toMatchObject({ status: 'CANCELED', dpuId: null })
    expect([again.status, again.body]).toEqual([200, first.body])
  })
})

describe('of all who end an execution', () => {
  /** A lease on an execution, and what a worker has in hand at its end. */
  async function leased(at: ProofFixture, id: string): Promise<Leased & { readonly stale: Leased }> {
    const { services } = fixture.server
    const uuid = uuidOf('execution', id)
    const store = executionLeases(services.cells.of('main'), ['waits'], 1000)
    const took = async () => {
      await query('update cell.executions set next_at = now() where id = $1', [uuid])
      const soon = new Date(Date.now() + 60_000)
      return (await store.take(new Date(Date.now() + 1000), soon, 1000, [])).find((lease) => lease.id === uuid)
    }
    const [first, second] = [await took(), await took()]
    if (!first || !second) throw new Error('the execution could not be leased')
    const workflow = services.catalogue.byKey('waits') as Workflow
    const center = await services.centers.profile(at.center.id)
    const { sequencer, log } = services
    const common = { tools: { sequencer, log, ended: () => {} }, workflow, center }
    return { ...common, lease: second, stale: { ...common, lease: first } }
  }

  it('one does: fifty who cancel, complete and fail it leave one end and one unit', async () => {
    const at = await openProofFixture(fixture.server)
    const winners = new Set<string>()
    for (let round = 0; round < 8; round++) {
      const id = await started(at, 'waits')
      const worker = await leased(at, id)
      const contenders = [
        ...Array.from({ length: 14 }, () => async () => (await cancel(at, id)).status === 200),
        ...Array.from({ length: 14 }, () => async () => (await finish(worker, draft('Done.'))) === 'done'),
        ...Array.from({ length: 14 }, () => async () => (await fail(worker, 'It failed.')) === 'done'),
        // Of a worker that has lost its lease.
        ...Array.from({ length: 4 }, () => async () => (await finish(worker.stale, draft('Old.'))) === 'done'),
        ...Array.from({ length: 4 }, () => async () => (await fail(worker.stale, 'Old.')) === 'done'),
      ]
      // Another kind is first in each round.
      const first = (round * 14) % 50
      const order = [...contenders.slice(first), ...contenders.slice(0, first)]
      const won = await Promise.all(order.map((contend) => contend()))
      expect(won.filter(Boolean)).toHaveLength(1)
      const { status, dpuId } = await watched(at, id)
      winners.add(status)
      const units = await query<{ id: string; content: string; metadata: object }>(
        'select id, content, metadata from cell.dpus where center_id = $1 and reference_id = $2',
        [at.center.id, id],
      )
      expect(units).toHaveLength(1)
      expect(units[0]).toMatchObject({
        id: uuidOf('dpu', dpuId),
        ...(status === 'COMPLETED' ? { content: 'Done.' } : { metadata: { outcome: status } }),
      })
      expect(units[0]?.content).not.toContain('Old.')
      const ends = await query<{ action: string }>(
        `select details ->> 'action' as action from cell.audit_entries where target_id = $1 and details ->> 'action' <> 'started'`,
        [id],
      )
      expect(ends).toEqual([{ action: status.toLowerCase() }])
    }
    expect(winners.size).toBeGreaterThan(1)
  }, 60_000)

  it('a worker that has lost its lease does not, also where nobody else tries', async () => {
    const at = await openProofFixture(fixture.server)
    const id = await started(at, 'waits')
    const { stale } = await leased(at, id)
    expect([await finish(stale, draft('Old.')), await fail(stale, 'Old.')]).toEqual(['lost', 'lost'])
    expect(await watched(at, id)).toMatchObject({ status: 'RUNNING', dpuId: null })
  })
})
