import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { beginSlowly } from '../../apps/server/http/test/slow-sender.ts'
import { type ChildServer, spawnBeside } from '../support/child-server.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'

const path = '/api/v1/decision-events'
let server: TestServer
let child: ChildServer
let token: string

beforeAll(async () => {
  server = await startServer()
  token = await server.world.key(await server.world.center())
})
afterAll(() => server.close())
afterEach(() => child.stop())

const statusOf = async (url: string): Promise<number | 'refused'> => {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.status
  } catch {
    return 'refused'
  }
}

describe('/metrics', () => {
  it('has a separate port on loopback only, and is absent from the public port', async () => {
    child = await spawnBeside(server)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${child.url}${path}`, { headers })).status).toBe(200)
    const metrics = await fetch(`${child.metricsUrl}/metrics`)
    expect(metrics.status).toBe(200)
    const text = await metrics.text()
    expect(text).toMatch(/^countersign_requests_total\{operation="decisionEvents.list",status="200"\} 1$/m)
    expect(text).toMatch(/^countersign_request_seconds_bucket\{le="5",operation="decisionEvents.list"\} 1$/m)
    expect(text).toContain('nodejs_eventloop_lag_seconds')
    expect(await statusOf(`${child.metricsUrl}/`)).toBe(404)
    expect(await statusOf(`${child.url}/metrics`)).toBe(404)
    // Another address of this machine: a server that listens on all interfaces would answer here.
    expect(await statusOf(`${child.metricsUrl.replace('127.0.0.1', '127.0.0.2')}/metrics`)).toBe('refused')
  })
})

describe('SIGTERM', () => {
  it('finishes requests in progress, reports that it is not ready, and exits with 0', async () => {
    child = await spawnBeside(server, { DRAIN_SECONDS: '3' })
    expect(await statusOf(`${child.url}/health/ready`)).toBe(200)
    const inProgress = await beginSlowly(`${child.url}${path}`, token, sampleEvent({ tags: ['in-progress'] }))
    await sleep(100)
    child.process.kill('SIGTERM')

    // The server still serves requests that a load balancer sends after the signal.
    await expect.poll(() => statusOf(`${child.url}/health/ready`), { interval: 20, timeout: 2500 }).toBe(503)
    expect(await statusOf(`${child.url}/health/live`)).toBe(200)
    const late = await fetch(`${child.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])

    await expect.poll(() => statusOf(`${child.url}/health/live`), { timeout: 10_000 }).toBe('refused')
    expect(child.process.exitCode).toBeNull()
    const { status, body } = await inProgress.finish()
    expect(status).toBe(201)
    const began = performance.now()
    expect(await child.exited).toBe(0)
    // The server does not wait for the keep-alive minute of the client.
    expect(performance.now() - began).toBeLessThan(10_000)

    const { body: list } = await server.call('GET', `${path}?tag=in-progress`, { token })
    expect(list.data[0].id).toBe(JSON.parse(body).data.id)
    expect(child.output.join('')).not.toMatch(/"level":(50|60)/)
  })

  it('stops an idle process at once', async () => {
    child = await spawnBeside(server, { DRAIN_SECONDS: '0' })
    expect((await fetch(`${child.url}/health/live`)).status).toBe(200)
    child.process.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })
})

describe('a second signal', () => {
  it('within the first seconds is the same signal once more, and the drain is not cut short', async () => {
    child = await spawnBeside(server, { DRAIN_SECONDS: '2' })
    child.process.kill('SIGTERM')
    await sleep(50)
    child.process.kill('SIGTERM')
    child.process.kill('SIGINT')
    await sleep(500)
    expect(await statusOf(`${child.url}/health/live`)).toBe(200)
    expect(await child.exited).toBe(0)
  })

  it('ends the process at once later on', async () => {
    child = await spawnBeside(server, { DRAIN_SECONDS: '20' })
    child.process.kill('SIGTERM')
    await sleep(3500)
    child.process.kill('SIGTERM')
    const began = performance.now()
    expect(await child.exited).toBe(1)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})

describe('a process that cannot start', () => {
  it('names a port that is in use, without a stack', async () => {
    const { port } = server.services.config
    await expect(spawnBeside(server, { PORT: String(port), HOST: '127.0.0.1' })).rejects.toThrow(
      new RegExp(`couldn't start: port ${port} on 127.0.0.1 is in use by another program\\. [^\\n]*\\n$`),
    )
  })

  it('prints the reason and exits with 1', async () => {
    await expect(spawnBeside(server, { SECRET_KEY: 'short' })).rejects.toThrow(/ended with 1 .*\n.*SECRET_KEY/)
  })
})

describe('when PostgreSQL ends every connection', () => {
  it('keeps the process running and serving', async () => {
    child = await spawnBeside(server)
    const headers = { authorization: `Bearer ${token}` }
    let over = false
    const traffic = Array.from({ length: 8 }, async () => {
      while (!over) await fetch(`${child.url}${path}`, { headers }).then((response) => response.arrayBuffer())
    })
    for (let round = 0; round < 10; round++) {
      await sleep(100)
      await server.world.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'countersign%'`,
      )
    }
    over = true
    await Promise.all(traffic)
    expect(child.process.exitCode).toBeNull()
    await expect
      .poll(async () => (await fetch(`${child.url}${path}`, { headers })).status, { timeout: 10_000 })
      .toBe(200)
  })
})
