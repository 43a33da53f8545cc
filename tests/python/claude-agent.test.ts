/** The Claude Agent SDK in Python: the real package with the program that it brings along, a scripted model, and a real server. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Countersign } from '../../packages/sdk/countersign.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { claudeCode, type ScriptedModel, scriptedModel, type ToolAnswer } from '../support/claude-code.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { compiled, folder, python } from './environment.ts'

let interpreter: string
let packages: string
let server: TestServer
let fixture: ProofFixture
let policy: string
let model: ScriptedModel
let home: string
let command = ''
let told: readonly ToolAnswer[] = []

beforeAll(async () => {
  interpreter = await python()
  packages = join(dirname(await claudeCode()), '../..')
  server = await startServer()
  fixture = await openProofFixture(server)
  await fixture.policy({ humanReview: true }, { match: { actionTypes: ['shell'] }, approval: { identity: 'session' } })
  policy = (await server.call('GET', '/.well-known/countersign-log.json')).body.policy
  home = mkdtempSync(join(tmpdir(), 'claude-agent-'))
  model = await scriptedModel((answers) => {
    told = answers
    return answers.length === 0 ? { name: 'Bash', input: { command, description: 'A step' } } : null
  })
}, 900_000)
afterAll(async () => {
  model?.close()
  await server?.close()
  if (home) rmSync(home, { recursive: true, force: true })
})

interface Ended {
  readonly session: string
  readonly deferred: string | null
}

/** The lines that a program prints. */
function linesOf(program: string, more: object) {
  told = []
  const child = spawn(interpreter, [program], {
    cwd: home,
    env: {
      ...{ ...compiled, PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' },
      ...{ PYTHONPATH: `${join(folder, 'src')}:${packages}`, ...more },
      ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'dummy' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return createInterface({ input: child.stdout })
}

async function run(
  scene: object,
  whenWaiting?: (id: string) => Promise<unknown>,
): Promise<Ended & { asked: string[] }> {
  const own = { url: server.url, key: fixture.key, policy, center: fixture.center.id, cwd: home, within: 0 }
  const asked: string[] = []
  let ended: Ended | null = null
  const SCENE = JSON.stringify({ ...own, ...scene })
  for await (const line of linesOf(join(folder, 'tests/claude_agent.py'), { SCENE })) {
    const said = JSON.parse(line)
    if (said.waiting) {
      asked.push(said.waiting)
      await whenWaiting?.(said.waiting)
    } else ended = said
  }
  if (!ended) throw new Error('The program ended without a result.')
  return { ...ended, asked }
}

const effect = () => {
  const file = join(home, 'RAN')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  rmSync(file, { force: true })
  return text
}
const executionOf = async (id: string) =>
  (await new Countersign({ baseUrl: server.url, apiKey: fixture.key }).decisions.get(id)).execution

it('ends while a person decides, runs once in the resumed session, and reports the result', {
  timeout: 300_000,
}, async () => {
  command = 'echo ran | tee -a RAN'
  const { session, deferred, asked } = await run({})
  expect([deferred, asked.length, effect()]).toEqual(['toolu_0', 1, ''])
  const [id = ''] = asked
  expect(await run({ resume: session })).toEqual({ session, deferred: 'toolu_0', asked: [id] })
  expect((await fixture.approveAsMember(id, { result: 'approved' })).status).toBe(200)
  expect(await run({ resume: session })).toMatchObject({ session, deferred: null })
  expect([effect(), told[0]?.isError]).toEqual(['ran\n', false])
  const outcome = { status: 'succeeded', output: { stdout: 'ran' } }
  expect(await executionOf(id)).toMatchObject({ outcome })
})

it('waits in the hook, and reports that the tool failed', { timeout: 200_000 }, async () => {
  command = 'echo ran >> RAN; exit 3'
  const { asked } = await run({ within: 60 }, (id) => fixture.approveAsMember(id, { result: 'approved' }))
  expect([effect(), told[0]?.isError]).toEqual(['ran\n', true])
  expect(await executionOf(asked[0] ?? '')).toMatchObject({ outcome: { status: 'failed' } })
})

it('runs nothing that was refused, and tells the model why', { timeout: 200_000 }, async () => {
  command = 'echo refused >> RAN'
  await run({ within: 60 }, (id) => fixture.approveAsMember(id, { result: 'rejected', reason: 'Not on a Friday' }))
  expect(effect()).toBe('')
  expect(told[0]?.text).toContain('Not on a Friday')
})

it("runs nothing that it can't verify, although it was approved", { timeout: 200_000 }, async () => {
  command = 'echo unverified >> RAN'
  await run({ within: 60, requires: 'passkey' }, (id) => fixture.approveAsMember(id, { result: 'approved' }))
  expect(effect()).toBe('')
  expect(told[0]?.text).toContain('unverified')
})

it('runs nothing while the server is away', { timeout: 200_000 }, async () => {
  command = 'echo away >> RAN'
  await run({ url: 'http://127.0.0.1:9' })
  expect([effect(), told[0]?.isError]).toEqual(['', true])
})

it('leaves alone what is set to None', { timeout: 200_000 }, async () => {
  command = 'echo free >> RAN'
  expect((await run({ free: true })).asked).toEqual([])
  expect(effect()).toBe('free\n')
})

it('waits in the program of the guide', { timeout: 200_000 }, async () => {
  await fixture.policy({ humanReview: true }, { match: { actionTypes: ['Bash'] }, approval: { identity: 'session' } })
  command = 'echo guide >> RAN'
  const block = blocksOf(read('docs/guides/python.md')).find(({ label }) => label === 'session.py')
  const program = join(home, 'session.py')
  writeFileSync(program, block?.text ?? '')
  const more = {
    ...{ COUNTERSIGN_URL: server.url, COUNTERSIGN_API_KEY: fixture.key },
    ...{ COUNTERSIGN_CENTER: String(fixture.center.id), COUNTERSIGN_TRUST: policy },
  }
  const printed: string[] = []
  for await (const line of linesOf(program, more)) printed.push(line)
  expect(printed.join()).toMatch(/^[0-9a-f-]{36} waits$/)
  expect(effect()).toBe('')
})
