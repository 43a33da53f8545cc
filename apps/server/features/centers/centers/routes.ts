import * as contract from '@countersign/contract/centers.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { authorizedMemberships } from '../../../access/queries.ts'
import { type Route, route } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings } from '../../../verticals/defaults.ts'
import { centerOf } from './api.ts'
import { activeInstructors, centersById, ownCenter, publicCenter } from './queries.ts'
import { search } from './search.ts'
import { changeHours, changeName, changeSettings } from './settings.ts'

interface CenterNeeds {
  readonly authenticate: Authenticator
}

export const centerRoutes = ({ authenticate }: CenterNeeds): Route[] => [
  route(contract.listCenters, async ({ principal, identity }, reply) => {
    const centers = await identity(async (tx) => {
      const memberships = await authorizedMemberships(tx, principal.actorId, principal.confinement)
      const roles = new Map(memberships.map((row) => [row.center_id, row.role]))
      const rows = await centersById(tx, [...roles.keys()])
      return rows.map((row) => ({ ...centerOf(row), role: roles.get(row.id) ?? 'CHILD' }))
    }, 'read')
    return reply(200, centers)
  }),

  route(contract.getCenter, async ({ tx }, reply) => reply(200, centerOf(await ownCenter(tx)))),

  route(contract.getCenterInfo, async ({ params, identity }, reply) => {
    const row = await identity((tx) => publicCenter(tx, params.center), 'read')
    if (!row) throw new Problem('CENTER_NOT_FOUND', `No center matches "${params.center}". Check the spelling.`)
    const { branding } = completeSettings(row.vertical, row.settings)
    return reply(200, {
      name: row.name,
      description: branding.description,
      logo: branding.logo,
      vertical: row.vertical,
    })
  }),

  route(contract.searchCenters, async ({ body, identity }, reply) =>
    reply(200, await identity((tx) => search(tx, body), 'read')),
  ),

  route(contract.listInstructors, async ({ tx }, reply) => reply(200, await activeInstructors(tx))),

  route(contract.updateCenterSettings, async ({ tx, body }, reply) =>
    reply(200, await changeSettings(authenticate, tx, body)),
  ),

  route(contract.renameCenter, async ({ tx, body }, reply) =>
    reply(200, centerOf(await changeName(authenticate, tx, body.name))),
  ),

  route(contract.setInstructorHours, async (context, reply) => reply(200, await changeHours(context))),
]
