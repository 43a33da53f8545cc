/** The causes of messages about a comment and a deputy. */
import type { TenantTx } from '../../../data/cells.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { noteCellCause } from '../../../mail/causes.ts'
import { commentersOf } from './queries.ts'

const isPerson = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** Whoever asked for the decision, if a person did, and whoever commented before. */
export async function noteComment(
  tx: TenantTx,
  decision: { readonly id: string; readonly actor: { readonly id: string } },
  comment: { readonly id: string; readonly authorId: string },
): Promise<void> {
  const { authorId: by } = comment
  const requester = [decision.actor.id.toLowerCase()].filter((id) => isPerson(id) && id !== by)
  const commenters = (await commentersOf(tx, decision.id)).filter((id) => isPerson(id) && id !== by)
  const facts = { id: typedId('decisionEvent', decision.id), requester, commenters, by }
  await noteCellCause(tx, { id: `comment ${comment.id}`, event: 'commented', facts })
}

export async function noteDeputy(
  tx: TenantTx,
  by: string,
  { deputyId, from, until }: { readonly deputyId: string; readonly from: Date; readonly until: Date },
): Promise<void> {
  const facts = { person: deputyId, by, startsAt: from.toISOString(), of: { until: until.toISOString() } }
  await noteCellCause(tx, { id: `deputy ${newUuid()}`, event: 'deputyNamed', facts })
}
