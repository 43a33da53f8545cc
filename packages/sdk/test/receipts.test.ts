import { toBase64 } from '@countersign/proof'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostKey, type LittleLog, littleLog } from '../../../tests/support/little-log.ts'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { Countersign } from '../countersign.ts'
import { NotFoundError } from '../errors.ts'
import {
  type CheckpointStorage,
  memoryStorage,
  parseTrust,
  receiptStore,
  type SealReceipt,
  type TrustPolicy,
  verifyReceipt,
} from '../receipts.ts'

describe('receipts of a server', () => {
  let server: TestServer
  let fixture: ProofFixture
  let client: Countersign
  let trust: TrustPolicy
  beforeAll(async () => {
    server = await startServer()
    fixture = await openProofFixture(server)
    client = new Countersign({ baseUrl: server.url, apiKey: fixture.key })
    trust = parseTrust((await client.logs.get()).policy)
  })
  afterAll(() => server.close())

  async function sealed() {
    const { id } = await fixture.record()
    const approval = await client.approvals.create(id, { approver: { id: 'kim', type: 'human' }, result: 'approved' })
    if (!approval.receipt || !approval.sealedHash) throw new Error('there is no receipt')
    return { receipt: approval.receipt, hash: approval.sealedHash }
  }

  it('verify for their hash only, and only under a trust policy', async () => {
    const [one, other] = [await sealed(), await sealed()]
    expect(verifyReceipt(one.receipt, one.hash, trust)).toMatchObject({ ok: true, signed: { status: 'yes' } })
    const wrong: [unknown, string, TrustPolicy | null][] = [
      [one.receipt, other.hash, trust],
      [one.receipt, 'no hash', trust],
      [one.receipt, one.hash, null],
      [{ ...one.receipt, index: other.receipt.index }, one.hash, trust],
      [{ ...one.receipt, size: one.receipt.size + 1 }, one.hash, trust],
      [{ ...one.receipt, log: other.receipt.log.replace('proof', 'dpu') }, one.hash, trust],
      [{ ...one.receipt, checkpoint: other.receipt.checkpoint }, one.hash, trust],
      [{ ...one.receipt, inclusionProof: ['x'] }, one.hash, trust],
      [null, one.hash, trust],
    ]
    for (const [receipt, hash, under] of wrong) {
      expect(verifyReceipt(receipt as typeof one.receipt, hash, under)).toMatchObject({ ok: false })
    }
  })

  it('are kept in any order while the log grows, and the newest checkpoint continues them', async () => {
    const storage = memoryStorage()
    const store = receiptStore({ chains: client.chains, trust, storage })
    const all = [await sealed(), await sealed(), await sealed(), await sealed()] as const
    const { log } = all[0].receipt
    await store.keep(all[1].receipt, all[1].hash)
    await Promise.all([all[3], all[0], all[2], all[3]].map(({ receipt, hash }) => store.keep(receipt, hash)))
    expect(await storage.get(log)).toBe(all[3].receipt.checkpoint)
    await sealed()
    await store.check('proof')
    expect(await storage.get(log)).toBe((await client.chains.getCheckpoint('proof')).checkpoint)
    await expect(store.keep(all[0].receipt, all[1].hash)).rejects.toMatchObject({ name: 'ReceiptError' })
  })

  it('of a sandbox are accepted only where test data is enough', async () => {
    const sandbox = await server.world.sandbox(fixture.center, fixture.admin)
    const test = new Countersign({ baseUrl: server.url, apiKey: await server.world.key(sandbox) })
    expect([client.sandbox, test.sandbox]).toEqual([false, true])
    const actor = { id: 'agent-7', type: 'ai_agent' } as const
    const { id } = await test.decisions.record({ type: 'ai_recommendation', actor, action: { type: 'plan.adjust' } })
    const { receipt, sealedHash: hash } = await test.approvals.create(id, {
      ...{ approver: { id: 'kim', type: 'human' }, result: 'approved' },
    })
    const given = [receipt as SealReceipt, hash as string, trust] as const
    expect(verifyReceipt(...given)).toMatchObject({ ok: false, sandbox: true, signed: { status: 'yes' } })
    expect(verifyReceipt(...given, { sandbox: true })).toMatchObject({ ok: true, sandbox: true })
    const kept = { chains: test.chains, trust, storage: memoryStorage() }
    await expect(receiptStore(kept).keep(given[0], given[1])).rejects.toMatchObject({ name: 'ReceiptError' })
    await expect(receiptStore(kept).check('proof')).rejects.toMatchObject({ name: 'ReceiptError' })
    await receiptStore({ ...kept, sandbox: test.sandbox }).keep(given[0], given[1])
  })

  it('of an empty log are none, and that is no fault', async () => {
    const own = await openProofFixture(server)
    const { chains } = new Countersign({ baseUrl: server.url, apiKey: own.key })
    await receiptStore({ chains, trust, storage: memoryStorage() }).check('proof')
  })
})

describe('a log that was rewritten', () => {
  const key = hostKey('log.example')
  const origin = 'log.example/c/1/proof'
  const story = littleLog(key, origin, 'what happened', 9)
  const other = littleLog(key, origin, 'what is claimed', 9)
  const trust = parseTrust(`log ${key.vkey}\nquorum none\n`)

  /** A server that shows this size of this log, and proofs from it. */
  const showing = (log: LittleLog, size: number, forge = false) => ({
    getCheckpoint: async () => ({ log: origin, size, root: null, checkpoint: log.note(size), anchoring: null }),
    async getConsistencyProof(_: string, { from, to = size }: { from: number; to?: number }) {
      if (to > size) throw notFound
      const hashes = forge ? story.proof(from, to) : log.proof(from, to)
      return { log: origin, from, to, consistencyProof: hashes.map(toBase64) }
    },
  })
  const notFound = new NotFoundError({
    ...{ status: 404, code: 'NOT_FOUND', message: 'None.', requestId: null },
    ...{ details: {}, retryAfterMs: null, attempts: 1 },
  })
  type Chains = Parameters<typeof receiptStore>[0]['chains']
  const check = (chains: object, storage: CheckpointStorage, under = trust) =>
    receiptStore({ chains: chains as Chains, trust: under, storage }).check('proof')

  async function kept(size: number): Promise<CheckpointStorage> {
    const storage = memoryStorage()
    await check(showing(story, size), storage)
    return storage
  }

  it.each([
    ['at the same size', showing(other, 5)],
    ['and then grew', showing(other, 9)],
    ['and then grew, with a proof of the true log', showing(other, 9, true)],
    ['to be shorter', showing(story, 3)],
    ['to be empty', { ...showing(story, 3), getCheckpoint: async () => ({ log: origin, size: 0, checkpoint: null }) }],
  ])('is noticed: %s', async (_, chains) => {
    const storage = await kept(5)
    await expect(check(chains, storage)).rejects.toMatchObject({
      ...{ name: 'LogRewrittenError', log: origin, kept: story.note(5) },
    })
    expect(await storage.get(origin)).toBe(story.note(5))
  })

  it('is not claimed of a log that only grew', async () => {
    const storage = await kept(5)
    await check(showing(story, 9), storage)
    expect(await storage.get(origin)).toBe(story.note(9))
  })

  it('is not believed of a stranger who signs with another key', async () => {
    const stranger = littleLog(hostKey('log.example'), origin, 'what is claimed', 9)
    await expect(check(showing(stranger, 9), await kept(5))).rejects.toMatchObject({ name: 'ReceiptError' })
  })
})
