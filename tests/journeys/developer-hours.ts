/** The guide to guarding an agent's tools, from empty folders with the packed packages: two levels, and a crash between two tools. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { versions } from '../../packages/sdk/test/agents/packages.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { type AsMember, open } from '../support/approving.ts'
import { countingPasskey } from '../support/passkeys.ts'
import { openProofFixture } from '../support/proof-fixture.ts'
import type { TestServer } from '../support/server.ts'
import { beginHour, type Hour } from './hour.ts'
import { inShell, plainEnvironment } from './shell.ts'

const blocks = blocksOf(read('docs/guides/agents.md'))
const files = blocks.filter(({ label }) => /^(policies\.yaml|tools\.mts|worker\.mts)$/.test(label))
const apply = blocks.find(({ language, label }) => language === 'sh' && label === 'policies')?.text ?? ''

/** A model that asks for what the prompt names, all at once, and repeats what the tools gave. */
const model = `import type { LanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
export const model: LanguageModel = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const last = prompt.at(-1)
    const isDone = last?.role === 'tool'
    const calls = JSON.parse(process.argv[3] ?? '[]').map(([toolName, input], at) => ({
      ...{ type: 'tool-call', toolCallId: 'call-' + (at + 1), toolName, input: JSON.stringify(input) },
    }))
    return {
      content: isDone ? [{ type: 'text', text: JSON.stringify(last.content) }] : calls,
      finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    }
  },
})
`

/** Kills the process when it is about to store its messages. */
const crash = `import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
fs.writeFile = () => process.kill(process.pid, 'SIGKILL')
syncBuiltinESMExports()
`

const calls = [
  ['refund', { order: '1041', won: 820_000 }],
  ['payout', { supplier: 'Hanbit', won: 5000 }],
]
const waitsFor = (said: string, tool: string): string => {
  const [, id = ''] = new RegExp(`^${tool} waits: http\\S+/(evt_\\w+)$`, 'm').exec(said) ?? []
  expect([tool, id]).not.toContain('')
  return id
}

/** Somebody's empty folder, in which the page's packages, policies and programs are, and the people of a center. */
async function beginAt(hour: Hour, server: TestServer, tarballs: string) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-hour-'))
  const fixture = await openProofFixture(server)
  const { device } = await countingPasskey(server, fixture.instructor, fixture.center, fixture.admin)
  const body = { name: 'Policies', scopes: ['policies:write'] }
  const made = await fixture.platform('POST', '/api/api-keys', body)
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  const env = plainEnvironment({
    COUNTERSIGN_URL: server.url,
    COUNTERSIGN_API_KEY: fixture.key,
    COUNTERSIGN_CENTER: String(fixture.center.id),
    COUNTERSIGN_TRUST_FILE: 'countersign.trust',
  })
  const shell = { folder, env }
  const own = versions.filter((each) => /^(ai|zod)@/.test(each)).join(' ')
  const install = `npm init -y > /dev/null; npm install --no-audit --no-fund --prefer-offline ${tarballs} ${own}`
  await hour.step('install the packages', () => inShell(shell, install))
  for (const { label, text } of files) writeFileSync(join(folder, label), text)
  writeFileSync(join(folder, 'model.mts'), model)
  writeFileSync(join(folder, 'crash.mjs'), crash)
  writeFileSync(join(folder, 'policies.key'), made.body.data.key)
  writeFileSync(join(folder, 'countersign.trust'), policy)
  const applied = await hour.step('apply the policies of the page', () => inShell(shell, apply))
  expect(applied).toMatch(/\+ policy Refunds of more than 100,000 won[\s\S]*\+ policy Payouts/)
  return {
    folder,
    approve: fixture.approveAsMember,
    async approveByPasskey(id: string) {
      const token = fixture.instructorToken
      const ask: AsMember = async (method, path, given) =>
        (await server.call(method, path, { token, ...(given && { body: given }) })).body.data
      const answer = { result: 'approved', ...(await open(ask, id)) }
      const path = `/api/decisions/${id}/approvals`
      const { publicKey } = await ask('POST', `${path}/challenge`, answer)
      const assertion = device.answer(publicKey.challenge)
      return server.call('POST', path, { token, body: { ...answer, assertion } })
    },
    executionOf: async (id: string) => (await fixture.v1('GET', `/api/v1/decision-events/${id}`)).body.data.execution,
    run: (runId: string, wanted: unknown, before = '') =>
      inShell(shell, `${before} node worker.mts ${runId} '${JSON.stringify(wanted)}' 2>&1 || echo "code $?"`, 60_000),
  }
}

