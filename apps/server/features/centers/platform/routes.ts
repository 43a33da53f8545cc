import * as contract from '@countersign/contract/console-operator.ts'
import {
  acknowledgeAlarm,
  getOperatedCenter,
  setCenterStatus,
  setCenterSubscription,
} from '@countersign/contract/operator-centers.ts'
import { type Route, route } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { type AlarmNeeds, readAlarm } from './alarm.ts'
import {
  acknowledge,
  type ChangeNeeds,
  readOperated,
  setStatus,
  setSubscription,
  shownCenter,
} from './change-centers.ts'
import { type OverviewNeeds, readOverview } from './overview.ts'
import * as queries from './queries.ts'

const rangeOf = ({ page, limit }: { page: number; limit: number }) => ({ limit, offset: (page - 1) * limit })

export const platformRoutes = (needs: OverviewNeeds & AlarmNeeds & ChangeNeeds): Route[] => [
  route(contract.getOverview, async ({ identity }, reply) => reply(200, await readOverview(needs, identity))),

  route(contract.listAllPartners, async ({ identity, query }, reply) => {
    const search = query.search?.trim() ?? ''
    const { rows, total } = await identity(
      async (tx) => ({
        rows: await queries.pageOfPartners(tx, search, rangeOf(query)),
        total: await queries.countPartners(tx, search),
      }),
      'read',
    )
    const items = rows.map(({ created_at, ...row }) => ({
      ...row,
      id: typedId('partner', row.id),
      createdAt: created_at.toISOString(),
    }))
    return reply(200, { items, total })
  }),

  route(contract.listAllCenters, async ({ identity, query }, reply) => {
    const { status = null, cell = null, partnerId } = query
    const partner = partnerId === undefined ? null : uuidOf('partner', partnerId)
    const sought = { search: query.search?.trim() ?? '', status, cell, partner }
    const { rows, total } = await identity(
      async (tx) => ({
        rows: await queries.pageOfCenters(tx, sought, rangeOf(query)),
        total: await queries.countCenters(tx, sought),
      }),
      'read',
    )
    return reply(200, { items: rows.map(shownCenter), total })
  }),

  route(getOperatedCenter, async ({ identity, params }, reply) =>
    reply(200, await identity((tx) => readOperated(tx, params.centerId), 'read')),
  ),
  route(setCenterStatus, async (context, reply) => reply(200, await setStatus(needs, context))),
  route(setCenterSubscription, async (context, reply) => reply(200, await setSubscription(needs, context))),
  route(acknowledgeAlarm, async (context, reply) => reply(200, await acknowledge(needs, context))),

  route(contract.getAlarm, async (context, reply) => reply(200, await readAlarm(needs, context))),
]
