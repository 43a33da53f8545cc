/** The example programs in Python, against a real server: the agent survives a restart, the receiver hears of the decision. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Countersign } from '../../packages/sdk/countersign.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { startWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts'
import { compiled, folder, python, temporary } from './environment.ts'

const run = promisify(execFile)
const examples = new URL('../../examples/', import.meta.url).pathname

/** `init_chat_model` finds it by its name, as it finds the models of a provider. */
const model = `
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
import langchain.agents.factory as factory


class Scripted(GenericFakeChatModel):
    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, *args, **kwargs):
        call = {"id": "call-1", "name": "refund", "args": {"order": "1041", "won": 820_000}}
        is_done = isinstance(messages[-1], ToolMessage)
        message = AIMessage("Done: " + messages[-1].content) if is_done else AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=message)])


factory.init_chat_model = lambda name: Scripted(messages=iter([]))
`

let interpreter: string
let fixture: WebhookFixture
let key: string
let place: string
let receiver: ChildProcess | undefined
let heard = ''

beforeAll(async () => {
  interpreter = await python()
  fixture = await startWebhookFixture()
  key = await fixture.server.world.key(fixture.center)
  place = await temporary()
  await fixture.policy({ humanReview: true }, { match: { actionTypes: ['refund'] }, approval: { identity: 'session' } })
  const { policy } = (await fixture.server.call('GET', '/.well-known/countersign-log.json')).body
  await writeFile(join(place, 'trust.txt'), policy)
  await writeFile(join(place, 'sitecustomize.py'), model)
}, 600_000)
afterAll(async () => {
  receiver?.kill()
  await fixture?.close()
  if (place) await rm(place, { recursive: true, force: true })
})

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** A program with FastAPI, which listens. */
async function listens(module: string, folderOfIt: string, port: number, more: object) {
  heard = ''
  receiver = spawn(interpreter, ['-m', 'uvicorn', `${module}:app`, '--port', `${port}`], {
    cwd: folderOfIt,
    env: { ...process.env, ...compiled, PYTHONPATH: join(folder, 'src'), PYTHONUNBUFFERED: '1', ...more },
  })
  for (const stream of [receiver.stdout, receiver.stderr])
    stream?.on('data', (data) => {
      heard += data
    })
  await until(() => heard.includes('Uvicorn running'))
}

async function until(found: () => boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (!found()) {
    if (Date.now() > end) throw new Error(`The receiver said: ${heard}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

it('a LangGraph agent waits, and runs once after the approval of which the receiver tells', async () => {
  const port = await freePort()
  const { signingSecret } = await fixture.register({ url: `http://127.0.0.1:${port}/webhooks/countersign` })
  const env = { ...process.env, PYTHONPATH: `${join(folder, 'src')}:${place}`, ...compiled }
  await listens('receiver_fastapi', join(examples, 'webhooks'), port, { COUNTERSIGN_WEBHOOK_SECRET: signingSecret })
  const forged = await fetch(`http://127.0.0.1:${port}/webhooks/countersign`, { method: 'POST', body: '{}' })
  expect(forged.status).toBe(401)

  const agent = async () => {
    const { stdout } = await run(interpreter, [join(examples, 'langgraph/refunds.py'), 'run-7', 'Refund order 1041.'], {
      cwd: place,
      env: {
        ...env,
        ...{ MODEL: 'scripted', COUNTERSIGN_URL: fixture.server.url, COUNTERSIGN_API_KEY: key },
        ...{ COUNTERSIGN_CENTER: String(fixture.center.id), COUNTERSIGN_TRUST_FILE: join(place, 'trust.txt') },
      },
    })
    return stdout
  }
  const [, event = ''] = /approve\/(evt_\w+)/.exec(await agent()) ?? []
  expect(event).not.toBe('')
  expect(await agent()).toContain(`Waiting for a person: `)
  expect((await fixture.approveAsMember(event, { result: 'approved' })).status).toBe(200)
  await until(() => heard.includes('Continue run run-7: a person decided about run-7/call-1.'))
  expect(await agent()).toContain('Done: Refunded 820000 won for order 1041.')
  const { execution } = await new Countersign({ baseUrl: fixture.server.url, apiKey: key }).decisions.get(event)
  expect(execution).toMatchObject({ outcome: { status: 'succeeded' } })
}, 240_000)

it('the function of a guide sleeps while a person decides, and runs once', async () => {
  receiver?.kill()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { signingSecret } = await fixture.register({ url: `${url}/webhook`, events: ['agent.approval.decided'] })
  await fixture.policy(
    { humanReview: true },
    { match: { actionTypes: ['money.refund'] }, approval: { identity: 'session' } },
  )
  const programs = ['docs/guides/serverless.md', 'docs/ko/guides/serverless.md'].map(
    (page) => blocksOf(read(page)).find(({ label }) => label === 'function.py')?.text,
  )
  expect(programs[1]).toBe(programs[0])
  await writeFile(join(place, 'function.py'), programs[0] ?? '')
  await rm(join(place, 'sitecustomize.py'))
  await listens('function', place, port, {
    ...{ WEBHOOK_SECRET: signingSecret, COUNTERSIGN_URL: fixture.server.url, COUNTERSIGN_API_KEY: key },
    ...{ COUNTERSIGN_CENTER: String(fixture.center.id), COUNTERSIGN_TRUST_FILE: join(place, 'trust.txt') },
  })
  const ask = async () => {
    const body = JSON.stringify({ order: '1041', won: 820_000 })
    const answer = await fetch(`${url}/refunds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return { status: answer.status, said: (await answer.json()) as { state: string; approvalUrl: string } }
  }
  const { status, said } = await ask()
  expect([status, said.state]).toEqual([202, 'waiting'])
  const [event = ''] = /evt_\w+/.exec(said.approvalUrl) ?? []
  expect((await fetch(`${url}/webhook`, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await fixture.approveAsMember(event, { result: 'approved' })).status).toBe(200)
  const result = `Refunded 820000 won for order 1041 (${event})`
  await until(() => heard.includes(result))
  expect(await ask()).toEqual({ status: 200, said: { state: 'done', result } })
}, 240_000)