async function inHour(
  title: string,
  server: TestServer,
  tarballs: string,
  work: (hour: Hour, at: Awaited<ReturnType<typeof beginAt>>) => Promise<void>,
): Promise<void> {
  const hour = beginHour(title)
  const at = await beginAt(hour, server, tarballs)
  try {
    await work(hour, at)
    expect(hour.end()).toBeLessThan(5 * 60)
  } finally {
    rmSync(at.folder, { recursive: true, force: true })
  }
}

export const twoToolsHour = (server: TestServer, tarballs: string): Promise<void> =>
  inHour('Two tools with different levels', server, tarballs, async (hour, at) => {
    const small = [['refund', { order: '1040', won: 50_000 }]]
    const ran = await hour.step('a small refund runs without a person', () => at.run('ticket-1040', small))
    expect(ran).toContain('Refunded 50000 won for order 1040')
    const said = await hour.step('two calls wait, each with its address', () => at.run('ticket-1041', calls))
    const [refund, payout] = [waitsFor(said, 'refund'), waitsFor(said, 'payout')]
    await hour.step('a session approves the refund, which runs while the payout waits', async () => {
      expect(await at.approve(refund)).toMatchObject({ status: 200 })
      expect(waitsFor(await at.run('ticket-1041', calls), 'payout')).toBe(payout)
      expect(await at.executionOf(refund)).toMatchObject({ outcome: { status: 'succeeded' } })
    })
    await hour.step('a session is too little for the payout, a passkey is enough', async () => {
      expect((await at.approve(payout)).status).toBe(422)
      expect(await at.executionOf(payout)).toBeNull()
      expect((await at.approveByPasskey(payout)).status).toBe(200)
      const last = await at.run('ticket-1041', calls)
      expect(last).toContain('Refunded 820000 won for order 1041')
      expect(last).toContain('Paid 5000 won to Hanbit')
    })
  })

export const crashHour = (server: TestServer, tarballs: string): Promise<void> =>
  inHour('A crash between two tools', server, tarballs, async (hour, at) => {
    const said = await hour.step('two calls wait, each with its address', () => at.run('ticket-1041', calls))
    const [refund, payout] = [waitsFor(said, 'refund'), waitsFor(said, 'payout')]
    const first = await hour.step(
      'the refund runs, and the program is killed before it stores the result',
      async () => {
        expect(await at.approve(refund)).toMatchObject({ status: 200 })
        expect(await at.run('ticket-1041', calls, "NODE_OPTIONS='--import ./crash.mjs'")).toContain('code 137')
        expect(readFileSync(join(at.folder, 'ticket-1041.json'), 'utf8')).not.toContain('Refunded')
        expect(await at.executionOf(payout)).toBeNull()
        return at.executionOf(refund)
      },
    )
    expect(first).toMatchObject({ outcome: { status: 'succeeded' } })
    await hour.step('the payout is approved; the model has both results, and each ran once', async () => {
      expect((await at.approveByPasskey(payout)).status).toBe(200)
      const last = await at.run('ticket-1041', calls)
      expect(last).toContain('Refunded 820000 won for order 1041')
      expect(last).toContain('Paid 5000 won to Hanbit')
      expect(await at.executionOf(refund)).toEqual(first)
    })
  })
