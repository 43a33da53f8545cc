import * as contract from '@countersign/contract/freezes.ts'
import { familyOf, isPartnersCenter } from '../../../access/queries.ts'
import type { Cells } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import type { FreezeRule } from '../../../governance/rules.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { Problem, refusedField } from '../../../lib/problem.ts'
import { runningUnder, runsAround, waitingUnder } from './coverage.ts'
import { type By, coversOf, freezeItem, liftItem, type Rank } from './freeze.ts'
import { type OutsideNeeds, sealFromOutside } from './outside.ts'
import { newestFreezes } from './queries.ts'
import { shown } from './shown.ts'

export interface FreezeNeeds extends OutsideNeeds {
  readonly cells: Cells
  readonly directory: Directory
  readonly jobs: Jobs
}

const maxLifted = 50

export const freezeRoutes = (needs: FreezeNeeds): Route[] => {
  const { cells, directory, jobs } = needs
  const byOf = async (caller: Caller, actorId: string, rank: Rank): Promise<By> => ({
    ...{ id: actorId, rank },
    family: await directory.identity(caller, (tx) => familyOf(tx, actorId), 'read'),
  })
  const runningIn = (cell: string, caller: Caller, freeze: FreezeRule) =>
    cells.of(cell).inTenant(caller, (tx) => runningUnder(tx, freeze.covers), 'read')
  const tellIn = ({ cell, centerId }: CenterProfile) => jobs.wake(cell, 'tell-freezes', { centerId })

  return [
    route(contract.createFreeze, async ({ body, principal, center, caller, sequence }, reply) => {
      const by = await byOf(caller, principal.actorId, 'center')
      const item = freezeItem(coversOf(body), { center, caller, by, reason: body.reason })
      let made: FreezeRule | undefined
      const answer = await sequence(item, (row) => {
        made = row
        return reply(201, { ...shown(row), running: [] })
      })
      if (!made) return answer
      tellIn(center)
      return reply(201, { ...shown(made), running: await runningIn(center.cell, caller, made) })
    }),

    route(contract.listFreezes, async ({ tx }, reply) => reply(200, (await newestFreezes(tx, maxLifted)).map(shown))),

    route(contract.getFreezeCoverage, async ({ query: { actionTypes, index, ...one }, tx }, reply) => {
      const given = actionTypes === undefined ? one : { ...one, actionTypes: actionTypes.split(',') }
      const named = Object.keys(given)
      if (named.length > 1) throw refusedField(named[1] as string, `can't be combined with "${named[0]}"`)
      const covered = coversOf(named.length === 0 ? { center: true } : given)
      const waitingIds = await waitingUnder(tx, covered)
      return reply(200, {
        ...{ waiting: waitingIds.length, waitingIds },
        running: await runningUnder(tx, covered),
        runs: await runsAround(tx, covered, index),
      })
    }),

    route(contract.liftFreeze, async ({ params, body, principal, center, caller, sequence }, reply) => {
      const by = await byOf(caller, principal.actorId, 'center')
      const item = liftItem(uuidOf('freeze', params.id), { center, caller, by, reason: body.reason })
      const answer = await sequence(item, (row) => reply(200, shown(row)))
      tellIn(center)
      return answer
    }),

    route(contract.createFreezeAsPartner, async ({ params, body, principal, requestId, tx }, reply) => {
      if (!(await isPartnersCenter(tx, params.centerId))) throw notYours()
      const caller = { requestId, actorId: principal.actorId, centerId: params.centerId }
      const by = await byOf(caller, principal.actorId, 'partner')
      const item = (to: Parameters<typeof freezeItem>[1]) => freezeItem(coversOf(body), to)
      const { center, row } = await sealFromOutside(needs, caller, by, item, body.reason)
      tellIn(center)
      return reply(201, { ...shown(row), running: await runningIn(center.cell, caller, row) })
    }),

    route(contract.liftFreezeAsPartner, async ({ params, body, principal, requestId, tx }, reply) => {
      if (!(await isPartnersCenter(tx, params.centerId))) throw notYours()
      const caller = { requestId, actorId: principal.actorId, centerId: params.centerId }
      const by = await byOf(caller, principal.actorId, 'partner')
      const item = (to: Parameters<typeof liftItem>[1]) => liftItem(uuidOf('freeze', params.id), to)
      const { center, row } = await sealFromOutside(needs, caller, by, item, body.reason)
      tellIn(center)
      return reply(200, shown(row))
    }),
  ]
}

const notYours = () =>
  new Problem('CENTER_NOT_FOUND', "This partner has no center with this ID. List the partner's centers to find the ID.")
