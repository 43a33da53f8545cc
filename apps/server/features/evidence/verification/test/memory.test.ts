/** The short form of `npm run bench -- verify-memory`: large records in a process with a small heap. */
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { benchLog } from '../../../../../../tests/bench/chains.ts'
import { sealLargeRecords } from '../../../../../../tests/bench/large-records.ts'
import { startProcess } from '../../../../../../tests/bench/place.ts'
import type { Verified } from '../../../../../../tests/bench/verify.process.ts'
import { startServer } from '../../../../../../tests/support/server.ts'
import { verifiedCenter } from './fixture.ts'

it('verifies 60 records of 1 MB with a heap of 64 MB, and finds the altered one', { timeout: 120_000 }, async () => {
  const server = await startServer({ env: benchLog.settings })
  try {
    const center = await server.world.center()
    await sealLargeRecords(server, await server.world.key(center), 60)
    const verifier = await startProcess(
      './verify.process.ts',
      {
        DATABASE_URL: server.services.config.databaseUrl,
        SECRET_KEY: randomBytes(32).toString('base64'),
        ...benchLog.settings,
      },
      ['--max-old-space-size=64'],
    )
    try {
      for (const mode of ['records', 'chain']) {
        const verified = await verifier.ask<Verified>({ centerId: center.id, mode })
        expect(verified).toMatchObject({ valid: true, entries: 60 })
        expect(verified.peakMegabytes - verified.idleMegabytes).toBeLessThan(150)
      }
      await server.world.query(
        `begin; set local session_replication_role = replica;
         update cell.recorded_decisions e set tags = '{forged}' from cell.dpus u where e.center_id = ${center.id}
           and u.center_id = e.center_id and u.id = e.id and u.chain_index in (41, 42, 55); commit`,
      )
      const forged = await verifier.ask<Verified>({ centerId: center.id, mode: 'records' })
      expect(forged).toMatchObject({ valid: false, brokenAt: 41, entries: 60 })
    } finally {
      await verifier.stop()
    }
  } finally {
    await server.close()
  }
})

it('verifies a record whose changes are larger than a page, and finds the altered one', {
  timeout: 120_000,
}, async () => {
  const server = await startServer()
  try {
    const { center, token, demo, change, verify, verifyDpu, forge } = await verifiedCenter(server)
    const { id } = await demo()
    const metadata = (n: number) => ({ text: `note ${n} `.repeat(100_000) })
    for (let n = 0; n < 7; n++) await change(id, { metadata: metadata(n) })
    const redaction = { paths: ['content'], reason: 'asked for' }
    const redacted = await server.call('POST', `/api/dpu/${id}/redactions`, { token, body: redaction })
    expect(redacted.status).toBe(201)
    expect(await verify()).toMatchObject({ valid: true, domains: { history: { chainLength: 8 } } })
    expect(await verifyDpu(id)).toMatchObject({ valid: true, redacted: ['content'] })
    await forge(
      `update cell.history set disclosed = '{"metadata": {}}' where center_id = ${center.id} and idx in (5, 6)`,
    )
    expect(await verifyDpu(id)).toMatchObject({
      valid: false,
      reason: expect.stringContaining('entry 6 of its history'),
    })
    expect((await verify()).domains.history).toMatchObject({ valid: false, brokenAt: 5 })
  } finally {
    await server.close()
  }
})
