import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { type HeldCenter, holdCenter } from './held-center.ts'

const path = '/api/v1/decision-events'
const most = 4
let server: TestServer

beforeAll(async () => {
  server = await startServer({ env: { MAX_IN_FLIGHT: String(most) } })
})
afterAll(() => server.close())

/** Starts requests that wait, and returns when the server is at its limit. */
async function fill({ token, body }: HeldCenter, signal?: AbortSignal): Promise<Promise<Response>[]> {
  // The request that asks whether the server is full may take a place for a moment.
  const record = async (): Promise<Response> => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
    return response.status === 503 ? record() : response
  }
  const waiting = Array.from({ length: most }, record)
  for (const each of waiting) each.catch(() => {})
  const refused = async () => (await server.call('GET', path, { token, impatient: true })).status === 503
  for (let tries = 0; !(await refused()); tries++) {
    if (tries > 100) throw new Error(`${most} requests are in progress and another one is still served`)
    await sleep(10)
  }
  return waiting
}

it('answers 503 with Retry-After beyond the limit, and completes the requests in progress', async () => {
  const held = await holdCenter(server)
  const waiting = await fill(held)
  const answer = await server.call('GET', path, { token: held.token, impatient: true })
  expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(answer.headers.get('retry-after')).toBe('1')
  expect((await server.call('GET', '/health/live')).status).toBe(200)
  expect((await server.call('GET', '/health/ready')).status).toBe(200)
  // Another tenant has its share.
  expect((await server.call('GET', '/openapi.json')).status).toBe(200)
  await held.release()
  for (const response of await Promise.all(waiting)) expect(response.status).toBe(201)
  expect((await server.call('GET', path, { token: held.token })).body.pagination.total).toBe(most)
})

it('does not count callers that disconnected', async () => {
  for (let round = 0; round < 3; round++) {
    const held = await holdCenter(server)
    const leaving = new AbortController()
    const waiting = await fill(held, leaving.signal)
    leaving.abort()
    for (const outcome of await Promise.allSettled(waiting)) expect(outcome.status).toBe('rejected')
    await held.release()
    await expect
      .poll(async () => (await server.call('GET', path, { token: held.token })).status, { timeout: 10_000 })
      .toBe(200)
  }
})

it('keeps its limit after requests that were refused early', async () => {
  for (let n = 0; n < 20; n++) expect((await server.call('GET', '/api/v1/%00')).status).toBe(422)
  const held = await holdCenter(server)
  const waiting = await fill(held)
  await held.release()
  for (const response of await Promise.all(waiting)) expect(response.status).toBe(201)
})
