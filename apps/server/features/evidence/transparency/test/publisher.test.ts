/** A real witness, as a separate process, and a time-stamping authority made with openssl. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkpointText } from '@countersign/proof/checkpoint.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Folder,
  type RunningWitness,
  runWitness,
  witnessFolder,
} from '../../../../../../packages/witness/test/program.ts'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { openTimeAuthority, type TimeAuthority } from '../../../../../../tests/support/time-authority.ts'
import { openService } from '../../../../lib/outbound-http.ts'
import { readFiguresJob } from '../../../../read-figures.job.ts'
import { growth, waitingLogs } from '../grown-logs.ts'
import { stampLogs } from '../stamping.ts'
import { askedWitnesses } from '../witness-sizes.ts'
import { openWitnesses, showToWitness } from '../witnessing.ts'

const secret = Buffer.alloc(32, 9).toString('base64')
const folder = mkdtempSync(join(tmpdir(), 'watch-'))
const policyFile = join(folder, 'policy.txt')
let own: Folder
let witness: RunningWitness
let authority: TimeAuthority
let server: TestServer
let fixture: ProofFixture
/** An earlier answer of the authority. */
let earlier: Buffer | null = null

beforeAll(async () => {
  writeFileSync(policyFile, 'quorum none\n')
  const env = { SECRET_KEY: secret, TLOG_HOST: 'watched.test', TLOG_POLICY_FILE: policyFile }
  const first = await startServer({ env })
  own = witnessFolder([first.services.logBook.keys.all[0]?.vkey as string])
  await first.close()
  witness = await runWitness(own.path)
  writeFileSync(policyFile, `witness w1 ${own.vkey} ${witness.url}\nquorum w1\n`)
  authority = await openTimeAuthority()
  server = await startServer({ env, fence: true })
  fixture = await openProofFixture(server)
})
afterAll(async () => {
  await server.close()
  await witness.kill('SIGTERM')
  await authority.close()
  own.remove()
  rmSync(folder, { recursive: true, force: true })
})

const stop = new AbortController().signal
const cell = () => server.services.cells.of('main')
async function show(): Promise<number> {
  const [client] = openWitnesses(server.services.watching.policy.witnesses) as [ReturnType<typeof openWitnesses>[0]]
  try {
    return await showToWitness(cell(), client, server.services.logBook, server.services.log, stop, waitingLogs())
  } finally {
    await client.service.close()
  }
}
async function stamp(): Promise<number> {
  const service = openService(authority.url, { timeoutMs: 5000, maxBytes: 100_000 })
  try {
    return await stampLogs(cell(), service, server.services.watching, server.services.log, stop, waitingLogs())
  } finally {
    await service.close()
  }
}
async function sealed(by = fixture): Promise<string> {
  const { body } = await by.decide()
  return body.data.dpu.id.replace('dpu_', 'evd_')
}
const exported = async (id: string, by = fixture) => (await by.v1('GET', `/api/v1/evidence/${id}/export`)).body

describe('a witness', () => {
  it('cosigns logs that have grown, and exports are then witnessed', async () => {
    const id = await sealed()
    expect((await exported(id)).verification.anchoring).toBe('logged')
    expect(await show()).toBe(1)
    expect(await show()).toBe(0)
    const document = await exported(id)
    expect(document.verification.anchoring).toBe('witnessed')
    const verdict = verifyProof(document, parsePolicy(server.services.watching.policyText))
    expect([verdict.witnessed.status, verdict.complete]).toEqual(['yes', true])
  })

  it('later entries are logged until the witness has cosigned them, and earlier ones stay witnessed', async () => {
    const [before] = [await sealed(), await show()]
    const later = await sealed()
    expect((await exported(before)).verification.anchoring).toBe('witnessed')
    expect((await exported(later)).verification.anchoring).toBe('logged')
    expect((await fixture.v1('GET', '/api/v1/chains/proof/checkpoint')).body.data.anchoring).toBe('logged')
    await show()
    expect((await exported(later)).verification.anchoring).toBe('witnessed')
  })

  it('says how many entries it has cosigned, and learns nothing from the question', async () => {
    const checkpoint = async () => (await fixture.v1('GET', '/api/v1/chains/proof/checkpoint')).body.data
    const asked = askedWitnesses(server.services.watching.policy.witnesses)
    const ask = async ({ checkpoint, size }: { checkpoint: string; size: number }) =>
      asked.all[0]?.seen(checkpoint, size)
    try {
      const known = await checkpoint()
      expect(await ask(known)).toEqual({ size: known.size })
      await sealed()
      const newer = await checkpoint()
      expect([await ask(newer), await ask(newer), await ask(known)]).toEqual(Array(3).fill({ size: known.size }))
      expect(await show()).toBe(1)
      expect(await ask(known)).toEqual({ size: newer.size })
      const { logBook } = server.services
      const text = checkpointText(newer.log, newer.size, new Uint8Array(32))
      const [line] = await logBook.keys.signLines([{ origin: newer.log, text }])
      expect(await ask({ checkpoint: `${text}\n${line}`, size: newer.size })).toBe('another root')
    } finally {
      await asked.close()
    }
  })

  it('an unreachable witness is asked again', async () => {
    await sealed()
    await witness.kill('SIGKILL')
    expect(await show()).toBe(0)
    const [row] = await server.world.query<{ refusal: string }>(
      `select refusal from cell.witness_positions where domain = 'proof'`,
    )
    expect(row?.refusal).toBe('no answer')
    await readFiguresJob(server.services, 'main')
    const text = await server.services.metrics.text()
    expect(text).toMatch(/^countersign_witness_logs_behind\{cell="main",witness="w1"\} [1-9]/m)
    expect(text).toMatch(/^countersign_witness_refusals\{cell="main",witness="w1"\} 1$/m)
    const alarms = await server.world.query(`select from cell.audit_entries where type = 'integrity.alarm'`)
    expect(alarms).toEqual([])
  })
})

