/** What an operator sees of requests: metrics by operation, and lines of the log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProofFixture, startProofFixture } from '../../../../tests/support/proof-fixture.ts'
import { makeLog } from '../../lib/log.ts'
import { readFiguresJob } from '../../read-figures.job.ts'
import { requestLog } from '../request-log.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const metrics = () => fixture.server.services.metrics.text()

it('metrics of a process that has recorded and sealed', async () => {
  const event = await fixture.record()
  await fixture.approve(event.id)
  await readFiguresJob(fixture.server.services, 'main')
  const text = await metrics()
  const wanted = [
    /^countersign_build_info\{version="\d+\.\d+\.\d+",node="24\./m,
    /^countersign_redis_up 1$/m,
    /^countersign_requests_total\{operation="decisionEvents\.record",status="201"\} \d/m,
    /^countersign_pool_connections\{database="directory",pool="auth",state="(idle|used)"\} [1-9]/m,
    /^countersign_pool_waiting\{database="main",pool="sequencer"\} 0$/m,
    /^countersign_chains_broken\{cell="main"\} 0$/m,
    /^countersign_fence_refuses\{cell="main"\} 0$/m,
    /^countersign_store_failures_total\{cell="main"\} 0$/m,
    /^countersign_mail_waiting 0$/m,
    /^countersign_mail_overdue_seconds 0$/m,
    /^countersign_queue_depth\{queue="seals",cell="main"\} 0$/m,
    /^countersign_batch_items_total\{queue="events",cell="main"\} [1-9]/m,
    /^countersign_batch_size_count\{queue="seals",cell="main"\} [1-9]/m,
    /^countersign_batch_wait_seconds_count\{queue="seals",cell="main"\} [1-9]/m,
    /^countersign_batch_commit_seconds_bucket\{le="5",queue="seals",cell="main"\} [1-9]/m,
  ]
  expect(wanted.filter((line) => !line.test(text)).map(String)).toEqual([])
})

it('a line of a request names operation, center, cell, status, time and cause', async () => {
  const { headers } = await fixture.v1('GET', '/api/v1/evidence/evd_00000000000000000000000000')
  const line = fixture.server.logs
    .map((each) => JSON.parse(each))
    .find((each) => each.requestId === headers.get('x-request-id'))
  expect(line).toMatchObject({
    ...{ level: 30, msg: 'request', operation: 'evidence.get', status: 404, cause: 'NOT_FOUND' },
    ...{ center: fixture.center.id, cell: 'main', ms: expect.any(Number) },
  })
})

describe('at the level info', () => {
  const request = {
    id: 'req_1',
    method: 'GET',
    principal: null,
    failure: null,
    routeOptions: { config: {}, url: '/x' },
  }
  const said = (successes: number, statuses: readonly number[]) => {
    const lines: { notLogged?: number }[] = []
    const log = makeLog({ logLevel: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
    const observe = requestLog(log, successes)
    for (const statusCode of statuses) observe(request as never, { statusCode, elapsedTime: 1 } as never)
    return lines
  }

  it.each([
    [100, 250, 3],
    [1, 5, 5],
    [0, 5, 0],
  ])('LOG_SUCCESSES=%i logs of %i successes %i', (successes, count, logged) => {
    expect(said(successes, Array(count).fill(200))).toHaveLength(logged)
  })

  it('logs at most 50 failures a second, and then how many were left out', async () => {
    expect(said(0, Array(500).fill(401)).length).toBeOneOf([50, 100])
  })
})
