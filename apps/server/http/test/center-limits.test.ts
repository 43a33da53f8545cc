import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../tests/support/contract-check.ts'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

const path = '/api/v1/decision-events'
const env = {
  RATE_LIMIT_PROOF: '20/600',
  RATE_LIMIT_PROOF_PER_CENTER: '30/600',
  RATE_LIMIT_STANDARD: '20/600',
  RATE_LIMIT_STANDARD_PER_CENTER: '5/600',
  RATE_LIMIT_BYTES_PER_CENTER: '100000/600',
}
let server: TestServer
let second: TestServer

beforeAll(async () => {
  server = await startServer({ env })
  second = await startServer({ beside: server, env })
})
afterAll(async () => {
  await second.close()
  await server.close()
})

const newKey = async () => server.world.key(await server.world.center())
const list = (token: string) => server.call('GET', path, { token })
const shown = ({ status, headers }: Answer) => [
  status,
  Number(headers.get('x-ratelimit-limit')),
  Number(headers.get('x-ratelimit-remaining')),
]
const large = (kilobytes: number) =>
  sampleEvent({
    action: { type: 'import', description: 'Import', input: { lines: Array(kilobytes).fill('x'.repeat(1000)) } },
  })

describe('requests of one center', () => {
  it('of all its keys together are limited, and the headers show the limit that is reached first', async () => {
    const center = await server.world.center()
    const [one, two] = [await server.world.key(center), await server.world.key(center)]
    for (let n = 1; n <= 20; n++) expect(shown(await list(one))).toEqual([200, 20, 20 - n])
    // What a key's own limit refuses does not count for the center.
    for (let n = 0; n < 5; n++) expect(shown(await list(one))).toEqual([429, 20, 0])
    for (let n = 1; n <= 10; n++) expect(shown(await list(two))).toEqual([200, 30, 10 - n])
    const refused = await list(two)
    expect([...shown(refused), refused.body.error.code]).toEqual([429, 30, 0, 'RATE_LIMIT'])
    const wait = refused.headers.get('retry-after')
    expect(refused.body.error.message).toBe(
      `This center's callers have reached their combined limit of 30 requests for the current period. Try again in ${wait} seconds.`,
    )
    expect(shown(await list(await newKey()))).toEqual([200, 20, 19])
  })

  it('are limited exactly under concurrent requests of five keys to two processes', async () => {
    const center = await server.world.center()
    const keys = await Promise.all(Array.from({ length: 5 }, () => server.world.key(center)))
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, n) =>
        (n % 2 ? server : second).call('GET', path, { token: keys[n % 5] as string }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60)
  })

  it('of all its members together are limited, and those of another center are served', async () => {
    const center = await server.world.center()
    const tokens: string[] = []
    for (let n = 0; n < 2; n++) {
      const person = await server.world.person()
      await server.world.member(person, center)
      tokens.push((await server.signIn(person)).accessToken)
    }
    const me = (n: number) => server.call('GET', '/api/auth/me', { token: tokens[n % 2] as string })
    for (let n = 0; n < 5; n++) expect(shown(await me(n))).toEqual([200, 5, 4 - n])
    const refused = await me(0)
    expect([...shown(refused), refused.body.error.code]).toEqual([429, 5, 0, 'RATE_LIMITED'])
    const stranger = await server.world.person()
    await server.world.member(stranger, await server.world.center())
    const { accessToken: token } = await server.signIn(stranger)
    expect((await server.call('GET', '/api/auth/me', { token })).status).toBe(200)
  })
})

describe('bytes of one center', () => {
  const send = (token: string) => server.call('POST', path, { token, body: large(60) })

  it('are limited, and requests without a body are still served', async () => {
    const center = await server.world.center()
    const [one, two] = [await server.world.key(center), await server.world.key(center)]
    expect((await send(one)).status).toBe(201)
    const refused = await send(two)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT'])
    expect(refused.body.error.message).toContain('combined limit of 100000 bytes for the current period. Try again in ')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
    expect((await list(two)).status).toBe(200)
    expect((await send(await newKey())).status).toBe(201)
  })

  it('count with their real number where the request states no length', async () => {
    const token = await newKey()
    const chunked = () =>
      new Promise<number>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const sending = request(server.url + path, { method: 'POST', headers }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        sending.once('error', reject)
        sending.write(JSON.stringify(large(55)))
        sending.end()
      })
    expect([await chunked(), await chunked()]).toEqual([201, 201])
    await expect.poll(async () => (await send(token)).status).toBe(429)
  })
})
