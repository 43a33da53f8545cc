/** Exports the policies of a center as a file, and makes them what a file says. */
import type { PolicyFile } from '@countersign/contract/policy-files.ts'
import * as contract from '@countersign/contract/policy-files.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { CenterPrincipal } from '../../../access/principal.ts'
import { callerIn, centerOf } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { reaches } from '../../../governance/policies.ts'
import { needPolicies, policyRules } from '../../../governance/rules.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { needWebhooks } from '../../automation/webhooks/api.ts'
import { groupsIn, needGroups, standingGroups } from '../../identity/groups/api.ts'
import { actionTypeVersions, needActionTypes, newestActionTypes, requireRoomForTypes } from '../action-types/api.ts'
import { approvalAddress } from '../decision-events/api.ts'
import {
  type Inheriting,
  peopleFor,
  requireConfirmable,
  requireRoom,
  standingPolicies,
  waking,
} from '../policies/api.ts'
import { type Asking, changeRules, weigh } from './change.ts'
import { takeTypes } from './effect.ts'
import { fileOf, type Plan, planOf, type RuleState, revisionOf, revisionOfState } from './file.ts'
import { runTests } from './file-tests.ts'
import { knownOf, makerOfKey } from './queries.ts'
import { ruleChangeRows } from './sealed-rows.ts'
import { yamlOf } from './yaml.ts'

interface FileNeeds {
  readonly cells: Cells
  readonly centers: CenterProfiles
  readonly config: Pick<Config, 'authUrl' | 'perCenter'>
  readonly directory: Directory
  readonly jobs: Jobs
  readonly sequencer: Inheriting
}

/** Something changed between reading and judging: the file has to be compared again. */
class Moved extends Problem {
  constructor() {
    super('CONFLICT', 'The policies are being changed at this moment, so nothing was imported. Send the file again.', {
      details: { reason: 'changed' },
      passing: true,
    })
  }
}

async function readState(needs: FileNeeds, center: CenterProfile, caller: Caller): Promise<RuleState> {
  await needs.sequencer.ensure(center)
  return needs.cells.of(center.cell).inTenant(
    caller,
    async (tx) => {
      const rows = (await standingPolicies(tx)).filter(({ policy }) => reaches(JSON.parse(policy), center))
      const known = await knownOf(
        tx,
        rows.map(({ id }) => id),
      )
      return { rows, known, types: await newestActionTypes(tx), groups: await standingGroups(tx) }
    },
    'read',
  )
}

const revisionIn = (batch: Batch): string =>
  revisionOf(
    policyRules(batch).filter(({ center_id, deleted }) => center_id !== null && !deleted),
    actionTypeVersions(batch),
    groupsIn(batch),
  )

/** Whoever made a key is the one who asks by it, and approves nothing of it. */
async function askerOf(
  { directory }: FileNeeds,
  principal: CenterPrincipal,
  caller: Caller,
): Promise<Pick<Asking, 'person' | 'keyId'>> {
  if (principal.kind === 'actor') return { person: principal }
  const { keyId: id, actorId: keyId } = principal
  const maker = await directory.asCenter({ ...caller, actorId: null }, (tx) => makerOfKey(tx, id), 'read')
  return maker?.actorId
    ? { person: { actorId: maker.actorId, name: maker.name ?? '' }, keyId }
    : { person: { actorId: keyId, name: maker?.keyName ?? '', isKey: true }, keyId }
}

function requirePassing(tests: ReturnType<typeof runTests>): void {
  const failed = tests.filter(({ passed }) => !passed)
  if (failed.length === 0) return
  throw new Problem(
    'VALIDATION_ERROR',
    `${failed.length} of ${tests.length} tests in the file failed, so nothing was changed. Correct the policies or the tests.`,
    { details: { reason: 'failedTests', tests: failed } },
  )
}

const namesOf = ({ loosens, before }: ReturnType<typeof weigh>) =>
  before.filter(({ id }) => loosens.includes(id)).map(({ body }) => body.name)

export const fileRoutes = (needs: FileNeeds, approvalUrl = approvalAddress(needs.config)): Route[] => {
  const { centers, config, jobs } = needs

  function importItem(asking: Asking, { revision, wanted, types }: Plan) {
    const { center, caller } = asking
    const created = wanted.filter(({ old }) => old === null).length
    const ended = wanted.filter(({ body }) => body === null).length
    return {
      holds: {
        chains: ['history', 'proof'] as const,
        rows: [
          ...[needPolicies, needGroups, needActionTypes, needWebhooks],
          ...wanted.map(({ id }) => need(ruleChangeRows, { policy_id: id })),
        ],
      },
      judge(batch: Batch) {
        if (revisionIn(batch) !== revision) throw new Moved()
        requireRoom(batch, config.perCenter.maxPolicies, { created, ended })
        requireRoomForTypes(batch, types.filter(({ base }) => base === 0).length)
        const changed = changeRules(batch, asking, wanted, types.length > 0 ? { actionTypes: types as never } : {})
        if ('rows' in changed) takeTypes(batch, { center, caller }, types)
        return { changed, revision: revisionIn(batch) }
      },
    }
  }

  return [
    route(contract.exportPolicies, async ({ principal, requestId }, reply) => {
      const center = await centerOf(centers, principal)
      const state = await readState(needs, center, callerIn(principal, requestId))
      const [revision, file] = [revisionOfState(state), fileOf(state, center)]
      return reply(200, { revision, file, yaml: await yamlOf(file, revision) })
    }),

    route(contract.importPolicies, async ({ body, query, principal, center, caller, sequence }, reply) => {
      const file: PolicyFile = body
      const dryRun = query.dryRun === 'true'
      const asker = await askerOf(needs, principal, caller)
      for (let left = 3; ; left--) {
        const state = await readState(needs, center, caller)
        const plan = planOf(file, state, center)
        const { revision, changes } = plan
        if (query.revision !== undefined && query.revision !== revision) {
          throw new Problem(
            'CONFLICT',
            'The policies, action types or groups have changed since this revision, so nothing was imported. Review "details.changes", then send the current revision.',
            { details: { reason: 'revision', revision, changes } },
          )
        }
        for (const { body: wanted } of plan.wanted) {
          if (wanted) requireConfirmable(wanted, await peopleFor(needs, wanted, center, caller))
        }
        const tests = runTests(file.tests ?? [], plan.after, center, now().toISOString())
        const answer = { dryRun, revision, changes: [...changes], pending: null, tests }
        const known = (id: string) =>
          state.known.find(({ policy_id }) => policy_id === id) ?? { asked: false, since: null }
        const names = namesOf(weigh(center, state.rows, plan.wanted, known, now().toISOString()))
        if (dryRun || changes.length === 0) return reply(200, { ...answer, loosens: names })
        requirePassing(tests)
        try {
          const item = importItem({ center, caller, approvalUrl, ...asker }, plan)
          return await sequence(item, ({ changed, revision: since }) =>
            'rows' in changed
              ? reply(200, { ...answer, revision: since, loosens: [] })
              : reply(202, {
                  ...{ ...answer, loosens: names },
                  pending: { eventId: changed.pending, approvalUrl: approvalUrl(changed.pending) },
                }),
          ).then(waking(jobs, center))
        } catch (error) {
          if (!(error instanceof Moved) || left === 1) throw error
        }
      }
    }),
  ]
}
