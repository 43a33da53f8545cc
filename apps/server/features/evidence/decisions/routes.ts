import { listDecisionEvents } from '@countersign/contract/decision-events.ts'
import * as contract from '@countersign/contract/decisions.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { covers } from '@countersign/proof/stops.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { isVisibleTo, type KeyPrincipal, type MemberPrincipal } from '../../../access/principal.ts'
import { familyOf } from '../../../access/queries.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory, DirectoryTx } from '../../../data/directory.ts'
import { stateAt } from '../../../governance/confirming.ts'
import { type Applied, appliedOf, isOwn } from '../../../governance/policies.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, recordUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { publish } from '../../automation/webhooks/api.ts'
import { approvalAddress, countsOfEvents, pageOfEvents, policyCopy, unknownEvent } from '../decision-events/api.ts'
import { policyTexts } from '../dpu/api.ts'
import { policiesNow, turnFor } from './asked.ts'
import { type ShownEmergency, unsettledOf } from './confirmation-queries.ts'
import { commentOf, detailsOf } from './details.ts'
import { confirmingLines, confirmingNow, emergencyOf, emergencyRight, textsByName } from './emergencies.ts'
import { openLines, type ShownLine, sealedLines } from './lines.ts'
import { informedMember, staffNow } from './people.ts'
import {
  type DetailsRow,
  findDetails,
  insertComment,
  keyName,
  memberNames,
  noteOpening,
  openedAmong,
  stopsInForce,
} from './queries.ts'
import { rulesOf } from './rules.ts'
import { templateOf } from './templates.ts'
import { noteComment } from './told.ts'
import { linesNow, struckOf } from './turns.ts'

interface DecisionNeeds {
  readonly centers: CenterProfiles
  readonly config: Pick<Config, 'authUrl'>
  readonly directory: Directory
  readonly jobs: Jobs
}

async function found(tx: TenantTx, id: string): Promise<DetailsRow> {
  const uuid = recordUuid(id)
  const row = uuid === null ? undefined : await findDetails(tx, uuid)
  if (!row) throw unknownEvent()
  return row
}

const withOffset = <T extends { page: number; limit: number }>({ page, ...query }: T) => ({
  ...query,
  offset: (page - 1) * query.limit,
})

/** As the seal says, with the texts of the versions that it names. */
async function linesOfSealed(tx: TenantTx, row: DetailsRow) {
  const { sealed_policies: policies, approvals, prior_controls: prior, own_control: own, risk_score: riskScore } = row
  if (!policies || policies.length === 0 || !approvals) return { lines: [], texts: [] }
  const stated = approvals.map(({ result }, at) => ({ result, ...(at < approvals.length - 1 ? prior?.[at] : own) }))
  const texts = (await policyTexts(tx, policies)).map(appliedOf)
  const confirmations = (row.emergency?.confirmations ?? []).map(({ places }) => places)
  const struck = struckOf(approvals, (at) => stated[at]?.void === undefined)
  return { lines: sealedLines({ policies, riskScore, approvals: stated }, texts, confirmations, struck), texts }
}

const typeOf = ({ action }: DetailsRow): string => (action as { readonly type: string }).type

