/** One locked chain head delays its own center only; `npm run bench -- locked-head` holds it for eight seconds under load. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withHeadLocked } from '../bench/locked-head.ts'
import { startServer, type TestServer } from '../support/server.ts'

const heldMs = 1500

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const decision = { agent: { id: 'agent-7' }, action: { type: 'stock.reorder' } }
const decide = async (token: string | undefined) =>
  (await server.call('POST', '/api/v1/agents/decide', { token: token as string, body: decision })).status

it('delays the center whose chain head is locked, and no other', async () => {
  const centers = await Promise.all(Array.from({ length: 4 }, () => server.world.center()))
  const [locked, ...others] = await Promise.all(centers.map((center) => server.world.key(center)))
  // A chain head exists after the first seal.
  for (const key of [locked, ...others]) expect(await decide(key)).toBe(201)

  const { databaseUrl } = server.services.config
  const statuses: number[] = []
  let answered = false
  const own = await withHeadLocked(databaseUrl, (centers[0] as { id: number }).id, async () => {
    const waiting = decide(locked).finally(() => {
      answered = true
    })
    const until = performance.now() + heldMs
    while (performance.now() < until) statuses.push(...(await Promise.all(others.map(decide))))
    expect(answered).toBe(false)
    return { waiting }
  })
  // A seal that waits for the lock is answered 200 (`pending`) or 503.
  expect(new Set(statuses)).toEqual(new Set([201]))
  expect(await own.waiting).toBe(201)
})
