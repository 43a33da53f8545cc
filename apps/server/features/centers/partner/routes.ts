import { getPartnerIntegrity } from '@countersign/contract/console-integrity.ts'
import { listFreezesAsPartner } from '@countersign/contract/freezes.ts'
import { onboardPartner } from '@countersign/contract/onboarding.ts'
import {
  endPartnerAccount,
  invitePartnerAccount,
  listPartnerAccounts,
  listPartnerInvitations,
  revokePartnerInvitation,
  updatePartnerAccount,
} from '@countersign/contract/partner-invitations.ts'
import * as contract from '@countersign/contract/partners.ts'
import { getWhitelabelConfig } from '@countersign/contract/whitelabel.ts'
import type { Cells } from '../../../data/cells.ts'
import type { PartnerTx } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { today } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings } from '../../../verticals/defaults.ts'
import { memberOf } from '../../identity/members/api.ts'
import { centerOf } from '../centers/api.ts'
import * as accounts from './account-queries.ts'
import { accountOf, changeRole, endAccount } from './accounts.ts'
import { readAudit } from './audit.ts'
import { changeCenter, createCenter, nameAdmin, noCenter, type PartnerCenterNeeds } from './centers.ts'
import { centersCsv } from './centers-csv.ts'
import { readIntegrity } from './integrity.ts'
import { countOpen, pageOfInvitations } from './invitation-queries.ts'
import { invitationOf, invite, revoke } from './invitations.ts'
import { onboard } from './onboard.ts'
import * as queries from './queries.ts'
import { changeSettings } from './settings.ts'
import { readStops } from './stops.ts'
import { readTasks } from './tasks.ts'

const offsetOf = ({ page, limit }: { page: number; limit: number }): number => (page - 1) * limit

/** One twelfth of a yearly price, in whole currency units. */
const monthlyOf = ({ price, billing_cycle, subscriptions }: queries.PayingPlan): number =>
  Math.round((price * subscriptions) / (billing_cycle === 'YEARLY' ? 12 : 1))

async function dashboard(cells: Cells, tx: PartnerTx) {
  const { currency } = await queries.findPartner(tx)
  const { centers, members, visitors } = await queries.findFigures(tx, today())
  const byPlan = (await queries.payingPlans(tx)).map((plan) => ({
    planId: plan.id,
    planName: plan.name,
    planVersion: plan.version,
    subscriptions: plan.subscriptions,
    monthlyRecurring: monthlyOf(plan),
  }))
  const monthlyRecurring = byPlan.reduce((sum, plan) => sum + plan.monthlyRecurring, 0)
  return {
    totalCenters: centers,
    totalMembers: members,
    activeToday: visitors,
    revenue: { currency, monthlyRecurring, byPlan },
    waiting: await readTasks(cells, tx),
  }
}

const partnerCenterOf = (row: queries.PartnerCenterRow) => ({
  ...centerOf(row),
  suspendedBy: row.suspended_by,
  hasAdmin: row.admin_count > 0,
})

interface PartnerNeeds extends PartnerCenterNeeds {
  readonly cells: Cells
}

export const partnerRoutes = (needs: PartnerNeeds): Route[] => [
  route(contract.listPartnerCenters, async ({ tx, query }, reply) => {
    const search = query.search?.trim() ?? ''
    const rows = await queries.pageOfCenters(tx, { search, limit: query.limit, offset: offsetOf(query) })
    const total = search ? await queries.countMatching(tx, search) : (await queries.findFigures(tx, today())).centers
    return reply(200, { items: rows.map(partnerCenterOf), total })
  }),

  route(contract.exportPartnerCenters, ({ tx }, reply) => reply(200, centersCsv(needs.directory, tx))),

  route(getPartnerIntegrity, async ({ tx }, reply) => reply(200, await readIntegrity(needs.cells, tx))),

  route(listFreezesAsPartner, async ({ tx }, reply) => reply(200, await readStops(needs.cells, tx))),

  route(contract.createPartnerCenter, async (context, reply) => reply(201, await createCenter(needs, context))),

  route(contract.getPartnerCenter, async ({ tx, params }, reply) => {
    const row = await queries.findCenter(tx, params.centerId)
    if (!row) throw noCenter()
    return reply(200, partnerCenterOf(row))
  }),

  route(contract.updatePartnerCenter, async (context, reply) => reply(200, await changeCenter(needs, context))),

  route(contract.namePartnerCenterAdmin, async (context, reply) => reply(201, await nameAdmin(needs, context))),

  route(contract.getPartnerDashboard, async ({ tx }, reply) => reply(200, await dashboard(needs.cells, tx))),

  route(contract.listPartnerAudit, async (context, reply) => reply(200, await readAudit(needs.cells, context))),

  route(contract.listPartnerMembers, async ({ tx, query }, reply) => {
    const rows = await queries.pageOfMembers(tx, query.limit, offsetOf(query))
    const { memberships: total } = await queries.findFigures(tx, today())
    return reply(200, { items: rows.map(memberOf), total })
  }),

  route(contract.getPartnerSettings, async ({ tx }, reply) =>
    reply(200, (await queries.findPartner(tx)).settings as Record<string, unknown>),
  ),

  route(contract.updatePartnerSettings, async ({ tx, body }, reply) => reply(200, await changeSettings(tx, body))),

  route(invitePartnerAccount, async (context, reply) => reply(201, await invite(needs, context))),

  route(listPartnerInvitations, async ({ tx, query }, reply) => {
    const rows = await pageOfInvitations(tx, query.limit, offsetOf(query))
    return reply(200, { items: rows.map(invitationOf), total: await countOpen(tx) })
  }),

  route(revokePartnerInvitation, async ({ tx, params }, reply) => {
    await revoke(tx, params.id)
    return reply(204, null)
  }),

  route(listPartnerAccounts, async ({ tx, query, principal }, reply) => {
    const rows = await accounts.pageOfAccounts(tx, query.limit, offsetOf(query))
    return reply(200, { items: rows.map(accountOf(principal.actorId)), total: await accounts.countAccounts(tx) })
  }),

  route(updatePartnerAccount, async ({ tx, params, body, principal }, reply) =>
    reply(200, accountOf(principal.actorId)(await changeRole(needs.authenticate, tx, params.actorId, body.role))),
  ),

  route(endPartnerAccount, async ({ tx, params }, reply) => {
    await endAccount(needs.authenticate, tx, params.actorId)
    return reply(204, null)
  }),

  route(onboardPartner, async (context, reply) => reply(201, await onboard(needs, context))),

  route(getWhitelabelConfig, async ({ params, identity }, reply) => {
    const row = await identity((tx) => queries.findBranded(tx, params.domain.toLowerCase()))
    if (!row) throw new Problem('CENTER_NOT_FOUND', `There's no center at "${params.domain}". Check the spelling.`)
    const { branding, features, locale } = completeSettings(row.vertical, row.settings)
    return reply(200, { domain: row.domain, name: row.name, vertical: row.vertical, branding, features, locale })
  }),
]
