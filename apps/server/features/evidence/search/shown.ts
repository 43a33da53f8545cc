/** A found decision as it is answered: its sentence, its state and its seals. */
import { decisionView } from '@countersign/proof/decision-view.ts'
import { headlineText } from '@countersign/proof/view-tree.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { typedId } from '../../../lib/ids.ts'
import { shownActor } from '../decision-events/api.ts'
import { type Template, templateOf } from '../decisions/api.ts'
import type { FoundRow } from './queries.ts'
import { amountOf } from './searchable.ts'

const listedValues = 2
/** In bytes. A list reads no longer actions. */
const longestRead = 16_384

function headlineOf({ type, actor, action }: FoundRow, actionType: Template | null, language: 'ko' | 'en'): string {
  const read = JSON.stringify(action).length > longestRead ? { type: action.type } : action
  return headlineText(decisionView({ type, actor, action: read, actionType } as never, language), listedValues).slice(
    0,
    500,
  )
}

export async function shownDecisions(tx: TenantTx, centers: CenterProfiles, rows: readonly FoundRow[]) {
  const templates = new Map<string, Template | null>()
  for (const type of new Set(rows.map(({ action }) => action.type)))
    templates.set(type, await templateOf(tx, centers, type))
  return rows.map((row) => {
    const template = templates.get(row.action.type) ?? null
    return {
      eventId: typedId('decisionEvent', row.id),
      decisionId: row.decision_id,
      headline: { ko: headlineOf(row, template, 'ko'), en: headlineOf(row, template, 'en') },
      type: row.type as 'custom',
      actor: shownActor(row.actor),
      actionType: row.action.type,
      status: row.status as 'sealed',
      waiting: row.waiting,
      amount: amountOf(row),
      chainHash: row.chain_hash,
      approvals: row.approvals
        .filter(({ taken_back }) => !taken_back)
        .map(({ approver, result, identity_level }) => ({
          approverId: approver.id ?? null,
          name: approver.name ?? null,
          result: result as 'approved',
          level: identity_level as 'session',
        })),
      tags: [...row.tags],
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    }
  })
}
