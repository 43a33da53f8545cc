/** The guide to guarding an agent's tools, from empty folders with the packed packages: two tools, and a crash between them. */
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
import { inShell, plainEnvironment } from './shell.ts'

const programs = blocksOf(read('docs/guides/agents.md')).filter(({ language }) => language === 'ts')

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

export async function twoToolsHour(server: TestServer, tarballs: string) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-hour-'))
  const steps: string[] = []
  let at = performance.now()
  const step = (text: string) => {
    steps.push(`${((performance.now() - at) / 1000).toFixed(1)} s  ${text}`)
    at = performance.now()
  }
  try {
    const fixture = await openProofFixture(server)
    const when = [{ pointer: '/action/input/won', op: 'gt', value: 100_000 }]
    await fixture.policy(
      { humanReview: true },
      { match: { actionTypes: ['refund.*'], when }, approval: { identity: 'session' } },
    )
    await fixture.policy(
      { humanReview: true },
      { match: { actionTypes: ['payout.*'] }, approval: { identity: 'passkey' } },
    )
    const { device } = await countingPasskey(server, fixture.instructor, fixture.center, fixture.admin)
    const byPasskey = async (id: string) => {
      const token = fixture.instructorToken
      const ask: AsMember = async (method, path, body) =>
        (await server.call(method, path, { token, ...(body && { body }) })).body.data
      const body = { result: 'approved', ...(await open(ask, id)) }
      const path = `/api/decisions/${id}/approvals`
      const { publicKey } = await ask('POST', `${path}/challenge`, body)
      const assertion = device.answer(publicKey.challenge)
      expect((await server.call('POST', path, { token, body: { ...body, assertion } })).status).toBe(200)
    }

    at = performance.now()
    const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
    const env = plainEnvironment({
      ...{ COUNTERSIGN_URL: server.url, COUNTERSIGN_API_KEY: fixture.key, COUNTERSIGN_TRUST: policy },
      COUNTERSIGN_CENTER: String(fixture.center.id),
    })
    const shell = { folder, env }
    const own = versions.filter((each) => /^(ai|zod)@/.test(each)).join(' ')
    await inShell(
      shell,
      `npm init -y > /dev/null; npm install --no-audit --no-fund --prefer-offline ${tarballs} ${own}`,
    )
    for (const { label, text } of programs) writeFileSync(join(folder, label), text)
    writeFileSync(join(folder, 'model.mts'), model)
    writeFileSync(join(folder, 'crash.mjs'), crash)
    step('installed the packages and copied the two programs')

    const run = (runId: string, calls: unknown, before = '') =>
      inShell(shell, `${before} node worker.mts ${runId} '${JSON.stringify(calls)}' 2>&1 || echo "code $?"`, 60_000)
    const small = ['refund', { order: '1040', won: 50_000 }]
    expect(await run('ticket-1040', [small])).toContain('Refunded 50000 won for order 1040')
    step('a small refund ran without a person')

    const calls = [
      ['refund', { order: '1041', won: 820_000 }],
      ['payout', { supplier: 'Hanbit', won: 5000 }],
    ]
    const said = await run('ticket-1041', calls)
    const [, refund = ''] = /^refund waits: http\S+\/(evt_\w+)$/m.exec(said) ?? []
    const [, payout = ''] = /^payout waits: http\S+\/(evt_\w+)$/m.exec(said) ?? []
    expect([refund, payout]).not.toContain('')
    step('two calls wait, each with its address')

    expect(await fixture.approveAsMember(refund)).toMatchObject({ status: 200 })
    expect(await run('ticket-1041', calls, "NODE_OPTIONS='--import ./crash.mjs'")).toContain('code 137')
    const stored = readFileSync(join(folder, 'ticket-1041.json'), 'utf8')
    expect(stored).not.toContain('Refunded')
    const executionOf = async (id: string) =>
      (await fixture.v1('GET', `/api/v1/decision-events/${id}`)).body.data.execution
    const first = await executionOf(refund)
    expect(first).toMatchObject({ outcome: { status: 'succeeded' } })
    expect(await executionOf(payout)).toBeNull()
    step('the refund was approved and ran; the program was killed before it stored the result')

    expect((await fixture.approveAsMember(payout)).status).toBe(422)
    await byPasskey(payout)
    const last = await run('ticket-1041', calls)
    expect(last).toContain('Refunded 820000 won for order 1041')
    expect(last).toContain('Paid 5000 won to Hanbit')
    expect(await executionOf(refund)).toEqual(first)
    step('the payout was approved with a passkey; the model has both results, and each ran once')
    return steps
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
