/** The API of this feature: creates the sandbox of a center, and replaces it by a new one. */
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import { type DirectoryTx, type OperatorTx, withinCenter } from '../../../data/directory.ts'
import { Problem } from '../../../lib/problem.ts'
import { type InheritedPolicies, inheritedAgain } from '../../evidence/policies/api.ts'
import { moveCenter } from '../centers/api.ts'
import { addActiveAdministrator, foundCenter } from '../provisioning/api.ts'
import { findSandbox, isAdmin, lockOwner, personOf } from './queries.ts'

export interface FoundingNeeds {
  readonly config: Pick<Config, 'cells'>
}

type Tx = DirectoryTx | OperatorTx
type Owner = Awaited<ReturnType<typeof lockOwner>>

const longestName = 180

/** Returns its id. The caller checks that `actorId` is an ADMIN of the center. */
export async function createSandbox(needs: FoundingNeeds, tx: Tx, centerId: number, actorId: string): Promise<number> {
  const owner = await requireOwner(tx, centerId)
  if (await findSandbox(tx, centerId)) {
    throw new Problem('CONFLICT', 'This center already has a sandbox. Reset it to start over.')
  }
  const id = await found(needs, tx, centerId, owner, actorId)
  await audit(tx, { ...aboutOwner(centerId), action: 'create-sandbox', details: { sandboxId: id } })
  return id
}

/** Closes the sandbox and creates another one with another id. Returns both ids. */
export async function resetSandbox(
  needs: FoundingNeeds,
  tx: Tx,
  centerId: number,
  actorId: string,
): Promise<{ readonly closed: number; readonly id: number }> {
  const owner = await requireOwner(tx, centerId)
  const sandbox = await findSandbox(tx, centerId)
  if (!sandbox) throw new Problem('NOT_FOUND', "This center doesn't have a sandbox. Create one first.")
  if (sandbox.status === 'SUSPENDED') {
    throw new Problem('CONFLICT', 'The operator suspended this sandbox. Ask the operator to reinstate it.')
  }
  await withinCenter(tx, sandbox.id, (own) => moveCenter(own, sandbox.id, 'INACTIVE'))
  const id = await found(needs, tx, centerId, owner, actorId)
  const details = { sandboxId: id, closed: sandbox.id }
  await audit(tx, { ...aboutOwner(centerId), action: 'reset-sandbox', details })
  return { closed: sandbox.id, id }
}

/** For the operator, who names the person. */
export async function requireAdmin(tx: OperatorTx, centerId: number, actorId: string): Promise<void> {
  if (await isAdmin(tx, centerId, actorId)) return
  throw new Problem('FORBIDDEN', "A sandbox's owner must be an administrator of the center. Choose an administrator.")
}

async function requireOwner(tx: Tx, centerId: number): Promise<Owner> {
  if (isSandboxCenter(centerId)) {
    throw new Problem('CONFLICT', "A sandbox can't have a sandbox of its own. Use the center it belongs to.")
  }
  const owner = await lockOwner(tx, centerId)
  if (owner.status === 'INACTIVE')
    throw new Problem('CONFLICT', 'This center has been closed, so its sandbox is closed too. Use another center.')
  return owner
}

const aboutOwner = (centerId: number) =>
  ({ type: 'center.updated', target: { type: 'center', id: String(centerId) }, centerId }) as const

const found = (needs: FoundingNeeds, tx: Tx, of: number, owner: Owner, by: string): Promise<number> =>
  foundCenter(
    needs.config,
    tx,
    {
      name: `${owner.name.slice(0, longestName)} (sandbox)`,
      vertical: owner.vertical,
      country: owner.country,
      ...(owner.region !== null && { region: owner.region }),
      // No subscription: a sandbox has no seats to pay for.
      planId: null,
      sandbox: {
        ...{ of, by, settings: withoutCustomDomain(owner.settings) },
        policies: inheritedAgain(owner.inherited_policies as InheritedPolicies | null),
      },
    },
    async (own) => addActiveAdministrator(own, await personOf(own, by)),
  )

function withoutCustomDomain(settings: unknown): unknown {
  const { branding, ...rest } = settings as { readonly branding?: Readonly<Record<string, unknown>> }
  return branding === undefined ? rest : { ...rest, branding: { ...branding, customDomain: null } }
}
