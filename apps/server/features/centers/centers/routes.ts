import * as contract from '@countersign/contract/centers.ts'
import { type ActorRole, targetApps } from '@countersign/contract/enums.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { authorizedMemberships } from '../../../access/queries.ts'
import type { Config } from '../../../config/config.ts'
import { type Route, route } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings } from '../../../verticals/defaults.ts'
import { centerOf } from './api.ts'
import { activeInstructors, centersById, ownCenter, publicCenter } from './queries.ts'
import { search } from './search.ts'
import { changeHours, changeName, changeSettings } from './settings.ts'

interface CenterNeeds {
  readonly authenticate: Authenticator
  readonly config: Pick<Config, 'apps'>
}

/** Whom each application is for. A center turns one off by the feature of its name. */
const readers = {
  lms: ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'],
  cms: ['ADMIN', 'INSTRUCTOR'],
  erp: ['ADMIN'],
} as const
const appsFor = (roles: readonly ActorRole[], features: Readonly<Record<string, boolean>>) =>
  targetApps.filter(
    (app) => features[app] !== false && readers[app].some((reader) => (roles as readonly string[]).includes(reader)),
  )

export const centerRoutes = ({ authenticate, config }: CenterNeeds): Route[] => [
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

  route(contract.listCompanionApps, async ({ tx, principal }, reply) => {
    const { domain, settings, vertical } = await ownCenter(tx)
    const { features } = completeSettings(vertical, settings)
    const open = appsFor(principal.entered.roles, features)
    return reply(
      200,
      open.flatMap((app) => {
        const url = config.apps[app]
        return url === null ? [] : [{ app, url: url.replaceAll('{center}', domain) }]
      }),
    )
  }),

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
