/** An auditor, a witness of a third party, and an operator who is honest at first and then rewrites the chain. */
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rulesDigest } from '@countersign/proof/control.ts'
import { vkeyOf } from '@countersign/proof/signed-note.ts'
import { localSigner, readLogKeys } from '@countersign/server/sealing/log-keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asAnInsider } from '../../apps/server/features/evidence/policies/test/insider.ts'
import { countersign } from '../../packages/cli/test/program.ts'
import { type Folder, type RunningWitness, runWitness, witnessFolder } from '../../packages/witness/test/program.ts'
import { asSuperuser, coverUp } from '../crash/rewritten-log.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'

const seed = randomBytes(32)
const logKey = vkeyOf('countersign.test', 1, localSigner(seed).publicKey)

let witnessHome: Folder
let witness: RunningWitness
let folder: string
let server: TestServer
let fixture: ProofFixture
let policy: string
let env: Record<string, string>

beforeAll(async () => {
  witnessHome = witnessFolder([logKey])
  witness = await runWitness(witnessHome.path)
  folder = mkdtempSync(join(tmpdir(), 'cli-audit-'))
  const witnesses = join(folder, 'witnesses')
  writeFileSync(witnesses, `witness w1 ${witnessHome.vkey} ${witness.url}\nquorum w1\n`)
  env = { TLOG_KEY: seed.toString('base64'), TLOG_POLICY_FILE: witnesses }
  server = await startServer({ jobs: true, env })
  fixture = await openProofFixture(server)
  for (let count = 0; count < 5; count++) await Promise.all(Array.from({ length: 6 }, () => fixture.decide()))
  const unit = await fixture.unit()
  await fixture.raise(unit.id, 'AUDIT_READY')
  policy = join(folder, 'policy')
  writeFileSync(policy, (await server.call('GET', '/.well-known/countersign-log.json')).body.policy)
})
afterAll(async () => {
  await server?.close()
  await witness?.kill('SIGKILL')
  witnessHome?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const memory = () => join(folder, 'memory.json')
const audit = (at: TestServer, ...more: string[]) =>
  countersign(
    ['audit', '--base-url', `http://127.0.0.1:${at.services.config.port}`, '--memory', memory(), '--json', ...more],
    { env: { COUNTERSIGN_API_KEY: fixture.key } },
  )
const checks = (out: string, domain = 'proof') => {
  const chain = JSON.parse(out).chains.find((each: { domain: string }) => each.domain === domain)
  return Object.fromEntries(
    chain.checks.map(({ about, code }: { about: string; code: string }) => [about, code]),
  ) as Record<string, string>
}
const honest = {
  entries: 'chain-holds',
  root: 'root-equal',
  signed: 'signed',
  witnessed: 'witnessed',
  proofs: 'proofs-hold',
  values: 'values-hold',
}

describe('while the operator is honest', () => {
  it('passes the audit of all three chains, witnessed, with every value and the rules of every seal', async () => {
    const { code, out, err } = await audit(server, '--trust', policy)
    expect(err).toBe('')
    for (const domain of ['proof', 'dpu', 'history']) expect(checks(out, domain)).toMatchObject(honest)
    expect(checks(out, 'history')).toMatchObject({ rules: 'rules-hold' })
    expect(code).toBe(0)
  })

  it('finds in the next audit everything that the first one saw', async () => {
    for (let count = 0; count < 3; count++) await fixture.decide()
    const { code, out } = await audit(server, '--trust', policy)
    expect(checks(out)).toMatchObject({ ...honest, continues: 'continues' })
    expect(code).toBe(0)
  })

  it('trusts and remembers the published key without a policy', async () => {
    const { code, out } = await audit(server)
    expect([code, JSON.parse(out).trust]).toMatchObject([0, { kind: 'first', keys: [logKey] }])
    expect(JSON.parse((await audit(server)).out).trust).toMatchObject({ kind: 'pinned' })
  })

  it('finds changes that came after an export, which holds as an older statement', async () => {
    const unit = await fixture.unit()
    await fixture.raise(unit.id, 'DOCUMENTED')
    const files = ['older', 'newer'].map((name) => join(folder, `${name}.json`)) as [string, string]
    // Cosignatures arrive a few seconds after the seal.
    const save = (file: string) =>
      expect
        .poll(
          async () => {
            writeFileSync(file, (await fixture.platform('GET', `/api/dpu/${unit.id}/export`)).text)
            return (await verify(file)).code
          },
          { timeout: 60_000, interval: 500 },
        )
        .toBe(0)
    const baseUrl = ['--base-url', `http://127.0.0.1:${server.services.config.port}`]
    const verify = (file: string, ...more: string[]) =>
      countersign(['verify', file, '--trust', policy, '--json', ...more], {
        env: { COUNTERSIGN_API_KEY: fixture.key },
      })
    await save(files[0])
    await fixture.raise(unit.id, 'AUDIT_READY')
    await save(files[1])
    const later = [{ type: 'level', at: expect.any(String) }]
    const older = await verify(files[0], '--online', ...baseUrl)
    expect([older.code, JSON.parse(older.out)]).toMatchObject([
      3,
      { ok: false, standing: 'holds', facts: { asOf: { change: 1 } }, online: { later } },
    ])
    const newer = await verify(files[1], '--online', ...baseUrl)
    expect([newer.code, JSON.parse(newer.out)]).toMatchObject([0, { ok: true, online: { later: [] } }])
    const audited = await audit(server, ...files, '--trust', policy)
    expect([audited.code, JSON.parse(audited.out).files]).toMatchObject([3, [{ later }, { later: [] }]])
    const shown = await countersign(['verify', files[0], '--trust', policy, '--online', ...baseUrl], {
      env: { COUNTERSIGN_API_KEY: fixture.key },
    })
    expect(shown.out).toMatch(/older\.json: OUTDATED/)
    expect(shown.out).toMatch(/Later changes +1 not in the file; the last one \(level\) was sealed/)
  })

  it('verifies an export offline with four times yes', async () => {
    const event = await fixture.record()
    await fixture.approve(event.id)
    const file = join(folder, 'proof.jsonld')
    // Cosignatures arrive a few seconds after the seal.
    for (let tries = 0; tries < 60; tries++) {
      writeFileSync(file, (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).text)
      if (JSON.parse(readFileSync(file, 'utf8')).verification.anchoring === 'witnessed') break
      await sleep(500)
    }
    const good = await countersign(['verify', '--strict', '--trust', policy, file])
    expect([good.code, good.out]).toEqual([0, expect.stringContaining('verified')])
    const bad = join(folder, 'bad.jsonld')
    writeFileSync(bad, readFileSync(file, 'utf8').replace('Kim Minji', 'Kim Minjo'))
    expect((await countersign(['verify', '--trust', policy, bad])).code).toBe(1)
  })
})

describe('when an insider takes a policy out of the database for a moment', () => {
  it('finds the seal that was made meanwhile, although everything is as before', async () => {
    const held = { action: { type: 'money.move' } }
    await fixture.policy({ humanReview: true }, { match: { actionTypes: ['money.*'] } })
    const kept = await fixture.policy({ humanReview: true }, { match: { actionTypes: ['loan.*'] } })
    expect((await fixture.decide(held)).body.data.outcome).toBe('approval_required')
    expect((await fixture.decide()).body.data.outcome).toBe('completed')
    expect(checks((await audit(server)).out, 'history')).toMatchObject({ rules: 'rules-hold' })

    const digest = rulesDigest([{ id: kept.id, version: kept.version, digest: kept.digest }])
    const restore = await asAnInsider(server, fixture.center.id, [
      `delete from cell.policy_versions where center_id = $1 and policy like '%money%'`,
      `update cell.center_rules set digest = '${digest}' where center_id = $1`,
    ])
    expect((await fixture.decide(held)).body.data.outcome).toBe('completed')
    await restore()
    expect((await fixture.decide(held)).body.data.outcome).toBe('approval_required')
    expect((await fixture.decide()).body.data.outcome).toBe('completed')

    const { code, out } = await audit(server)
    expect(checks(out)).toMatchObject({ entries: 'chain-holds', root: 'root-equal', values: 'values-hold' })
    expect(checks(out, 'history')).toMatchObject({ entries: 'chain-holds', rules: 'rules-differ' })
    expect(code).toBe(1)
  })
})

describe('when an operator with full database access rewrites the chain', () => {
  let successor: TestServer | undefined
  afterAll(() => successor?.close())

  const url = () => server.databases[0]?.url as string

  it('finds a different signed root when all hashes are recomputed', async () => {
    await asSuperuser(url(), async (client) => {
      const { rows } = await client.query(
        `select idx, content, sealed_at from cell.chain_entries where center_id = $1 and domain = 'proof' order by idx`,
        [fixture.center.id],
      )
      let previous: string | null = null
      for (const { idx, content, sealed_at } of rows) {
        const changed = Number(idx) < 4 ? content : content.replace(/"decisionId":"[^"]*/, '$&x')
        const made: string = `sha256:${hash('sha256', `${changed}${previous ?? ''}${sealed_at}`, 'hex')}`
        await client.query(
          `update cell.entries set template = $1, hashes = null, previous_hash = decode(substr($2, 8), 'hex'),
             hash = decode(substr($3, 8), 'hex')
           where center_id = $4 and domain = 'proof' and idx = $5`,
          [changed, previous, made, fixture.center.id, idx],
        )
        previous = made
      }
      await client.query(`update cell.chain_heads set last_hash = $1 where center_id = $2 and domain = 'proof'`, [
        previous,
        fixture.center.id,
      ])
    })
    const { code, out } = await audit(server, '--trust', policy)
    expect(checks(out)).toMatchObject({ entries: 'chain-holds', root: 'root-differs', continues: 'rewritten' })
    expect(code).toBe(1)
  })

  it('finds the rewrite by memory and witness when the log key signs it again', async () => {
    await asSuperuser(url(), async (client) => {
      for (const table of ['cosignatures', 'witness_positions']) {
        await client.query(`delete from cell.${table} where center_id = $1 and domain = 'proof'`, [fixture.center.id])
      }
      const log = `countersign.test/c/${fixture.center.id}/proof`
      const keys = readLogKeys(seed.toString('base64'), 'countersign.test')
      await coverUp(client, { url: url(), centerId: fixture.center.id, log }, keys)
    })
    // A new process: the old one would remember the checkpoints that it signed.
    successor = await startServer({ beside: server, jobs: true, env })
    await successor.call('POST', '/api/v1/agents/decide', {
      token: fixture.key,
      body: { agent: { id: 'agent-7' }, action: { type: 'stock.reorder' }, reason: 'Few are left.' },
    })
    const { code, out } = await audit(successor)
    expect(checks(out)).toMatchObject({
      entries: 'chain-holds',
      root: 'root-equal',
      signed: 'signed',
      continues: 'rewritten',
    })
    expect(code).toBe(1)
    const kept = JSON.parse(readFileSync(memory(), 'utf8')).logs[`countersign.test/c/${fixture.center.id}/proof`]
    expect(kept.contradictions).toMatchObject([{ prefix: { proof: expect.any(Array) } }])

    const unwitnessed = await audit(successor, '--trust', policy, '--domain', 'proof', '--wait', '3')
    expect(checks(unwitnessed.out)).toMatchObject({ witnessed: 'quorum-not-met' })
  })
})
