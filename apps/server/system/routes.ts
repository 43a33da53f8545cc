import { openApiDocument } from '@countersign/contract/openapi.ts'
import * as contract from '@countersign/contract/system.ts'
import { pageReply, type Route, route } from '../http/route.ts'
import { nowMs } from '../lib/clock.ts'
import { unavailable } from '../lib/problem.ts'
import type { Services } from '../services.ts'
import { home, homePage } from './home-page.ts'

const pingMs = 500
const keptMs = 1000

/** Asked by every load balancer every second: one look at the databases serves all of them. */
function readiness(services: Services, draining: () => boolean) {
  let checkedAt = Number.NEGATIVE_INFINITY
  let check: Promise<void> = Promise.resolve()
  return async (): Promise<void> => {
    if (draining()) throw unavailable('This server is shutting down.')
    if (nowMs() - checkedAt > keptMs) {
      checkedAt = nowMs()
      const pings = [services.directory.ping(), ...services.cells.all.map((cell) => cell.ping())]
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error(`no answer in ${pingMs} ms`)), pingMs).unref()
      })
      check = Promise.race([Promise.all(pings), late]).then(() => {})
      check.catch(() => {})
    }
    await check.catch((error: unknown) => {
      throw unavailable('A database does not answer.', error)
    })
  }
}

export const systemRoutes = (services: Services, draining: () => boolean): Route[] => {
  const checkReady = readiness(services, draining)
  const document = openApiDocument()
  return [
    route(contract.home, ({ wantsPage }, reply) => (wantsPage ? pageReply(200, homePage) : reply(200, home))),
    route(contract.live, (_, reply) => reply(200, { status: 'ok' })),
    route(contract.ready, async (_, reply) => {
      await checkReady()
      return reply(200, { status: 'ok' })
    }),
    route(contract.jwks, async (_, reply) => reply(200, (await services.tokens.jwks()) as never)),
    route(contract.openApi, (_, reply) => reply(200, document)),
  ]
}
