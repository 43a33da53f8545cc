import { openApiDocument } from '@countersign/contract/openapi.ts'
import * as contract from '@countersign/contract/system.ts'
import type { Tokens } from '../access/tokens.ts'
import type { Cells } from '../data/cells.ts'
import type { Directory } from '../data/directory.ts'
import { pageReply, type Route, route } from '../http/route.ts'
import { nowMs } from '../lib/clock.ts'
import { unavailable } from '../lib/problem.ts'
import { home, homePage } from './home-page.ts'

interface SystemNeeds {
  readonly cells: Cells
  readonly directory: Directory
  readonly tokens: Tokens
}

const pingMs = 500
const keptMs = 1000

/** Load balancers ask every second: one query of the databases serves all of them. */
function readiness({ cells, directory }: SystemNeeds, draining: () => boolean) {
  let checkedAt = Number.NEGATIVE_INFINITY
  let check: Promise<void> = Promise.resolve()
  return async (): Promise<void> => {
    if (draining()) throw unavailable('This server is shutting down.')
    if (nowMs() - checkedAt > keptMs) {
      checkedAt = nowMs()
      const pings = [directory.ping(), ...cells.all.map((cell) => cell.ping())]
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

export const systemRoutes = (needs: SystemNeeds, draining: () => boolean): Route[] => {
  const checkReady = readiness(needs, draining)
  const document = openApiDocument()
  return [
    route(contract.home, ({ wantsPage }, reply) => (wantsPage ? pageReply(200, homePage) : reply(200, home))),
    route(contract.live, (_, reply) => reply(200, { status: 'ok' })),
    route(contract.ready, async (_, reply) => {
      await checkReady()
      return reply(200, { status: 'ok' })
    }),
    route(contract.jwks, async (_, reply) => reply(200, (await needs.tokens.jwks()) as never)),
    route(contract.openApi, (_, reply) => reply(200, document)),
  ]
}
