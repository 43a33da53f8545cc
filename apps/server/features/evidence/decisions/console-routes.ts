import * as contract from '@countersign/contract/console-inbox.ts'
import { getTrace } from '@countersign/contract/console-trace.ts'
import { decisionView } from '@countersign/proof/decision-view.ts'
import { headlineText } from '@countersign/proof/view-tree.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Applied, appliedOf } from '../../../governance/policies.ts'
import { type Route, route } from '../../../http/route.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { policyCopy } from '../decision-events/api.ts'
import { type InboxRow, inboxCounts, inboxPage } from './console-queries.ts'
import { rulesOf } from './rules.ts'
import { type Template, templateOf } from './templates.ts'
import { trace } from './trace.ts'
import { viewsOf } from './views.ts'

type Item = ReturnType<typeof itemOf>

const listedValues = 2

interface Known {
  readonly policies: readonly Applied[]
  /** By type, as it was sent. */
  readonly templates: ReadonlyMap<string, Template | null>
}

/** As the sheet of the decision begins; what is long is left out of a list. */
function headlineOf(row: InboxRow, { policies, templates }: Known, language: 'ko' | 'en'): string {
  const asking = row.policies.map(({ id, version }) => `${id} ${version}`)
  const rules = rulesOf(
    row,
    policies.filter(({ id, version }) => asking.includes(`${id} ${version}`)),
  )
  const { type, actor, action } = row
  const actionType = templates.get(row.action_type) ?? null
  return headlineText(decisionView({ type, actor, action, actionType, waiting: { rules } }, language), listedValues)
}

const itemOf = (row: InboxRow, known: Known) => ({
  eventId: typedId('decisionEvent', row.id),
  decisionId: row.decision_id,
  type: row.type as 'custom',
  actor: row.actor as { id: string; type: 'human' },
  action: { type: row.action_type, description: row.description },
  headline: { ko: headlineOf(row, known, 'ko'), en: headlineOf(row, known, 'en') },
  tags: row.tags,
  status: row.status as 'recorded',
  riskScore: row.risk_score,
  since: row.since.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  reasons: row.reasons as 'humanReview'[],
  approvals: row.approvals,
  comments: row.comments,
  openedAt: row.opened_at?.toISOString() ?? null,
  opened: row.opened,
  openedByOthers: row.opened_by_others,
})

interface InboxNeeds {
  readonly centers: CenterProfiles
  readonly directory: Directory
}

export const consoleDecisionRoutes = ({ centers, directory }: InboxNeeds): Route[] => [
  route(contract.getInbox, async ({ tx, query, principal }, reply) => {
    const { page, limit, sort = 'risk', view = 'all' } = query
    const { actorId } = principal
    const views = await viewsOf(tx, directory, principal)
    const ids = view === 'all' ? null : views[view]
    const order = view === 'confirm' || view === 'informed' || view === 'asked' ? 'newest' : sort
    const rows = await inboxPage(tx, { actorId, sort: order, limit, offset: (page - 1) * limit, ids })
    const counts = {
      ...(await inboxCounts(tx, actorId, secondsFromNow(3600))),
      ...{ turn: views.turn.length, soon: views.soon.length, confirm: views.confirm.length },
      ...{ informed: views.informed.length, asked: views.asked.length },
    }
    const policies = (await policyCopy(tx)).policies.map(appliedOf)
    const templates = new Map<string, Template | null>()
    for (const type of new Set(rows.map(({ action_type }) => action_type))) {
      templates.set(type, await templateOf(tx, centers, type))
    }
    const items: Item[] = rows.map((row) => itemOf(row, { policies, templates }))
    return reply(200, { items, total: ids?.length ?? counts.waiting, counts })
  }),

  route(getTrace, async (context, reply) => reply(200, await trace(context))),
]
