/** `npm run operator -- declare-loss`, and what the API and exports say afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { verifyDeclaration } from '@countersign/proof/declarations.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { typedId } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { misuse, run } from './operator-shell.ts'

let server: TestServer
const folder = mkdtempSync(join(tmpdir(), 'countersign-loss-'))
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

it('closes the log of a center that lacks entries; its proofs hold and name the loss', async () => {
  const fixture = await openProofFixture(server)
  await fixture.decide()
  const env = { TLOG_FENCE: folder, TLOG_HOST: server.services.config.logHost }
  const operator = (...args: string[]) => run(server, args, env)
  const declare = (...more: string[]) =>
    operator('declare-loss', 'main', ...more, '--reason', 'The disk failed.', '--by', 'Operations')
  await operator('accept-database', 'main', '--new-store')
  expect((await declare()).complained).toContain('nothing is lost')
  // Two more entries were signed, and the database does not have them.
  const log = `${env.TLOG_HOST}/c/${fixture.center.id}/proof`
  const store = new DatabaseSync(join(folder, 'main.fence'))
  store.prepare('update logs set confirmed_size = 3, confirmed_root = ? where name = ?').run('7'.repeat(64), log)
  store.close()
  const id = String(fixture.center.id)
  expect((await declare(id)).said).toBe(
    `Losses declared: 1.\n  center ${id}, proof: 1 of 3 entries restored, 2 lost; continues as generation 2\n`,
  )
  await fixture.decide()
  const { data } = (await fixture.v1('GET', '/api/v1/chains/proof/generations')).body
  expect(data).toMatchObject({
    log: `${log}/2`,
    generations: [{ generation: 2, log: `${log}/2`, predecessor: { log, size: 1 } }],
  })
  const { policy } = server.services.watching
  expect(verifyDeclaration(data.generations[0].declaration, policy).declared).toMatchObject({
    ...{ reason: 'The disk failed.', declaredBy: 'Operations', restored: { size: 1, signed: 1 } },
    lost: [{ log, size: 3, kept: 1 }],
  })
  const [restored, , sealed] = await server.world.query(
    `select id from cell.chain_entries where center_id = $1 and domain = 'proof' order by idx`,
    [fixture.center.id],
  )
  for (const entry of [restored, sealed]) {
    const id = typedId('evidence', String(entry?.id))
    const exported = (await fixture.v1('GET', `/api/v1/evidence/${id}/export`)).body
    expect(verifyProof(exported, policy)).toMatchObject({ standing: 'holds', successions: [{ log: `${log}/2` }] })
  }
})

it('refuses wrong arguments', async () => {
  const declare = (...args: string[]) => run(server, ['declare-loss', ...args])
  expect(await declare('main', '--reason', 'x', '--by', 'y')).toEqual(
    misuse("TLOG_FENCE doesn't name a fence store, so there's no record of what was signed and lost."),
  )
  expect(await declare('east', '--reason', 'x', '--by', 'y')).toEqual(misuse('CELL must be one of main, not "east".'))
  expect((await declare('main', 'x', '--reason', '', '--by', 'y')).code).toBe(2)
})
