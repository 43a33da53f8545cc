import { dryRunPolicy } from '@countersign/contract/console-policies.ts'
import * as contract from '@countersign/contract/governance.ts'
import { checkPolicies } from '@countersign/contract/policy-check.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { type CenterPrincipal, callerIn, centerOf } from '../../../access/principal.ts'
import { familyOf } from '../../../access/queries.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { reaches } from '../../../governance/policies.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { now } from '../../../lib/clock.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { countingMembers, type Eligibility, everApproving } from '../../identity/eligibility/api.ts'
import { readGroups } from '../../identity/groups/api.ts'
import { signingMembers } from '../../identity/passkeys/api.ts'
import type { Inheriting } from './api.ts'
import { checkDecision } from './check.ts'
import { findApprovable } from './check-queries.ts'
import { dryRun, planned } from './dry-run.ts'
import { lastDecisions } from './dry-run-queries.ts'
import { policyOf, unknownPolicy } from './policy.ts'
import { policyVersions, standingPolicies } from './queries.ts'

export interface PolicyNeeds {
  readonly jobs: Jobs
  readonly config: Pick<Config, 'perCenter'>
  readonly centers: CenterProfiles
  readonly cells: Cells
  readonly directory: Directory
  readonly eligibility: Pick<Eligibility, 'deliverTo'>
  readonly sequencer: Inheriting
}

/** Reads as the entered center, once the policies that it inherited are there. */
const reading =
  ({ centers, cells, sequencer }: PolicyNeeds) =>
  async <T>(principal: CenterPrincipal, requestId: string, work: (tx: TenantTx) => Promise<T>) => {
    const caller = callerIn(principal, requestId)
    const center = await centerOf(centers, principal)
    await sequencer.ensure(center)
    return { center, caller, rows: await cells.of(center.cell).inTenant(caller, work, 'read') }
  }

export const policyRoutes = (
  needs: PolicyNeeds,
  { cells, directory, eligibility } = needs,
  read = reading(needs),
): Route[] => [
  route(contract.listPolicies, async ({ principal, requestId }, reply) => {
    const { center, rows } = await read(principal, requestId, standingPolicies)
    const standing = rows.filter(({ policy }) => reaches(JSON.parse(policy), center))
    return reply(
      200,
      standing.map((row) => policyOf(center, row)),
    )
  }),

  route(checkPolicies, async ({ body, principal, requestId }, reply) => {
    const { center, caller, rows } = await read(principal, requestId, standingPolicies)
    const { keys, members, ever } = await directory.asCenter(
      { ...caller, actorId: null },
      async (tx) => ({ ...(await findApprovable(tx)), ever: await everApproving(tx, now()) }),
      'read',
    )
    await eligibility.deliverTo(center.centerId)
    const { counting, groups, signing } = await cells.of(center.cell).inTenant(
      caller,
      async (tx) => ({
        counting: await countingMembers(tx, now()),
        groups: await readGroups(tx, now()),
        signing: await signingMembers(tx),
      }),
      'read',
    )
    const able = members
      .map((each) => ({ ...each, roles: each.roles.filter((role) => counting.get(each.actorId)?.includes(role)) }))
      .filter(({ roles }) => roles.length > 0)
      .map((each) => ({
        ...each,
        groupIds: (groups.get(each.actorId) ?? []).map(({ id }) => id),
        signs: signing.has(each.actorId),
      }))
    const { actorId } = principal
    // A key is nobody whom a line could name.
    const asker = new Set(
      principal.kind === 'key' ? [] : await directory.identity(caller, (tx) => familyOf(tx, actorId), 'read'),
    )
    const { draft, ...decision } = body
    const standing = draft ? planned(rows, draft).after : rows
    return reply(
      200,
      checkDecision(decision, standing, center, { keys, members: able }, { asker, ever }, now().toISOString()),
    )
  }),

  route(dryRunPolicy, async ({ body, principal, requestId }, reply) => {
    const { center, rows: found } = await read(principal, requestId, async (tx) => ({
      rows: await standingPolicies(tx),
      decisions: await lastDecisions(tx),
    }))
    return reply(200, dryRun(body, found.rows, found.decisions, center))
  }),

  route(contract.listPolicyVersions, async ({ principal, requestId, params }, reply) => {
    const id = uuidOf('policy', params.id)
    if (id === null) throw unknownPolicy()
    const { center, rows } = await read(principal, requestId, (tx) => policyVersions(tx, id))
    if (rows.length === 0) throw unknownPolicy()
    return reply(
      200,
      rows.map((row) => policyOf(center, row)),
    )
  }),
]
