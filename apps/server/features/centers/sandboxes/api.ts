/** The API of this feature: makes, refreshes and ends the sandboxes of a center. */
import { mostSandboxes } from '@countersign/contract/sandboxes.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import { type DirectoryTx, type OperatorTx, withinCenter } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { addTestPeople } from '../../identity/test-people/api.ts'
import { moveCenter } from '../centers/api.ts'
import { addActiveAdministrator, foundCenter, nextCenterId } from '../provisioning/api.ts'
import { type Copied, copyFor, type SourceRules } from './copying.ts'
import { findApprovers, findSandboxes, isAdmin, lockOwner, madeSince, personOf, type SandboxRow } from './queries.ts'
import { readRules, type SourceNeeds } from './source.ts'

export interface FoundingNeeds extends Partial<SourceNeeds> {
  readonly config: Pick<Config, 'cells'>
}

type Tx = DirectoryTx | OperatorTx
type Owner = Awaited<ReturnType<typeof lockOwner>>

const longestName = 180
const usualLabel = 'Sandbox'
const mostInDay = 200
const dayMs = 86_400_000

/** Returns its id. The caller checks that `actorId` is an ADMIN of the center. */
export async function createSandbox(needs: FoundingNeeds, tx: Tx, centerId: number, actorId: string): Promise<number> {
  const owner = await requireOwner(tx, centerId)
  const [first] = await findSandboxes(tx, centerId)
  if (first) {
    throw new Problem('CONFLICT', 'This center already has a sandbox. Reset it to start over.', {
      details: { reason: 'hasSandbox', sandboxId: first.id },
    })
  }
  const id = await found(needs, tx, { of: centerId, owner, by: actorId, place: 1, label: usualLabel })
  await audit(tx, { ...aboutOwner(centerId), action: 'create-sandbox', details: { sandboxId: id } })
  return id
}

/** In the first place that is free. */
export async function addSandbox(
  needs: FoundingNeeds,
  tx: DirectoryTx,
  centerId: number,
  actorId: string,
  label: string,
): Promise<number> {
  const owner = await requireOwner(tx, centerId)
  const sandboxes = await findSandboxes(tx, centerId)
  if (sandboxes.some((each) => each.label === label)) {
    throw new Problem('CONFLICT', `This center already has a sandbox named "${label}". Choose another name.`, {
      details: { reason: 'sandboxName', field: 'name' },
    })
  }
  const place = Array.from({ length: mostSandboxes }, (_, at) => at + 1).find(
    (each) => !sandboxes.some((known) => known.place === each),
  )
  if (place === undefined) {
    throw new Problem(
      'CONFLICT',
      `This center already has ${mostSandboxes} sandboxes, the maximum. End one that you no longer need.`,
      { details: { reason: 'maxSandboxes' } },
    )
  }
  if ((await madeSince(tx, centerId, new Date(now().getTime() - dayMs))) >= mostInDay) {
    throw new Problem(
      'RATE_LIMITED',
      `This center has created ${mostInDay} sandboxes in the last 24 hours, the maximum. Refresh one instead of creating more.`,
      { details: { reason: 'sandboxes' }, retryAfter: 3600, passing: true },
    )
  }
  const id = await found(needs, tx, { of: centerId, owner, by: actorId, place, label })
  await audit(tx, { ...aboutOwner(centerId), action: 'create-sandbox', details: { sandboxId: id, name: label } })
  return id
}

/** Closes the first sandbox and creates another one with another id in its place. Returns both ids. */
export async function resetSandbox(
  needs: FoundingNeeds,
  tx: Tx,
  centerId: number,
  actorId: string,
): Promise<{ readonly closed: number; readonly id: number }> {
  const owner = await requireOwner(tx, centerId)
  const [sandbox] = await findSandboxes(tx, centerId)
  if (!sandbox) throw new Problem('NOT_FOUND', "This center doesn't have a sandbox. Create one first.")
  requireRunning(sandbox)
  await withinCenter(tx, sandbox.id, (own) => moveCenter(own, sandbox.id, 'INACTIVE'))
  const { place, label } = sandbox
  const id = await found(needs, tx, { of: centerId, owner, by: actorId, place, label })
  const details = { sandboxId: id, closed: sandbox.id }
  await audit(tx, { ...aboutOwner(centerId), action: 'reset-sandbox', details })
  return { closed: sandbox.id, id }
}