export const decisionRoutes = ({ centers, config, directory, jobs }: DecisionNeeds): Route[] => {
  const addressOf = approvalAddress(config)
  async function shown(tx: TenantTx, row: DetailsRow, principal: KeyPrincipal | MemberPrincipal) {
    const { waiting } = row
    const member = principal.kind === 'key' ? null : principal
    const reader = principal.kind === 'key' ? principal.actorId : null
    if (!waiting) {
      const { lines, texts } = await linesOfSealed(tx, row)
      if (!row.emergency) return detailsOf(row, addressOf, reader, [], lines)
      const confirmed = await confirmationsOf(tx, row, row.emergency, { lines, texts, member })
      return detailsOf(row, addressOf, reader, [], confirmed.lines, null, confirmed)
    }
    const center = await centers.profile(tx.caller.centerId)
    const event = row as unknown as EventRow
    const policies = policiesNow({ event, waiting }, await policyCopy(tx), center)
    const { lines, ...own } = await linesOfOpen(tx, row, policies, member)
    const { actor, action, recorded_by } = event
    const about = { actorId: actor.id, keyIds: [recorded_by], actionType: action.type }
    const stop = (await stopsInForce(tx)).find((each) => covers(each.covers, about))
    return detailsOf(row, addressOf, reader, rulesOf(row, policies), lines, stop?.id, own)
  }
  /** Who is to confirm what was approved in an emergency, and what the reader can do about it. */
  async function confirmationsOf(
    tx: TenantTx,
    row: DetailsRow,
    emergency: ShownEmergency,
    { lines, texts, member }: { lines: ShownLine[]; texts: readonly Applied[]; member: MemberPrincipal | null },
  ) {
    const at = now()
    const confirming = confirmingNow(emergency, textsByName(texts))
    const staff = member ? await staffNow(directory, tx) : { members: [], deputies: [], candidates: [] }
    const known = staff.members.map(({ actor_id, name }) => [actor_id, name] as const)
    const given = emergency.confirmations.map(({ by_actor }) => by_actor)
    const former = member ? await directory.asCenter(tx.caller, (own) => memberNames(own, given), 'read') : []
    const names = new Map([...former, ...known])
    const family = member ? await directory.identity(tx.caller, (own) => familyOf(own, member.actorId), 'read') : []
    const reader = member && {
      actorId: member.actorId,
      isAdmin: member.entered.role === 'ADMIN',
      accounts: [member.actorId, ...family],
    }
    const used = (row.approvals ?? []).flatMap(({ control }, position) => (control?.emergency ? [position] : []))
    const isOpen = confirming !== null && stateAt(emergency, at.toISOString()) === 'open'
    return {
      lines: member && isOpen ? confirmingLines(lines, confirming, staff, names, at.getTime()) : lines,
      emergency: emergencyOf(emergency, used, confirming, staff, names, reader, at),
    }
  }
  /** A program polls: of the members, it needs only those who approved. */
  async function linesOfOpen(
    tx: TenantTx,
    row: DetailsRow,
    policies: readonly Applied[],
    member: MemberPrincipal | null,
  ) {
    const approvals = row.approvals ?? []
    const given = approvals.flatMap(({ identity_level: level, identity_by: by, on_behalf_of: absent }) =>
      level === 'claim' ? [] : [by, ...(absent ? [absent] : [])],
    )
    const { members, ...staff } = await staffNow(directory, tx, member ? undefined : given)
    const { candidates } = staff
    const open = { event: row, since: row.waiting?.since as string, approvals }
    const standing = linesNow(open, policies, candidates)
    const names = new Map(members.map(({ actor_id, name }) => [actor_id, name]))
    if (!standing) return { lines: [] }
    const at = now()
    const lines = openLines(standing, candidates, member ? names : null, at.getTime())
    if (!member) return { lines }
    // Nobody else may be there to approve what they asked for.
    const mayBeAlone = isOwn(typeOf(row)) && standing.asked.actor === comparableId(member.actorId)
    const turn = mayBeAlone ? null : turnFor(standing, staff, member.actorId, at.getTime())
    if (!standing.asked.lines.some(({ emergency }) => emergency) || isOwn(typeOf(row))) return { lines, turn }
    const accounts = candidates.find(({ actorId }) => actorId === member.actorId)?.accounts ?? []
    const blocked = await unsettledOf(tx, [...accounts], at)
    return { lines, turn, right: emergencyRight(standing, { candidates }, member.actorId, at.getTime(), blocked) }
  }

  /** Names as they are now: for people, who know each other by them. */
  async function namesIn(tx: TenantTx, { approvals, recordedBy }: Awaited<ReturnType<typeof shown>>) {
    const absent = approvals.flatMap(({ onBehalfOf }) => onBehalfOf ?? [])
    const keyId = uuidOf('apiKey', recordedBy ?? '')
    const named = async (own: DirectoryTx) => ({
      names: await memberNames(own, absent),
      recordedByName: keyId && (await keyName(own, keyId)),
    })
    const { names, recordedByName } = await directory.asCenter(tx.caller, named, 'read')
    const withNames = approvals.map((given) => {
      const onBehalfOfName = names.get(given.onBehalfOf ?? '')
      return onBehalfOfName === undefined ? given : { ...given, onBehalfOfName }
    })
    return { recordedByName, approvals: withNames }
  }

  return [
    route(listDecisionEvents, async ({ tx, query, principal }, reply) => {
      const { limit, cursor, offset, ...filter } = 'page' in query ? withOffset(query) : query
      const place = { limit, offset, ...(cursor !== undefined && { cursor }) }
      if (principal.kind === 'key') {
        const own = principal.boundTo ?? undefined
        return reply(
          200,
          await pageOfEvents(tx, jobs, principal.cell, { ...filter, informed: undefined, ...place, own }),
        )
      }
      const informed = 'informed' in filter && filter.informed ? await informedMember(tx, principal) : undefined
      const asked = { ...filter, informed }
      const listed = await pageOfEvents(tx, jobs, principal.entered.cell, { ...asked, ...place })
      const ids = new Map(listed.items.map(({ id }) => [id, uuidOf('decisionEvent', id) as string]))
      const opened = await openedAmong(tx, principal.actorId, [...ids.values()])
      const items = listed.items.map((item) => ({ ...item, opened: opened.has(ids.get(item.id) as string) }))
      return reply(200, { ...listed, items, counts: await countsOfEvents(tx, asked) })
    }),

    route(contract.readDecision, async ({ tx, params, principal }, reply) => {
      const row = await found(tx, 'id' in params ? params.id : params.eventId)
      if (principal.kind === 'key' && !isVisibleTo(principal, row, row.execution?.consumed_by)) throw unknownEvent()
      const decision = {
        ...(await shown(tx, row, principal)),
        actionType: await templateOf(tx, centers, typeOf(row), row.own_template),
        recordedByName: null,
      }
      return reply(200, principal.kind === 'key' ? decision : { ...decision, ...(await namesIn(tx, decision)) })
    }),

    route(contract.openDecision, async ({ tx, params, body, principal }, reply) => {
      const row = await found(tx, params.eventId)
      const actionDigest = body.actionDigest ?? null
      if (actionDigest !== null && actionDigest !== row.action_digest) {
        throw new Problem('CONFLICT', "This action isn't the one in the decision. Read the decision again.", {
          details: { reason: 'otherAction' },
        })
      }
      const opened = await noteOpening(tx, { eventId: row.id, actorId: principal.actorId, actionDigest }, now())
      if (!opened)
        throw new Problem(
          'CONFLICT',
          "This decision is closed, so there's nothing left to approve. Read the decision to see its result.",
          { details: { reason: 'closedDecision' } },
        )
      return reply(200, { eventId: typedId('decisionEvent', row.id), openedAt: opened.toISOString() })
    }),

    route(contract.commentDecision, async ({ tx, params, body, principal }, reply) => {
      const row = await found(tx, params.eventId)
      const at = now()
      const { actorId, name } = principal
      const comment = { id: newUuid(), eventId: row.id, authorId: actorId, authorName: name, text: body.text, at }
      if (!(await insertComment(tx, comment))) {
        throw new Problem(
          'CONFLICT',
          "This decision is closed and doesn't accept comments anymore. Read the decision to see its result.",
          { details: { reason: 'closedDecision' } },
        )
      }
      const [eventId, commentId] = [typedId('decisionEvent', row.id), typedId('comment', comment.id)]
      const commentedAt = at.toISOString()
      await publish(tx, 'agent.approval.commented', {
        decisionId: row.decision_id,
        eventId,
        commentId,
        authorId: actorId,
        text: body.text,
        commentedAt,
      })
      await audit(tx, {
        type: 'decision.sealed',
        action: 'commented',
        target: { type: 'decision_event', id: eventId },
        details: { decisionId: row.decision_id, commentId },
      })
      await noteComment(tx, row, comment)
      const { id, text } = comment
      return reply(201, commentOf({ id, author_id: actorId, author_name: name, text, created_at: commentedAt }))
    }),
  ]
}
