/** `/health/live` and `/health/ready` of a process that serves no API. */
import { createServer, type Server } from 'node:http'
import { renderProblem } from '../http/surface.ts'
import { newId } from '../lib/ids.ts'
import type { Problem } from '../lib/problem.ts'
import type { CheckReady } from './readiness.ts'

export async function listenForHealth(port: number, host: string, checkReady: CheckReady): Promise<Server> {
  const checks: Readonly<Record<string, CheckReady>> = { '/health/live': async () => {}, '/health/ready': checkReady }
  const server = createServer((request, response) => {
    const check = checks[request.url ?? '']
    const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      response
        .writeHead(status, {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          ...headers,
        })
        .end(JSON.stringify(body))
    if (!check) return answer(404, { status: 'not found' })
    return check().then(
      () => answer(200, { status: 'ok' }),
      (problem: Problem) => {
        const { status, body } = renderProblem('root', problem, newId('request'))
        answer(status, body, { 'retry-after': String(problem.retryAfter) })
      },
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}
