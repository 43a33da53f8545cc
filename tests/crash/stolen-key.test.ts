/**
 * `log-key rotate --stolen` beside processes that go on running: one that reads the file, one on another machine with a copy of the
 * old file. Five seconds later none of them signs with the stolen key, and nothing tells anybody to believe it.
 */
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { checkNote, parseNote, verifierKey } from '@countersign/proof/signed-note.ts'
import { logKeyFor, parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { doctor } from '@countersign/server/operator/doctor/doctor.ts'
import type { Finding } from '@countersign/server/operator/doctor/finding.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../journeys/operator-shell.ts'
import { type ChildServer, spawnBeside } from '../support/child-server.ts'
import { openClient } from '../support/client.ts'
import { openProofFixture, type ProofFixture, sampleDecision } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'stolen-key-'))
const [file, copy] = [join(folder, 'log-key'), join(folder, 'copied-log-key')]
const key = () => randomBytes(32).toString('base64')
let server: TestServer
let fixture: ProofFixture
let same: ChildServer
let other: ChildServer
let before: { id: string; proof: unknown; policy: string }

const decide = (child: ChildServer) =>
  openClient(child.url).call('POST', '/api/v1/agents/decide', {
    token: fixture.key,
    body: sampleDecision(),
    impatient: true,
  })
/** Whether a checkpoint has a signature that this key of the host made under the name of the log. */
function isSignedBy(vkey: string, checkpoint: string): boolean {
  const own = logKeyFor(verifierKey(vkey), parseCheckpoint(parseNote(checkpoint).text).origin)
  if (!own) throw new Error('another log')
  return checkNote(parseNote(checkpoint), [own]).signedBy.length === 1
}
interface LogDocument {
  readonly policy: string
  readonly keys: readonly { readonly vkey: string; readonly stolenAt: string | null }[]
}
const logOf = async (child: ChildServer) =>
  (await (await fetch(`${child.url}/.well-known/countersign-log.json`)).json()) as LogDocument
const metricsOf = async (child: ChildServer) => await (await fetch(`${child.metricsUrl}/metrics`)).text()
const exported = async (child: ChildServer, eventId: string) => {
  const path = `/api/v1/evidence/${eventId.replace('evt', 'evd')}/export`
  return (await openClient(child.url).call('GET', path, { token: fixture.key })).body
}

async function examined() {
  let said = ''
  const { config } = server.services
  const env = {
    DATABASE_URL: config.databaseUrl,
    SECRET_KEY: config.secretKeys.map((each) => each.toString('base64')).join(','),
    PUBLIC_URL: config.publicUrl,
    TLOG_KEY_FILE: file,
  }
  await doctor(['--json'], env, { out: (text) => (said += text), err: () => {} })
  const { findings } = JSON.parse(said) as { findings: Finding[] }
  return findings.find(({ about }) => about === 'log key of each process')
}

beforeAll(async () => {
  writeFileSync(file, `private ${key()} 2026-01-01T00:00:00.000Z\n`)
  copyFileSync(file, copy)
  server = await startServer({ env: { TLOG_KEY_FILE: file }, fence: true })
  fixture = await openProofFixture(server)
  const fence = server.services.config.log.fence?.at
  ;[same, other] = (await Promise.all(
    [file, copy].map((path) => spawnBeside(server, { TLOG_KEY_FILE: path, TLOG_FENCE: fence })),
  )) as [ChildServer, ChildServer]
  const sealed = await decide(same)
  expect([sealed.status, (await decide(other)).status]).toEqual([201, 201])
  const id = sealed.body.data.eventId
  before = { id, proof: await exported(same, id), policy: (await logOf(same)).policy }
}, 60_000)
afterAll(async () => {
  await Promise.all([same?.stop(), other?.stop()])
  await server?.close()
  rmSync(folder, { recursive: true })
})

describe('before the theft', () => {
  it('doctor and metrics name the key of each process', async () => {
    const { vkey } = (await logOf(same)).keys[0] as { vkey: string }
    expect(await examined()).toMatchObject({ status: 'ok', found: expect.stringContaining(`all sign with ${vkey}`) })
    for (const each of [same, other]) {
      expect(await metricsOf(each)).toContain(`countersign_log_key_info{key="${vkey.split('+')[1]}"} 1`)
    }
  })
})

