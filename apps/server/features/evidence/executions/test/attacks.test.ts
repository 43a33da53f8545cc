/** What else happens to a decision while somebody acts on it. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import { type ProofFixture, startProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { hashApiKey } from '../../../../access/api-key-format.ts'
import { uuidOf } from '../../../../lib/ids.ts'
import {
  approved,
  consume,
  digestOf,
  newExecutor,
  recorded,
  refused,
  report,
  type SealedDecision,
  transfer,
} from './fixture.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const redact = (event: SealedDecision, ...paths: string[]) =>
  fixture.platform('POST', `/api/dpu/${event.evidence.id}/redactions`, { paths, reason: 'Request 118.' })
const exported = async (event: SealedDecision) =>
  (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body
async function holds(event: SealedDecision) {
  expect(verifyExport(await exported(event))).toMatchObject({ valid: true })
  const { body } = await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')
  expect(body.data).toMatchObject({ valid: true })
  const one = await fixture.platform('GET', `/api/dpu/${event.evidence.id.replace('evd_', 'dpu_')}/verify`)
  expect(one.body.data).toMatchObject({ valid: true })
}

it('a redaction deletes the output from the history, and a report of it can no longer be repeated', async () => {
  const event = await approved(fixture)
  const executor = newExecutor()
  await consume(fixture, event, executor)
  expect((await redact(event, 'output')).status).toBe(400)
  const unknown = { executor, status: 'unknown', output: { seen: 'Park Sora' } }
  await report(fixture, event, unknown)
  expect((await redact(event, 'output')).status).toBe(201)
  expect(refused(await redact(event, 'output'))).toEqual([409, 'CONFLICT'])
  const proof = JSON.stringify(await exported(event))
  expect(proof).not.toContain('Park Sora')
  expect(
    await fixture.server.world.query('select from cell.history where disclosed::text like $1', ['%Park Sora%']),
  ).toEqual([])
  await holds(event)
  expect(refused(await report(fixture, event, unknown))).toEqual([409, 'CONFLICT'])
  // The output of the later outcome is another value, with a salt of its own.
  await report(fixture, event, { executor, status: 'succeeded', output: { seen: 'Lee Jun' } })
  expect(JSON.stringify(await exported(event))).toContain('Lee Jun')
  await holds(event)
  expect((await redact(event, 'output')).status).toBe(201)
  expect(JSON.stringify(await exported(event))).not.toContain('Lee Jun')
  await holds(event)
})

it('a redaction of the action leaves it executable for whoever kept the salt', async () => {
  const event = await approved(fixture)
  expect((await redact(event, 'event.action.input')).status).toBe(201)
  const executor = newExecutor()
  const other = await consume(fixture, event, executor, { actionDigest: digestOf(event, 820_000) })
  expect(refused(other)).toEqual([422, 'POLICY_VIOLATION'])
  expect((await consume(fixture, event, executor)).status).toBe(200)
  await holds(event)
})

it('a redaction of who recorded it forbids consuming; a consumer still reports', async () => {
  const [before, after] = [await approved(fixture), await approved(fixture)]
  const executor = newExecutor()
  await consume(fixture, before, executor)
  for (const event of [before, after]) await redact(event, 'event.recordedBy', 'event.actor.id')
  expect(refused(await consume(fixture, after, executor))).toEqual([403, 'FORBIDDEN'])
  expect((await consume(fixture, before, executor)).body.data.replayed).toBe(true)
  expect((await report(fixture, before, { executor, status: 'succeeded' })).status).toBe(200)
  await holds(before)
})

it('consumptions, outcomes, redactions and changes of one decision at once leave a whole path', async () => {
  const { body } = await fixture.decide()
  const { eventId: id, actionDigest, dpu } = body.data
  const event = { id, evidence: { id: dpu.id.replace('dpu_', 'evd_') } } as SealedDecision
  const executors = Array.from({ length: 8 }, newExecutor)
  const change = (n: number) => fixture.platform('PUT', `/api/dpu/${dpu.id}`, { metadata: { n } })
  const answers = await Promise.all([
    ...executors.map((executor) => consume(fixture, event, executor, { actionDigest })),
    redact(event, 'event.reason'),
    change(1),
    ...executors.map((executor) => report(fixture, event, { executor, status: 'unknown' })),
    change(2),
    fixture.raise(dpu.id, 'AUDIT_READY'),
    redact(event, 'event.actor.name'),
  ])
  const winners = answers.slice(0, 8).filter(({ status }) => status === 200)
  expect(winners).toHaveLength(1)
  const { executor } = (winners[0] as Answer).body.data
  expect((await report(fixture, event, { executor, status: 'unknown' })).status).toBe(200)
  expect((await report(fixture, event, { executor: 'later', status: 'succeeded' })).status).toBe(200)
  await holds(event)
})

it('a decision that was replaced cannot be consumed; its replacement can, after the approval', async () => {
  await fixture.policy({ humanReview: true }, { match: { actionTypes: ['money.*'] } })
  const old = await recorded(fixture)
  const { body } = await fixture.v1('POST', '/api/v1/decision-events', { ...transfer(82_000), replaces: old.id })
  const next = body.data as SealedDecision
  expect(refused(await consume(fixture, old, newExecutor()))).toEqual([409, 'CONFLICT'])
  expect(refused(await consume(fixture, next, newExecutor()))).toEqual([409, 'CONFLICT'])
  expect((await fixture.approve(next.id)).status).toBe(200)
  // The digest of the replaced decision has another salt.
  const wrong = await consume(fixture, next, newExecutor(), { actionDigest: old.actionDigest })
  expect(refused(wrong)).toEqual([422, 'POLICY_VIOLATION'])
  expect((await consume(fixture, next, newExecutor())).status).toBe(200)
})

it('a key that was revoked reports nothing; after "unknown" its actor has another key', async () => {
  const { server, center } = fixture
  const key = await server.world.key(center)
  const own = { server, key }
  const recording = await server.call('POST', '/api/v1/decision-events', {
    token: key,
    body: { ...transfer(82_000), action: { type: 'points.grant' } },
  })
  const event = recording.body.data as SealedDecision
  await fixture.approve(event.id)
  const executor = newExecutor()
  const { actionDigest } = event
  expect((await consume(own, event, executor, { actionDigest })).status).toBe(200)
  await report(own, event, { executor, status: 'unknown' })
  await server.world.query(`update directory.api_keys set revoked_at = now() where center_id = $1 and hash = $2`, [
    center.id,
    hashApiKey(key),
  ])
  await expect
    .poll(async () => refused(await consume(own, event, executor, { actionDigest })))
    .toEqual([401, 'UNAUTHORIZED'])
  expect(refused(await report(own, event, { executor, status: 'failed' }))).toEqual([401, 'UNAUTHORIZED'])
  const bound = await server.world.key(center, { boundTo: { id: 'agent-7', type: 'ai_agent' } })
  expect((await report(fixture, event, { executor: newExecutor(), status: 'succeeded' }, bound)).status).toBe(200)
})

it('a suspended center consumes and reports nothing, and keeps what was consumed', async () => {
  const [one, other] = [await approved(fixture), await approved(fixture)]
  const executor = newExecutor()
  await consume(fixture, one, executor)
  const stand = (status: string) =>
    fixture.server.world.query('update directory.centers set status = $2 where id = $1', [fixture.center.id, status])
  await stand('SUSPENDED')
  await expect.poll(async () => refused(await consume(fixture, other, executor))).toEqual([403, 'FORBIDDEN'])
  expect(refused(await report(fixture, one, { executor, status: 'succeeded' }))).toEqual([403, 'FORBIDDEN'])
  await stand('ACTIVE')
  await expect.poll(async () => (await report(fixture, one, { executor, status: 'succeeded' })).status).toBe(200)
})

it('what counts is what was sealed, not a row that somebody has changed', async () => {
  const [approvedOne, refusedOne] = [await approved(fixture), await recorded(fixture)]
  await fixture.approve(refusedOne.id, { result: 'rejected' })
  const digest = digestOf(approvedOne, 820_000)
  const change = ({ id }: SealedDecision, set: string, table = 'recorded_decisions') =>
    fixture.server.world.query(`set session_replication_role = replica;
      update cell.${table} set ${set} where id = '${uuidOf('decisionEvent', id)}';
      set session_replication_role = origin`)
  await change(approvedOne, `action_digest = '${digest}'`)
  await change(refusedOne, `event_status = 'sealed'`, 'dpus')
  const forged = await consume(fixture, approvedOne, newExecutor(), { actionDigest: digest })
  expect(refused(forged)).toEqual([422, 'POLICY_VIOLATION'])
  expect(refused(await consume(fixture, refusedOne, newExecutor()))).toEqual([409, 'CONFLICT'])
  await change(approvedOne, `action = '{"type":"money.transfer","input":{"to":"KR-110-220","won":820000}}'`)
  expect(refused(await consume(fixture, approvedOne, newExecutor()))).toEqual([422, 'CHAIN_BROKEN'])
})
