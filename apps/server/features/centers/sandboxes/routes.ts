import type { Scope } from '@countersign/contract/enums.ts'
import type { PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import * as contract from '@countersign/contract/sandboxes.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { type CenterPrincipal, callerIn } from '../../../access/principal.ts'
import { audit } from '../../../audit/audit.ts'
import { type Directory, type DirectoryTx, withinCenter } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import { copyAgain, copyHolds } from '../../evidence/policies/api.ts'
import { makeApiKey } from '../../identity/api-keys/api.ts'
import { addTestPeople } from '../../identity/test-people/api.ts'
import { moveCenter, readCenter } from '../centers/api.ts'
import { administratorOf } from '../provisioning/api.ts'
import {
  aboutOwner,
  addSandbox,
  copyNow,
  createSandbox,
  type FoundingNeeds,
  requireSandbox,
  resetSandbox,
} from './api.ts'
import { adminBehindKey, findSandboxes, revokeKeys, type SandboxRow, setRefreshed, stopWebhooks } from './queries.ts'
import { type SourceNeeds, typesIn } from './source.ts'

interface SandboxNeeds extends SourceNeeds {
  readonly config: FoundingNeeds['config']
  readonly authenticate: Authenticator
  readonly directory: Directory
}

async function describe(own: DirectoryTx) {
  const center = await readCenter(own)
  return { center, membership: await administratorOf(own, center) }
}

type Named = PayloadOf<SpecOf<typeof contract.listSandboxes>, 200>[number]

const shown = (sandboxOf: number, row: SandboxRow, first: boolean): Named => ({
  ...{ id: row.id, sandboxOf, name: row.label, domain: row.domain, first },
  createdAt: row.created_at.toISOString(),
  refreshedAt: (row.refreshed_at ?? row.created_at).toISOString(),
})

/** Everything but what a key for one agent needs, and sandboxes, which a sandbox has none of. */
const usualScopes: readonly Scope[] = [
  'proof:write',
  'proof:approve',
  'events:write',
  'webhooks:write',
  'policies:write',
]

function scopesOf(wanted: readonly Scope[] | undefined): Scope[] {
  const unfit = wanted?.find((each) => each === 'decide' || each === 'sandboxes:write')
  if (unfit) {
    throw new Problem(
      'VALIDATION_ERROR',
      `A sandbox's first key can't have the "${unfit}" scope. Leave it out; create a bound key in the sandbox if you need one.`,
      { details: { reason: 'sandboxScope', field: 'scopes' }, status: 422 },
    )
  }
  return [...(wanted ?? usualScopes)]
}

/** The person to whom a sandbox belongs. */
async function personBehind(tx: DirectoryTx, principal: CenterPrincipal): Promise<string> {
  if (principal.kind === 'actor') return principal.actorId
  const found = await adminBehindKey(tx, principal.keyId)
  if (found) return found
  throw new Problem('CONFLICT', 'This center has no administrator to whom the sandbox could belong. Add one first.', {
    details: { reason: 'noAdmin' },
  })
}

export const sandboxRoutes = (needs: SandboxNeeds): Route[] => {
  const { authenticate, cells, centers, directory, sequencer } = needs
  return [
    route(contract.createSandbox, async ({ tx, principal }, reply) => {
      const { centerId } = principal.entered
      const id = await createSandbox(needs, tx, centerId, principal.actorId)
      tx.afterCommit(() => authenticate.forget(`actor:${principal.actorId}`))
      return reply(201, { sandboxOf: centerId, ...(await withinCenter(tx, id, describe)) })
    }),

    route(contract.resetSandbox, async ({ tx, principal }, reply) => {
      const { centerId } = principal.entered
      const { closed, id } = await resetSandbox(needs, tx, centerId, principal.actorId)
      tx.afterCommit(() => authenticate.forget(`center:${closed}`, `actor:${principal.actorId}`))
      return reply(201, { sandboxOf: centerId, ...(await withinCenter(tx, id, describe)) })
    }),

    route(contract.listSandboxes, async ({ tx }, reply) => {
      const { centerId } = tx.caller
      const rows = await findSandboxes(tx, centerId)
      return reply(
        200,
        rows.map((row, at) => shown(centerId, row, at === 0)),
      )
    }),

    route(contract.addSandbox, async ({ tx, body, principal }, reply) => {
      const { centerId } = tx.caller
      const scopes = scopesOf(body.scopes)
      const by = await personBehind(tx, principal)
      const id = await addSandbox(needs, tx, centerId, by, body.name)
      const { key } = await withinCenter(tx, id, (own) => makeApiKey(own, { name: body.name, scopes, createdBy: by }))
      tx.afterCommit(() => authenticate.forget(`actor:${by}`))
      const rows = await findSandboxes(tx, centerId)
      const row = rows.find((each) => each.id === id) as SandboxRow
      return reply(201, { ...shown(centerId, row, rows[0] === row), key: { key, scopes } })
    }),

    route(contract.refreshSandbox, async ({ principal, params, requestId }, reply) => {
      const owner = callerIn(principal, requestId)
      const { centerId } = owner
      const { sandbox, copied, isFirst } = await directory.asCenter(owner, async (tx) => {
        const found = await requireSandbox(tx, centerId, params.sandboxId)
        const { id, by } = found.sandbox
        const { copied, settings } = await copyNow(needs, tx, centerId, found.owner, { id, by })
        await withinCenter(tx, id, async (own) => {
          await addTestPeople(own, copied.people)
          await setRefreshed(own, settings)
        })
        await audit(tx, { ...aboutOwner(centerId), action: 'refresh-sandbox', details: { sandboxId: id } })
        tx.afterCommit(() => authenticate.forget(`center:${id}`))
        const [sandbox] = (await findSandboxes(tx, centerId)).filter((each) => each.id === id) as [SandboxRow]
        return { ...found, sandbox, copied }
      })
      const center = await centers.profile(sandbox.id)
      const caller = { ...owner, centerId: sandbox.id }
      // What the sandbox begins with comes first, so that it is not taken for a change.
      await sequencer.ensure(center)
      const typesNow = await typesIn(needs, sandbox.id)
      const bytes = Buffer.byteLength(JSON.stringify(copied))
      const judge = (batch: Parameters<typeof copyAgain>[0]) => copyAgain(batch, { center, caller }, copied, typesNow)
      await sequencer.seal({ center, caller, holds: copyHolds, bytes, judge })
      return reply(200, shown(centerId, sandbox, isFirst))
    }),

    route(contract.endSandbox, async ({ tx, params }, reply) => {
      const { centerId } = tx.caller
      const { sandbox } = await requireSandbox(tx, centerId, params.sandboxId)
      const { id, cell, by } = sandbox
      await withinCenter(tx, id, async (own) => {
        await moveCenter(own, id, 'INACTIVE')
        await revokeKeys(own)
      })
      await audit(tx, { ...aboutOwner(centerId), action: 'end-sandbox', details: { sandboxId: id } })
      await cells.of(cell).inTenant({ ...tx.caller, centerId: id }, stopWebhooks)
      tx.afterCommit(() => authenticate.forget(`center:${id}`, `actor:${by}`))
      return reply(204, null)
    }),
  ]
}
