import { fromBase64 } from '@countersign/proof/base64.ts'
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { parseNote } from '@countersign/proof/signed-note.ts'
import { leafHash, verifyInclusion } from '@countersign/proof/tree.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  approver,
  openProofFixture,
  type ProofFixture,
  sampleDecision,
  startProofFixture,
} from '../../../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { newId } from '../../../../lib/ids.ts'
import { advanceMark } from '../../decision-events/queries.ts'
import { countCenter } from '../../oversight/counter.ts'
import { dpuId, type Redacting, reason, redactingIn } from './redacting.ts'

let fixture: ProofFixture & { close(): Promise<void> }
let { redact, get, verify } = {} as Redacting
beforeAll(async () => {
  fixture = await startProofFixture()
  ;({ redact, get, verify } = redactingIn(fixture))
})
afterAll(() => fixture.close())

/** Every row of every table of the cell as one text. */
async function everythingKept(): Promise<string> {
  const tables = await fixture.server.world.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('cell', 'pgboss')`,
  )
  const texts = await Promise.all(
    tables.map(({ name }) => fixture.server.world.query<{ text: string }>(`select t::text as text from ${name} t`)),
  )
  const bodies = await fixture.server.world.query<{ text: string }>(
    `select convert_from(body, 'UTF8') as text from cell.idempotency_records where body is not null`,
  )
  return [...texts.flat(), ...bodies].map(({ text }) => text).join('\n')
}

describe('201', () => {
  it('deletes the name of an approver, and every proof still holds', async () => {
    const name = 'Seo Yuna of Mapo'
    const key = { 'idempotency-key': 'approves-once' }
    const event = await fixture.record()
    const { receipt } = (await fixture.approve(event.id, approver('therapist-9', { name }), key)).body.data
    const [evidence, dpu] = [`/api/v1/evidence/${event.evidence.id}`, `/api/dpu/${dpuId(event.id)}`]
    const earlier = [(await fixture.v1('GET', `${evidence}/export`)).body, await get(`${dpu}/export`)]
    expect(await everythingKept()).toContain(name)

    const { status, body } = await redact(dpuId(event.id), ['approval.approver.name'])
    expect([status, body.data]).toEqual([
      201,
      {
        dpuId: dpuId(event.id),
        redacted: [{ path: 'approval.approver.name' }],
        history: { index: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        redactedAt: expect.any(String),
        by: { id: fixture.admin.actorId, name: expect.any(String), role: 'ADMIN' },
      },
    ])
    expect(await everythingKept()).not.toContain(name)

    const shown = (await fixture.v1('GET', evidence)).body.data
    expect(shown).toMatchObject({ approval: { approver: { id: 'therapist-9', type: 'human' } } })
    expect([shown.approval.approver.name, shown.redacted]).toEqual([undefined, ['approval.approver.name']])
    expect((await get(dpu)).data).toMatchObject({
      redacted: ['approval.approver.name'],
      updatedAt: body.data.redactedAt,
    })

    const later = [(await fixture.v1('GET', `${evidence}/export`)).body, await get(`${dpu}/export`)]
    for (const document of earlier) {
      expect([verifyExport(document).valid, verifyProof(document, null).redacted]).toEqual([true, []])
    }
    for (const document of later) {
      expect(JSON.stringify(document)).not.toContain(name)
      expect(document.evidence.history).toMatchObject([
        { type: 'redaction', paths: ['approval.approver.name'], reason, by: { id: fixture.admin.actorId } },
      ])
      expect(verifyExport(document)).toMatchObject({
        valid: true,
        hash: verifyExport(earlier[0]).hash,
        undisclosed: ['approval.approver.name'],
      })
      const redacted = [{ path: 'approval.approver.name', at: body.data.redactedAt, reason }]
      expect(verifyProof(document, null)).toMatchObject({ standing: 'unvouched', undisclosed: [], redacted })
    }
    // The receipt of the approval is valid for the record before and after the redaction.
    const { root } = parseCheckpoint(parseNote(receipt.checkpoint).text)
    const inclusion = receipt.inclusionProof.map((each: string) => fromBase64(each))
    const leaf = leafHash(later[0].verification.chainHash)
    expect(verifyInclusion(leaf, receipt.index, receipt.size, inclusion, root)).toBe(true)
    expect(await verify()).toMatchObject({ valid: true, allValid: true })
    expect((await get(`${dpu}/verify`)).data).toMatchObject({ valid: true, redacted: ['approval.approver.name'] })

    const again = await fixture.approve(event.id, approver('therapist-9', { name }), key)
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT'])
  })

  it('deletes every committed value of a decision, under either of its ids', async () => {
    const words = 'nowhere-to-be-found'
    await fixture.policy({ dualApproval: true }, { match: { actionTypes: ['twice'] } })
    const decision = {
      actor: { id: `a-${words}`, type: 'human', name: `n-${words}` },
      action: { type: 'twice', description: words, input: { i: words }, output: { o: words } },
      aiContext: { model: words, provider: words, confidence: 0.5, reasoning: words },
      tags: [`t-${words}`, 'care-plan'],
      idempotencyKey: 'all-of-it',
    }
    const event = await fixture.record(decision)
    await fixture.approve(event.id, { ...approver(`first-${words}`, { name: words }), reason: words })
    await fixture.approve(event.id, { ...approver(`second-${words}`, { name: words }), reason: words })
    const before = (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body
    const paths = Object.keys(before.evidence.commitments).filter(
      (path) => !['control', 'vertical', 'country'].includes(path),
    )
    expect(paths).toContain('prior0')
    const keys = { 'idempotency-key': 'redacts-once' }
    const first = await redact(event.evidence.id, paths, keys)
    expect(first.status).toBe(201)
    const replay = await redact(event.evidence.id, paths, keys)
    expect([replay.status, replay.headers.get('idempotency-replayed'), replay.text]).toEqual([201, 'true', first.text])

    // Delivered messages remain with consumers, and here until they expire: see docs/guides/redaction.md.
    // What is still to be subtracted from the sums goes with the worker's next round.
    await countCenter(fixture.server.services.cells.of('main'), fixture.server.services.centers, fixture.center.id)
    const kept = (await everythingKept()).split('\n').filter((row) => row.includes(words))
    expect(kept.filter((row) => !row.includes('dpu.sealed'))).toEqual([])
    const after = (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body
    expect(Object.keys(after.evidence.disclosures)).toEqual(['control', 'country', 'vertical'])
    expect([verifyExport(before).valid, verifyExport(after).valid]).toEqual([true, true])
    expect(
      verifyProof(after, null)
        .redacted.map(({ path }) => path)
        .toSorted(),
    ).toEqual(paths.toSorted())
    expect(await verify()).toMatchObject({ allValid: true })

    const listed = (await fixture.v1('GET', '/api/v1/decision-events?limit=100')).body.data
    const shown = listed.find((each: { id: string }) => each.id === event.id)
    expect(shown).toMatchObject({ actor: { id: '', type: 'human' }, tags: [], status: 'sealed' })
    const responsibility = await get(`/api/dpu/${dpuId(event.id)}/responsibility`)
    expect(responsibility.data).toMatchObject({ who: { id: null, name: null, type: 'human' }, why: { reason: null } })
    expect((await get(`/api/dpu/${dpuId(event.id)}`)).data).toMatchObject({ createdBy: null, tags: [] })
    // The fingerprint of the body is deleted too, because it could confirm a guess of the body.
    const repeated = await fixture.v1('POST', '/api/v1/decision-events', sampleEvent(decision))
    expect([repeated.status, repeated.body.error.code]).toEqual([409, 'CONFLICT'])
  })

  it('removes the event from the lists of its tags, counted or not', async () => {
    const own = await openProofFixture(fixture.server)
    const tagged = async () => {
      const event = await own.record({ tags: ['hers alone', 'shared'] })
      await own.approve(event.id)
      return event
    }
    const total = async (tag: string) => {
      const { body } = await own.v1('GET', `/api/v1/decision-events?tag=${encodeURIComponent(tag)}`)
      return [body.data.length, body.pagination.total]
    }
    const counted = await tagged()
    await own.record({ tags: ['shared'] })
    await fixture.server.services.cells
      .of('main')
      .inTenantJob(own.center.id, 'count-events', (tx) => advanceMark(tx, 100))
    const fresh = await tagged()
    expect([await total('hers alone'), await total('shared')]).toEqual([
      [2, 2],
      [3, 3],
    ])
    for (const event of [counted, fresh]) {
      expect((await redactingIn(own).redact(dpuId(event.id), ['event.tags'])).status).toBe(201)
    }
    expect([await total('hers alone'), await total('shared')]).toEqual([
      [0, 0],
      [1, 1],
    ])
    expect(await everythingKept()).not.toContain('hers alone')
  })

  it('deletes the risk and the reason of an agent', async () => {
    const { body } = await fixture.decide(sampleDecision({ riskScore: 0.31, reason: 'because of Ms Baek' }))
    const { id } = body.data.dpu
    expect((await redact(id, ['event.reason', 'event.riskScore', 'event.actor.name'])).status).toBe(201)
    expect(verifyExport(await get(`/api/dpu/${id}/export`))).toMatchObject({ valid: true })
    expect(await everythingKept()).not.toContain('Ms Baek')
    expect(await verify()).toMatchObject({ allValid: true })
  })

  it('deletes the texts of a DPU, before and after it is AUDIT_READY', async () => {
    for (const level of ['DRAFT', 'AUDIT_READY']) {
      const dpu = await fixture.unit({ content: `Jo of ${level}`, referenceId: 'jo-1', tags: ['jo'] })
      if (level !== 'DRAFT') await fixture.raise(dpu.id, level)
      const before = await get(`/api/dpu/${dpu.id}/export`)
      expect((await redact(dpu.id, ['content', 'referenceId', 'tags', 'createdBy'])).status).toBe(201)
      expect((await get(`/api/dpu/${dpu.id}`)).data).toMatchObject({
        content: '',
        referenceId: null,
        tags: [],
        createdBy: null,
        evidenceLevel: level,
        redacted: ['content', 'createdBy', 'referenceId', 'tags'],
      })
      const after = await get(`/api/dpu/${dpu.id}/export`)
      expect([verifyExport(before).valid, verifyExport(after).valid]).toEqual([true, true])
      expect((await get(`/api/dpu/${dpu.id}/responsibility`)).data.who.id).toBeNull()
    }
    expect(await verify()).toMatchObject({ allValid: true })
  })

  it('deletes metadata from every change that has it; metadata set again is present and can be redacted again', async () => {
    const { id } = await fixture.unit()
    const put = (metadata: object) =>
      fixture.platform('PUT', `/api/dpu/${id}`, { metadata }, { 'idempotency-key': newId('audit') })
    const names = ['Ms One', 'Ms Two', 'Ms Three', 'Ms Four']
    await put({ who: names[0] })
    await put({ who: names[1] })
    expect((await redact(id, ['metadata'])).status).toBe(201)
    expect((await get(`/api/dpu/${id}`)).data).toMatchObject({ metadata: {}, redacted: ['metadata'] })
    const given = await put({ who: names[2] })
    expect([given.body.data.metadata, given.body.data.redacted]).toEqual([{ who: names[2] }, undefined])
    expect((await get(`/api/dpu/${id}/verify`)).data).toMatchObject({ valid: true })
    expect((await get(`/api/dpu/${id}/verify`)).data.redacted).toBeUndefined()
    expect(verifyExport(await get(`/api/dpu/${id}/export`))).toMatchObject({ valid: true })
    await put({ who: names[3] })
    await put({})
    expect((await redact(id, ['metadata'])).status).toBe(201)
    const kept = await everythingKept()
    expect(names.filter((name) => kept.includes(name))).toEqual([])
    expect(verifyExport(await get(`/api/dpu/${id}/export`))).toMatchObject({ valid: true })
    expect(await verify()).toMatchObject({ allValid: true })
    expect((await redact(id, ['metadata'])).status).toBe(409)
  })

  it('writes an audit entry with the paths and without the reason', async () => {
    const { id } = await fixture.unit()
    const answer = await redact(id, ['content', 'tags'])
    const entries = await fixture.server.world.query<{ details: object }>(
      'select details from cell.audit_entries where request_id = $1',
      [answer.headers.get('x-request-id')],
    )
    expect(entries.map(({ details }) => details)).toEqual([
      { action: 'redacted', paths: 'content tags', historyIndex: answer.body.data.history.index },
    ])
  })
})
