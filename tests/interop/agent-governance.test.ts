/**
 * The Agent Governance Toolkit asks a real server, a person approves, and the toolkit accepts; every forged answer is refused by
 * its parser with our verifier in Python.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { forgeries, type RealAnswers, realAnswers } from '../support/approval-forgeries.ts'
import { sampleBinding } from '../support/approval-requests.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { installed, needsPip, run } from './installed.ts'
import { describeWith } from './other-programs.ts'

const requirements = join(import.meta.dirname, 'agent-governance-requirements.txt')

interface Came {
  readonly approved: boolean
  readonly approver: string
  readonly reason: string
}

let server: TestServer
let here: ProofFixture
let real: RealAnswers
let common: { url: string; key: string; policy: string; log: string; approvers: readonly string[] }
let packages: string

beforeAll(async () => {
  server = await startServer()
  here = await openProofFixture(server)
  real = await realAnswers(here, await openProofFixture(server))
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  const { log } = real.answer.proof.evidence
  common = { url: server.url, key: here.key, policy, log, approvers: [here.admin.actorId] }
}, 300_000)
afterAll(() => server.close())

const environment = () => ({
  ...process.env,
  PYTHONPATH: [packages, join(root, 'examples/external-approvals')].join(':'),
  PYTHONDONTWRITEBYTECODE: '1',
})

async function steps<T = Came>(all: readonly object[]): Promise<T[]> {
  const child = spawn('python3', [join(import.meta.dirname, 'ask_for_approval.py')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environment(),
  })
  child.stdin.end(JSON.stringify(all.map((step) => ({ ...common, ...step }))))
  const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(complaint)
  return JSON.parse(out) as T[]
}

/** A person who decides whatever begins to wait while `work` runs. */
async function deciding<T>(result: 'approved' | 'rejected', work: Promise<T>): Promise<T> {
  let done = false
  const known = new Set([real.pending.event_id])
  const person = async () => {
    while (!done) {
      const waiting = (await here.platform('GET', '/api/decisions?waiting=true')).body.data as { id: string }[]
      for (const { id } of waiting.filter((each) => !known.has(each.id))) {
        known.add(id)
        await here.approveAsMember(id, { result })
      }
      await new Promise((next) => setTimeout(next, 200))
    }
  }
  const [came] = await Promise.all([work.finally(() => (done = true)), person()])
  return came
}

const binding = sampleBinding()

describeWith(['pip'], 'the Agent Governance Toolkit', () => {
  beforeAll(async () => {
    packages = await installed('agent-governance', readFileSync(requirements, 'utf8'), needsPip, (target) =>
      run('python3', [
        ...['-m', 'pip', 'install', '--quiet', '--no-compile', '--no-deps', '--only-binary=:all:'],
        ...['--target', target, '-r', requirements],
      ]),
    )
  }, 600_000)

  it('accepts what a person approved, once, for the action that was approved', { timeout: 180_000 }, async () => {
    const all = [
      { do: 'whole', binding },
      { do: 'whole', binding, approvers: ['somebody-else'] },
      { do: 'govern', amount: 40_000 },
    ]
    expect(await deciding('approved', steps<object>(all))).toEqual([
      {
        approved: true,
        approver: here.admin.actorId,
        reason: '',
        error: null,
        other: 'action_digest_mismatch',
        first: 'ok',
        second: 'already_consumed',
      },
      // Their own chain names who may approve.
      expect.objectContaining({ error: expect.stringContaining('not permitted'), first: 'no_resolution' }),
      { result: 'paid', calls: [40_000] },
    ])
  })

  it('runs the program of the guide under the policy of the guide', { timeout: 180_000 }, async () => {
    const [policy, program] = blocksOf(read('docs/guides/external-approvals.md'))
    const { guards, ...rest } = JSON.parse(policy?.text ?? '')
    await here.policy(guards, rest)
    const env = {
      ...environment(),
      APPROVERS: here.admin.actorId,
      COUNTERSIGN_URL: common.url,
      COUNTERSIGN_API_KEY: common.key,
      COUNTERSIGN_TRUST: common.policy,
      COUNTERSIGN_LOG: common.log,
    }
    const printed = await deciding('approved', run('python3', ['-c', program?.text ?? ''], { env }))
    expect(printed).toContain('transferred 40000 to KR-110-220')
  })

  it('runs nothing that a person refused', { timeout: 180_000 }, async () => {
    const all = [
      { do: 'whole', binding },
      { do: 'govern', amount: 40_000 },
    ]
    expect(await deciding('rejected', steps<object>(all))).toMatchObject([
      { approved: false, approver: here.admin.actorId, first: 'not_terminal_allow' },
      { result: null, calls: [] },
    ])
  })

  it('denies when there is no answer', { timeout: 180_000 }, async () => {
    const [late, wrong, away, plain] = await steps([
      { do: 'whole', binding, timeout: 1 },
      { do: 'whole', binding, key: 'csk_test_nothing' },
      { do: 'whole', binding, url: 'http://127.0.0.1:9' },
      // Without our two files, it sends no action.
      { do: 'plain', binding },
    ])
    expect(late).toMatchObject({ approved: false, reason: expect.stringContaining('nobody decided in time') })
    expect(wrong).toMatchObject({ approved: false, reason: expect.stringContaining('401') })
    expect(away).toMatchObject({ approved: false, approver: 'system:webhook-error' })
    expect(plain).toMatchObject({ approved: false, reason: expect.stringContaining('422') })
  })

  it('refuses every forged answer, and the real one where it does not count', { timeout: 180_000 }, async () => {
    const all = forgeries(real)
    const judge = { do: 'judge', request: real.request, answer: real.answer }
    const [accepted, late, ended, otherKey, otherCenter, witnesses, ...forged] = await steps([
      judge,
      { ...judge, now: new Date(Date.parse(real.request.expires_at) + 1).toISOString() },
      { ...judge, now: new Date(Date.parse(real.answer.usable_until) + 1).toISOString() },
      { ...judge, policy: common.policy.replace(/^log \S+/, `log ${keyOfAnother}`) },
      { ...judge, log: real.elsewhere.proof.evidence.log },
      { ...judge, policy: common.policy.replace('quorum none', 'quorum one') },
      ...all.map(({ request, answer }) => ({ do: 'judge', request, answer })),
    ])
    expect(accepted).toEqual({ approved: true, approver: here.admin.actorId, reason: '' })
    expect(late).toMatchObject({ approved: false, reason: expect.stringContaining('the request has expired') })
    expect(ended).toMatchObject({ approved: false, reason: expect.stringContaining("can't be used anymore") })
    expect(otherKey).toMatchObject({ approved: false, reason: expect.stringContaining('no key of the policy signed') })
    expect(otherCenter).toMatchObject({ approved: false, reason: expect.stringContaining('of another log') })
    expect(witnesses).toMatchObject({ approved: false, reason: expect.stringContaining("can't check witnesses") })
    expect(forged).toHaveLength(all.length)
    expect(all.flatMap(({ name }, at) => (forged[at]?.approved === false ? [] : [name]))).toEqual([])
  })
})

/** Of another log of the same name. */
const keyOfAnother = 'countersign.test+cb9689e0+AQTuZNF0U5RjG/a1hJCIQBz5RJzRw6Dz+GU7F+Fxso4N'
