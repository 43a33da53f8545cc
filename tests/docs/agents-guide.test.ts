/** The guide for agents: each program waits for a person, and then runs its tool. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { versions } from '../../packages/sdk/test/agents/packages.ts'
import { npmPackages } from '../interop/installed.ts'
import { inBackground, plainEnvironment } from '../journeys/shell.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { blocksOf, read, root } from './blocks.ts'

const guide = read('docs/guides/agents.md')
const packages = ['@openai/agents@0.20.0', '@mastra/core@1.71.0', 'zod@4.6.7']

const openaiModel = `import { setTracingDisabled, Usage } from '@openai/agents'
setTracingDisabled(true)
export const model = {
  async getResponse({ input }) {
    const result = Array.isArray(input) ? input.find(({ type }) => type === 'function_call_result') : undefined
    const call = { type: 'function_call', callId: 'call-1', name: 'refund', arguments: '{"order":"1041","won":820000}' }
    const text = result && { type: 'output_text', text: JSON.stringify(result.output) }
    const message = { type: 'message', role: 'assistant', status: 'completed', content: [text] }
    return { usage: new Usage(), output: [result ? message : { ...call, status: 'completed' }] }
  },
}
`
const mastraModel = `export const model = {
  specificationVersion: 'v2',
  provider: 'script',
  modelId: 'refunds-1',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const last = prompt.at(-1)
    const isDone = last.role === 'tool'
    const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input: '{"order":"1041","won":820000}' }
    return {
      content: [isDone ? { type: 'text', text: JSON.stringify(last.content) } : call],
      finishReason: isDone ? 'stop' : 'tool-calls',
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      warnings: [],
    }
  },
}
`

let server: TestServer
let fixture: ProofFixture
let folder: string
beforeAll(async () => {
  const installed = await npmPackages('agent-recipes', packages)
  server = await startServer()
  fixture = await openProofFixture(server)
  await fixture.policy(
    { humanReview: true },
    { match: { actionTypes: ['refund.*'] }, approval: { identity: 'session' } },
  )
  await mkdir(join(root, '.dev'), { recursive: true })
  folder = await mkdtemp(join(root, '.dev/docs-agents-'))
  await symlink(join(installed, 'node_modules'), join(folder, 'node_modules'))
  const write = (file: string, text: string) => writeFile(join(folder, file), text)
  for (const { label, text } of blocksOf(guide).filter(({ language }) => language === 'js'))
    await write(label, text.replaceAll('http://localhost:3000', server.url))
  await write('openai-model.mjs', openaiModel)
  await write('mastra-model.mjs', mastraModel)
  await write('countersign.trust', (await server.call('GET', '/.well-known/countersign-log.json')).body.policy)
}, 600_000)
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

it('names the versions that are tested', () => {
  for (const each of [...versions, ...packages]) {
    const [, name, version] = /^(.+)@(.+)$/.exec(each) ?? []
    if (!name?.startsWith('@langchain') && name !== 'zod') expect(guide).toContain(`${name} ${version}`)
  }
})

const start = (name: string) =>
  inBackground(
    { folder, env: plainEnvironment({ KEY: fixture.key, CENTER: String(fixture.center.id) }) },
    `exec node ${name}-agent.mjs`,
  )

it.each(['openai', 'mastra'])('%s', { timeout: 120_000 }, async (name) => {
  const agent = start(name)
  await agent.shows('waits: http', 60_000)
  const [id = ''] = /evt_\w+/.exec(agent.output()) ?? []
  expect((await fixture.approveAsMember(id)).status).toBe(200)
  await agent.shows('Refunded 820000 won for order 1041', 30_000)
  const { execution } = (await fixture.v1('GET', `/api/v1/decision-events/${id}`)).body.data
  expect(execution).toMatchObject({ outcome: { status: 'succeeded' } })
})

it('openai, again: the model learns why the tool did not run', { timeout: 120_000 }, async () => {
  const agent = start('openai')
  await agent.shows('An earlier attempt already ran this call', 60_000)
  expect(agent.output()).not.toContain('Refunded')
})
