import { dryRunPolicy } from '@countersign/contract/console-policies.ts'
import * as contract from '@countersign/contract/governance.ts'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { checkPolicies } from '@countersign/contract/policy-check.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Config } from '../../../config.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { reaches } from '../../../governance/policies.ts'
import type { PolicyRow } from '../../../governance/rows.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, uuidOf } from '../../../lib/ids.ts'
import { limitReached, Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { CenterProfile } from '../../../sealing/item.ts'
import { countingMembers, type Eligibility } from '../../identity/eligibility/api.ts'
import { type Inheriting, needPolicies } from './api.ts'
import { checkDecision } from './check.ts'
import { findApprovable } from './check-queries.ts'
import { dryRun } from './dry-run.ts'
import { lastDecisions } from './dry-run-queries.ts'
import { addVersion, changedBody, policyOf, unknownPolicy } from './policy.ts'
import { policyVersions, standingPolicies } from './queries.ts'
import { policyRule, policyRules } from './rules.ts'
import { requireSound } from './sound.ts'

/** Nothing is sealed while the policies change, so that a seal names the version in force when it was made. */
export const holds = { chains: ['history', 'proof'], rows: [needPolicies] } as const

/** The version in force, locked through the chain `history`, which every change of a policy appends to. */
export function standing(batch: Batch, id: string | null): PolicyRow & { body: PolicyBody } {
  const row = policyRule(batch, id ?? '')
  if (!row || row.deleted) throw unknownPolicy()
  return { ...row, body: JSON.parse(row.policy) as PolicyBody }
}

function requireOwn({ inherited }: CenterProfile, id: string | null): void {
  if (!inherited?.isFixed || !inherited.ids.some((each) => each === id)) return
  throw new Problem(
    'FORBIDDEN',
    'This policy is that of the franchise, and a center cannot change it. Ask the partner.',
  )
}

/** `mostStanding` limits the time of a seal, which reads all policies while other seals of the batch wait. */
const mostEver = 1000

function requireRoom(batch: Batch, mostStanding: number): void {
  const own = policyRules(batch).filter(({ center_id }) => center_id !== null)
  if (own.filter(({ deleted }) => !deleted).length >= mostStanding) {
    throw limitReached(mostStanding, 'policies in force', 'Change or withdraw one of them', 'MAX_POLICIES_PER_CENTER')
  }
  if (own.length >= mostEver) {
    throw new Problem(
      'CONFLICT',
      `This center has made ${mostEver} policies and can make no more; change one that is in force.`,
    )
  }
}

/** After the commit: decisions that wait are judged again. */
export const waking =
  (jobs: Jobs, { cell, centerId }: CenterProfile) =>
  <T>(answer: T): T => {
    jobs.wake(cell, 'waiting-decisions', { centerId })
    return answer
  }

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
  async <T>(principal: MemberPrincipal, requestId: string, work: (tx: TenantTx) => Promise<T>) => {
    const { actorId, entered } = principal
    const caller = { requestId, actorId, centerId: entered.centerId }
    const center = await centers.profile(entered.centerId)
    await sequencer.ensure(center)
    return { center, caller, rows: await cells.of(entered.cell).inTenant(caller, work, 'read') }
  }

export const policyRoutes = (
  needs: PolicyNeeds,
  { cells, config, jobs, directory, eligibility } = needs,
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

  route(contract.createPolicy, ({ body, center, caller, sequence }, reply) => {
    if (body.scope !== undefined && body.scope !== 'center') {
      throw new Problem(
        'FORBIDDEN',
        `Only the operator can create policies of the scope ${body.scope}; yours is "center".`,
      )
    }
    const id = newUuid()
    const created: PolicyBody = { ...body, scope: 'center' }
    requireSound(created)
    return sequence(
      {
        holds,
        judge(batch) {
          requireRoom(batch, config.perCenter.maxPolicies)
          return addVersion(batch, { center, caller, action: 'created' }, id, 1, created)
        },
      },
      (row) => reply(201, policyOf(center, row)),
    ).then(waking(jobs, center))
  }),

  route(contract.updatePolicy, ({ params, body, center, caller, sequence }, reply) => {
    const id = uuidOf('policy', params.id)
    requireOwn(center, id)
    return sequence(
      {
        holds,
        judge(batch) {
          const old = standing(batch, id)
          const changed = changedBody(old.body, body)
          return addVersion(batch, { center, caller, action: 'updated' }, old.id, old.version + 1, changed)
        },
      },
      (row) => reply(200, policyOf(center, row)),
    ).then(waking(jobs, center))
  }),

  route(contract.deletePolicy, ({ params, center, caller, sequence }, reply) => {
    const id = uuidOf('policy', params.id)
    requireOwn(center, id)
    return sequence(
      {
        holds,
        judge(batch) {
          const old = standing(batch, id)
          addVersion(batch, { center, caller, action: 'deleted' }, old.id, old.version + 1, old.body)
        },
      },
      () => reply(204, null),
    ).then(waking(jobs, center))
  }),

  route(checkPolicies, async ({ body, principal, requestId }, reply) => {
    const { center, caller, rows } = await read(principal, requestId, standingPolicies)
    const { keys, members } = await directory.asCenter(caller, findApprovable, 'read')
    await eligibility.deliverTo(center.centerId)
    const counting = await cells.of(center.cell).inTenant(caller, (tx) => countingMembers(tx, now()), 'read')
    const approvable = { keys, members: members.filter(({ actorId }) => counting.has(actorId)) }
    return reply(200, checkDecision(body, rows, center, approvable, now().toISOString()))
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
