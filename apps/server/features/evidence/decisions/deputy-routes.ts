import * as contract from '@countersign/contract/decision-deputies.ts'
import { audit } from '../../../audit/audit.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { namesOfMembers } from '../../identity/members/api.ts'
import { type DeputyRow, deputiesOf, putDeputy, stopDeputy } from './deputy-queries.ts'
import { approvingMembers } from './queries.ts'
import { noteDeputy } from './told.ts'

const mostDeputyDays = 90

interface DeputyNeeds {
  readonly directory: Directory
}

export const deputyRoutes = ({ directory }: DeputyNeeds): Route[] => [
  route(contract.getDeputies, async ({ tx, principal: { actorId } }, reply) => {
    const rows = await deputiesOf(tx, actorId, now())
    const otherOf = (row: DeputyRow) => (row.actor_id === actorId ? row.deputy_id : row.actor_id)
    const names = await directory.asCenter(tx.caller, (own) => namesOfMembers(own, rows.map(otherOf)), 'read')
    const said = (row: DeputyRow) => ({
      actorId: otherOf(row),
      name: names.get(otherOf(row)) ?? '',
      from: row.starts_at.toISOString(),
      until: row.ends_at.toISOString(),
    })
    const own = rows.find(({ actor_id }) => actor_id === actorId)
    return reply(200, {
      deputy: own ? said(own) : null,
      deputyFor: rows.filter(({ deputy_id }) => deputy_id === actorId).map(said),
    })
  }),

  route(contract.setDeputy, async ({ tx, body, principal }, reply) => {
    const [from, until] = [body.from, body.until].map((text) => new Date(text.toUpperCase())) as [Date, Date]
    if (from >= until)
      throw new Problem('VALIDATION_ERROR', '"until" isn\'t later than "from". Send a later time.', {
        details: { reason: 'period', field: 'until' },
      })
    if (until.getTime() - from.getTime() > mostDeputyDays * 86_400_000) {
      throw new Problem(
        'VALIDATION_ERROR',
        `A deputy can act for at most ${mostDeputyDays} days at a time. Send an earlier "until".`,
        { details: { reason: 'deputyDays', field: 'until' } },
      )
    }
    if (body.actorId.toLowerCase() === principal.actorId) {
      throw new Problem('CONFLICT', "You can't be your own deputy. Choose another member.", {
        details: { reason: 'ownDeputy' },
      })
    }
    const [deputy] = await directory.asCenter(tx.caller, (own) => approvingMembers(own, [body.actorId]), 'read')
    if (!deputy) {
      throw new Problem(
        'NOT_FOUND',
        'This center has no active administrator or instructor with this ID. List its members to find the ID.',
      )
    }
    const { actor_id: actorId, name } = deputy
    await putDeputy(tx, { actor_id: principal.actorId, deputy_id: actorId, starts_at: from, ends_at: until })
    await audit(tx, {
      type: 'settings.updated',
      action: 'deputy',
      target: { type: 'actor', id: principal.actorId },
      details: { deputyId: actorId, from: from.toISOString(), until: until.toISOString() },
    })
    await noteDeputy(tx, principal.actorId, { deputyId: actorId, from, until })
    return reply(200, { actorId, name, from: from.toISOString(), until: until.toISOString() })
  }),

  route(contract.endDeputy, async ({ tx, principal }, reply) => {
    const ended = await stopDeputy(tx, principal.actorId, now())
    if (ended)
      await audit(tx, {
        type: 'settings.updated',
        action: 'deputy_ended',
        target: { type: 'actor', id: principal.actorId },
        details: { deputyId: ended.deputy_id },
      })
    return reply(204, null)
  }),
]
