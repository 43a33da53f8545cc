import * as contract from '@countersign/contract/sandboxes.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { type DirectoryTx, withinCenter } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { readCenter } from '../centers/api.ts'
import { administratorOf } from '../provisioning/api.ts'
import { createSandbox, type FoundingNeeds, resetSandbox } from './api.ts'

interface SandboxNeeds extends FoundingNeeds {
  readonly authenticate: Authenticator
}

async function describe(own: DirectoryTx) {
  const center = await readCenter(own)
  return { center, membership: await administratorOf(own, center) }
}

export const sandboxRoutes = (needs: SandboxNeeds): Route[] => [
  route(contract.createSandbox, async ({ tx, principal }, reply) => {
    const { centerId } = principal.entered
    const id = await createSandbox(needs, tx, centerId, principal.actorId)
    tx.afterCommit(() => needs.authenticate.forget(`actor:${principal.actorId}`))
    return reply(201, { sandboxOf: centerId, ...(await withinCenter(tx, id, describe)) })
  }),

  route(contract.resetSandbox, async ({ tx, principal }, reply) => {
    const { centerId } = principal.entered
    const { closed, id } = await resetSandbox(needs, tx, centerId, principal.actorId)
    tx.afterCommit(() => needs.authenticate.forget(`center:${closed}`, `actor:${principal.actorId}`))
    return reply(201, { sandboxOf: centerId, ...(await withinCenter(tx, id, describe)) })
  }),
]
