/** The parts of a rehearsal that need no release: who calls, what is retried, where an upgrade starts. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openCallers } from '../release/callers.ts'
import { nextMinor, startOf } from '../release/clone.ts'
import { missingIn } from '../release/rehearse.ts'
import type { Counts } from '../release/trial.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** Answers with the statuses in turn, and then with the last one; 0 ends the connection. */
async function answering(...statuses: number[]): Promise<string> {
  let at = 0
  const server = createServer((request, response) => {
    const status = statuses[Math.min(at++, statuses.length - 1)] as number
    if (status === 0) request.socket.destroy()
    else response.writeHead(status).end('{"data":{"id":"1"}}')
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function outcome(method: string, key: string | undefined, ...statuses: number[]) {
  const callers = openCallers([await answering(...statuses)])
  const answer = await callers
    .data(method, '/', key === undefined ? {} : { key })
    .catch((error: Error) => error.message)
  callers.close()
  return { answer, ...callers.counts }
}

describe('callers', () => {
  it.each([
    ['a 503', 'POST', undefined, 503],
    ['a broken connection of a read', 'GET', undefined, 0],
    ['a broken connection of a write with a key', 'POST', 'k', 0],
  ])('send again after %s', async (_, method, key, status) => {
    expect(await outcome(method, key, status, 200)).toEqual({
      answer: { id: '1' },
      requests: 1,
      retried: 1,
      unanswered: 0,
    })
  })

  it.each([
    ['a 409', 'POST', 'k', 409],
    ['a broken connection of a write without a key', 'POST', undefined, 0],
  ])('count %s as unanswered', async (_, method, key, status) => {
    const { answer, ...counts } = await outcome(method, key, status, 200)
    expect([answer, counts]).toEqual([
      expect.stringContaining(`${status} in attempt 1`),
      { requests: 1, retried: 0, unanswered: 1 },
    ])
  })

  it('give up after four attempts', { timeout: 20_000 }, async () => {
    const { answer, ...counts } = await outcome('GET', undefined, 500)
    expect([answer, counts]).toEqual([
      expect.stringContaining('500 in attempt 4'),
      { requests: 1, retried: 3, unanswered: 1 },
    ])
  })
})

describe('the versions of a rehearsal', () => {
  it('are a commit and the minor version after it', () => {
    expect(() => startOf('no-such-tag')).toThrow(/"no-such-tag" is no commit and no tag/)
    expect([startOf('HEAD').tag, nextMinor('0.1.0'), nextMinor('1.9.3')]).toEqual([null, '0.2.0', '1.10.0'])
  })
})

describe('the counts of a rehearsal', () => {
  const complete: Counts = {
    migrations: 1,
    before: { events: 200, proofs: 50 },
    after: { events: 80, proofs: 20 },
    formats: { before: '2.0', after: '2.0' },
    verified: { beforeByNew: 50, afterByNew: 20, afterByOld: 20 },
    ...{ status: 'up to date', doctor: '0 failed, 2 warnings', back: 'serves' },
    chains: { afterUpgrade: true, afterBack: true },
    events: { acknowledged: 300, listed: 300 },
    deliveries: { seals: 75, received: 75, lost: 0 },
    ...{ requests: 400, retried: 0, unanswered: 0 },
  }

  it.each([
    [{}, []],
    [{ unanswered: 1 }, ['an answer to every request']],
    [{ deliveries: { ...complete.deliveries, lost: 1 } }, ['deliveries of every seal']],
    [{ events: { acknowledged: 300, listed: 299 } }, ['acknowledged events in the list']],
    [
      { verified: { ...complete.verified, afterByOld: 19 } },
      ['proofs of the new release that the old verifier accepts'],
    ],
    [{ verified: { ...complete.verified, afterByOld: null } }, []],
    [{ back: 'A process ended with 1 before it was ready' }, ['the way back']],
  ])('with %j lack %j', (change, missing) => {
    expect(missingIn({ ...complete, ...change })).toEqual(missing)
  })
})