describe('five seconds after log-key rotate --stolen', () => {
  let stolen: string
  let renewed: string

  beforeAll(async () => {
    stolen = (await logOf(same)).keys[0]?.vkey as string
    const { code, said } = await run(server, ['log-key', 'rotate', file, '--stolen'], {
      PUBLIC_URL: server.services.config.publicUrl,
    })
    expect([code, said]).toEqual([0, expect.stringContaining('within five seconds, without a restart')])
    renewed = /log (\S+)/.exec(said)?.[1] as string
    await sleep(5000)
  }, 30_000)

  it('a process that reads the file signs with the new key, and one that does not signs nothing', async () => {
    for (let round = 0; round < 5; round++) {
      const answer = await decide(same)
      expect(answer.status).toBe(201)
      const { checkpoint } = answer.body.data.receipt
      expect([isSignedBy(stolen, checkpoint), isSignedBy(renewed, checkpoint)]).toEqual([false, true])
      const refused = await decide(other)
      expect([refused.status, refused.body.error.message]).toEqual([503, expect.stringContaining("can't sign records")])
    }
    const policy = parsePolicy(`log ${renewed}\nquorum none\n`)
    const { body } = await decide(same)
    expect(verifyProof(await exported(same, body.data.eventId), policy)).toMatchObject({ standing: 'holds' })
  })

  it('no process marks a chain as broken', async () => {
    const token = fixture.token
    expect((await openClient(same.url).call('GET', '/api/dpu/verify-chain', { token })).body.data.valid).toBe(true)
    expect((await openClient(other.url).call('GET', '/api/dpu/verify-chain', { token })).status).toBe(503)
    const rows = await server.world.query('select 1 from cell.chain_heads where broken_at is not null')
    expect(rows).toEqual([])
  })

  it('the published policy trusts the new key only, everywhere', async () => {
    const { policy, keys } = await logOf(same)
    expect(policy).toContain(`log ${renewed}\n`)
    for (const text of [policy, (await logOf(other)).policy]) {
      expect(text).not.toContain(`log ${stolen}`)
      expect(parsePolicy(text).logs.map((each) => each.key.vkey)).not.toContain(stolen)
    }
    expect(keys).toMatchObject([
      { vkey: renewed, stolenAt: null },
      { vkey: stolen, stolenAt: expect.any(String) },
    ])
  })

  it('a proof from before holds under the old policy only, and a new export of it under the new one', async () => {
    const policy = parsePolicy((await logOf(same)).policy)
    expect(verifyProof(before.proof, parsePolicy(before.policy)).standing).toBe('holds')
    expect(verifyProof(before.proof, policy).standing).toBe('unvouched')
    expect(verifyProof(await exported(same, before.id), policy).standing).toBe('holds')
  })

  it('metrics and doctor name the process that refuses', async () => {
    expect(await metricsOf(same)).toContain(`countersign_log_key_info{key="${renewed.split('+')[1]}"} 1`)
    expect(await metricsOf(same)).toContain('countersign_log_key_refused 0')
    expect(await metricsOf(other)).toContain('countersign_log_key_refused 1')
    expect(await examined()).toMatchObject({
      status: 'failed',
      found: expect.stringContaining(
        `:${other.process.pid} (api) has stopped signing, because its key was stolen: ${stolen}`,
      ),
    })
  })

  it('a start with the old file is refused', async () => {
    await expect(spawnBeside(server, { TLOG_KEY_FILE: copy })).rejects.toThrow(/TLOG_KEY_FILE: the log key .* stolen/)
  })

  it('a process that gets the new file signs again, without a restart', async () => {
    writeFileSync(copy, readFileSync(file))
    await expect.poll(async () => (await decide(other)).status, { timeout: 10_000 }).toBe(201)
    expect(await metricsOf(other)).toContain('countersign_log_key_refused 0')
  })
})