/** The sandbox of the center with this id. The center's row is locked. */
export async function requireSandbox(tx: DirectoryTx, centerId: number, id: number) {
  const owner = await requireOwner(tx, centerId)
  const sandboxes = await findSandboxes(tx, centerId)
  const sandbox = sandboxes.find((each) => each.id === id)
  if (!sandbox) {
    throw new Problem('NOT_FOUND', 'This center has no sandbox with this ID. List its sandboxes to find the ID.')
  }
  requireRunning(sandbox)
  return { owner, sandbox, isFirst: sandboxes[0] === sandbox }
}

/** For the operator, who names the person. */
export async function requireAdmin(tx: OperatorTx, centerId: number, actorId: string): Promise<void> {
  if (await isAdmin(tx, centerId, actorId)) return
  throw new Problem('FORBIDDEN', "A sandbox's owner must be an administrator of the center. Choose an administrator.", {
    details: { reason: 'sandboxOwner' },
  })
}

function requireRunning({ status }: Pick<SandboxRow, 'status'>): void {
  if (status !== 'SUSPENDED') return
  throw new Problem('CONFLICT', 'The operator suspended this sandbox. Ask the operator to reinstate it.', {
    details: { reason: 'sandboxSuspended' },
  })
}

async function requireOwner(tx: Tx, centerId: number): Promise<Owner> {
  if (isSandboxCenter(centerId)) {
    throw new Problem('CONFLICT', "A sandbox can't have a sandbox of its own. Use the center it belongs to.", {
      details: { reason: 'isSandbox' },
    })
  }
  const owner = await lockOwner(tx, centerId)
  if (owner.status === 'INACTIVE')
    throw new Problem('CONFLICT', 'This center has been closed, so its sandbox is closed too. Use another center.', {
      details: { reason: 'closedCenter' },
    })
  return owner
}

export const aboutOwner = (centerId: number) =>
  ({ type: 'center.updated', target: { type: 'center', id: String(centerId) }, centerId }) as const

const none: SourceRules = { policies: [], groups: [], types: [], given: [], isFixed: false }

const isSource = (needs: FoundingNeeds): needs is FoundingNeeds & SourceNeeds =>
  needs.cells !== undefined && needs.centers !== undefined && needs.sequencer !== undefined

/** What the sandbox gets of its center now. */
export async function copyNow(
  needs: FoundingNeeds,
  tx: Tx,
  of: number,
  { settings }: Pick<Owner, 'settings'>,
  sandbox: { readonly id: number; readonly by: string },
): Promise<{ readonly source: SourceRules; readonly copied: Copied; readonly settings: unknown }> {
  const source = isSource(needs) ? await readRules(needs, of) : none
  const { locale = 'ko' } = settings as { readonly locale?: string }
  const copied = copyFor(source, await findApprovers(tx, of), { ...sandbox, locale })
  return { source, copied, settings: withoutCustomDomain(settings) }
}

interface Found {
  readonly of: number
  readonly owner: Owner
  readonly by: string
  readonly place: number
  readonly label: string
}

async function found(needs: FoundingNeeds, tx: Tx, { of, owner, by, place, label }: Found): Promise<number> {
  const person = await personOf(tx, by)
  const id = await nextCenterId(tx, true)
  const { source, copied, settings } = await copyNow(needs, tx, of, owner, { id, by })
  const { policies, groups, types, people } = copied
  const isEmpty = policies.length + groups.length + types.length === 0
  const suffix = label === usualLabel ? 'sandbox' : `sandbox ${label}`
  return foundCenter(
    needs.config,
    tx,
    {
      id,
      name: `${owner.name.slice(0, longestName)} (${suffix})`,
      vertical: owner.vertical,
      country: owner.country,
      ...(owner.region !== null && { region: owner.region }),
      // No subscription: a sandbox has no seats to pay for.
      planId: null,
      sandbox: {
        ...{ of, by, place, label, settings },
        policies: isEmpty
          ? null
          : { isFixed: source.isFixed, by, policies, copied: { groups, types, given: source.given } },
      },
    },
    async (own) => {
      await addActiveAdministrator(own, person)
      await addTestPeople(own, people)
    },
  )
}

function withoutCustomDomain(settings: unknown): unknown {
  const { branding, ...rest } = settings as { readonly branding?: Readonly<Record<string, unknown>> }
  return branding === undefined ? rest : { ...rest, branding: { ...branding, customDomain: null } }
}
