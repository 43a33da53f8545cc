import * as contract from '@countersign/contract/public-verification.ts'
import type { FastifyInstance } from 'fastify'
import { sendPage } from '../../../http/answering.ts'
import { showLimit } from '../../../http/identify.ts'
import type { RateLimits } from '../../../http/rate-limit.ts'
import { pageReply, type Route, route } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import type { OpenWatching } from '../transparency/api.ts'
import { type FactNeeds, factsOf } from './facts.ts'
import { verifierPage } from './page.ts'
import type { ClosedLog } from './queries.ts'

interface PageNeeds {
  readonly limits: RateLimits
  readonly watching: OpenWatching
}

const unknownRecord = (): Problem =>
  new Problem(
    'NOT_FOUND',
    "There's no sealed record at this address. Check the address, or verify an exported proof at /verify.",
  )

const closing = ({ log, size, root, closed_at }: ClosedLog) => ({
  log,
  size,
  root,
  closedAt: closed_at.toISOString(),
})

const hasLeft = ({ log, size, root }: ClosedLog): string =>
  `This record's center has left this server, and its data was deleted. Verify an exported proof against the root ${root} of the closed log ${log}, which has ${size} entries.`

export const publicVerificationRoutes = (needs: FactNeeds & Pick<PageNeeds, 'watching'>): Route[] => {
  const page = verifierPage()
  return [
    route(contract.verifyPublicly, async ({ params, requestId, wantsPage }, reply) => {
      const facts = await factsOf(needs, params.id, requestId)
      const policy = needs.watching.policyText
      if (facts && 'left' in facts) {
        if (wantsPage) return pageReply(404, page({ facts: null, left: closing(facts.left), policy }))
        throw new Problem('NOT_FOUND', hasLeft(facts.left))
      }
      if (wantsPage) return pageReply(facts ? 200 : 404, page({ facts, policy }))
      if (!facts) throw unknownRecord()
      return reply(200, facts)
    }),
  ]
}

/** The page alone, to check an exported file. It is not an operation of the contract. */
export function mountVerifier(http: FastifyInstance, { limits, watching }: PageNeeds): void {
  const page = verifierPage()
  http.get('/verify', (_request, reply) => {
    showLimit(reply, limits.untouched('public'))
    return sendPage(page({ policy: watching.policyText }), reply)
  })
}
