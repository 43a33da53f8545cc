/** The cases that the Python client runs too. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Countersign } from '../countersign.ts'
import { type ScriptedServer, type Step, startScriptedServer } from './scripted-server.ts'

interface CallCase {
  readonly operation: string
  readonly path?: readonly string[]
  readonly body?: object
  readonly query?: object
  readonly idempotencyKey?: string
  readonly key?: string
}
// biome-ignore lint/suspicious/noExplicitAny: read from the table of cases
type Expected = any
interface Case {
  readonly name: string
  readonly calls: readonly string[]
  readonly answers: Step[]
  readonly expect: Expected
}
type Wait = Omit<Case, 'calls'>
type Method = (
  ...values: unknown[]
) => Promise<unknown> & AsyncIterable<{ id: string }> & { withResponse(): Promise<Record<string, unknown>> }

const file = new URL('../../../tests/python/client-cases.json', import.meta.url)
const { calls, cases, waits } = JSON.parse(readFileSync(file, 'utf8'))

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())

async function scripted(answers: Step[]) {
  server = await startScriptedServer()
  server.script(...answers)
  const client = new Countersign({ baseUrl: server.url, apiKey: 'csk_test_x', clock: server.clock })
  return { client, seen: server.seen, waits: server.clock.waits }
}

const keyOf = (name: string, sent: { headers: Record<string, unknown>; body: string }) =>
  name === 'header' ? sent.headers['idempotency-key'] : JSON.parse(sent.body)[name]

function errorOf(error: unknown) {
  const { name, docsUrl, ...rest } = error as Error & { docsUrl?: string | null }
  const { pathname = '', hash = '' } = docsUrl ? new URL(docsUrl) : {}
  return { ...rest, name, message: (error as Error).message, docsPath: pathname + hash }
}

describe.each<Case>(cases)('$name', ({ calls: names, answers, expect: wanted }) => {
  it.each(names as string[])('%s', async (name) => {
    const each = calls[name] as CallCase
    const { client, seen, waits: made } = await scripted(answers)
    const [resource = '', verb = ''] = each.operation.split('.')
    const resources = client as unknown as Record<string, Record<string, Method>>
    const options = each.idempotencyKey ? [{ idempotencyKey: each.idempotencyKey }] : []
    const method = resources[resource]?.[verb]
    if (!method) throw new Error(`There is no operation ${each.operation}.`)
    const input = each.body ?? each.query
    const run = () => method(...(each.path ?? []), ...(input ? [input] : []), ...options)
    if (wanted.items) {
      const items: string[] = []
      for await (const { id } of run()) items.push(id)
      expect(items).toEqual(wanted.items)
    } else {
      const answer = await run()
        .withResponse()
        .catch((error: unknown) => ({ error: errorOf(error) }))
      if (wanted.error) expect(answer.error).toMatchObject(wanted.error)
      if (wanted.data) expect(answer).toMatchObject({ data: wanted.data })
      if (wanted.answer) expect(answer).toMatchObject(wanted.answer)
      expect(made).toEqual(wanted.waitsMs ?? [])
    }
    if (wanted.sent) expect(seen).toHaveLength(wanted.sent)
    if (wanted.first) expect(seen[0]).toMatchObject(wanted.first)
    if (wanted.urls) expect(seen.map(({ url }) => url)).toEqual(wanted.urls)
    const keys = seen.map((sent) => (each.key ? keyOf(each.key, sent) : null))
    expect(keys.every((key) => key !== undefined)).toBe(true)
    expect(new Set(keys).size).toBeLessThanOrEqual(1)
    await server.close()
  })
})

describe('a wait', () => {
  it.each<Wait>(waits)('$name', async ({ answers, expect: wanted }) => {
    const { client, waits: made } = await scripted(answers)
    let [told, read] = [0, 0]
    const ended = await client.decisions
      .waitForApproval('evt_1', { withinMs: 60_000, onWaiting: () => told++, onRead: () => read++ })
      .then(
        ({ status }) => ({ status }),
        (error: Error) => ({ error: error.name }),
      )
    const { told: _, read: __, waitsMs, ...end } = wanted
    expect({ ...ended, told, read, waitsMs: made }).toEqual({ ...end, told: wanted.told, read: wanted.read, waitsMs })
    await server.close()
  })
})
