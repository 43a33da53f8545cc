/** A witness that is not ours cosigns the logs of our server, and answers as our own witness does. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifierKey } from '@countersign/proof/signed-note.ts'
import { logKeyFor, parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { waitingLogs } from '@countersign/server/features/evidence/transparency/grown-logs.ts'
import { openWitnesses, showToWitness } from '@countersign/server/features/evidence/transparency/witnessing.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Folder,
  type RunningWitness,
  runWitness,
  submitTo,
  witnessFolder,
} from '../../packages/witness/test/program.ts'
import { hostKey, littleLog, requestOf } from '../support/little-log.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type LiteWitness, startLiteWitness } from './litewitness.ts'
import { askGo, describeWith, trusting } from './other-programs.ts'

const needed = ['go', 'litewitness', 'ssh-agent'] as const
const secret = Buffer.alloc(32, 11).toString('base64')

describeWith(needed, 'litewitness and the server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'))
  const policyFile = join(folder, 'policy.txt')
  let theirs: LiteWitness
  let ownFolder: Folder
  let own: RunningWitness
  let server: TestServer
  let fixture: ProofFixture
  let policy: string

  const hostKeyOf = (each: TestServer) => each.services.logBook.keys.all[0]?.vkey as string
  const originOf = ({ center }: ProofFixture) => `watched.test/c/${center.id}/proof`
  const logKeyOf = (each: ProofFixture) => logKeyFor(verifierKey(hostKeyOf(server)), originOf(each))?.vkey as string

  beforeAll(async () => {
    const env = { SECRET_KEY: secret, TLOG_HOST: 'watched.test', TLOG_POLICY_FILE: policyFile }
    writeFileSync(policyFile, 'quorum none\n')
    const first = await startServer({ env })
    const hostKey = hostKeyOf(first)
    await first.close()
    theirs = await startLiteWitness()
    ownFolder = witnessFolder([hostKey])
    own = await runWitness(ownFolder.path)
    const witnesses = `witness theirs ${theirs.vkey} ${theirs.url}\nwitness own ${ownFolder.vkey} ${own.url}\n`
    writeFileSync(policyFile, `${witnesses}group both all theirs own\nquorum both\n`)
    policy = `log ${hostKey}\nwitness theirs ${theirs.vkey}\nquorum theirs\n`
    server = await startServer({ env })
    fixture = await openProofFixture(server)
    theirs.register(originOf(fixture), logKeyOf(fixture))
  })
  afterAll(async () => {
    await server?.close()
    await theirs?.close()
    await own?.kill('SIGTERM')
    ownFolder?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** How many logs each witness cosigned, by the name in the policy of the server. */
  async function show(): Promise<Record<string, number>> {
    const clients = openWitnesses(server.services.watching.policy.witnesses)
    const { cells, logBook, log } = server.services
    const counts: Record<string, number> = {}
    for (const client of clients) {
      counts[client.witness.name] = await showToWitness(
        cells.of('main'),
        client,
        logBook,
        log,
        new AbortController().signal,
        waitingLogs(),
      )
      await client.service.close()
    }
    return counts
  }
  async function sealed(by = fixture): Promise<string> {
    const { body } = await by.decide()
    return body.data.dpu.id.replace('dpu_', 'evd_')
  }
  const exported = async (id: string) => (await fixture.v1('GET', `/api/v1/evidence/${id}/export`)).body
  const judged = async (id: string) => {
    const { signed, witnessed } = verifyProof(await exported(id), parsePolicy(policy))
    return [signed.status, witnessed.status]
  }

  it('its cosignature makes an export witnessed for a verifier that knows its key', async () => {
    const id = await sealed()
    expect(await judged(id)).toEqual(['yes', 'no'])
    expect(await show()).toEqual({ theirs: 1, own: 1 })
    expect(await judged(id)).toEqual(['yes', 'yes'])
    expect((await exported(id)).verification.anchoring).toBe('witnessed')
  })

  it('it accepts the consistency proofs of a log that grows', async () => {
    for (const grownBy of [1, 2, 5]) {
      let id = ''
      for (let made = 0; made < grownBy; made++) id = await sealed()
      expect(await judged(id)).toEqual(['yes', 'no'])
      expect(await show()).toEqual({ theirs: 1, own: 1 })
      expect(await judged(id)).toEqual(['yes', 'yes'])
    }
  })

  it('it tells a server that has lost its place how far it is, and gets a proof from there', async () => {
    const id = await sealed()
    await server.world.query(`delete from cell.witness_positions where witness = 'theirs'`)
    expect((await show()).theirs).toBe(1)
    expect(await judged(id)).toEqual(['yes', 'yes'])
  })

  it('both cosignatures are read by the libraries of others', async () => {
    const { body } = await fixture.v1('GET', '/api/v1/chains/proof/checkpoint')
    const trust = trusting(logKeyOf(fixture), theirs.vkey, ownFolder.vkey)
    const [read] = await askGo<Record<string, { signers?: string[] }>>('checkpoint', [
      { note: body.data.checkpoint, ...trust },
    ])
    const everybody = [originOf(fixture), 'litewitness.test/w1', 'witness.example/w1'].toSorted()
    for (const library of ['github.com/transparency-dev/formats', 'filippo.io/torchwood'])
      expect(read?.[library]?.signers?.toSorted()).toEqual(everybody)
  })

  it('torchwood and our verifier say the same about an export under the same policy file', async () => {
    const id = await sealed()
    const before = await exported(id)
    await show()
    const after = await exported(id)
    const trust = trusting(logKeyOf(fixture), theirs.vkey, ownFolder.vkey)
    const entry = Buffer.from(after.evidence.chain.hash.replace('sha256:', ''), 'hex').toString('base64')
    const judgedByTorchwood = await askGo<Record<string, string>>(
      'tlog-proof',
      [before, after].map(({ verification }) => ({ text: verification.tlogProof, entry, ...trust })),
    )
    const ok = judgedByTorchwood.map((each) => each['filippo.io/torchwood'] === 'ok')
    expect(ok).toEqual([false, true])
    const ours = [before, after].map((each) => verifyProof(each, parsePolicy(trust.policy)).witnessed.status === 'yes')
    expect(ours).toEqual(ok)
  })

  it('a log that it does not know is refused by it alone, with the reason kept', async () => {
    await sealed(await openProofFixture(server))
    expect(await show()).toEqual({ theirs: 0, own: 1 })
    const [row] = await server.world.query<{ refusal: string }>(
      `select refusal from cell.witness_positions where witness = 'theirs' and refusal is not null`,
    )
    expect(row?.refusal).toBe('404: unknown log')
  })
})

