/** Lists and downloads of one center beside the requests of another. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { readTurns } from '../read-turns.ts'

const connections = 8
let server: TestServer
let loud: string
let quiet: string
let recorded: string

beforeAll(async () => {
  server = await startServer()
  loud = await server.world.key(await server.world.center())
  quiet = await server.world.key(await server.world.center())
  const action = { type: 'stock.reorder', description: 'Order 40 boxes', input: { boxes: 40 } }
  for (const token of [loud, quiet]) {
    await server.call('POST', '/api/v1/agents/decide', { token, body: { agent: { id: 'agent-7' }, action } })
    recorded = (await server.call('POST', '/api/v1/decision-events', { token, body: sampleEvent() })).body.data.id
  }
})
afterAll(() => server.close())

/** Whatever reads the table waits until `work` has ended. */
async function holding(table: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await client.connect()
  try {
    await client.query(`begin; lock table ${table} in access exclusive mode`)
    await work()
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

const statusOf = (path: string, token: string) => server.call('GET', path, { token }).then(({ status }) => status)

describe('eight connections of one read key', () => {
  it.each([
    ['a chain', '/api/v1/chains/proof/entries', 'cell.entries', () => '/api/v1/decision-events'],
    ['a list', '/api/v1/decision-events', 'cell.decision_event_counts', () => `/api/v1/decision-events/${recorded}`],
  ])('that read %s leave database connections for a neighbour', async (_, path, table, read) => {
    let reading: Promise<number>[] = []
    await holding(table, async () => {
      reading = Array.from({ length: connections }, () => statusOf(path, loud))
      await sleep(300)
      const answered = await Promise.race([statusOf(read(), quiet), sleep(1500, 'not in time')])
      expect(answered).toBe(200)
    })
    expect(await Promise.all(reading)).toEqual(Array(connections).fill(200))
  })
})

describe('turns', () => {
  const never = new AbortController().signal

  it('a tenant reads at most half of them at a time, and others read meanwhile', async () => {
    const turns = readTurns({ poolSize: 8 }, () => false)
    const [began, ends]: [string[], (() => void)[]] = [[], []]
    const read = (tenant: string) =>
      turns.list(tenant, never, () => {
        began.push(tenant)
        return new Promise<number>((resolve) => ends.push(() => resolve(0)))
      })
    const loudOnes = [1, 2, 3, 4].map(() => read('loud'))
    const quietOne = read('quiet')
    await sleep(10)
    expect(began).toEqual(['loud', 'loud', 'quiet'])
    while (ends.length > 0) {
      ends.pop()?.()
      await sleep(5)
    }
    await Promise.all([...loudOnes, quietOne])
  })

  it('beside others a tenant pauses as long as its reading took', async () => {
    let shared = true
    const turns = readTurns({ poolSize: 2 }, () => shared)
    const elapsed = async () => {
      const began = performance.now()
      for (let n = 0; n < 3; n++) await turns.list('loud', never, () => sleep(40, 0))
      return performance.now() - began
    }
    expect(await elapsed()).toBeGreaterThan(195)
    shared = false
    await sleep(60)
    expect(await elapsed()).toBeLessThan(190)
  })

  it('a download takes a turn for each part, and none while its reader is slow', async () => {
    const turns = readTurns({ poolSize: 2 }, () => false)
    const parts = turns.stream('loud', {
      async *[Symbol.asyncIterator]() {
        yield 'one'
        yield 'two'
      },
    })
    const reader = parts[Symbol.asyncIterator]()
    expect((await reader.next()).value).toBe('one')
    expect(await turns.list('loud', never, async () => 0)).toBe(0)
    expect((await reader.next()).value).toBe('two')
    expect((await reader.next()).done).toBe(true)
  })

  it('a list whose caller has left is not read', async () => {
    const turns = readTurns({ poolSize: 2 }, () => false)
    let end = () => {}
    const first = turns.list('loud', never, () => new Promise<number>((resolve) => (end = () => resolve(0))))
    const gone = new AbortController()
    const second = turns.list('loud', gone.signal, async () => 1)
    gone.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    end()
    expect(await first).toBe(0)
    expect(await turns.list('loud', never, async () => 2)).toBe(2)
  })
})