describe('growth', () => {
  it('is found once, also of a batch that commits long after later ones, and without a look at the other logs', async () => {
    const [late, other] = [await openProofFixture(server), await openProofFixture(server)]
    await late.decide()
    const follow = growth(cell())
    const centers = async () => (await follow())?.map(({ center_id }) => center_id)
    expect(await centers()).toBeUndefined()
    // What grew shortly before the first call is told once more.
    await centers()
    expect(await centers()).toEqual([])
    const slow = new pg.Client({ connectionString: server.services.config.databaseUrl })
    await slow.connect()
    await slow.query('begin')
    const mark = 'grown = countersign.change_mark()'
    await slow.query(`update cell.chain_heads set ${mark}, next_index = next_index + 1 where center_id = $1`, [
      late.center.id,
    ])
    await server.world.query(
      `do $$ begin
         perform set_config('synchronous_commit', 'off', false);
         for i in 1..3000 loop perform pg_current_xact_id(); commit; end loop;
       end $$`,
    )
    await other.decide()
    expect(await centers()).toEqual([other.center.id])
    await slow.query('commit')
    await slow.end()
    expect(await centers()).toEqual([late.center.id])
    expect(await centers()).toEqual([])
  })
})

describe('a time stamp', () => {
  it('is accepted by openssl for the text of the checkpoint, and for no other', async () => {
    // No witness has cosigned this log, so the newest checkpoint is stamped.
    const other = await openProofFixture(server)
    const id = await sealed(other)
    authority.answer = (reply) => {
      earlier = reply
      return { status: 200, body: reply }
    }
    expect(await stamp()).toBeGreaterThan(0)
    authority.answer = null
    const { verification } = await exported(id, other)
    expect(verification.anchoring).toBe('timestamped')
    const token = Buffer.from(verification.timestamp, 'base64')
    const text = /\n\n(.*?\n)\n—/s.exec(verification.tlogProof)?.[1] as string
    expect(authority.accepts(token, text)).toBe(true)
    expect(authority.accepts(token, `${text} `)).toBe(false)
    const authorities = [readFileSync(authority.certificate, 'utf8')]
    const stamped = await exported(id, other)
    expect(verifyProof(stamped, null, { authorities }).facts.timestamp).toMatchObject({
      status: 'verified',
      at: expect.stringMatching(/^20\d\d-/),
    })
    expect(verifyProof(stamped, null).facts.timestamp).toEqual({ status: 'unverified', why: 'no-authority' })
  })

  it('is not requested again within the hour', async () => {
    await sealed()
    expect(await stamp()).toBe(0)
  })

  it.each([
    ['refuses', () => ({ status: 503, body: 'later' })],
    ['answers nonsense', () => ({ status: 200, body: 'no DER' })],
    ['answers for another digest', () => ({ status: 200, body: earlier as Buffer })],
    ['says no', () => ({ status: 200, body: Buffer.from('30053003020102', 'hex') })],
  ])('an authority that %s stamps nothing', async (_, answer) => {
    const other = await openProofFixture(server)
    authority.answer = answer
    await other.decide()
    expect(await stamp()).toBe(0)
    authority.answer = null
    expect(await stamp()).toBe(1)
  })
})