describeWith(needed, 'litewitness and our witness', () => {
  const key = hostKey('log.test')
  const origin = 'log.test/c/1/proof'
  const truth = littleLog(key, origin, 'the truth', 40)
  const lie = littleLog(key, origin, 'a lie', 40)
  const forged = littleLog(hostKey('log.test'), origin, 'the truth', 40)
  const unknown = littleLog(key, 'elsewhere.test/c/1/proof', 'the truth', 40)

  it('give the same answer to each of these requests', async () => {
    const theirs = await startLiteWitness()
    const ownFolder = witnessFolder([key.vkey])
    const own = await runWitness(ownFolder.path)
    try {
      theirs.register(origin, logKeyFor(verifierKey(key.vkey), origin)?.vkey as string)
      const note = truth.note(9)
      const requests: [string, string, number][] = [
        ['the first checkpoint', truth.submission(0, 7), 200],
        ['the same again', truth.submission(7, 7), 200],
        ['a log that has grown', truth.submission(7, 20), 200],
        ['an old size that is behind', truth.submission(7, 30), 409],
        ['an old size of zero', truth.submission(0, 30), 409],
        ['an old size that is ahead', truth.submission(25, 30), 409],
        ['a smaller checkpoint', truth.submission(7, 9), 409],
        ['an old size above that of the checkpoint', requestOf(20, [], note), 400],
        ['another history', lie.submission(20, 30), 422],
        ['no proof', requestOf(20, [], truth.note(30)), 422],
        ['a proof between other sizes', requestOf(20, truth.proof(19, 30), truth.note(30)), 422],
        ['the signature of another key', forged.submission(20, 30), 403],
        ['an unknown log', unknown.submission(0, 7), 404],
        ['no old size', `\n${note}`, 400],
        ['an old size below zero', requestOf('-1', [], note), 400],
        ['a hash that is too short', `old 20\nAAAA\n\n${note}`, 400],
        ['64 hashes', requestOf(20, Array(64).fill(new Uint8Array(32)), note), 400],
        ['the next step, after all of these', truth.submission(20, 40), 200],
      ]
      for (const [about, body, status] of requests) {
        const [ours, others] = [await submitTo(own.url, body), await submitTo(theirs.url, body)]
        expect([ours.status, others.status], about).toEqual([status, status])
        if (status === 409) expect(ours, about).toEqual(others)
      }
    } finally {
      await theirs.close()
      await own.kill('SIGTERM')
      ownFolder.remove()
    }
  })
})
